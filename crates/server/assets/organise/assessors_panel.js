// Panel of assessors with their screening cards.

import { button, confirmAction, el, field } from "../shared/dom.js";
import { Panel } from "./panel.js";
import { number, percent, table } from "./table.js";
import { t } from "../shared/i18n.js";

const word = (name, values) => t(`organise.people.${name}`, values);

export class AssessorsPanel extends Panel {
  fixed() {
    this.reason = el("input", { type: "text", maxlength: "500", autocomplete: "off" });
    return [
      el("h2", { text: word("heading") }),
      el("p", { class: "help", text: word("advice") }),
      field(word("reason"), this.reason),
    ];
  }

  async read() {
    const { people } = await this.campaign.get("people");
    return { people, seq: this.campaign.seq };
  }

  show({ people, seq }) {
    if (people.length === 0) return [el("p", { text: word("none") })];
    const hasClaims = people.some((one) => one.claim !== undefined);
    const columns = [
      word("person"),
      word("kind"),
      t("organise.state"),
      [word("answers"), "number"],
      [word("votes"), "number"],
      [word("agreement"), "number"],
      [word("seconds"), "number"],
      word("signals"),
      ...(hasClaims ? [word("claim")] : []),
      word("actions"),
    ];
    const rows = people.map((one) => this.row(one, hasClaims));
    const figure = el("img", {
      class: "chart",
      src: `${this.campaign.api}/figures/people.svg?seq=${seq}`,
      alt: word("figure"),
    });
    figure.addEventListener("error", () => figure.remove());
    const chart = el("div", { class: "scroll", role: "region", "aria-label": word("figure"), tabindex: "0" }, figure);
    return [table(word("heading"), columns, rows), people.some((one) => one.card) ? chart : null];
  }

  row(one, hasClaims) {
    const { person, card } = one;
    const state = t(["organise", "people_states", one.state]);
    const signals = card === null ? [word("no_card")] : card.signals.map((signal) => signal.why);
    if (signals.length === 0) signals.push(word("no_signals"));
    const change = one.excluded ? "readmit" : "exclude";
    return [
      el("code", { text: person }),
      t(["organise", "kinds", one.kind]),
      one.excluded ? `${state}, ${word("excluded")}` : state,
      number(one.answers),
      number(one.votes),
      card?.agreement ? percent(card.agreement.agreement) : "",
      card?.times ? number(card.times.median, 1) : "",
      signals.map((text) => el("div", { text })),
      ...(hasClaims ? [one.claim ?? ""] : []),
      el(
        "div",
        { class: "actions" },
        this.press(change, person, () => this.change(person, change)),
        this.press("erase", person, () => this.erase(person)),
      ),
    ];
  }

  /** Creates a button with a short label and an accessible name that includes the person. */
  press(what, person, act) {
    const attributes = { "aria-label": word(what, { person }), "data-key": `${what === "erase"} ${person}` };
    return button(word(`short.${what}`), act, attributes);
  }

  async change(person, change) {
    const reason = this.reason.value.trim();
    await this.page.act(async () => {
      await this.campaign.post(`people/${encodeURIComponent(person)}/${change}`, reason ? { reason } : {});
      this.reason.value = "";
    });
  }

  async erase(person) {
    const heading = word("erase_heading", { person });
    if (!(await confirmAction(heading, word("erase_help"), word("erase_yes"), t("organise.cancel")))) return;
    await this.page.act(() => this.campaign.post(`people/${encodeURIComponent(person)}/erase`));
  }
}
