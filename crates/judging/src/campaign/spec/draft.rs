//! Drafts of campaign specifications: JSON that may have errors, of which all are reported at once.

use serde_json::Value;
use serde_path_to_error::Segment;

use super::CampaignSpec;
use super::error::{CampaignSpecError, CampaignSpecErrorKind};

/// Maximum number of values that are reported as wrong in type or name. Each takes a pass over the
/// whole specification.
const MAX_TYPE_ERRORS: usize = 100;

/// Campaign specification as far as its JSON can be read, with the errors found so far.
///
/// An invalid value is no reason to stop: the rest is read, and can be validated, without it.
///
/// ```
/// use partita_judging::campaign::{CampaignSpec, CampaignSpecDraft};
///
/// let mut draft = CampaignSpecDraft::parse(br#"{"name": "c", "colour": 1, "lists": [5]}"#);
/// draft.validate(CampaignSpec::validate);
/// let errors = draft.into_spec().unwrap_err();
/// let pointers: Vec<&str> = errors.iter().map(|error| error.pointer.as_str()).collect();
/// assert_eq!(pointers, ["/colour", "/lists/0", "/lists"]);
/// ```
#[derive(Clone, Debug)]
pub struct CampaignSpecDraft {
    /// Specification without the removed values; `None` if the rest is not a specification.
    spec: Option<CampaignSpec>,
    errors: Vec<CampaignSpecError>,
    /// Pointers of the removed values, in the original JSON.
    removed: Vec<String>,
}

impl CampaignSpecDraft {
    /// Parses the JSON of a specification.
    pub fn parse(json: &[u8]) -> Self {
        let mut draft = Self {
            spec: None,
            errors: Vec::new(),
            removed: Vec::new(),
        };
        match serde_json::from_slice(json) {
            Ok(spec) => draft.spec = Some(spec),
            Err(error) => match serde_json::from_slice(json) {
                Ok(value) => draft.read_without_errors(value),
                Err(_) => draft.add_json_error(String::new(), &error),
            },
        }
        draft
    }

    /// Returns the specification without the values that could not be read.
    pub fn spec(&self) -> Option<&CampaignSpec> {
        self.spec.as_ref()
    }

    /// Returns the specification without the values that could not be read, for changes.
    pub fn spec_mut(&mut self) -> Option<&mut CampaignSpec> {
        self.spec.as_mut()
    }

    /// Applies rules to the specification and adds the errors that they find.
    pub fn validate(&mut self, rules: impl FnOnce(&CampaignSpec) -> Vec<CampaignSpecError>) {
        let errors = self.spec.as_ref().map(rules);
        self.add_errors(errors.unwrap_or_default());
    }

    /// Adds errors of the [specification](Self::spec). Leaves out those at positions of which an
    /// error is known, because they often have the same cause.
    pub fn add_errors(&mut self, errors: Vec<CampaignSpecError>) {
        let known = self.errors.len();
        for mut error in errors {
            error.pointer = self.original_pointer(&error.pointer);
            let mut at_known = self.errors[..known].iter();
            if at_known.all(|known| known.pointer != error.pointer) {
                self.errors.push(error);
            }
        }
    }

    /// Adds errors of the JSON that was parsed, whose pointers are those of the JSON.
    pub fn add_json_errors(&mut self, errors: impl IntoIterator<Item = CampaignSpecError>) {
        self.errors.extend(errors);
    }

    /// Returns the specification, or all errors.
    ///
    /// # Errors
    /// Returns the errors that were found, if any.
    pub fn into_spec(self) -> Result<CampaignSpec, Vec<CampaignSpecError>> {
        match self.spec {
            Some(spec) if self.errors.is_empty() => Ok(spec),
            _ => Err(self.errors),
        }
    }

    /// Adds the error of a value that serde rejects.
    fn add_json_error(&mut self, pointer: String, error: &serde_json::Error) {
        let kind = CampaignSpecErrorKind::Invalid(error.to_string());
        self.errors.push(CampaignSpecError::new(pointer, kind));
    }

    /// Reads a specification that has errors. Serde stops at the first error, so the invalid value
    /// is removed and the rest is read again, until no error is left.
    fn read_without_errors(&mut self, mut value: Value) {
        while self.removed.len() < MAX_TYPE_ERRORS {
            let error = match serde_path_to_error::deserialize(&value) {
                Ok(spec) => {
                    self.spec = Some(spec);
                    return;
                }
                Err(error) => error,
            };
            let path: Vec<String> = error.path().iter().filter_map(pointer_token).collect();
            let pointer = self.original_pointer(&to_pointer(&path));
            let message = error.inner().to_string();
            if !self.misses_removed_field(&pointer, &message) {
                self.add_json_error(pointer, error.inner());
            }
            // Remove an enum as a whole: its rest would be no value of it.
            let is_enum = |segment: &Segment| matches!(segment, Segment::Enum { .. });
            let end = error.path().iter().position(is_enum).unwrap_or(path.len());
            let Some((last, parent)) = path[..end].split_last() else {
                return;
            };
            let pointer = self.original_pointer(&to_pointer(&path[..end]));
            match value.pointer_mut(&to_pointer(parent)) {
                Some(Value::Object(fields)) => _ = fields.remove(&unescape(last)),
                Some(Value::Array(elements)) => {
                    let index = last.parse().expect("elements have numbers");
                    elements.remove(index);
                }
                _ => return,
            }
            self.removed.push(pointer);
        }
    }

    /// Returns true if the message about the value at `pointer` says that a field is missing that
    /// was removed because of another error.
    fn misses_removed_field(&self, pointer: &str, message: &str) -> bool {
        self.removed.iter().any(|removed| {
            let field = removed.rsplit_once('/').filter(|(at, _)| *at == pointer);
            field
                .is_some_and(|(_, field)| message.contains(&format!("field `{}`", unescape(field))))
        })
    }

    /// Converts a pointer into what is left of the JSON to a pointer into the original. They differ
    /// because the removal of an element of an array shifts the elements behind it.
    fn original_pointer(&self, pointer: &str) -> String {
        let mut original = String::new();
        for token in pointer.split('/').skip(1) {
            let shifted = token.parse::<usize>().ok().map(|index| {
                let removed = self.removed.iter().filter_map(|at| at.rsplit_once('/'));
                let removed = removed.filter(|(array, _)| *array == original);
                let mut removed: Vec<usize> = removed
                    .filter_map(|(_, index)| index.parse().ok())
                    .collect();
                removed.sort_unstable();
                let shift = |index, removed| index + usize::from(removed <= index);
                removed.into_iter().fold(index, shift).to_string()
            });
            original.push('/');
            original.push_str(shifted.as_deref().unwrap_or(token));
        }
        original
    }
}

/// Returns the token of a JSON pointer for a step of a path.
fn pointer_token(segment: &Segment) -> Option<String> {
    match segment {
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Map { key } | Segment::Enum { variant: key } => {
            Some(key.replace('~', "~0").replace('/', "~1"))
        }
        Segment::Unknown => None,
    }
}

/// Joins tokens to a JSON pointer.
fn to_pointer(tokens: &[String]) -> String {
    tokens.iter().flat_map(|token| ["/", token]).collect()
}

/// Returns the object key that a token of a JSON pointer stands for.
fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}
