// Panel of the problems that people reported, counted by query or item.

import { el } from "../shared/dom.js";
import { Panel } from "./panel.js";
import { RowQuery } from "./row_query.js";
import { number, table, utcTime } from "./table.js";
import { t } from "../shared/i18n.js";

const word = (name) => t(`organise.reports.${name}`);

export class ReportsPanel extends Panel {
  constructor(campaign, page) {
    super(campaign, page);
    this.query = new RowQuery(() => page.refresh());
    this.data.before(this.query.field);
  }

  read() {
    return this.campaign.get(this.query.path("reports"));
  }

  show({ reports, total }) {
    const heading = el("h2", { text: word("heading") });
    if (total === 0) return [heading, el("p", { text: this.query.find ? t("organise.rows.none") : word("none") })];
    const columns = [
      [word("query"), null, "query"],
      [word("item"), null, "item"],
      [word("problem"), null, "problem"],
      [word("count"), "number", "count"],
      [word("people"), "number", "people"],
      [word("first"), "time", "first"],
      [word("last"), "time", "last"],
      [word("notes"), "about"],
    ];
    const row = (report) => [
      report.query,
      report.item ?? word("the_query"),
      t(["report", report.problem]),
      number(report.count),
      number(report.people),
      utcTime(report.first),
      utcTime(report.last),
      report.notes.map((note) => el("p", { text: note })),
    ];
    return [
      heading,
      table(word("heading"), columns, reports.map(row), this.query),
      this.query.pager(reports.length, total),
    ];
  }
}
