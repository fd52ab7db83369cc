// Who judges: the link says so, and the token that it was changed for is kept.

import { lasting } from "./storage.js";
import { Problem, request } from "../shared/http.js";
import { asked, usual } from "../shared/i18n.js";

const API = "/api/v1/judge";

/** The campaign of this page. */
export const campaign = decodeURIComponent(location.pathname.split("/")[2] ?? "");

const KEY = `partita:judge:${campaign}`;

/** What the address says of who comes; null if it says nothing. */
function link() {
  const invite = new URLSearchParams(location.hash.slice(1)).get("invite");
  if (invite) return { invite };
  const params = Object.fromEntries(new URLSearchParams(location.search));
  delete params.lang;
  return Object.keys(params).length > 0 ? { params } : null;
}

let judge = null;

/** The token and the id of whoever judges. */
export function current() {
  return judge;
}

/** Comes in again with what was kept, or with the link. */
export async function enter() {
  const kept = lasting.get(KEY);
  const by = link();
  const same = kept && (by === null || kept.link === JSON.stringify(by));
  if (same) {
    judge = kept;
    return;
  }
  await comeIn(by);
}

async function comeIn(by) {
  if (by === null) throw new Problem(403, { type: "/problems/link", detail: "" }, 0);
  const language = asked() ?? usual();
  const { token, person } = await request("POST", `${API}/enter`, { json: { campaign, ...by, language } });
  judge = { token, person, link: JSON.stringify(by) };
  lasting.set(KEY, judge);
}

/** Changes the link for a new token where the old one is not valid any more. */
export async function enterAgain() {
  lasting.remove(KEY);
  await comeIn(link() ?? (judge?.link ? JSON.parse(judge.link) : null));
  return judge;
}

/** Asks the server something for whoever judges. */
export async function ask(method, path, json) {
  const send = () => request(method, `${API}${path}`, { token: judge.token, json });
  try {
    return await send();
  } catch (problem) {
    if (problem.status !== 401) throw problem;
    await enterAgain();
    return send();
  }
}
