//! Texts of judging pages that a campaign sets: its title, its question, its answers and the names
//! of the parts of a question.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::error::{CampaignSpecError, CampaignSpecErrorKind};

/// Language whose texts replace those of a missing language.
const FALLBACK_LANGUAGE: &str = "en";

/// Maximum length of a text of the pages, in characters.
const MAX_TEXT_CHARS: usize = 500;

/// Maximum length of a language code, in bytes.
const MAX_LANGUAGE_BYTES: usize = 35;

/// Title that assessors read: one text for all languages, or one per language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Title {
    /// One text for all languages.
    Single(String),
    /// Text by language code.
    ByLanguage(BTreeMap<String, String>),
}

impl From<&str> for Title {
    fn from(text: &str) -> Self {
        Self::Single(text.to_owned())
    }
}

impl Default for Title {
    fn default() -> Self {
        Self::from("")
    }
}

impl<'de> Deserialize<'de> for Title {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// Reads a text or an object; names both in an error.
        struct TitleVisitor;

        impl<'de> Visitor<'de> for TitleVisitor {
            type Value = Title;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text, or texts by language such as {\"en\": \"..\"}")
            }

            fn visit_str<E>(self, text: &str) -> Result<Title, E> {
                Ok(Title::from(text))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Title, A::Error> {
                let texts = BTreeMap::deserialize(MapAccessDeserializer::new(map));
                texts.map(Title::ByLanguage)
            }
        }
        deserializer.deserialize_any(TitleVisitor)
    }
}

impl Title {
    /// Returns the title in a language, as [`value_in_language`] chooses it.
    pub fn in_language(&self, language: &str) -> &str {
        match self {
            Self::Single(text) => text,
            Self::ByLanguage(texts) => {
                value_in_language(texts, language).map_or("", String::as_str)
            }
        }
    }

    /// Returns the title for readers whose language is unknown.
    pub fn default_text(&self) -> &str {
        self.in_language(FALLBACK_LANGUAGE)
    }

    /// Returns the errors of an empty title, or of one language.
    pub(super) fn validate(&self) -> Vec<CampaignSpecError> {
        let no_title =
            |pointer: String| CampaignSpecError::new(pointer, CampaignSpecErrorKind::NoTitle);
        match self {
            Self::ByLanguage(texts) if !texts.is_empty() => {
                let languages = texts
                    .keys()
                    .filter_map(|language| language_error("/title", language));
                let blank = texts.iter().filter(|(_, text)| text.trim().is_empty());
                let blank = blank.map(|(language, _)| no_title(format!("/title/{language}")));
                languages.chain(blank).collect()
            }
            title if title.default_text().trim().is_empty() => vec![no_title("/title".to_owned())],
            _ => Vec::new(),
        }
    }
}

/// Texts of the judging page in one language. Omitted texts have their default values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PageTexts {
    /// Question that a task asks, such as `Which variation is more similar to the original?`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// Name of the query, such as `Original`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Name of an item, such as `Variation`; the letter or number of the item follows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// Answer that prefers the first item of a pair, such as `A is more similar`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<String>,
    /// Answer that prefers the second item of a pair, such as `B is more similar`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<String>,
    /// Answer that prefers neither item of a pair, such as `Equally similar or dissimilar`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equal: Option<String>,
    /// Question about the assessor before the first task, such as `Your musical background
    /// (optional)`. If it is empty, nothing is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub background: Option<String>,
}

impl PageTexts {
    /// Returns the errors of the texts of one language.
    pub(super) fn validate(&self, language: &str) -> Vec<CampaignSpecError> {
        let texts = [
            ("question", &self.question),
            ("query", &self.query),
            ("item", &self.item),
            ("a", &self.a),
            ("b", &self.b),
            ("equal", &self.equal),
            ("background", &self.background),
        ];
        let error = |(key, text): (&str, &Option<String>)| {
            let text = text.as_ref()?;
            let kind = if text.chars().count() > MAX_TEXT_CHARS {
                CampaignSpecErrorKind::TextTooLong {
                    most: MAX_TEXT_CHARS,
                }
            } else if text.trim().is_empty() && key != "background" {
                CampaignSpecErrorKind::EmptyText
            } else {
                return None;
            };
            Some(CampaignSpecError::new(
                format!("/texts/{language}/{key}"),
                kind,
            ))
        };
        let errors = texts.into_iter().filter_map(error);
        language_error("/texts", language)
            .into_iter()
            .chain(errors)
            .collect()
    }
}

/// Returns the error of a language code that no language can have.
fn language_error(pointer: &str, language: &str) -> Option<CampaignSpecError> {
    let fits = (2..=MAX_LANGUAGE_BYTES).contains(&language.len())
        && language.starts_with(|c: char| c.is_ascii_alphabetic())
        && language
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-');
    let kind = || CampaignSpecErrorKind::NotALanguage(language.to_owned());
    (!fits).then(|| CampaignSpecError::new(pointer, kind()))
}

/// Returns the value in the given language. A missing language is replaced by one with the same
/// first part (`es` for `es-MX`), by English, or else by any other.
pub fn value_in_language<'t, T>(
    by_language: &'t BTreeMap<String, T>,
    language: &str,
) -> Option<&'t T> {
    let primary = |code: &str| code.split('-').next().unwrap_or("").to_ascii_lowercase();
    let nearest = |wanted: &str| {
        let mut codes = by_language.iter();
        codes.find_map(|(code, value)| (primary(code) == primary(wanted)).then_some(value))
    };
    by_language
        .get(language)
        .or_else(|| nearest(language))
        .or_else(|| by_language.get(FALLBACK_LANGUAGE))
        .or_else(|| nearest(FALLBACK_LANGUAGE))
        .or_else(|| by_language.values().next())
}
