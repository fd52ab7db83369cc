//! Languages of the assessors' pages. The translations are in `lang/`, one JSON file per language.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use partita::judging::campaign::{JudgmentKind, value_in_language};
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

/// Returns the text in the given language, or in another if there is none. Returns an empty text if
/// there is no text at all.
pub(crate) fn text_in_language<'t>(texts: &'t BTreeMap<String, String>, language: &str) -> &'t str {
    value_in_language(texts, language).map_or("", String::as_str)
}

/// Parsed translations by language.
static TRANSLATIONS: LazyLock<BTreeMap<&'static str, Value>> = LazyLock::new(|| {
    let parsed = LANGUAGES.map(|language| {
        let json = translation_json(language).expect("every available language has a file");
        let json = serde_json::from_slice(&json).expect("translation files are JSON");
        (language, json)
    });
    BTreeMap::from(parsed)
});

/// Returns a text of the pages by its path, such as `/part/query`.
pub(crate) fn default_text(language: &str, path: &str) -> &'static str {
    find_default_text(language, path).expect("the pages have this text in every language")
}

/// Returns a text of the pages by its path, if there is one.
pub(crate) fn find_default_text(language: &str, path: &str) -> Option<&'static str> {
    let texts = &TRANSLATIONS[negotiate_language(Some(language))];
    texts.pointer(path).and_then(Value::as_str)
}

/// Returns the default instructions for a kind of judgment. If `melodies` is set, they speak of
/// melodies, otherwise of items.
pub(crate) fn default_instructions(language: &str, kind: JudgmentKind, melodies: bool) -> String {
    let group = if melodies { "" } else { "/items" };
    default_text(language, &format!("/instructions{group}/{kind}")).to_owned()
}
