// Panel of the current lists with probabilities.

import { el } from "../shared/dom.js";
import { Panel } from "./panel.js";
import { RowQuery } from "./row_query.js";
import { number, percent, table } from "./table.js";
import { t } from "../shared/i18n.js";

const word = (name, values) => t(`organise.lists.${name}`, values);

export class ListsPanel extends Panel {
  constructor(campaign, page) {
    super(campaign, page);
    this.query = new RowQuery(() => page.refresh());
    this.data.before(this.query.field);
  }

  read() {
    const { kinds } = this.campaign.document;
    const lists = async (kind) => ({ kind, ...(await this.campaign.get(this.query.path(`lists?kind=${kind}`))) });
    return Promise.all(kinds.map(lists));
  }

  show(read) {
    const heading = (kind) => (read.length === 1 ? "" : ` (${t(["organise", "kinds", kind])})`);
    return read.flatMap(({ kind, lists, total }) => [
      el("h2", { text: word("heading") + heading(kind) }),
      ...(total === 0
        ? [el("p", { text: t("organise.rows.none") })]
        : [this.overview(kind, lists), this.query.pager(lists.length, total)]),
      ...lists.map((list) => this.list(kind, list)),
    ]);
  }

  /** Creates the table of all lists, by which they are sorted. */
  overview(kind, lists) {
    const rows = lists.map(({ query, settled, groups }) => [
      query,
      word(settled ? "settled" : "open"),
      number(groups.length),
    ]);
    const columns = [
      [t("organise.progress.query"), null, "query"],
      [t("organise.state"), null, "settled"],
      [t("organise.progress.groups"), "number", "groups"],
    ];
    return table(`${word("heading")} ${t(["organise", "kinds", kind])}`, columns, rows, this.query);
  }

  list(kind, { query, settled, groups, gains, pairs, agreement }) {
    const gain = (place) => (gains === undefined ? "" : ` (${number(gains[place], 2)})`);
    const group = (items, place) => el("li", { text: items.join(" = ") + gain(place) });
    const agreed = agreement === null ? word("no_agreement") : word("agreement", { agreement: percent(agreement) });
    const about = groups.length === 0 ? "unjudged" : settled ? "groups" : "groups_so_far";
    return el(
      "section",
      {},
      el("h3", { text: `${query} (${word(settled ? "settled" : "open")})` }),
      kind === "preference" ? el("p", { text: agreed }) : null,
      el("p", { class: "help", text: word(about) }),
      el("ol", {}, ...groups.map(group)),
      pairs.length === 0 ? null : this.pairs(query, pairs),
    );
  }

  /** Creates the closed table of a list's pairs, which is filled when it is opened: large lists have many pairs. */
  pairs(query, pairs) {
    const row = (pair) => [pair.a, pair.b, percent(pair.less), percent(pair.equal), percent(pair.greater)];
    const columns = ["a", "b"].map((name) => word(name));
    columns.push(...["less", "equal", "greater"].map((name) => [word(name), "number"]));
    const details = el("details", { "data-key": query }, el("summary", { text: word("pairs") }));
    details.addEventListener("toggle", () => {
      if (!details.open || details.children.length > 1) return;
      details.append(table(`${query}: ${word("pairs")}`, columns, pairs.map(row)));
    });
    return details;
  }
}
