//! Languages of the assessors' pages. The translations are in `lang/`, one JSON file per language.

use std::borrow::Cow;
use std::collections::BTreeMap;

use partita::judging::campaign::JudgmentKind;
use rust_embed::Embed;
use serde_json::Value;

#[derive(Embed)]
#[folder = "lang/"]
struct TranslationFiles;

/// Codes of the available languages. The first is the default.
const LANGUAGES: [&str; 2] = ["en", "es"];

/// Returns the translations of a language as JSON; `None` if the language is not available.
pub(crate) fn translation_json(language: &str) -> Option<Cow<'static, [u8]>> {
    let known = LANGUAGES.contains(&language);
    let file = known.then(|| TranslationFiles::get(&format!("{language}.json")));
    file.flatten().map(|file| file.data)
}

/// Returns the available language that matches the requested one, or the default.
pub(crate) fn negotiate_language(language: Option<&str>) -> &'static str {
    let wanted = language.unwrap_or_default().to_lowercase();
    let primary = wanted.split('-').next().unwrap_or_default();
    let found = LANGUAGES.into_iter().find(|name| *name == primary);
    found.unwrap_or(LANGUAGES[0])
}

/// Returns the text in the given language. If there is none, falls back to the default language and
/// then to any language. Returns an empty text if there is no text at all.
pub(crate) fn text_in_language<'t>(texts: &'t BTreeMap<String, String>, language: &str) -> &'t str {
    let text = texts.get(language).or_else(|| texts.get(LANGUAGES[0]));
    let text = text.or_else(|| texts.values().next());
    text.map_or("", String::as_str)
}

/// Returns the default instructions for a kind of judgment. If `melodies` is set, they speak of
/// melodies, otherwise of items.
pub(crate) fn default_instructions(language: &str, kind: JudgmentKind, melodies: bool) -> String {
    let words = translation_json(negotiate_language(Some(language)))
        .expect("every available language has a translation file");
    let words: Value = serde_json::from_slice(&words).expect("translation files are JSON");
    let all = &words["instructions"];
    let all = if melodies { all } else { &all["items"] };
    let text = &all[kind.to_string()];
    text.as_str()
        .expect("every kind has instructions in every language")
        .to_owned()
}
