// Dialog for reporting a task that cannot be judged; another task replaces it.

import { button, dialog, el, field } from "../shared/dom.js";
import { radioGroup } from "./question_page.js";
import { hasAudio } from "./stimulus.js";
import { t } from "../shared/i18n.js";

const PROBLEMS = ["load", "silent", "wrong", "other"];

/** Returns the parts of the task of a question with their names. */
function namedParts({ task, labels }) {
  const isMelody = hasAudio(task);
  const single = ["query", "a", "b", "item"].filter((part) => task[part]);
  return [
    ...single.map((part) => [part, labels.part(part)]),
    ...(task.items ?? []).map(({ key }, place) => [key, labels.rankingItem("name", place + 1, isMelody)]),
  ];
}

/** Asks for the problem and passes the report to `send`. */
export function openReportDialog(question, send) {
  const { task } = question;
  // Nothing is preselected: a report takes all questions with its part from this person.
  const parts = [["", t("report.choose")], ...namedParts(question)];
  const choices = parts.map(([value, text]) => el("option", { value, text }));
  const which = el("select", { required: true }, ...choices);
  const problems = PROBLEMS.map((problem) => [problem, t(`report.${problem}`)]);
  const what = radioGroup(t("report.what"), problems, () => {});
  what.first.required = true;
  const note = el("textarea", { rows: "2", maxlength: "4000", autocomplete: "off" });
  const form = el(
    "form",
    {
      on: {
        submit: (event) => {
          event.preventDefault();
          const text = note.value.trim();
          box.close();
          send({
            task: task.task,
            part: which.value,
            problem: what.value,
            ...(text === "" ? {} : { note: text }),
          });
        },
      },
    },
    el("p", { text: t("report.help") }),
    field(t("report.which"), which),
    what.element,
    field(t("report.note"), note),
    el(
      "div",
      { class: "actions" },
      el("button", { type: "submit", class: "primary", text: t("report.send") }),
      button(t("report.cancel"), () => box.close()),
    ),
  );
  const box = dialog(t("report.heading"), form);
}
