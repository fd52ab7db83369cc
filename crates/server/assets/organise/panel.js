// Base of the panels of a campaign page. A panel is rebuilt only if its content has changed, and keeps the focus.

import { el } from "../shared/dom.js";

export class Panel {
  constructor(campaign, page) {
    this.campaign = campaign;
    this.page = page;
    this.data = el("div");
    /** Search, order and page of the panel's table; panels without one have no such query. */
    this.query = null;
    this.element = el("div", {}, ...this.fixed(), this.data);
    this.renderedText = null;
    this.reads = 0;
  }

  /** Builds the permanent part, such as forms. */
  fixed() {
    return [];
  }

  /** Returns whether the content may change without an event. */
  get isAlwaysNew() {
    return false;
  }

  /** Loads and shows the content. */
  async update() {
    this.reads += 1;
    const number = this.reads;
    const read = await this.read();
    // A later request may be answered first; only the latest one counts.
    if (number !== this.reads) return;
    // The order of the rows is part of the table's head, also where it leaves the rows as they were.
    const text = JSON.stringify([read, this.query?.sort]);
    if (text === this.renderedText) return;
    this.renderedText = text;
    const focused = document.activeElement;
    const key = this.data.contains(focused) ? focused.dataset.key : null;
    const open = [...this.data.querySelectorAll("details[open]")].map((one) => one.dataset.key);
    this.data.replaceChildren(...this.show(read).flat().filter(Boolean));
    for (const one of this.data.querySelectorAll("details")) one.open ||= open.includes(one.dataset.key);
    if (key) [...this.data.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key)?.focus();
  }
}
