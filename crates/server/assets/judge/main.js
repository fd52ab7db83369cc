// The judge's page, from the link to the completion code.

import { button, choice, confirmAction, el, field, paragraphs } from "../shared/dom.js";
import { ask, campaign, currentJudge, enter } from "./session.js";
import { GradingPage } from "./grading_page.js";
import { Labels } from "./labels.js";
import { localStore, uuid } from "./storage.js";
import { prefetch } from "./media_cache.js";
import { PreferencePage } from "./preference_page.js";
import { RankingPage } from "./ranking_page.js";
import { TaskActivity } from "./task_activity.js";
import { openReportDialog } from "./report_dialog.js";
import * as outbox from "./outbox.js";
import { requestedLanguage, language, languages, loadLanguage, problemText, t, preferredLanguage } from "../shared/i18n.js";

const PAGES = { preference: PreferencePage, ranking: RankingPage, grading: GradingPage };
/** Longest delay between two attempts, in milliseconds. */
const MAX_DELAY = 30_000;

const main = document.getElementById("main");
const statusLine = document.getElementById("status");
const progressLine = document.getElementById("progress");

let me = null;
/** Current page: a question or a message. */
let view = null;
/** Tasks of the last response of the server, and its state after them. */
let tasks = [];
let state = "work";
let retryAfter = null;
let progress = { answered: 0, of: null };
/** Tasks that were answered or reported in this window. */
const done = new Set();
/** Whether a question was shown; the first original is neither marked nor announced as new. */
let hasShown = false;
/** Whether the judge stops early; null while judging continues. The work ends once all answers are saved. */
let ending = null;

const page = {
  get me() {
    return me;
  },
  number: () => answerCount() + 1,
  /** Returns whether the query of a task is marked as new. Without `mix`, a page announces it instead. */
  marksNewQuery: (task) => me.mix && task.new_query && hasShown,
  state: (name) => say(t(`status.${name}`)),
  say,
  save(question, answer) {
    const id = uuid();
    done.add(answer.task);
    outbox.add(id, "PUT", `/api/v1/judge/answers/${id}`, answer);
    advance();
  },
  report(question) {
    openReportDialog(question, (body) => {
      question.saved = true;
      done.add(body.task);
      outbox.add(uuid(), "POST", "/api/v1/judge/reports", body);
      advance();
    });
  },
  async stop() {
    const words = ["heading", "help", "stop", "go_on"].map((word) => t(`stop.${word}`));
    if (await confirmAction(...words)) finish(true);
  },
  /** Returns a task in its current version from the server. */
  async refetch(id) {
    await refresh();
    return tasks.find((task) => task.task === id);
  },
};

function say(text) {
  if (statusLine.textContent !== text) statusLine.textContent = text;
}

/** Returns the number of answers, including those not yet acknowledged. */
function answerCount() {
  return progress.answered + outbox.queuedAnswerCount();
}

function showProgress() {
  progressLine.hidden = view === null || !view.isQuestion;
  const [bar, text] = progressLine.children;
  const number = answerCount();
  // The estimate may be older than the latest answers.
  const of = progress.estimated ? Math.max(progress.of, number) : progress.of;
  const key = of === null ? "progress.count" : progress.estimated ? "progress.about" : "progress.of";
  const words = t(key, { answered: number, of });
  bar.setAttribute("aria-label", t("progress.label"));
  bar.setAttribute("aria-valuetext", words);
  text.textContent = words;
  // A bar without an end would never move.
  bar.hidden = of === null;
  if (of !== null) {
    bar.max = of;
    bar.value = Math.min(number, of);
  }
}

/** Replaces the current page. */
function show(next) {
  view?.leave?.();
  view = next;
  main.replaceChildren(...next.elements.filter(Boolean));
  showProgress();
  const heading = main.querySelector("h1");
  const titles = [heading.textContent, me?.title].filter(Boolean);
  document.title = [...new Set(titles)].join(" - ");
  window.scrollTo(0, 0);
  if (next.focus) next.focus();
  else {
    heading.tabIndex = -1;
    heading.focus();
  }
}

/** Shows a message page. */
function message(name, heading, ...children) {
  if (view?.name === name) return;
  show({ name, elements: [el("h1", { text: heading }), ...children.flat()] });
}

/** Shows the next task, or explains why there is none. */
function advance() {
  if (view?.name === "end") return;
  const waiting = outbox.queuedTasks();
  const open = tasks.find((task) => !done.has(task.task) && !waiting.has(task.task));
  if (ending !== null) finish(ending);
  else if (open) offer(open);
  else if (outbox.queued().length > 0) {
    message("saving", t("wait.saving_heading"), el("p", { text: t("wait.saving") }));
  } else if (tasks.length > 0 || state === "work") {
    // All of these tasks were answered after the request to the server.
    if (!view || view.isQuestion) message("saving", t("wait.saving_heading"), el("p", { text: t("status.loading") }));
    schedule(Math.max(0, lastAsked + 1_000 - performance.now()));
  } else if (state === "done" || state === "ended") finish(false);
  else {
    const leave = button(t("task.stop"), () => page.stop());
    if (state === "paused") message("paused", t("wait.paused_heading"), el("p", { text: t("wait.paused") }), leave);
    else message("wait", t("wait.heading"), el("p", { text: t("wait.text") }), leave);
    schedule((retryAfter ?? 5) * 1_000);
  }
}

/** Shows a task. Without `mix`, a break precedes each new original; with it, that would be nearly every question. */
function offer(task) {
  if (view?.task?.task === task.task) return;
  if (!task.new_query || !hasShown || me.mix) {
    openTask(task);
    return;
  }
  const labels = new Labels(me.texts);
  const heading = el("h1", { tabindex: "-1", text: labels.mention("task.new_original") });
  const go = button(t("task.continue"), () => openTask(task), { class: "primary" });
  show({
    task,
    isQuestion: true,
    elements: [heading, el("p", { text: labels.mention("task.new_original_help") }), go],
    focus: () => heading.focus(),
    key(event) {
      if (event.key !== "Enter" || event.repeat || event.target.closest("button")) return;
      event.preventDefault();
      openTask(task);
    },
  });
}

function openTask(task) {
  const question = new PAGES[task.kind](task, page, new TaskActivity(task));
  hasShown = true;
  question.isQuestion = true;
  show(question);
}

let timer = null;
let delay = 1_000;
let asking = null;
let askAgain = false;
let lastAsked = -Infinity;

function schedule(pause) {
  clearTimeout(timer);
  timer = setTimeout(refresh, pause);
}

/** Fetches the next tasks from the server. */
function refresh() {
  clearTimeout(timer);
  if (asking) {
    askAgain = true;
    return asking;
  }
  asking = fetchTasks().finally(() => {
    asking = null;
    if (askAgain) {
      askAgain = false;
      refresh();
    }
  });
  return asking;
}

async function fetchTasks() {
  let reply;
  try {
    reply = await ask("POST", "/next", {});
  } catch (problem) {
    if (problem.isTemporary) {
      if (!view || !view.isQuestion) {
        message("offline", t("wait.offline_heading"), el("p", { text: t("wait.offline") }));
      }
      schedule(Math.max(delay, problem.retryAfter * 1_000));
      delay = Math.min(delay * 2, MAX_DELAY);
    } else if (problem.kind === "consent") await loadProfile().catch(showProblem);
    else showProblem(problem);
    return;
  }
  delay = 1_000;
  lastAsked = performance.now();
  ({ tasks, state, progress } = reply);
  retryAfter = reply.retry_after;
  const mine = view?.task && !tasks.some((task) => task.task === view.task.task) ? [view.task] : [];
  const waiting = outbox.queuedTasks();
  prefetch([...mine, ...tasks.filter((task) => !done.has(task.task) && !waiting.has(task.task))]);
  showProgress();
  // The question on the screen can still be answered, unless the campaign has ended.
  if (!view?.isQuestion || done.has(view.task.task) || state === "ended") advance();
}

let isFinishing = false;

/** Finishes as soon as all answers are saved. */
async function finish(stop) {
  ending = stop;
  if (outbox.queued().length > 0) {
    message("saving", t("wait.saving_heading"), el("p", { text: t("wait.saving") }));
    return;
  }
  if (isFinishing) return;
  isFinishing = true;
  try {
    showOutcome(await ask("POST", "/finish", stop ? { stop: true } : {}));
  } catch (problem) {
    if (problem.isTemporary) {
      message("offline", t("wait.offline_heading"), el("p", { text: t("wait.offline") }));
      setTimeout(() => finish(stop), Math.max(delay, problem.retryAfter * 1_000));
      delay = Math.min(delay * 2, MAX_DELAY);
    } else if (problem.kind === "unfinished") {
      ending = null;
      refresh();
    } else showProblem(problem);
  } finally {
    isFinishing = false;
  }
}

/** Shows the last page. */
function showOutcome({ outcome, code, url, name }) {
  const elements = [el("p", { text: t(`end.${outcome}`) })];
  if (code) {
    const label = el("label", { for: "code", text: t("end.code") });
    elements.push(label, el("output", { id: "code", class: "code", text: code }));
  }
  if (url?.startsWith("https://")) {
    const words = t("end.return", { name: name || new URL(url).host });
    elements.push(el("p", {}, el("a", { class: "button primary", href: url, text: words })));
  } else if (outcome !== "refused") elements.push(el("p", { text: t("end.close") }));
  message("end", t("end.heading"), elements);
}

/** Shows the reason why the page cannot continue. */
function showProblem(problem) {
  const reload = button(t("trouble.reload"), () => location.reload());
  if (problem.kind === "link" || problem.kind === "unauthorised") {
    message("trouble", t("trouble.link_heading"), el("p", { text: t("trouble.link") }));
  } else if (problem.kind === "full") {
    showOutcome({ outcome: "full", ...problem.body.outcome });
  } else {
    const isOwn = problem.isTemporary && problem.kind !== "network" && problem.kind !== "foreign";
    const detail = isOwn ? t("problem.server") : problemText(problem);
    message("trouble", t("trouble.other_heading"), el("p", { text: t("trouble.other", { detail }) }), reload);
  }
}

const startedKey = () => `partita:started:${campaign}:${currentJudge().person}`;

/** Loads the judge's state, and shows the first page or the next task. */
async function loadProfile() {
  me = await ask("GET", "/me");
  const requested = requestedLanguage();
  if (requested && requested !== me.language) me = await ask("PUT", "/me", { language: requested });
  await loadLanguage(me.language);
  document.getElementById("title").textContent = me.title;
  progress = me.progress;
  const agreed = me.consent === null || me.consent.given;
  if (me.state !== "active") await finish(false);
  else if (agreed && (me.progress.answered > 0 || localStore.get(startedKey()))) await refresh();
  else start();
}

/** Returns the sentence on how many questions there are and how long they take, or null. */
function estimateText() {
  if (me.estimate === null) return null;
  const { questions, minutes } = me.estimate;
  const about = me.progress.estimated ? "about" : "exactly";
  const plural = (n) => (n === 1 ? "one" : "many");
  return t("start.estimate", {
    questions: t(`start.questions_${about}_${plural(questions)}`, { n: questions }),
    minutes: t(`start.minutes_${plural(minutes)}`, { n: minutes }),
  });
}

/** Shows the first page. */
function start() {
  const { consent } = me;
  const estimate = estimateText();
  const agree = choice("checkbox", "consent", "yes", t("start.consent"));
  const background = el("textarea", { rows: "2", maxlength: "2000", autocomplete: "off" });
  const hasOwnBackground = me.texts.background !== t("start.background");
  const complaint = el("p", { class: "complaint", role: "alert" });
  const others = languages().filter((one) => one !== language());
  const switches = others.map((one) => button(LANGUAGE_NAMES[one], () => change(one), { class: "plain", lang: one }));
  const change = async (one) => {
    try {
      me = await ask("PUT", "/me", { language: one });
      await loadLanguage(one);
      start();
    } catch (problem) {
      complaint.textContent = t("start.failed", { detail: problemText(problem) });
    }
  };
  const go = async () => {
    if (consent && !agree.input.checked) {
      complaint.textContent = t("start.consent_missing");
      agree.input.focus();
      return;
    }
    const text = background.value.trim();
    const changes = { ...(consent ? { consent: consent.version } : {}), ...(text ? { background: text } : {}) };
    try {
      if (Object.keys(changes).length > 0) me = await ask("PUT", "/me", changes);
      localStore.set(startedKey(), true);
      await refresh();
    } catch (problem) {
      if (problem.kind === "full") showProblem(problem);
      else complaint.textContent = t("start.failed", { detail: problemText(problem) });
    }
  };
  show({
    name: "start",
    elements: [
      el("div", { class: "languages" }, ...switches),
      el("h1", { text: me.title }),
      estimate && el("p", { class: "estimate", text: estimate }),
      el("h2", { text: t("start.instructions_heading") }),
      ...paragraphs(me.instructions),
      consent && el("h2", { text: t("start.consent_heading") }),
      ...(consent ? paragraphs(consent.text) : []),
      me.background && field(me.texts.background, background, hasOwnBackground ? null : t("start.background_help")),
      consent && agree.element,
      complaint,
      el(
        "div",
        { class: "actions" },
        button(t("start.start"), go, { class: "primary" }),
        consent && button(t("start.refuse"), () => finish(true)),
      ),
    ],
  });
}

/** Names of the languages, each in its own language. */
const LANGUAGE_NAMES = { en: "English", es: "Español" };

let isSpaceHandled = false;

document.addEventListener("keydown", (event) => {
  // Autofill in some browsers sends keyboard events without a key.
  if (!event.key || event.isComposing || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  view?.key?.(event);
  isSpaceHandled = event.key === " " && event.defaultPrevented;
});

// Some browsers click a button when Space is released.
document.addEventListener("keyup", (event) => {
  if (event.key === " " && isSpaceHandled) event.preventDefault();
  isSpaceHandled = false;
});

window.addEventListener("online", () => {
  delay = 1_000;
  if (me && !view?.isQuestion && view?.name !== "start" && view?.name !== "end") advance();
});

window.addEventListener("hashchange", () => location.reload());

window.addEventListener("beforeunload", (event) => {
  if (me && outbox.queued().length > 0) event.preventDefault();
});

/** Enters the campaign and starts; retries if the network is lost. */
async function run() {
  try {
    await loadLanguage(requestedLanguage() ?? preferredLanguage());
  } catch {
    setTimeout(run, 2_000);
    return;
  }
  try {
    await enter();
    outbox.start({
      state: page.state,
      acknowledged() {
        if (ending !== null) advance();
        else if (view && view.name !== "start") refresh();
      },
      refused(problem, item) {
        done.delete(item.json.task);
        say(t("status.refused", { detail: problem.message }));
        refresh();
      },
      queuedElsewhere(task) {
        done.add(task);
        if (view?.task?.task === task) advance();
      },
    });
    await loadProfile();
  } catch (problem) {
    if (!problem.isTemporary) {
      showProblem(problem);
      return;
    }
    message("offline", t("wait.offline_heading"), el("p", { text: t("wait.offline") }));
    setTimeout(run, Math.max(delay, problem.retryAfter * 1_000));
    delay = Math.min(delay * 2, MAX_DELAY);
  }
}

run();
