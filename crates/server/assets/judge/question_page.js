// Common parts of the pages of all kinds of tasks.

import { button, choice, el, field, freshId, paragraphs } from "../shared/dom.js";
import { localStore } from "./storage.js";
import { playing, stop } from "./clip.js";
import { Labels } from "./labels.js";
import { stimulusFigure } from "./stimulus.js";
import { t } from "../shared/i18n.js";

const SHORTCUTS_KEY = "partita:shortcuts";

/** Returns whether keyboard shortcuts are on. */
export function shortcuts() {
  return localStore.get(SHORTCUTS_KEY) !== false;
}

/**
 * A page with one question. `body` is its content, `submit` returns the answer or reports with `complain` what is
 * missing, `chooseByKey` maps keys to choices.
 */
export class QuestionPage {
  constructor(task, page, activity) {
    this.task = task;
    this.page = page;
    this.activity = activity;
    this.labels = new Labels(page.me.texts);
    this.clips = [];
    this.saved = false;
  }

  /** Builds the page. */
  build(body, { save, keys }) {
    this.heading = el("h1", { tabindex: "-1", text: t("task.question", { n: this.page.number() }) });
    this.complaint = el("p", { class: "complaint", role: "alert" });
    this.comment = el("textarea", { rows: "2", maxlength: "4000", autocomplete: "off" });
    this.comment.value = this.activity.data.comment;
    this.comment.addEventListener("input", () => {
      this.activity.data.comment = this.comment.value;
      this.activity.save();
    });
    const help = el("p", { class: "help", id: freshId(), text: keys });
    const toggle = choice("checkbox", "shortcuts", "on", t("task.shortcuts"), { "aria-describedby": help.id });
    toggle.input.checked = shortcuts();
    toggle.input.addEventListener("change", () => localStore.set(SHORTCUTS_KEY, toggle.input.checked));
    return [
      this.heading,
      el(
        "details",
        {},
        el("summary", { text: t("task.instructions") }),
        ...paragraphs(this.page.me.instructions),
      ),
      ...body,
      field(t("task.comment"), this.comment),
      this.complaint,
      button(save, () => this.submit(), { class: "primary wide" }),
      el(
        "div",
        { class: "actions" },
        button(t("task.report"), () => this.page.report(this)),
        button(t("task.stop"), () => this.page.stop()),
      ),
      el("div", { class: "keys" }, toggle.element, help),
    ];
  }

  /** Creates the figure of the query or of an item, and collects its clip. */
  figure(part) {
    const figure = stimulusFigure(this.labels.part(part), this.task[part], {
      play: this.labels.play(part),
      heard: this.activity.playback(part),
      mark: part === "query" && this.page.marksNewQuery(this.task) ? t("task.new") : null,
      changed: () => this.changed(),
    });
    if (figure.clip) this.clips.push(Object.assign(figure.clip, { part }));
    return figure.element;
  }

  /** Sets the focus to the first clip, or to the heading. */
  focus() {
    (this.clips[0]?.button ?? this.heading).focus();
  }

  /** Shows what is missing. */
  complain(text, at) {
    this.complaint.textContent = text;
    at?.focus();
  }

  /** Selects a radio button by its value, or explains why that is not possible yet. */
  selectRadio(group, value) {
    const input = group.input(value);
    if (!input) return false;
    if (input.disabled) this.complain(this.hint.textContent);
    else {
      input.checked = true;
      input.focus();
      this.chosen(input.value);
    }
    return true;
  }

  /** Returns whether clips must be heard first, and shows a message in that case. */
  mustHear() {
    if (this.isHeard) return false;
    const unheard = this.clips.find((clip) => !this.isClipHeard(clip));
    this.complain(this.hint.textContent, unheard.button);
    return true;
  }

  /** Returns whether all clips were heard as required. */
  get isHeard() {
    return this.clips.every((clip) => this.isClipHeard(clip));
  }

  isClipHeard({ heard }) {
    const rule = this.page.me.hear;
    return rule === "none" || (rule === "started" ? heard.plays > 0 : heard.ended);
  }

  /** Creates the text that says what must be heard first, in the words of a kind of task. */
  createHint(words) {
    const rule = this.page.me.hear === "started" ? "hear_started" : "hear_ended";
    return el("p", { class: "help", id: freshId(), text: this.labels.mention(`${words}.${rule}`) });
  }

  /** Saves the answer, only once. */
  save(answer) {
    if (this.saved) return;
    this.saved = true;
    stop();
    const comment = this.comment.value.trim();
    this.page.save(this, {
      task: this.task.task,
      seconds: this.activity.seconds,
      ...(comment === "" ? {} : { comment }),
      ...answer,
    });
  }

  /** Handles a key press anywhere on the page. */
  key(event) {
    const at = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || !shortcuts() || isTextInput(at)) return;
    const key = event.key.toLowerCase();
    const clip = /^[1-9]$/.test(key) ? this.clips[Number(key) - 1] : null;
    if (clip) clip.toggle();
    else if (key === " ") {
      if (!this.handleSpace(at)) return;
    } else if (key === "enter") {
      if (at.closest("button, a, summary") || event.repeat) return;
      this.submit();
    } else if (!this.chooseByKey(key)) return;
    event.preventDefault();
  }

  /** Space plays the next unheard clip or stops playback, unless the focused control uses the key itself. */
  handleSpace(at) {
    const own = this.clips.find((clip) => clip.button === at);
    const isDone = (clip) => (this.page.me.hear === "started" ? clip.heard.plays > 0 : clip.heard.ended);
    const next = this.clips.find((clip) => !isDone(clip));
    if (own && (playing() === own || !isDone(own) || !next) && (!playing() || playing() === own)) return false;
    const native = at.closest("button:not(.play), a, summary, input[type=checkbox]");
    if (native || (at.type === "radio" && !at.checked)) return false;
    if (playing()) stop();
    else if (next) next.play();
    else return this.clips.length > 0;
    return true;
  }

  chooseByKey() {
    return false;
  }

  /** Stops playback and recording when the page is replaced. */
  leave() {
    stop();
    this.activity.end(this.saved);
  }
}

function isTextInput(element) {
  const still = ["checkbox", "radio", "range", "button", "submit"];
  return (
    element.matches("textarea, select, [contenteditable]") ||
    (element.matches("input") && !still.includes(element.type))
  );
}

/** Creates a group of radio buttons. `chosen` is called with the value; `described` explains why it is disabled. */
export function radioGroup(label, values, chosen, described = null) {
  const id = freshId();
  const name = freshId();
  const choices = values.map(([value, text]) => ({ value, ...choice("radio", name, value, text) }));
  const element = el(
    "div",
    { role: "radiogroup", "aria-labelledby": id },
    el("p", { class: "legend", id, text: label }),
    described,
    ...choices.map((one) => one.element),
  );
  element.addEventListener("change", (event) => chosen(event.target.value));
  return {
    element,
    get value() {
      return choices.find((one) => one.input.checked)?.value ?? null;
    },
    input: (value) => choices.find((one) => one.value === value)?.input,
    first: choices[0].input,
    /** Disables or enables the group; a disabled group shows the reason. */
    set disabled(off) {
      for (const one of choices) one.input.disabled = off;
      if (!described) return;
      described.hidden = !off;
      if (off) element.setAttribute("aria-describedby", described.id);
      else element.removeAttribute("aria-describedby");
    },
    get disabled() {
      return choices[0].input.disabled;
    },
  };
}
