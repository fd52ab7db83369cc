// Panel of remarks and events.

import { button, el } from "../shared/dom.js";
import { Panel } from "./panel.js";
import { utcTime, csvRows, table } from "./table.js";
import { t } from "../shared/i18n.js";

const word = (name) => t(`organise.log.${name}`);
const EVENTS_PER_PAGE = 200;
const MAX_DETAIL_CHARS = 160;

export class LogPanel extends Panel {
  constructor(campaign, page) {
    super(campaign, page);
    this.wanted = EVENTS_PER_PAGE;
  }

  async read() {
    const after = Math.max(0, this.campaign.seq - this.wanted);
    const [log, remarks] = await Promise.all([
      this.campaign.text(`log?after=${after}`),
      this.campaign.text("export/remarks.csv?raw=1"),
    ]);
    const events = log.split("\n").filter(Boolean).map((line) => JSON.parse(line));
    return { after, events: events.reverse(), remarks: csvRows(remarks) };
  }

  show({ after, events, remarks }) {
    return [
      el("h2", { text: word("heading") }),
      el("h3", { text: word("remarks") }),
      remarks.length === 0 ? el("p", { text: word("no_remarks") }) : this.remarks(remarks),
      el("h3", { text: word("events") }),
      this.events(events),
      after > 0 ? button(word("more"), () => this.more(), { "data-key": "more" }) : null,
    ];
  }

  remarks(remarks) {
    const columns = [[word("at"), "time"], ...["person", "query", "kind", "text"].map(word)];
    const line = ([person, query, , kind, at, text]) => [utcTime(at), el("code", { text: person }), query, kind, text];
    return table(word("remarks"), columns, remarks.map(line).reverse());
  }

  events(events) {
    const columns = [
      [word("seq"), "number"],
      [word("at"), "time"],
      word("author"),
      word("event"),
      [word("about"), "about"],
    ];
    // Author and time have their own columns; the id of an answer is not shown.
    const line = ({ seq, at, author, event, chain, assessor, time, id, ...about }) => {
      const rest = assessor === undefined || assessor === author ? about : { assessor, ...about };
      return [String(seq), utcTime(at), author, event, shortDetails(rest)];
    };
    return table(word("events"), columns, events.map(line));
  }

  more() {
    this.wanted *= 4;
    return this.page.act(() => null);
  }
}

function shortDetails(about) {
  const text = Object.entries(about)
    .map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
  return text.length > MAX_DETAIL_CHARS ? `${text.slice(0, MAX_DETAIL_CHARS)}…` : text;
}
