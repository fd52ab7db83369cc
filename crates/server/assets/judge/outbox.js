// Queue of answers and reports that the server has not decided. The browser stores them under their ids, so that
// neither a lost network nor a closed window loses one. The id is an idempotency key: the server stores each once.
//
// Only a receipt or a problem of this server ends an entry. A refusal by a proxy, a firewall or a captive portal is
// temporary. An entry whose token and link are no longer valid is held until its person opens the page again.

import { campaign, currentJudge, enterAgain } from "./session.js";
import { localStore } from "./storage.js";
import { Problem, request } from "../shared/http.js";

const PREFIX = `partita:unsent:${campaign}:`;
/** Prefix under which earlier versions of this page set refused entries aside. */
const REFUSED_PREFIX = `partita:refused:${campaign}:`;
/** Shortest and longest delay between two attempts, in milliseconds. */
const MIN_DELAY = 1_000;
const MAX_DELAY = 30_000;

let delay = MIN_DELAY;
let timer = null;
let isSending = false;
let hasNewEntries = false;
let isStarted = false;
let listener = { state() {}, acknowledged() {}, refused() {}, queuedElsewhere() {} };

/** Returns all entries in the browser, the oldest first. */
function stored() {
  const items = localStore.keys(PREFIX).map((key) => localStore.get(key)).filter(Boolean);
  return items.sort((one, other) => one.at - other.at);
}

/** Returns all queued entries, the oldest first; held entries are not queued. */
export function queued() {
  return stored().filter((item) => !item.isHeld);
}

/** Returns the number of queued answers of the current judge. */
export function queuedAnswerCount() {
  return queued().filter((item) => item.person === currentJudge().person && item.method === "PUT").length;
}

/** Returns the tasks with queued entries. */
export function queuedTasks() {
  return new Set(queued().map((item) => item.json.task));
}

/** Queues an answer or a report until the server acknowledges it. */
export function add(id, method, path, json) {
  const { person, token } = currentJudge();
  localStore.set(PREFIX + id, { id, at: Date.now(), person, token, method, path, json });
  listener.state("saving");
  delay = MIN_DELAY;
  send();
}

/** Starts sending queued entries. `newListener` is notified of each change. */
export function start(newListener) {
  listener = newListener;
  if (isStarted) return;
  isStarted = true;
  restore();
  window.addEventListener("online", () => {
    delay = MIN_DELAY;
    send();
  });
  window.addEventListener("storage", (event) => {
    if (!event.key?.startsWith(PREFIX)) return;
    const item = JSON.parse(event.newValue ?? event.oldValue);
    if (event.newValue === null) {
      if (queued().length === 0) listener.state("saved");
      listener.acknowledged(item);
    } else {
      listener.queuedElsewhere(item.json.task);
      // The other window sends the entries, unless it is closed before.
      timer ??= setTimeout(send, MAX_DELAY);
    }
  });
  if (queued().length > 0) {
    listener.state("saving");
    send();
  }
}

/** Queues the entries that earlier versions set aside, and the held entries of the current judge. */
function restore() {
  for (const key of localStore.keys(REFUSED_PREFIX)) {
    const item = localStore.get(key);
    if (item) localStore.set(PREFIX + item.id, item);
    localStore.remove(key);
  }
  for (const { isHeld, ...item } of stored()) {
    if (isHeld && item.person === currentJudge().person) localStore.set(PREFIX + item.id, item);
  }
}

/** Sends all queued entries one by one. */
export async function send() {
  clearTimeout(timer);
  timer = null;
  if (isSending) {
    hasNewEntries = true;
    return;
  }
  isSending = true;
  do {
    hasNewEntries = false;
    for (const item of queued()) {
      if (!(await sendEntry(item))) {
        isSending = false;
        return;
      }
    }
  } while (hasNewEntries);
  isSending = false;
  if (timer !== null) listener.state("waiting");
}

/** Sends one entry and returns whether to continue with the next. */
async function sendEntry(item) {
  const key = PREFIX + item.id;
  try {
    const receipt = await request(item.method, item.path, { token: item.token, json: item.json });
    if (!isReceipt(item, receipt)) throw new Problem(200, {}, 0);
  } catch (problem) {
    if (problem.isTemporary) return retryLater(problem);
    if (problem.kind === "unauthorised") {
      try {
        if (!(await renewToken(key, item))) hold(key, item, problem);
      } catch (renewalProblem) {
        if (renewalProblem.isTemporary) return retryLater(renewalProblem);
        hold(key, item, renewalProblem);
      }
      return true;
    }
    localStore.remove(key);
    // Another window or device was first: the server already has an answer.
    if (problem.kind === "answered" || problem.kind === "task") done(item);
    else listener.refused(problem, item);
    return true;
  }
  localStore.remove(key);
  delay = MIN_DELAY;
  done(item);
  return true;
}

/** Returns whether a response acknowledges an entry. A captive portal also answers with success. */
function isReceipt({ id, method, json }, receipt) {
  return method === "PUT" ? receipt?.id === id : receipt?.task === json.task;
}

/** Keeps an entry that cannot be sent in the name of its person until that person opens the page again. */
function hold(key, item, problem) {
  localStore.set(key, { ...item, isHeld: true });
  if (item.person === currentJudge().person) listener.refused(problem, item);
}

function done(item) {
  listener.state(queued().length > 0 ? "saving" : "saved");
  listener.acknowledged(item);
}

/**
 * Schedules the next attempt, with exponential backoff from 1 to 30 seconds. Returns whether to continue with the next
 * entry: a firewall may refuse a single one because of its text, and must not block the others.
 */
function retryLater(problem) {
  listener.state("waiting");
  const pause = Math.max(delay, Math.min(problem.retryAfter * 1_000, MAX_DELAY));
  delay = Math.min(delay * 2, MAX_DELAY);
  clearTimeout(timer);
  timer = setTimeout(send, pause);
  return problem.kind === "foreign";
}

/** Renews the token of an answer of the same person, and returns whether there is a new one. */
async function renewToken(key, item) {
  const before = currentJudge();
  if (item.person !== before.person) return false;
  const judge = item.token === before.token ? await enterAgain() : before;
  if (judge.person !== item.person) return false;
  localStore.set(key, { ...item, token: judge.token });
  hasNewEntries = true;
  return true;
}
