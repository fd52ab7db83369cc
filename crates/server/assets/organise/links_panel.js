// Panel of invite links: each admits one person and is shown once.

import { button, el, field } from "../shared/dom.js";
import { Panel } from "./panel.js";
import { RowQuery } from "./row_query.js";
import { utcTime, table } from "./table.js";
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
    const address = `${location.origin}/j/${this.campaign.name}?${params.join("&")}`;
    const input = el("input", { type: "text", readonly: true, value: address });
    return field(word("recruiter", { name: recruiter.name ?? preset.name }), input, word("recruiter_help"));
  }

  async create(event) {
    event.preventDefault();
    const label = this.label.value.trim();
    await this.page.act(async () => {
      const { invites } = await this.campaign.post("invites", {
        kind: this.kind.value,
        count: Number(this.count.value),
        ...(label ? { label } : {}),
        ...(this.expires.value ? { expires: new Date(this.expires.value).toISOString() } : {}),
      });
      this.showLinks(invites.map((invite) => invite.link));
    });
  }

  showLinks(links) {
    const line = (value, place) => {
      const name = word("link", { n: place + 1 });
      return el("li", {}, el("input", { type: "text", readonly: true, value, "aria-label": name }));
    };
    const list = el("ol", { class: "links" }, ...links.map(line));
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
      navigator.clipboard ? copy : "",
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
      if (invite.person) return word("used", { person: invite.person });
      return invite.expires && invite.expires < now ? word("expired") : word("free");
    };
    const rows = invites.map((invite) => [
      el("code", { text: invite.id }),
      t(["organise", "kinds", invite.kind]),
      invite.label ?? "",
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
