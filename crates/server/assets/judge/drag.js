// Dragging of ranking items: with the mouse anywhere on the item, by touch only at its handle, so that a finger
// elsewhere scrolls the page.

/** Distance in pixels from which a pointer movement counts as dragging. */
const MIN_DISTANCE = 6;
/** Distance in pixels from the edge of the window within which dragging scrolls the page. */
const SCROLL_MARGIN = 60;

/**
 * Makes an item draggable. `dropTarget(x, y)` returns and marks the drop target at a point, `drop(target)` drops the
 * item there, `clearMarks()` removes the marks.
 */
export function draggable(item, handle, { dropTarget, drop, clearMarks }) {
  item.addEventListener("pointerdown", (down) => {
    const onHandle = handle.contains(down.target);
    if (down.button !== 0 || (down.pointerType !== "mouse" && !onHandle)) return;
    if (down.target.closest("button, input, a, textarea")) return;
    let target = null;
    let isMoving = false;
    const move = (event) => {
      const far = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY);
      if (!isMoving && far < MIN_DISTANCE) return;
      if (!isMoving) {
        isMoving = true;
        item.classList.add("dragged");
      }
      event.preventDefault();
      if (event.clientY < SCROLL_MARGIN) window.scrollBy(0, -12);
      else if (event.clientY > window.innerHeight - SCROLL_MARGIN) window.scrollBy(0, 12);
      target = dropTarget(event.clientX, event.clientY);
    };
    const end = (event) => {
      item.removeEventListener("pointermove", move);
      item.removeEventListener("pointerup", end);
      item.removeEventListener("pointercancel", end);
      item.classList.remove("dragged");
      clearMarks();
      if (isMoving && event.type === "pointerup" && target) drop(target);
    };
    item.addEventListener("pointermove", move);
    item.addEventListener("pointerup", end);
    item.addEventListener("pointercancel", end);
    // A fast pointer can leave the item with its first move.
    item.setPointerCapture(down.pointerId);
    down.preventDefault();
    item.focus({ preventScroll: true });
  });
}
