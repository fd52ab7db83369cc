// Panel of downloads.

import { el } from "../shared/dom.js";
import { Panel } from "./panel.js";
import { t } from "../shared/i18n.js";

const word = (name, values) => t(["organise", "downloads", name], values);
const FILES = {
  always: ["all.zip", "log.jsonl"],
  preference: ["answers.csv", "preferences.csv"],
  ranking: ["rankings.csv"],
  grading: ["grades.csv"],
  people: ["people.csv", "remarks.csv"],
};
const TRUTH = ["truth.csv", "truth.json", "truth.qrels"];

export class DownloadsPanel extends Panel {
  fixed() {
    const { kinds } = this.campaign.document;
    const files = [...FILES.always, ...kinds.flatMap((kind) => FILES[kind]), ...FILES.people];
    const truth = kinds.flatMap((kind) =>
      TRUTH.map((file) => {
        const what = word(file);
        const text = kinds.length > 1 ? word("of_kind", { what, kind: t(["organise", "kinds", kind]) }) : what;
        return this.link(file, text, kinds.length > 1 ? `?kind=${kind}` : "");
      }),
    );
    return [
      el("h2", { text: word("heading") }),
      el("ul", { class: "links" }, ...files.map((file) => this.link(file, word(file), "")), ...truth),
      el("p", { class: "help", text: word("raw") }),
    ];
  }

  link(file, text, query) {
    const href = `${this.campaign.api}/export/${file}${query}`;
    return el("li", {}, el("a", { href, download: true, text: file }), `: ${text}`);
  }

  async read() {
    return null;
  }

  show() {
    return [];
  }
}
