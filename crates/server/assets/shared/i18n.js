// Texts of a page in the user's language.

import { request } from "./http.js";

const LANGUAGES = ["en", "es"];
let texts = {};

/** Returns the available languages. */
export function languages() {
  return LANGUAGES;
}

/** Returns the language in the address, or null. */
export function requestedLanguage() {
  const language = new URLSearchParams(location.search).get("lang");
  return LANGUAGES.includes(language) ? language : null;
}

/** Returns the browser's preferred language. */
export function preferredLanguage() {
  const wanted = (navigator.languages ?? []).map((language) => language.slice(0, 2).toLowerCase());
  return wanted.find((language) => LANGUAGES.includes(language)) ?? LANGUAGES[0];
}

/** Loads the texts of a language and makes it the language of the page. */
export async function loadLanguage(language) {
  const known = LANGUAGES.includes(language) ? language : LANGUAGES[0];
  if (texts.language !== known) {
    texts = { language: known, entries: await request("GET", `/lang/${known}.json`) };
  }
  document.documentElement.lang = known;
}

/** Returns the language of the page. */
export function language() {
  return texts.language;
}

/** Returns the text of a key such as `task.save`, with names in braces replaced by values. */
export function t(key, values = {}) {
  const steps = Array.isArray(key) ? key : key.split(".");
  const text = steps.reduce((part, step) => part?.[step], texts.entries);
  if (typeof text !== "string") throw new Error(`no words for ${steps.join(".")}`);
  return text.replace(/\{(\w+)\}/g, (placeholder, name) => (name in values ? String(values[name]) : placeholder));
}

/** Returns the message of a failed request. */
export function problemText(problem) {
  if (problem.kind === "network") return t("problem.network");
  if (problem.kind === "foreign") return t("problem.foreign", { status: problem.status });
  return problem.message;
}
