// Page for grading the similarity of a variation: in words (the Broad scale), then with a number (the Fine scale).

import { el, field } from "../shared/dom.js";
import { QuestionPage, radioGroup } from "./question_page.js";
import { t } from "../shared/i18n.js";

const KEYS = { n: "NS", s: "SS", v: "VS" };

export class GradingPage extends QuestionPage {
  constructor(task, page, activity) {
    super(task, page, activity);
    const figures = ["query", "item"].map((part) => this.figure(part));
    this.hint = this.createHint("grading");
    this.broad = radioGroup(
      page.me.texts.question,
      task.scales.broad.map((grade) => [grade, t(`grading.${grade}`)]),
      (grade) => this.chosen(grade),
      this.hint,
    );
    const earlier = this.broad.input(activity.data.broad);
    if (earlier) earlier.checked = true;
    this.elements = this.build([el("div", { class: "variations" }, ...figures), this.broad.element, this.slider()], {
      save: t("task.save"),
      keys: this.clips.length > 0 ? this.labels.mention("grading.keys") : t("grading.keys_still"),
    });
    this.changed();
  }

  /** The slider starts in the middle, which is not an answer yet. */
  slider() {
    const { min, max, step } = this.task.scales.fine;
    this.fine = el("input", { type: "range", min, max, step });
    const digits = (String(step).split(".")[1] ?? "").length;
    const value = el("span", { class: "value", "aria-hidden": "true" });
    const show = () => {
      const isSet = this.activity.data.fine !== undefined;
      value.textContent = isSet ? Number(this.fine.value).toFixed(digits) : "–";
      if (isSet) this.fine.removeAttribute("aria-valuetext");
      else this.fine.setAttribute("aria-valuetext", t("grading.unset"));
    };
    const middle = min + step * Math.round((max - min) / step / 2);
    this.fine.value = String(this.activity.data.fine ?? middle);
    const set = () => {
      this.activity.data.fine = Number(this.fine.value);
      this.activity.save();
      this.complain("");
      show();
    };
    this.fine.addEventListener("input", set);
    // Pressing the middle does not change the value but still counts as an answer.
    this.fine.addEventListener("pointerup", set);
    show();
    const box = field(t("grading.fine"), this.fine, t("grading.fine_help", { min, max }));
    this.fine.after(value);
    box.classList.add("slider");
    return box;
  }

  changed() {
    this.broad.disabled = !this.isHeard;
    this.fine.disabled = !this.isHeard;
    this.activity.save();
  }

  chosen(grade) {
    this.activity.data.broad = grade;
    this.activity.save();
    this.complain("");
  }

  chooseByKey(key) {
    return this.selectRadio(this.broad, KEYS[key]);
  }

  submit() {
    if (this.mustHear()) return;
    const broad = this.broad.value;
    if (broad === null) this.complain(t("grading.choose"), this.broad.first);
    else if (this.activity.data.fine === undefined) this.complain(t("grading.choose_fine"), this.fine);
    else this.save({ broad, fine: this.activity.data.fine });
  }
}
