// Queue of answers and reports that the server has not acknowledged. The browser stores them under their ids, so
// that neither a lost network nor a closed window loses one. The id is an idempotency key: the server stores each once.

import { campaign, current, enterAgain } from "./session.js";
import { lasting } from "./storage.js";
import { request } from "../shared/http.js";

const PREFIX = `partita:unsent:${campaign}:`;
const SHORTEST = 1_000;
const LONGEST = 30_000;

let delay = SHORTEST;
let timer = null;
let sending = false;
let again = false;
let hasBegun = false;
let told = { state() {}, kept() {}, refused() {}, elsewhere() {} };

/** Returns all queued entries, the oldest first. */
export function waiting() {
  const items = lasting.keys(PREFIX).map((key) => lasting.get(key)).filter(Boolean);
  return items.sort((one, other) => one.at - other.at);
}

/** Returns the number of queued answers of the current judge. */
export function waitingAnswers() {
  return waiting().filter((item) => item.person === current().person && item.method === "PUT").length;
}

/** Returns the tasks with queued entries. */
export function tasks() {
  return new Set(waiting().map((item) => item.json.task));
}

/** Queues an answer or a report until the server acknowledges it. */
export function add(id, method, path, json) {
  const { person, token } = current();
  lasting.set(PREFIX + id, { id, at: Date.now(), person, token, method, path, json });
  told.state("saving");
  delay = SHORTEST;
  send();
}

/** Starts sending queued entries. `listener` is notified of each change. */
export function begin(listener) {
  told = listener;
  if (hasBegun) return;
  hasBegun = true;
  window.addEventListener("online", () => {
    delay = SHORTEST;
    send();
  });
  window.addEventListener("storage", (event) => {
    if (!event.key?.startsWith(PREFIX)) return;
    const item = JSON.parse(event.newValue ?? event.oldValue);
    if (event.newValue === null) {
      if (waiting().length === 0) told.state("saved");
      told.kept(item);
    } else {
      told.elsewhere(item.json.task);
      // The other window sends the entries, unless it is closed before.
      timer ??= setTimeout(send, LONGEST);
    }
  });
  if (waiting().length > 0) {
    told.state("saving");
    send();
  }
}

/** Sends all queued entries one by one. */
export async function send() {
  clearTimeout(timer);
  timer = null;
  if (sending) {
    again = true;
    return;
  }
  sending = true;
  do {
    again = false;
    for (const item of waiting()) {
      if (!(await sent(item))) {
        sending = false;
        return;
      }
    }
  } while (again);
  sending = false;
}

/** Sends one entry and returns whether to continue with the next. */
async function sent(item) {
  const key = PREFIX + item.id;
  try {
    await request(item.method, item.path, { token: item.token, json: item.json });
  } catch (problem) {
    if (problem.passes) return later(problem);
    if (problem.status === 401) {
      try {
        if (await renewed(key, item)) return true;
      } catch (trouble) {
        if (trouble.passes) return later(trouble);
      }
    }
    lasting.remove(key);
    // Another window or device was first: the server already has an answer.
    if (problem.kind === "answered" || problem.kind === "task") done(item);
    else {
      lasting.set(`partita:refused:${campaign}:${item.id}`, item);
      told.refused(problem, item);
    }
    return true;
  }
  lasting.remove(key);
  delay = SHORTEST;
  done(item);
  return true;
}

function done(item) {
  told.state(waiting().length > 0 ? "saving" : "saved");
  told.kept(item);
}

/** Schedules the next attempt, with exponential backoff from 1 to 30 seconds. */
function later(problem) {
  told.state("waiting");
  const pause = Math.max(delay, Math.min(problem.retryAfter * 1_000, LONGEST));
  delay = Math.min(delay * 2, LONGEST);
  timer = setTimeout(send, pause);
  return false;
}

/** Renews the token of an answer of the same person, and returns whether there is a new one. */
async function renewed(key, item) {
  const before = current();
  if (item.person !== before.person) return false;
  const judge = item.token === before.token ? await enterAgain() : before;
  if (judge.person !== item.person) return false;
  lasting.set(key, { ...item, token: judge.token });
  again = true;
  return true;
}
