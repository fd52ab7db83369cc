// Session of a judge: exchanges the link for a session token and stores the token.

import { localStore, sessionStore } from "./storage.js";
import { Problem, request } from "../shared/http.js";
import { requestedLanguage, preferredLanguage } from "../shared/i18n.js";

const API = "/api/v1/judge";

/** Campaign of this page. */
export const campaign = decodeURIComponent(location.pathname.split("/")[2] ?? "");

const KEY = `partita:judge:${campaign}`;
/** Key of the invite of this window, which remembers it for a reload. */
const INVITE_KEY = `partita:invite:${campaign}`;

/** Returns the invite or panel parameters in the address, or else the invite of this window, or null. */
function link() {
  const invite = new URLSearchParams(location.hash.slice(1)).get("invite");
  if (invite) return { invite };
  const params = Object.fromEntries(new URLSearchParams(location.search));
  delete params.lang;
  return Object.keys(params).length > 0 ? { params } : sessionStore.get(INVITE_KEY);
}

/**
 * Removes the invite from the address bar and the history, where other people who use this browser would find it.
 * Keeps it there if the browser stores nothing, because a reload could not read it otherwise.
 */
function hideInvite(by) {
  if (!by?.invite || !location.hash) return;
  sessionStore.set(INVITE_KEY, by);
  if (sessionStore.isStored(INVITE_KEY)) history.replaceState(null, "", location.pathname + location.search);
}

let judge = null;

/** Returns the token and id of the judge. */
export function currentJudge() {
  return judge;
}

/** Enters with the stored token, or with the link. */
export async function enter() {
  const stored = localStore.get(KEY);
  const by = link();
  const same = stored && (by === null || stored.link === JSON.stringify(by));
  if (same) judge = stored;
  else await enterWith(by);
  hideInvite(by);
}

/** Exchanges an invite or panel parameters for a token. */
async function enterWith(by) {
  if (by === null) throw new Problem(403, { type: "/problems/link", detail: "" }, 0);
  const language = requestedLanguage() ?? preferredLanguage();
  // If the person was erased, the server must not take this page for a new person.
  const before = judge && judge.link === JSON.stringify(by) ? { person: judge.person } : {};
  const json = { campaign, ...by, language, ...before };
  const { token, person } = await request("POST", `${API}/enter`, { json });
  judge = { token, person, link: JSON.stringify(by) };
  localStore.set(KEY, judge);
}

/** Exchanges the link for a new token if the old one is no longer valid. A failure keeps the old one. */
export async function enterAgain() {
  await enterWith(link() ?? (judge?.link ? JSON.parse(judge.link) : null));
  return judge;
}

/** Sends a request with the judge's token, and renews an invalid token once. */
export async function ask(method, path, json) {
  const send = () => request(method, `${API}${path}`, { token: judge.token, json });
  try {
    return await send();
  } catch (problem) {
    if (problem.kind !== "unauthorised") throw problem;
    await enterAgain();
    return send();
  }
}
