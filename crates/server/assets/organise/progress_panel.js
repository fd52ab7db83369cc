// Panel of the progress of a campaign.

import { el } from "../shared/dom.js";
import { Panel } from "./panel.js";
import { money, number, duration, table } from "./table.js";
import { t } from "../shared/i18n.js";

const word = (name) => t(`organise.progress.${name}`);

export class ProgressPanel extends Panel {
  async read() {
    const status = await this.campaign.get("status");
    return { status, seq: this.campaign.seq };
  }

  show({ status, seq }) {
    const { kinds } = this.campaign.document;
    const unknown = word("unknown");
    const facts = [
      ["votes", number(status.votes)],
      ["expected", number(status.expected_votes)],
      ["people", number(status.people)],
      ["leases", number(status.leases)],
      // A campaign without a price has no costs.
      ...["cost", "expected_cost"]
        .filter((name) => name in status)
        .map((name) => [name, money(status[name], status.currency)]),
      ["rate", status.rate === null ? unknown : number(status.rate)],
      ["left", status.seconds_left === null ? unknown : duration(status.seconds_left)],
      ["settled", t(status.settled ? "organise.yes" : "organise.no")],
    ];
    const fact = ([name, value]) => el("div", {}, el("dt", { text: word(name) }), el("dd", { text: value }));
    const of = (n, all) => t("organise.progress.of", { n: number(n), of: number(all) });
    const rankings = (judged) =>
      judged.rankings_wanted === null ? number(judged.rankings) : of(judged.rankings, judged.rankings_wanted);
    const columns = [
      ["query", (list) => list.query],
      ["items", (list) => number(list.items), "number"],
    ];
    if (kinds.includes("preference")) {
      columns.push(
        ["groups", (list) => number(list.groups), "number"],
        ["decided", (list) => of(list.decided, list.pairs), "number"],
        ["list_votes", (list) => number(list.votes), "number"],
        ["list_expected", (list) => number(list.expected_votes), "number"],
      );
    }
    if (kinds.includes("ranking")) {
      columns.push(["rankings", ({ judged }) => rankings(judged), "number"]);
    }
    if (kinds.includes("grading")) {
      columns.push(["grades", ({ judged }) => of(judged.grades, judged.grades_wanted), "number"]);
    }
    const heads = columns.map(([name, , kind]) => [word(name), kind ?? null]);
    const rows = status.lists.map((list) => columns.map(([, cell]) => cell(list)));
    const figure = el("img", {
      class: "chart",
      src: `${this.campaign.api}/figures/status.svg?seq=${seq}`,
      alt: word("figure"),
    });
    // Without a figure, the table shows the same data.
    figure.addEventListener("error", () => figure.remove());
    return [
      el("h2", { text: word("heading") }),
      el("dl", { class: "facts" }, ...facts.map(fact)),
      status.warnings.map((text) => el("p", { class: "complaint", text })),
      el("div", { class: "scroll", role: "region", "aria-label": word("figure"), tabindex: "0" }, figure),
      el("h3", { text: t("organise.lists.heading") }),
      table(t("organise.lists.heading"), heads, rows),
    ];
  }
}
