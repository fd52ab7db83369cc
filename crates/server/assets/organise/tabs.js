// Tabs: arrow keys move between them, and the address stores the open tab.

import { button, el, freshId } from "../shared/dom.js";
import { tabAddress } from "./row_query.js";

/** Creates tabs. `names` are [name, label]; `open` shows the panel of a name in an element. */
export function tabs(label, names, open) {
  const panel = el("div", { role: "tabpanel", id: freshId(), tabindex: "-1" });
  const all = names.map(([name, text]) => {
    const tab = button(text, () => go(name), { role: "tab", id: `tab-${name}`, "aria-controls": panel.id });
    return [name, tab];
  });
  const list = el("div", { role: "tablist", "aria-label": label }, ...all.map(([, tab]) => tab));
  const select = (name) => {
    for (const [other, tab] of all) {
      tab.setAttribute("aria-selected", String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
    }
    panel.setAttribute("aria-labelledby", `tab-${name}`);
    open(name, panel);
  };
  /** Opens a tab as a step of the browser's history. */
  const go = (name) => {
    history.pushState(null, "", tabAddress(name));
    select(name);
  };
  const fromAddress = () => {
    const wanted = location.hash.slice(1);
    return names.some(([name]) => name === wanted) ? wanted : names[0][0];
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
    history.replaceState(null, "", tabAddress(all[to][0]));
    select(all[to][0]);
  });
  window.addEventListener("popstate", () => {
    if (list.isConnected) select(fromAddress());
  });
  select(fromAddress());
  return [list, panel];
}
