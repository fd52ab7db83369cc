// Queue of answers and reports that the server has not acknowledged. The browser stores them under their ids, so
// that neither a lost network nor a closed window loses one. The id is an idempotency key: the server stores each once.

import { campaign, currentJudge, enterAgain } from "./session.js";
import { localStore } from "./storage.js";
import { request } from "../shared/http.js";

const PREFIX = `partita:unsent:${campaign}:`;
/** Shortest and longest delay between two attempts, in milliseconds. */
const MIN_DELAY = 1_000;
const MAX_DELAY = 30_000;

let delay = MIN_DELAY;
let timer = null;
let isSending = false;
let hasNewEntries = false;
let isStarted = false;
let listener = { state() {}, acknowledged() {}, refused() {}, queuedElsewhere() {} };

/** Returns all queued entries, the oldest first. */
export function queued() {
  const items = localStore.keys(PREFIX).map((key) => localStore.get(key)).filter(Boolean);
  return items.sort((one, other) => one.at - other.at);
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
}

/** Sends one entry and returns whether to continue with the next. */
async function sendEntry(item) {
  const key = PREFIX + item.id;
  try {
    await request(item.method, item.path, { token: item.token, json: item.json });
  } catch (problem) {
    if (problem.isTemporary) return retryLater(problem);
    if (problem.status === 401) {
      try {
        if (await renewToken(key, item)) return true;
      } catch (renewalProblem) {
        if (renewalProblem.isTemporary) return retryLater(renewalProblem);
      }
    }
    localStore.remove(key);
    // Another window or device was first: the server already has an answer.
    if (problem.kind === "answered" || problem.kind === "task") done(item);
    else {
      localStore.set(`partita:refused:${campaign}:${item.id}`, item);
      listener.refused(problem, item);
    }
    return true;
  }
  localStore.remove(key);
  delay = MIN_DELAY;
  done(item);
  return true;
}

function done(item) {
  listener.state(queued().length > 0 ? "saving" : "saved");
  listener.acknowledged(item);
}

/** Schedules the next attempt, with exponential backoff from 1 to 30 seconds. */
function retryLater(problem) {
  listener.state("waiting");
  const pause = Math.max(delay, Math.min(problem.retryAfter * 1_000, MAX_DELAY));
  delay = Math.min(delay * 2, MAX_DELAY);
  timer = setTimeout(send, pause);
  return false;
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
