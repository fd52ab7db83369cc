// Elements are built one by one: text from outside is never read as markup.

let numbers = 0;

/** An id that no other element of the page has. */
export function freshId() {
  numbers += 1;
  return `e${numbers}`;
}

/**
 * An element. `on` holds listeners, `text` its text; true is an attribute without a value, null and false are
 * none.
 */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "text") element.textContent = value;
    else if (key === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** A button that does something. */
export function button(text, press, attributes = {}) {
  return el("button", { type: "button", text, on: { click: press }, ...attributes });
}

/** Paragraphs, one for each line. */
export function paragraphs(text) {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => el("p", { text: line }));
}

/** A field with its label above it, and help beneath it if there is any. */
export function field(label, input, help = null) {
  input.id ||= freshId();
  const note = help && el("p", { class: "help", id: freshId(), text: help });
  if (note) input.setAttribute("aria-describedby", note.id);
  return el("div", { class: "field" }, el("label", { for: input.id, text: label }), input, note);
}

/** A checkbox or a radio whose whole label is its target. */
export function choice(type, name, value, label, attributes = {}) {
  const input = el("input", { type, name, value, ...attributes });
  return { input, element: el("label", { class: "choice" }, input, el("span", { text: label })) };
}

/** A modal dialog with a heading; it is gone once it is closed. */
export function dialog(heading, ...children) {
  const id = freshId();
  const box = el("dialog", { "aria-labelledby": id }, el("h2", { id, text: heading }), ...children);
  const before = document.activeElement;
  box.addEventListener("close", () => {
    box.remove();
    if (before?.isConnected) before.focus();
  });
  document.body.append(box);
  box.showModal();
  return box;
}

/** Asks whether something is to be done that cannot be taken back. */
export function confirmed(heading, help, yes, no) {
  return new Promise((resolve) => {
    let answer = false;
    const box = dialog(
      heading,
      el("p", { text: help }),
      el(
        "div",
        { class: "actions" },
        button(yes, () => {
          answer = true;
          box.close();
        }, { class: "primary" }),
        button(no, () => box.close(), { autofocus: true }),
      ),
    );
    box.addEventListener("close", () => resolve(answer));
  });
}
