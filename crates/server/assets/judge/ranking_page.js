// Page for ranking a list, with groups of equal items and unranked items.

import { button, confirmAction, el, freshId } from "../shared/dom.js";
import { Clip } from "./clip.js";
import { draggable } from "./drag.js";
import { RankingDraft } from "./ranking_draft.js";
import { RankingOrder } from "./ranking_order.js";
import { QuestionPage, shortcuts } from "./question_page.js";
import { hasAudio, stimulusContent } from "./stimulus.js";
import { t } from "../shared/i18n.js";

export class RankingPage extends QuestionPage {
  constructor(task, page, activity) {
    super(task, page, activity);
    this.hasAudio = hasAudio(task);
    const original = this.figure("query");
    const { question } = page.me.texts;
    this.draft = new RankingDraft(task, { state: page.state, newer: () => this.adoptNewerDraft() });
    this.order = new RankingOrder(task.items.map((item) => item.key), this.draft.latest);
    this.items = new Map(task.items.map((item, place) => [item.key, this.item(item, place + 1)]));
    this.spoken = el("p", { class: "unseen", "aria-live": "polite" });
    const ranked = this.section("ranked", "ol");
    const unranked = this.section("unranked", "ul");
    this.lists = { ranked, unranked };
    this.hint = this.createHint("ranking");
    this.elements = this.build(
      [
        el("div", { class: "original" }, original),
        question && el("p", { class: "legend", text: question }),
        el("div", { class: "ranking" }, ranked.element, unranked.element),
        this.spoken,
        this.hint,
      ],
      { save: t("ranking.save"), keys: t(this.clips.length > 0 ? "ranking.keys" : "ranking.keys_still") },
    );
    this.arrange();
    this.changed();
  }

  changed() {
    this.hint.hidden = this.isHeard;
    this.activity.save();
  }

  section(name, kind) {
    const id = freshId();
    // Safari drops the list role of lists without bullets unless it is set explicitly.
    const list = el(kind, { role: "list", "aria-labelledby": id, class: name });
    const empty = el("p", { class: "help", text: t(`ranking.empty_${name}`) });
    const help = name === "ranked" ? el("p", { class: "help", text: t("ranking.ranked_help") }) : null;
    const heading = el("h2", { id, text: t(`ranking.${name}`) });
    return { element: el("section", { class: "part", "data-list": name }, heading, help, empty, list), list, empty };
  }

  item({ key, show }, n) {
    const say = (what) => this.labels.rankingItem(what, n, this.hasAudio);
    const act = (what) => {
      const press = button(t(`ranking.short.${what}`), () => this.act(key, what), { "aria-label": say(what) });
      return [what, press];
    };
    const buttons = Object.fromEntries(["up", "down", "equal", "unrank"].map(act));
    const clip = show.audio
      ? new Clip(say("play"), show.audio, this.activity.playback(key), {
          changed: () => this.changed(),
          short: t("ranking.short.play"),
        })
      : null;
    if (clip) this.clips.push(clip);
    const handle = el("span", { class: "handle", "aria-hidden": "true" });
    const place = el("span", { class: "place" });
    const element = el(
      "li",
      { "aria-label": say("name"), tabindex: "0" },
      el("div", { class: "head" }, handle, el("span", { class: "name", text: say("name") }), place),
      ...stimulusContent(say("name"), show),
      el("div", { class: "actions" }, clip?.element, ...Object.values(buttons)),
    );
    element.addEventListener("keydown", (event) => this.itemKey(event, key));
    draggable(element, handle, {
      dropTarget: (x, y) => this.dropTarget(x, y, key),
      clearMarks: () => this.clearMarks(),
      drop: (to) => this.drop(key, to),
    });
    return { element, buttons, clip, place, n };
  }

  /** Moves every item to its position in the order. */
  arrange() {
    const focused = document.activeElement;
    const { ranked, unranked } = this.lists;
    const of = this.order.groups.length;
    this.order.groups.forEach((group, at) => {
      group.forEach((key, within) => {
        const { element, place } = this.items.get(key);
        element.classList.toggle("tied", within > 0);
        const shared = group.length > 1 ? "ranking.place_equal" : "ranking.place";
        place.textContent = t(shared, { place: at + 1, of });
      });
    });
    for (const key of this.order.unranked) {
      const { element, place } = this.items.get(key);
      element.classList.remove("tied");
      place.textContent = "";
    }
    const elements = (keys) => keys.map((key) => this.items.get(key).element);
    ranked.list.replaceChildren(...elements(this.order.groups.flat()));
    unranked.list.replaceChildren(...elements(this.order.unranked));
    ranked.empty.hidden = of > 0;
    unranked.empty.hidden = this.order.unranked.length > 0;
    for (const [key, { buttons }] of this.items) {
      const at = this.order.groupIndex(key);
      const alone = this.order.isAlone(key);
      const off = {
        up: at === 0 && alone,
        down: at === -1 || (at === of - 1 && alone),
        equal: this.order.above(key) === null,
        unrank: at === -1,
      };
      // The buttons stay focusable and announce that they are disabled.
      for (const what of Object.keys(off)) buttons[what].setAttribute("aria-disabled", String(off[what]));
    }
    // A moved element loses the focus.
    if (focused?.isConnected && focused !== document.activeElement && focused !== document.body) focused.focus();
  }

  act(key, what) {
    if (this.order[what](key)) this.moved(key);
  }

  moved(key) {
    this.arrange();
    const { n, place } = this.items.get(key);
    const ranked = this.order.groupIndex(key) !== -1;
    const says = ranked ? "moved" : "unranked";
    this.spoken.textContent = this.labels.rankingItem(says, n, this.hasAudio, { place: place.textContent });
    this.draft.change(this.order.fields);
  }

  itemKey(event, key) {
    if (!shortcuts() || event.ctrlKey || event.metaKey) return;
    const { element, clip } = this.items.get(key);
    if (event.key === " " && event.target === element && clip) {
      event.preventDefault();
      clip.toggle();
      return;
    }
    const acts = event.altKey ? { ArrowUp: "up", ArrowDown: "down" } : { "=": "equal", u: "unrank", U: "unrank" };
    const what = acts[event.key];
    if (!what) return;
    event.preventDefault();
    event.stopPropagation();
    this.act(key, what);
  }

  /** Of the common shortcuts only Space applies here. */
  key(event) {
    if (event.key === " " && !event.target.closest("li")) super.key(event);
  }

  /** Returns the drop target at a point of the screen. */
  dropTarget(x, y, key) {
    this.clearMarks();
    const section = document.elementFromPoint(x, y)?.closest("section[data-list]");
    if (!section) return null;
    if (section.dataset.list === "unranked") {
      section.classList.add("target");
      return { unranked: true };
    }
    for (const other of this.order.groups.flat()) {
      if (other === key) continue;
      const { element } = this.items.get(other);
      const { top, height } = element.getBoundingClientRect();
      const inside = (y - top) / height;
      if (inside > 0.7) continue;
      const first = this.order.groups[this.order.groupIndex(other)].find((one) => one !== key) === other;
      if (inside < 0.3 && first) {
        element.classList.add("above");
        return { before: other };
      }
      element.classList.add("same");
      return { join: other };
    }
    section.classList.add("target");
    return { before: null };
  }

  clearMarks() {
    for (const { element } of this.items.values()) element.classList.remove("above", "same");
    for (const { element } of Object.values(this.lists)) element.classList.remove("target");
  }

  drop(key, to) {
    const isMoved =
      "unranked" in to
        ? this.order.unrank(key)
        : "join" in to
          ? this.order.join(key, to.join)
          : this.order.before(key, to.before);
    if (isMoved) this.moved(key);
  }

  /** Shows a later order of another window or device. */
  async adoptNewerDraft() {
    const task = await this.page.refetch(this.task.task);
    if (!task?.draft) return;
    this.draft.adopt(task.draft);
    this.order = new RankingOrder(this.task.items.map((item) => item.key), task.draft);
    this.arrange();
    this.page.say(t("status.elsewhere"));
  }

  async submit() {
    if (this.mustHear()) return;
    if (this.order.groups.length === 0) {
      const help = this.labels.mention("ranking.nothing_help");
      const [heading, save, back] = ["nothing", "nothing_save", "nothing_back"].map((word) => t(`ranking.${word}`));
      if (!(await confirmAction(heading, help, save, back))) return;
    }
    this.save(structuredClone(this.order.fields));
  }

  leave() {
    super.leave();
    this.draft.end(this.saved);
  }
}
