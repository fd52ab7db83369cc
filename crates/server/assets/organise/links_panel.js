// Panel of invite links: each admits one person and is shown once.

import { button, dialog, el, field } from "../shared/dom.js";
import { Panel } from "./panel.js";
import { RowQuery } from "./row_query.js";
import { csvRows, csvText, utcTime, table } from "./table.js";
import { t } from "../shared/i18n.js";

const word = (name, values) => t(`organise.links.${name}`, values);

/** Address parameters of the known panels. */
const PANELS = {
  prolific: { name: "Prolific", id: "PROLIFIC_PID", capture: ["STUDY_ID", "SESSION_ID"], around: ["{{%", "%}}"] },
  connect: {
    name: "CloudResearch Connect",
    id: "participantId",
    capture: ["assignmentId", "projectId"],
    around: ["{", "}"],
  },
};

/** Returns the names in a list, one per line, or in the column `name` of a CSV text. */
function listedNames(text) {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const head = lines[0].split(/[,;\t]/).map((cell) => cell.replaceAll('"', "").trim().toLowerCase());
  const column = head.indexOf("name");
  if (column === -1) return lines.map((line) => line.trim()).filter(Boolean);
  const separator = lines[0].match(/[,;\t]/)?.[0] ?? ",";
  return csvRows(lines.join("\n"), separator)
    .map((row) => (row[column] ?? "").trim())
    .filter(Boolean);
}

export class LinksPanel extends Panel {
  constructor(campaign, page) {
    super(campaign, page);
    this.query = new RowQuery(() => page.refresh());
    this.data.before(this.query.field);
  }

  /** Use of a link is not an event of the log, so the panel refreshes without events. */
  get isAlwaysNew() {
    return true;
  }

  fixed() {
    const { kinds, recruiter } = this.campaign.document;
    const option = (kind) => el("option", { value: kind, text: t(["organise", "kinds", kind]) });
    this.kind = el("select", {}, ...kinds.map(option));
    this.count = el("input", { type: "number", min: "1", max: "1000", value: "1", required: true });
    this.label = el("input", { type: "text", maxlength: "200", autocomplete: "off" });
    this.expires = el("input", { type: "datetime-local" });
    this.names = el("textarea", { rows: "3", autocomplete: "off" });
    const file = el("input", { type: "file", accept: ".csv,.txt,text/csv,text/plain" });
    file.addEventListener("change", async () => {
      if (file.files.length > 0) this.names.value = listedNames(await file.files[0].text()).join("\n");
    });
    this.made = el("div", { "aria-live": "polite" });
    const form = el(
      "form",
      { on: { submit: (event) => this.create(event) } },
      el(
        "div",
        { class: "facts" },
        field(word("kind"), this.kind),
        field(word("count"), this.count),
        field(word("label"), this.label),
        field(word("expires"), this.expires),
      ),
      field(word("names"), this.names, word("names_help")),
      field(word("names_file"), file),
      el("button", { type: "submit", class: "primary", text: word("create") }),
    );
    return [
      el("h2", { text: word("heading") }),
      el("p", { text: word("help") }),
      form,
      this.made,
      recruiter ? this.recruiter(recruiter) : null,
    ];
  }

  /** Shows the address for the panel's participants. */
  recruiter(recruiter) {
    const preset = PANELS[recruiter.preset] ?? { name: "", id: "", capture: [], around: ["{", "}"] };
    const [before, after] = preset.around;
    const names = [recruiter.id ?? preset.id, ...(recruiter.capture ?? preset.capture)];
    const params = names.map((name) => `${encodeURIComponent(name)}=${before}${name}${after}`);
    if (recruiter.secret) params.push(`key=${recruiter.secret}`);
    const address = `${location.origin}/j/${this.campaign.name}?${params.join("&")}`;
    const input = el("input", { type: "text", readonly: true, value: address });
    return field(word("recruiter", { name: recruiter.name ?? preset.name }), input, word("recruiter_help"));
  }

  async create(event) {
    event.preventDefault();
    const label = this.label.value.trim();
    const names = listedNames(this.names.value);
    const what =
      names.length > 0
        ? { people: names.map((name) => ({ label: name })) }
        : { count: Number(this.count.value), ...(label ? { label } : {}) };
    await this.page.act(async () => {
      const { invites } = await this.campaign.post("invites", {
        kind: this.kind.value,
        ...what,
        ...(this.expires.value ? { expires: new Date(this.expires.value).toISOString() } : {}),
      });
      this.names.value = "";
      this.showLinks(invites, names.length > 0);
    });
  }

  showLinks(invites, areNamed) {
    const links = invites.map((invite) => invite.link);
    const line = ({ link, label }, place) => {
      const name = areNamed ? label : word("link", { n: place + 1 });
      const input = el("input", { type: "text", readonly: true, value: link, "aria-label": name });
      return el("li", {}, areNamed ? el("span", { text: label }) : null, input);
    };
    const list = el("ol", { class: "links" }, ...invites.map(line));
    const csv = csvText([["label", "link"], ...invites.map(({ label, link }) => [label ?? "", link])]);
    const download = el("a", {
      class: "button",
      href: URL.createObjectURL(new Blob([csv], { type: "text/csv" })),
      download: `${this.campaign.name}-links.csv`,
      text: word("download"),
    });
    const copy = button(word("copy"), async () => {
      try {
        await navigator.clipboard.writeText(links.join("\n"));
        this.page.say(word("copied"));
      } catch {
        list.querySelector("input").select();
      }
    });
    this.made.replaceChildren(
      el("h3", { text: word("made") }),
      el("p", { text: word("once") }),
      list,
      // Browsers allow clipboard access only on https pages.
      el("div", { class: "actions" }, navigator.clipboard ? copy : null, download),
    );
  }

  /** Shows the label of an invite, with a button that changes it. */
  labelCell(invite) {
    const change = button(word("rename_short"), () => this.rename(invite), {
      class: "plain",
      "aria-label": word("rename", { id: invite.id }),
      "data-key": `rename ${invite.id}`,
    });
    return [el("span", { text: invite.label ?? "" }), " ", change];
  }

  /** Asks for the new label of an invite. */
  rename(invite) {
    const label = el("input", { type: "text", maxlength: "200", autocomplete: "off", value: invite.label ?? "" });
    const send = async (event) => {
      event.preventDefault();
      box.close();
      const text = label.value.trim();
      await this.page.act(() => this.campaign.patch(`invites/${invite.id}`, { label: text === "" ? null : text }));
    };
    const box = dialog(
      word("rename", { id: invite.id }),
      el(
        "form",
        { on: { submit: send } },
        field(word("note"), label),
        el(
          "div",
          { class: "actions" },
          el("button", { type: "submit", class: "primary", text: word("rename_short") }),
          button(t("organise.cancel"), () => box.close()),
        ),
      ),
    );
  }

  read() {
    return this.campaign.get(this.query.path("invites"));
  }

  show({ invites, total }) {
    if (total === 0) return [el("p", { text: this.query.find ? t("organise.rows.none") : word("none") })];
    const now = new Date().toISOString();
    const state = (invite) => {
      if (invite.revoked) return word("revoked");
      if (invite.person) return word(`states.${invite.state}`, { person: invite.person, answers: invite.answers });
      return invite.expires && invite.expires < now ? word("expired") : word("free");
    };
    const rows = invites.map((invite) => [
      el("code", { text: invite.id }),
      t(["organise", "kinds", invite.kind]),
      this.labelCell(invite),
      invite.expires ? utcTime(invite.expires) : word("never"),
      state(invite),
      invite.revoked
        ? ""
        : button(word("revoke_short"), () => this.page.act(() => this.campaign.delete(`invites/${invite.id}`)), {
            "aria-label": word("revoke", { id: invite.id }),
            "data-key": invite.id,
          }),
    ]);
    const columns = [
      [word("id"), null, "id"],
      [word("kind"), null, "kind"],
      [word("note"), null, "label"],
      [word("until"), "time", "expires"],
      [word("state"), null, "person"],
      t("organise.people.actions"),
    ];
    return [table(word("heading"), columns, rows, this.query), this.query.pager(invites.length, total)];
  }
}
