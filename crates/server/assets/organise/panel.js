// A part of a campaign's page. What it shows is built anew only when it has changed, and whoever is on a button
// of it stays there.

import { el } from "../shared/dom.js";

export class Panel {
  constructor(campaign, page) {
    this.campaign = campaign;
    this.page = page;
    this.data = el("div");
    this.element = el("div", {}, ...this.fixed(), this.data);
    this.seen = null;
  }

  /** What stays while the rest changes, such as forms. */
  fixed() {
    return [];
  }

  /** Whether it may change without an event. */
  get isAlwaysNew() {
    return false;
  }

  /** Reads what there is and shows it. */
  async update() {
    const read = await this.read();
    const text = JSON.stringify(read);
    if (text === this.seen) return;
    this.seen = text;
    const focused = document.activeElement;
    const key = this.data.contains(focused) ? focused.dataset.key : null;
    const open = [...this.data.querySelectorAll("details[open]")].map((one) => one.dataset.key);
    this.data.replaceChildren(...this.show(read).flat().filter(Boolean));
    for (const one of this.data.querySelectorAll("details")) one.open ||= open.includes(one.dataset.key);
    if (key) [...this.data.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key)?.focus();
  }
}
