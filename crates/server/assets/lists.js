// The lists as they are now, and how sure they are.

import { el } from "./build.js";
import { Panel } from "./panel.js";
import { share, table } from "./table.js";
import { t } from "./words.js";

const word = (name, values) => t(`organise.lists.${name}`, values);

export class Lists extends Panel {
  read() {
    return this.campaign.get("lists");
  }

  show({ lists }) {
    return [el("h2", { text: word("heading") }), lists.map((list) => this.list(list))];
  }

  list({ query, settled, groups, pairs, agreement }) {
    const group = (items) => el("li", { text: items.join(" = ") });
    const rows = pairs.map((pair) => [pair.a, pair.b, share(pair.less), share(pair.equal), share(pair.greater)]);
    const columns = ["a", "b"].map((name) => word(name));
    columns.push(...["less", "equal", "greater"].map((name) => [word(name), "number"]));
    return el(
      "section",
      {},
      el("h3", { text: `${query} (${word(settled ? "settled" : "open")})` }),
      el("p", { text: agreement === null ? word("no_agreement") : word("agreement", { agreement: share(agreement) }) }),
      el("p", { class: "help", text: word(settled ? "groups" : "groups_so_far") }),
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
