// Panel of the current lists with probabilities.

import { el } from "../shared/dom.js";
import { Panel } from "./panel.js";
import { number, percent, table } from "./table.js";
import { t } from "../shared/i18n.js";

const word = (name, values) => t(`organise.lists.${name}`, values);

export class ListsPanel extends Panel {
  read() {
    const { kinds } = this.campaign.document;
    const lists = async (kind) => ({ kind, ...(await this.campaign.get(`lists?kind=${kind}`)) });
    return Promise.all(kinds.map(lists));
  }

  show(read) {
    const heading = (kind) => (read.length === 1 ? "" : ` (${t(["organise", "kinds", kind])})`);
    return read.flatMap(({ kind, lists }) => [
      el("h2", { text: word("heading") + heading(kind) }),
      lists.map((list) => this.list(kind, list)),
    ]);
  }

  list(kind, { query, settled, groups, gains, pairs, agreement }) {
    const gain = (place) => (gains === undefined ? "" : ` (${number(gains[place], 2)})`);
    const group = (items, place) => el("li", { text: items.join(" = ") + gain(place) });
    const agreed = agreement === null ? word("no_agreement") : word("agreement", { agreement: percent(agreement) });
    const rows = pairs.map((pair) => [pair.a, pair.b, percent(pair.less), percent(pair.equal), percent(pair.greater)]);
    const columns = ["a", "b"].map((name) => word(name));
    columns.push(...["less", "equal", "greater"].map((name) => [word(name), "number"]));
    const about = groups.length === 0 ? "unjudged" : settled ? "groups" : "groups_so_far";
    return el(
      "section",
      {},
      el("h3", { text: `${query} (${word(settled ? "settled" : "open")})` }),
      kind === "preference" ? el("p", { text: agreed }) : null,
      el("p", { class: "help", text: word(about) }),
      el("ol", {}, ...groups.map(group)),
      rows.length === 0
        ? null
        : el(
            "details",
            { "data-key": query },
            el("summary", { text: word("pairs") }),
            table(`${query}: ${word("pairs")}`, columns, rows),
          ),
    );
  }
}
