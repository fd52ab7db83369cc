// The words of a page in the language of its reader.

const LANGUAGES = ["en", "es"];
let words = {};

/** The languages that there are. */
export function languages() {
  return LANGUAGES;
}

/** The language that the address asks for. */
export function asked() {
  const language = new URLSearchParams(location.search).get("lang");
  return LANGUAGES.includes(language) ? language : null;
}

/** The language that the browser asks for. */
export function usual() {
  const wanted = (navigator.languages ?? []).map((language) => language.slice(0, 2).toLowerCase());
  return wanted.find((language) => LANGUAGES.includes(language)) ?? LANGUAGES[0];
}

/** Loads the words of a language; the page is in that language from then on. */
export async function speak(language) {
  const known = LANGUAGES.includes(language) ? language : LANGUAGES[0];
  if (words.at !== known) {
    const response = await fetch(`/lang/${known}.json`);
    words = { at: known, all: await response.json() };
  }
  document.documentElement.lang = known;
}

/** The language of the page. */
export function language() {
  return words.at;
}

/** The words at a place such as `task.save`, with values in the place of names in braces. */
export function t(place, values = {}) {
  const steps = Array.isArray(place) ? place : place.split(".");
  const text = steps.reduce((part, step) => part?.[step], words.all);
  if (typeof text !== "string") throw new Error(`no words for ${steps.join(".")}`);
  return text.replace(/\{(\w+)\}/g, (name, key) => (key in values ? String(values[key]) : name));
}
