// Search, order and page of a table. The address stores them, so that reloading and Back keep them.

import { button, el, field } from "../shared/dom.js";
import { language, t } from "../shared/i18n.js";

const PAGE_ROWS = 100;
/** Delay after the last key in milliseconds before a search begins. */
const SEARCH_DELAY = 300;
const PARAMS = ["find", "sort", "offset"];

/** Returns the address of a tab, without the state of another tab's table. */
export function tabAddress(name) {
  const address = new URL(location.href);
  for (const param of PARAMS) address.searchParams.delete(param);
  address.hash = name;
  return address;
}

export class RowQuery {
  /** `changed` is called after the search, order or page has changed. */
  constructor(changed) {
    this.changed = changed;
    this.input = el("input", { type: "search", maxlength: "200", autocomplete: "off" });
    this.input.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.set({ find: this.input.value.trim(), offset: 0 }, false), SEARCH_DELAY);
    });
    this.field = field(t("organise.rows.find"), this.input);
    this.readAddress();
  }

  /** Takes the state from the address, for example after Back. */
  readAddress() {
    const params = new URLSearchParams(location.search);
    this.find = params.get("find") ?? "";
    this.sort = params.get("sort") ?? "";
    this.offset = Math.max(0, Number.parseInt(params.get("offset") ?? "0", 10) || 0);
    if (document.activeElement !== this.input) this.input.value = this.find;
  }

  /** Changes the state. `isStep` adds an entry to the browser's history, so that Back undoes the change. */
  set(change, isStep = true) {
    Object.assign(this, change);
    const address = new URL(location.href);
    for (const param of PARAMS) {
      if (this[param]) address.searchParams.set(param, this[param]);
      else address.searchParams.delete(param);
    }
    if (isStep) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    this.changed();
  }

  /** Adds the query to an API path. */
  path(path) {
    const params = new URLSearchParams({ limit: String(PAGE_ROWS) });
    for (const param of PARAMS) if (this[param]) params.set(param, this[param]);
    return `${path}${path.includes("?") ? "&" : "?"}${params}`;
  }

  /** Creates the content of a column header that sorts by a key, and its `aria-sort`. */
  header(key, text) {
    const turn = () => this.set({ sort: this.sort === key ? `-${key}` : key, offset: 0 });
    const content = button(text, turn, { class: "sorter", "data-key": `sort ${key}` });
    const order = { [key]: "ascending", [`-${key}`]: "descending" }[this.sort] ?? "none";
    return { content, order };
  }

  /** Creates the line that says which rows are shown, with buttons for other pages. */
  pager(shown, total) {
    const count = (n) => n.toLocaleString(language());
    const from = shown === 0 ? 0 : this.offset + 1;
    const values = { from: count(from), to: count(this.offset + shown), total: count(total) };
    const previous = button(
      t("organise.rows.previous"),
      () => this.set({ offset: Math.max(0, this.offset - PAGE_ROWS) }),
      { "data-key": "previous", disabled: this.offset === 0 },
    );
    const next = button(t("organise.rows.next"), () => this.set({ offset: this.offset + PAGE_ROWS }), {
      "data-key": "next",
      disabled: this.offset + shown >= total,
    });
    return el("div", { class: "pager" }, el("p", { text: t("organise.rows.range", values) }), previous, next);
  }
}
