// Texts of a page in the user's language.

const LANGUAGES = ["en", "es"];
let words = {};

/** Returns the available languages. */
export function languages() {
  return LANGUAGES;
}

/** Returns the language in the address, or null. */
export function asked() {
  const language = new URLSearchParams(location.search).get("lang");
  return LANGUAGES.includes(language) ? language : null;
}

/** Returns the browser's preferred language. */
export function usual() {
  const wanted = (navigator.languages ?? []).map((language) => language.slice(0, 2).toLowerCase());
  return wanted.find((language) => LANGUAGES.includes(language)) ?? LANGUAGES[0];
}

/** Loads the texts of a language and makes it the language of the page. */
export async function speak(language) {
  const known = LANGUAGES.includes(language) ? language : LANGUAGES[0];
  if (words.at !== known) {
    const response = await fetch(`/lang/${known}.json`);
    words = { at: known, all: await response.json() };
  }
  document.documentElement.lang = known;
}

/** Returns the language of the page. */
export function language() {
  return words.at;
}

/** Returns the text of a key such as `task.save`, with names in braces replaced by values. */
export function t(place, values = {}) {
  const steps = Array.isArray(place) ? place : place.split(".");
  const text = steps.reduce((part, step) => part?.[step], words.all);
  if (typeof text !== "string") throw new Error(`no words for ${steps.join(".")}`);
  return text.replace(/\{(\w+)\}/g, (name, key) => (key in values ? String(values[key]) : name));
}
