// Dragging of ranking items: with the mouse anywhere on the item, by touch only at its handle, so that a finger
// elsewhere scrolls the page.

const FAR = 6;
const EDGE = 60;

/**
 * Makes an item draggable. `where(x, y)` returns and marks the drop target at a point, `drop(place)` drops the item
 * there, `clear()` removes the marks.
 */
export function draggable(item, handle, { where, drop, clear }) {
  item.addEventListener("pointerdown", (down) => {
    const onHandle = handle.contains(down.target);
    if (down.button !== 0 || (down.pointerType !== "mouse" && !onHandle)) return;
    if (down.target.closest("button, input, a, textarea")) return;
    let place = null;
    let isMoving = false;
    const move = (event) => {
      const far = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY);
      if (!isMoving && far < FAR) return;
      if (!isMoving) {
        isMoving = true;
        item.classList.add("dragged");
      }
      event.preventDefault();
      if (event.clientY < EDGE) window.scrollBy(0, -12);
      else if (event.clientY > window.innerHeight - EDGE) window.scrollBy(0, 12);
      place = where(event.clientX, event.clientY);
    };
    const end = (event) => {
      item.removeEventListener("pointermove", move);
      item.removeEventListener("pointerup", end);
      item.removeEventListener("pointercancel", end);
      item.classList.remove("dragged");
      clear();
      if (isMoving && event.type === "pointerup" && place) drop(place);
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
