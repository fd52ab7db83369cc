// Builds DOM elements one by one, so that text from outside is never parsed as markup.

let lastId = 0;

/** Returns an id that is unique on the page. */
export function freshId() {
  lastId += 1;
  return `e${lastId}`;
}

/**
 * Creates an element. `on` holds listeners and `text` the text. An attribute with the value true has no value;
 * null and false omit the attribute.
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

/** Creates a button with a click listener. */
export function button(text, onClick, attributes = {}) {
  return el("button", { type: "button", text, on: { click: onClick }, ...attributes });
}

/** Creates one paragraph per line. */
export function paragraphs(text) {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => el("p", { text: line }));
}

/** Creates a field with a label above it and optional help text below it. */
export function field(label, input, help = null) {
  input.id ||= freshId();
  const note = help && el("p", { class: "help", id: freshId(), text: help });
  if (note) input.setAttribute("aria-describedby", note.id);
  return el("div", { class: "field" }, el("label", { for: input.id, text: label }), input, note);
}

/** Creates a checkbox or radio button whose whole label is clickable. */
export function choice(type, name, value, label, attributes = {}) {
  const input = el("input", { type, name, value, ...attributes });
  return { input, element: el("label", { class: "choice" }, input, el("span", { text: label })) };
}

/** Opens a modal dialog with a heading; closing removes it from the page. */
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

/** Asks for confirmation of an irreversible action by typing a name. */
export function confirmByName(heading, help, label, name, yes, no) {
  return new Promise((resolve) => {
    let answer = false;
    const input = el("input", { type: "text", autocomplete: "off", spellcheck: "false", autofocus: true });
    const confirm = el("button", { type: "submit", class: "primary", disabled: true, text: yes });
    input.addEventListener("input", () => {
      confirm.disabled = input.value.trim() !== name;
    });
    const submit = (event) => {
      event.preventDefault();
      answer = input.value.trim() === name;
      if (answer) box.close();
    };
    const box = dialog(
      heading,
      el(
        "form",
        { on: { submit } },
        el("p", { text: help }),
        field(label, input),
        el("div", { class: "actions" }, confirm, button(no, () => box.close())),
      ),
    );
    box.addEventListener("close", () => resolve(answer));
  });
}

/** Asks for confirmation of an irreversible action. */
export function confirmAction(heading, help, yes, no) {
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
