// Tabs: arrow keys move between them, and the address stores the open tab.

import { button, el, freshId } from "../shared/dom.js";

/** Creates tabs. `names` are [name, label]; `open` shows the panel of a name in an element. */
export function tabs(label, names, open) {
  const panel = el("div", { role: "tabpanel", id: freshId(), tabindex: "-1" });
  const all = names.map(([name, text]) => {
    const tab = button(text, () => select(name), { role: "tab", id: `tab-${name}`, "aria-controls": panel.id });
    return [name, tab];
  });
  const list = el("div", { role: "tablist", "aria-label": label }, ...all.map(([, tab]) => tab));
  const select = (name) => {
    for (const [other, tab] of all) {
      tab.setAttribute("aria-selected", String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
    }
    panel.setAttribute("aria-labelledby", `tab-${name}`);
    history.replaceState(null, "", `#${name}`);
    open(name, panel);
  };
  list.addEventListener("keydown", (event) => {
    const at = all.findIndex(([, tab]) => tab === document.activeElement);
    const last = all.length - 1;
    const right = at === last ? 0 : at + 1;
    const left = at === 0 ? last : at - 1;
    const to = { ArrowRight: right, ArrowLeft: left, Home: 0, End: last }[event.key];
    if (at === -1 || to === undefined) return;
    event.preventDefault();
    all[to][1].focus();
    select(all[to][0]);
  });
  const wanted = location.hash.slice(1);
  select(names.some(([name]) => name === wanted) ? wanted : names[0][0]);
  return [list, panel];
}
