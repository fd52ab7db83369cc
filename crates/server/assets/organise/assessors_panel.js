// Panel of assessors with their screening cards.

import { button, confirmAction, dialog, el, field } from "../shared/dom.js";
import { Panel } from "./panel.js";
import { RowQuery } from "./row_query.js";
import { number, percent, table } from "./table.js";
import { t } from "../shared/i18n.js";

const word = (name, values) => t(`organise.people.${name}`, values);

/** Number of reports in a row after which the server gives a person no more tasks. */
const REPORTS_IN_A_ROW = 5;

export class AssessorsPanel extends Panel {
  constructor(campaign, page) {
    super(campaign, page);
    this.query = new RowQuery(() => page.refresh());
    this.data.before(this.query.field);
  }

  fixed() {
    return [el("h2", { text: word("heading") }), el("p", { class: "help", text: word("advice") })];
  }

  async read() {
    const { people, total } = await this.campaign.get(this.query.path("people"));
    return { people, total, seq: this.campaign.seq };
  }

  show({ people, total, seq }) {
    if (total === 0) return [el("p", { text: this.query.find ? t("organise.rows.none") : word("none") })];
    const hasClaims = people.some((one) => one.claim !== undefined);
    const hasLabels = people.some((one) => one.label !== undefined);
    const columns = [
      [word("person"), null, "person"],
      ...(hasLabels ? [[word("label"), null, "label"]] : []),
      [word("kind"), null, "kind"],
      [t("organise.state"), null, "state"],
      [word("answers"), "number", "answers"],
      [word("votes"), "number", "votes"],
      [word("agreement"), "number", "agreement"],
      [word("seconds"), "number", "median_seconds"],
      [word("signals"), null, "signals"],
      ...(hasClaims ? [word("claim")] : []),
      word("actions"),
      word("data"),
    ];
    const rows = people.map((one) => this.row(one, hasClaims, hasLabels));
    const figure = el("img", {
      class: "chart",
      src: `${this.campaign.api}/figures/people.svg?seq=${seq}`,
      alt: word("figure"),
    });
    figure.addEventListener("error", () => figure.remove());
    const chart = el("div", { class: "scroll", role: "region", "aria-label": word("figure"), tabindex: "0" }, figure);
    // The figure has a row per person, so it is only shown if all of them fit on one page.
    const hasChart = people.length === total && people.some((one) => one.card);
    return [
      table(word("heading"), columns, rows, this.query),
      this.query.pager(people.length, total),
      hasChart ? chart : null,
    ];
  }

  row(one, hasClaims, hasLabels) {
    const { person, card } = one;
    const state = t(["organise", "people_states", one.state]);
    const signals = card === null ? [word("no_card")] : card.signals.map((signal) => signal.why);
    if (signals.length === 0) signals.push(word("no_signals"));
    const change = one.excluded ? "readmit" : "exclude";
    // Many reports in a row end the work; a readmission lets the person go on.
    const isStopped = !one.excluded && one.state === "partial" && one.reports >= REPORTS_IN_A_ROW;
    return [
      el("code", { text: person }),
      ...(hasLabels ? [one.label ?? ""] : []),
      t(["organise", "kinds", one.kind]),
      one.excluded && one.state !== "excluded" ? `${state}, ${word("excluded")}` : state,
      number(one.answers),
      number(one.votes),
      card?.agreement ? percent(card.agreement.agreement) : "",
      card?.times ? number(card.times.median, 1) : "",
      signals.map((text) => el("div", { text })),
      ...(hasClaims ? [one.claim ?? ""] : []),
      [
        this.press(change, person, () => (one.excluded ? this.change(person, "readmit") : this.exclude(person))),
        isStopped ? this.press("readmit", person, () => this.change(person, "readmit"), "go on") : null,
      ],
      this.press("erase", person, () => this.erase(person)),
    ];
  }

  /** Creates a button with a short label and an accessible name that includes the person. */
  press(what, person, act, key = what === "erase") {
    const attributes = { "aria-label": word(what, { person }), "data-key": `${key} ${person}` };
    return button(word(`short.${what}`), act, attributes);
  }

  /** Asks once, with a field for the reason, before a person's votes stop counting. */
  exclude(person) {
    const reason = el("input", { type: "text", maxlength: "500", autocomplete: "off" });
    const send = async (event) => {
      event.preventDefault();
      box.close();
      await this.change(person, "exclude", reason.value.trim());
    };
    const box = dialog(
      word("exclude_heading", { person }),
      el(
        "form",
        { on: { submit: send } },
        el("p", { text: word("exclude_help") }),
        field(word("reason"), reason),
        el(
          "div",
          { class: "actions" },
          el("button", { type: "submit", class: "primary", text: word("short.exclude") }),
          button(t("organise.cancel"), () => box.close()),
        ),
      ),
    );
  }

  async change(person, change, reason = "") {
    const path = `people/${encodeURIComponent(person)}/${change}`;
    await this.page.act(() => this.campaign.post(path, reason ? { reason } : {}));
  }

  async erase(person) {
    const heading = word("erase_heading", { person });
    if (!(await confirmAction(heading, word("erase_help"), word("erase_yes"), t("organise.cancel")))) return;
    await this.page.act(() => this.campaign.post(`people/${encodeURIComponent(person)}/erase`));
  }
}
