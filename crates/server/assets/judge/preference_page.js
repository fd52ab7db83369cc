// Page for choosing which of two variations is more similar to the original.

import { el } from "../shared/dom.js";
import { QuestionPage, radioGroup } from "./question_page.js";
import { t } from "../shared/i18n.js";

const PARTS = ["query", "a", "b"];
const ANSWERS = ["a", "b", "equal"];
const KEYS = { a: "a", b: "b", e: "equal" };

export class PreferencePage extends QuestionPage {
  constructor(task, page, activity) {
    super(task, page, activity);
    const figures = PARTS.map((part) => this.figure(part));
    const { texts } = page.me;
    this.hint = this.createHint("preference");
    this.answers = radioGroup(
      texts.question,
      ANSWERS.map((answer) => [answer, texts[answer]]),
      (answer) => this.chosen(answer),
      this.hint,
    );
    const earlier = this.answers.input(activity.data.answer);
    if (earlier) earlier.checked = true;
    this.elements = this.build(
      [
        el("div", { class: "original" }, figures[0]),
        el("div", { class: "variations" }, figures[1], figures[2]),
        this.answers.element,
      ],
      { save: t("task.save"), keys: this.clips.length > 0 ? this.labels.mention("preference.keys") : t("preference.keys_still") },
    );
    this.changed();
  }

  changed() {
    this.answers.disabled = !this.isHeard;
    this.activity.save();
  }

  chosen(answer) {
    this.activity.data.answer = answer;
    this.activity.save();
    this.complain("");
  }

  chooseByKey(key) {
    return this.selectRadio(this.answers, KEYS[key]);
  }

  submit() {
    if (this.mustHear()) return;
    const answer = this.answers.value;
    if (answer === null) {
      this.complain(t("preference.choose"), this.answers.first);
      return;
    }
    const listened = Object.fromEntries(this.clips.map((clip) => [clip.part, clip.heard]));
    this.save({ answer, listened, hidden: this.activity.hidden });
  }
}
