// The organiser's pages: sign-in, all campaigns, one campaign.

import { button, confirmAction, confirmByName, dialog, el, field } from "../shared/dom.js";
import { fetchCampaign } from "./campaign_client.js";
import { DownloadsPanel } from "./downloads_panel.js";
import { LinksPanel } from "./links_panel.js";
import { ListsPanel } from "./lists_panel.js";
import { LogPanel } from "./log_panel.js";
import { AssessorsPanel } from "./assessors_panel.js";
import { ProgressPanel } from "./progress_panel.js";
import { ReportsPanel } from "./reports_panel.js";
import { request } from "../shared/http.js";
import { number, table } from "./table.js";
import { tabs } from "./tabs.js";
import { requestedLanguage, loadLanguage, problemText, t, preferredLanguage } from "../shared/i18n.js";

const PANELS = {
  progress: ProgressPanel,
  lists: ListsPanel,
  people: AssessorsPanel,
  links: LinksPanel,
  reports: ReportsPanel,
  log: LogPanel,
  downloads: DownloadsPanel,
};
/** Polling interval for events in milliseconds, and number of polls between full refreshes. */
const POLL_INTERVAL = 5_000;
const POLLS_PER_REFRESH = 6;

const main = document.getElementById("main");
const name = decodeURIComponent(location.pathname.split("/")[2] ?? "");

const word = (place, values) => t(`organise.${place}`, values);

function say(text) {
  document.getElementById("status").textContent = text;
}

/** Returns an address of these pages in the requested language. */
function address(campaign) {
  const language = requestedLanguage() ? `?lang=${requestedLanguage()}` : "";
  return `/organise${campaign ? `/${encodeURIComponent(campaign)}` : ""}${language}`;
}

function show(title, ...elements) {
  document.title = title;
  main.replaceChildren(el("h1", { text: title, tabindex: "-1" }), ...elements.flat().filter(Boolean));
}

/** Renders the page, or the sign-in form if the session has expired. */
async function run() {
  await loadLanguage(requestedLanguage() ?? preferredLanguage());
  document.getElementById("title").textContent = "Partita";
  try {
    if (name) await showCampaign();
    else await showCampaigns();
  } catch (problem) {
    if (problem.kind === "unauthorised") signIn();
    else {
      const reload = button(t("trouble.reload"), () => location.reload());
      show(t("trouble.other_heading"), el("p", { text: problemText(problem) }), reload, back());
    }
  }
}

function back() {
  return el("p", {}, el("a", { href: address(null), text: word("all") }));
}

function signIn() {
  const still = { autocomplete: "off", autocapitalize: "off", spellcheck: "false" };
  const token = el("input", { type: "text", class: "token", required: true, ...still });
  const complaint = el("p", { class: "complaint", role: "alert" });
  const enter = async (event) => {
    event.preventDefault();
    try {
      await request("POST", "/api/v1/session", { json: { token: token.value.trim() } });
      await run();
      main.querySelector("h1").focus();
    } catch (problem) {
      complaint.textContent = problem.kind === "unauthorised" ? word("bad_token") : problemText(problem);
      token.focus();
    }
  };
  show(
    word("sign_in_heading"),
    el(
      "form",
      { on: { submit: enter } },
      field(word("token"), token, word("token_help")),
      complaint,
      el("button", { type: "submit", class: "primary", text: word("sign_in") }),
    ),
  );
  token.focus();
}

function signOut() {
  return button(word("sign_out"), async () => {
    try {
      await request("DELETE", "/api/v1/session");
    } catch (problem) {
      say(problemText(problem));
      return;
    }
    signIn();
  });
}

/** Shows all campaigns and the form for a new one. */
async function showCampaigns() {
  const { campaigns } = await request("GET", "/api/v1/campaigns");
  const rows = campaigns.map((one) => [
    el("a", { href: address(one.name), text: one.name }),
    one.title,
    t(["organise", "states", one.state]),
  ]);
  const columns = [word("name"), word("campaign_title"), word("state")];
  show(
    word("title"),
    campaigns.length === 0 ? el("p", { text: word("none") }) : table(word("all"), columns, rows),
    newCampaign(),
    el("p", { class: "apart" }, signOut()),
  );
}

function newCampaign() {
  const file = el("input", { type: "file", accept: ".json,.zip,application/json,application/zip" });
  const messages = el("div", { class: "faults", role: "alert" });
  // If the button was pressed first, choosing a file submits the form.
  let isAsked = false;
  const press = () => {
    if (file.files.length > 0) upload(file, messages);
    else {
      isAsked = true;
      messages.replaceChildren(el("p", { text: word("choose_file") }));
      file.focus();
    }
  };
  file.addEventListener("change", () => {
    messages.replaceChildren();
    if (isAsked && file.files.length > 0) upload(file, messages);
    isAsked = false;
  });
  return el(
    "section",
    {},
    el("h2", { text: word("new") }),
    field(word("file"), file, word("file_help")),
    messages,
    button(word("new"), press, { class: "primary" }),
  );
}

/** Uploads a campaign file, and opens the new campaign or shows what is wrong. */
async function upload(input, complaint) {
  const [file] = input.files;
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isZip = head[0] === 0x50 && head[1] === 0x4b;
  complaint.replaceChildren();
  say(word("making"));
  try {
    const type = isZip ? "application/zip" : "application/json";
    const made = await request("POST", "/api/v1/campaigns", { bytes: file, type, timeout: 600_000 });
    location.assign(address(made.name));
  } catch (problem) {
    say("");
    input.value = "";
    const faults = problem.body?.errors ?? [];
    const line = ({ pointer, detail }) => el("li", {}, el("code", { text: pointer || "/" }), ` ${detail}`);
    const rest = faults.length > 0 ? el("ul", {}, ...faults.map(line)) : el("p", { text: problemText(problem) });
    complaint.replaceChildren(el("p", { text: word("faults") }), rest);
  }
}

/** Shows one campaign. */
async function showCampaign() {
  const one = await fetchCampaign(name);
  document.getElementById("title").replaceChildren(el("a", { href: address(null), text: word("all") }));
  const state = el("p", { class: "help" });
  const actions = el("div", { class: "actions" });
  const panels = {};
  let shown = null;
  let isUpdating = false;

  /** Returns the label of a tab; that of the reports says how many there are. */
  const tabLabel = (which) =>
    which === "reports" && one.reports > 0
      ? t("organise.tabs.reports_count", { n: number(one.reports) })
      : t(`organise.tabs.${which}`);
  const head = () => {
    const reports = document.getElementById("tab-reports");
    if (reports) reports.textContent = tabLabel("reports");
    state.textContent = `${one.name}: ${t(["organise", "states", one.state])}`;
    const wanted = one.state === "open" ? "pause" : one.state === "paused" ? "resume" : null;
    if (actions.dataset.state === one.state) return;
    actions.dataset.state = one.state;
    const hadFocus = actions.contains(document.activeElement);
    const buttons = [];
    if (wanted) buttons.push(button(word(wanted), () => page.act(() => one.post(wanted))));
    buttons.push(button(word("extend"), () => extend(one, page)));
    if (wanted) buttons.push(button(word("close"), close));
    if (one.state === "closed" || one.state === "damaged") buttons.push(button(word("delete"), deleteCampaign));
    buttons.push(signOut());
    actions.replaceChildren(...buttons);
    if (hadFocus) buttons[0].focus();
  };
  const close = async () => {
    if (!(await confirmAction(word("close"), word("close_confirm"), word("close"), word("cancel")))) return;
    await page.act(() => one.post("close"));
  };
  const deleteCampaign = async () => {
    const heading = word("delete_heading", { campaign: one.name });
    const label = word("delete_name", { campaign: one.name });
    const yes = word("delete");
    if (!(await confirmByName(heading, word("delete_help"), label, one.name, yes, word("cancel")))) return;
    try {
      await one.deleteAll();
      location.assign(address(null));
    } catch (problem) {
      if (problem.kind === "unauthorised") signIn();
      else say(word("failed", { detail: problemText(problem) }));
    }
  };
  const update = async (always) => {
    if (isUpdating) return;
    isUpdating = true;
    try {
      const isNew = await one.refresh();
      head();
      if (isNew || always || shown.isAlwaysNew) await shown.update();
    } finally {
      isUpdating = false;
    }
  };
  const page = {
    say,
    /** Loads the open panel again. */
    async refresh() {
      try {
        await shown.update();
      } catch (problem) {
        if (problem.status === 401) signIn();
        else say(problemText(problem));
      }
    },
    /** Runs an action, reports its result and refreshes the page. */
    async act(act) {
      try {
        await act();
        say(word("done"));
        isUpdating = false;
        await update(true);
        return true;
      } catch (problem) {
        if (problem.kind === "unauthorised") signIn();
        else say(word("failed", { detail: problemText(problem) }));
        return false;
      }
    },
  };
  const open = async (which, place) => {
    panels[which] ??= new PANELS[which](one, page);
    shown = panels[which];
    shown.query?.readAddress();
    place.replaceChildren(shown.element);
    if (shown.renderedText === null) say(word("reading"));
    try {
      await shown.update();
      if (document.getElementById("status").textContent === word("reading")) say("");
    } catch (problem) {
      if (problem.kind === "unauthorised") signIn();
      else say(problemText(problem));
    }
  };

  head();
  const names = Object.keys(PANELS).map((which) => [which, tabLabel(which)]);
  show(one.title, state, actions, tabs(t("organise.tabs.label"), names, open));
  let ticks = 0;
  const timer = setInterval(async () => {
    ticks += 1;
    if (!actions.isConnected) clearInterval(timer);
    else if (!document.hidden && !document.querySelector("dialog[open]")) {
      try {
        await update(ticks % POLLS_PER_REFRESH === 0);
      } catch (problem) {
        if (problem.kind === "unauthorised") signIn();
        else say(problemText(problem));
      }
    }
  }, POLL_INTERVAL);
}

/** Opens the dialog for extending a campaign. */
function extend(one, page) {
  const votes = el("input", { type: "number", min: "1" });
  const budget = el("input", { type: "number", min: "1" });
  const settled = el("input", { type: "number", min: "0.001", max: "0.999", step: "0.001" });
  const known = one.document.recruiter?.limit;
  const limit = known && el("input", { type: "number", min: String(known) });
  const lists = el("input", { type: "file", accept: ".json,application/json" });
  const complaint = el("p", { class: "complaint", role: "alert" });
  const send = async (event) => {
    event.preventDefault();
    const more = {};
    if (votes.value) more.votes = Number(votes.value);
    if (budget.value) more.budget = Number(budget.value);
    if (settled.value) more.settled = Number(settled.value);
    if (limit?.value) more.limit = Number(limit.value);
    try {
      if (lists.files.length > 0) {
        const read = JSON.parse(await lists.files[0].text());
        more.lists = Array.isArray(read) ? read : read.lists;
      }
      if (Object.keys(more).length === 0) {
        complaint.textContent = word("extend_nothing");
        votes.focus();
        return;
      }
      await one.post("extend", more);
      // A new limit is no event of the log, which would bring the document again.
      if (more.limit) one.document.recruiter.limit = more.limit;
    } catch (problem) {
      complaint.textContent = word("failed", { detail: problemText(problem) });
      return;
    }
    box.close();
    page.act(() => null);
  };
  const box = dialog(
    word("extend"),
    el(
      "form",
      { on: { submit: send } },
      el("p", { class: "help", text: word("extend_help") }),
      field(word("extend_votes"), votes),
      field(word("extend_budget"), budget),
      field(word("extend_settled"), settled),
      limit ? field(word("extend_limit", { known }), limit) : null,
      field(word("extend_lists"), lists),
      complaint,
      el(
        "div",
        { class: "actions" },
        el("button", { type: "submit", class: "primary", text: word("extend") }),
        button(word("cancel"), () => box.close()),
      ),
    ),
  );
}

run();
