//! Requests from JSON objects, whose keys are the names of options.

use std::fmt;

use serde::de::value::SeqDeserializer;
use serde::de::{self, DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

/// Named options of a job, as a program, a study file or an HTTP body gives them.
///
/// The names are those of the long options of the command, with `_` or `-`. Each part of the job
/// takes the options that it has; an option that no part has is an error.
///
/// ```
/// use partita::NamedOptions;
/// use partita::evaluation::EvaluationRequest;
/// use partita::formats::truth::TruthReadOptions;
///
/// let mut options = NamedOptions::parse(r#"{"measure": ["AP"], "keep-zero": true}"#)?;
/// let request: EvaluationRequest = options.take()?;
/// let reading: TruthReadOptions = options.take()?;
/// options.finish()?;
/// assert_eq!(request.measures, ["AP"]);
/// # Ok::<(), partita::OptionError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct NamedOptions {
    values: Map<String, Value>,
    /// Names of the options that the parts have.
    known: Vec<&'static str>,
}

/// Error of options that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// The text is not JSON.
    #[error("the options are not JSON: {0}")]
    Json(String),
    /// The JSON is not an object.
    #[error("options are an object of names and values, not {0}")]
    NotAnObject(String),
    /// An option is given twice, once with `_` and once with `-`.
    #[error("the option `{0}` is given twice")]
    Repeated(String),
    /// The job has no option of this name.
    #[error("no option `{name}`; {}", suggestion(nearest.as_deref(), known))]
    Unknown {
        /// Name that was given.
        name: String,
        /// Name of the option that is spelled most like it; `None` if none is similar.
        nearest: Option<String>,
        /// Names of all options of the job, in alphabetical order.
        known: Vec<&'static str>,
    },
    /// An option does not accept its value.
    #[error("option `{name}`: {reason}")]
    Value {
        /// Name of the option.
        name: String,
        /// Values that are allowed, and the value that was found.
        reason: String,
    },
}

/// Returns the end of the message about an unknown option.
fn suggestion(nearest: Option<&str>, known: &[&str]) -> String {
    match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("there are {}", known.join(", ")),
    }
}

/// Reads a request from a JSON object of named options.
///
/// ```
/// use partita::plan::PlanRequest;
///
/// let request: PlanRequest = partita::read_request(r#"{"erho2": [0.9], "seed": 7}"#)?;
/// assert_eq!((request.erho2, request.seed), (vec![0.9], 7));
/// let error = partita::read_request::<PlanRequest>(r#"{"alhpa": 0.01}"#).unwrap_err();
/// assert_eq!(error.to_string(), "no option `alhpa`; did you mean `alpha`?");
/// # Ok::<(), partita::OptionError>(())
/// ```
///
/// # Errors
/// Returns [`OptionError`] if the text is not a JSON object, if the request has no option of a
/// given name, or if an option does not accept its value.
pub fn read_request<T: DeserializeOwned>(json: &str) -> Result<T, OptionError> {
    let mut options = NamedOptions::parse(json)?;
    let request = options.take()?;
    options.finish()?;
    Ok(request)
}

impl NamedOptions {
    /// Parses a JSON object of options. An option with the value `null` counts as not given.
    ///
    /// # Errors
    /// Returns [`OptionError`] if the text is not a JSON object or gives an option twice.
    pub fn parse(json: &str) -> Result<Self, OptionError> {
        let value = serde_json::from_str(json);
        match value.map_err(|error| OptionError::Json(error.to_string()))? {
            Value::Object(values) => Self::from_values(values),
            other => Err(OptionError::NotAnObject(describe(&other))),
        }
    }

    /// Creates options from their names and values. A null value counts as not given.
    ///
    /// # Errors
    /// Returns [`OptionError::Repeated`] for an option that is given with `_` and with `-`.
    pub fn from_values(given: Map<String, Value>) -> Result<Self, OptionError> {
        let mut values = Map::new();
        for (name, value) in given {
            let name = name.replace('-', "_");
            if values.contains_key(&name) {
                return Err(OptionError::Repeated(name));
            }
            values.insert(name, value);
        }
        values.retain(|_, value| !value.is_null());
        Ok(Self {
            values,
            known: Vec::new(),
        })
    }

    /// Reads the part of the job that has the type `T`, a struct with a default for every field,
    /// from the options that it has.
    ///
    /// # Errors
    /// Returns [`OptionError::Value`] for the first option that does not accept its value.
    pub fn take<T: DeserializeOwned>(&mut self) -> Result<T, OptionError> {
        let names = option_names::<T>();
        self.known.extend(names);
        let given = self.values.iter();
        let given = given.filter(|(name, _)| names.contains(&name.as_str()));
        T::deserialize(de::value::MapAccessDeserializer::new(GivenOptions {
            given: given.collect::<Vec<_>>().into_iter(),
            current: None,
        }))
    }

    /// Checks that some part has each option.
    ///
    /// # Errors
    /// Returns [`OptionError::Unknown`] for the first option that no part has.
    pub fn finish(mut self) -> Result<(), OptionError> {
        let mut names = self.values.keys();
        let Some(name) = names.find(|name| !self.known.contains(&name.as_str())) else {
            return Ok(());
        };
        self.known.sort_unstable();
        self.known.dedup();
        let distance = |known: &&str| strsim::damerau_levenshtein(name, known);
        let nearest = self.known.iter().copied().min_by_key(distance);
        let is_similar = |known: &&str| distance(known) <= (name.len() / 3).max(1);
        Err(OptionError::Unknown {
            nearest: nearest.filter(is_similar).map(str::to_owned),
            name: name.clone(),
            known: self.known,
        })
    }
}

impl de::Error for OptionError {
    /// Creates the error of a value whose option is not known yet.
    fn custom<M: fmt::Display>(message: M) -> Self {
        Self::Value {
            name: String::new(),
            reason: message.to_string(),
        }
    }
}

/// Returns the names of the options that a request or another part of a job has.
///
/// ```
/// use partita::formats::truth::TruthReadOptions;
///
/// let names = partita::option_names::<TruthReadOptions>();
/// assert_eq!(names, ["truth_format", "keep_zero", "label"]);
/// ```
pub fn option_names<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &[&str] = &[];
    // Reading ends with an error, because there is no value.
    let _ = T::deserialize(FieldNames { names: &mut names });
    names
}

/// Deserializer without values that keeps the names of the fields it is asked for.
struct FieldNames<'a> {
    names: &'a mut &'static [&'static str],
}

impl<'de> Deserializer<'de> for FieldNames<'_> {
    type Error = OptionError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, OptionError> {
        Err(de::Error::custom("there is no value"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, OptionError> {
        *self.names = fields;
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// Given options of one struct. An error of a value gets the name of its option.
struct GivenOptions<'a> {
    given: std::vec::IntoIter<(&'a String, &'a Value)>,
    current: Option<(&'a String, &'a Value)>,
}

impl<'de> de::MapAccess<'de> for GivenOptions<'_> {
    type Error = OptionError;

    fn next_key_seed<K: de::DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, OptionError> {
        self.current = self.given.next();
        let name = self.current.map(|(name, _)| name.as_str());
        name.map(|name| seed.deserialize(name.into_deserializer()))
            .transpose()
    }

    fn next_value_seed<V: de::DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, OptionError> {
        let (name, value) = self.current.expect("a key precedes each value");
        seed.deserialize(OptionValue(value))
            .map_err(|error| match error {
                OptionError::Value { reason, .. } => OptionError::Value {
                    name: name.clone(),
                    reason,
                },
                other => other,
            })
    }
}

/// Value of an option. A list may be given by its only element, and a name by a number.
struct OptionValue<'a>(&'a Value);

impl IntoDeserializer<'_, OptionError> for OptionValue<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl OptionValue<'_> {
    /// Creates the error of a value that is not what the option expects.
    fn error(&self, expected: &str) -> OptionError {
        de::Error::custom(format!("it must be {expected}, not {}", describe(self.0)))
    }

    /// Returns the value as a whole number.
    fn whole_number(&self) -> Result<u64, OptionError> {
        let number = self.0.as_u64();
        number.ok_or_else(|| self.error("a whole number from 0"))
    }
}

/// Returns a value as JSON, shortened if it is long.
fn describe(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        short => short.to_string(),
    }
}

/// Implements the methods for whole numbers.
macro_rules! whole_numbers {
    ($($method:ident)+) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
            visitor.visit_u64(self.whole_number()?)
        })+
    };
}

impl<'de> Deserializer<'de> for OptionValue<'_> {
    type Error = OptionError;

    whole_numbers! { deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
        let value = self.0.clone();
        value.deserialize_any(visitor).map_err(de::Error::custom)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
        let value = self.0.as_bool();
        visitor.visit_bool(value.ok_or_else(|| self.error("true or false"))?)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
        let number = self.0.as_f64();
        visitor.visit_f64(number.ok_or_else(|| self.error("a number"))?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
        match self.0 {
            Value::String(text) => visitor.visit_str(text),
            Value::Number(number) => visitor.visit_string(number.to_string()),
            _ => Err(self.error("a text")),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
        visitor.visit_some(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
        let elements = match self.0 {
            Value::Array(elements) => elements.as_slice(),
            only => std::slice::from_ref(only),
        };
        visitor.visit_seq(SeqDeserializer::new(elements.iter().map(OptionValue)))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, OptionError> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u128 f32 char bytes byte_buf unit unit_struct tuple tuple_struct map
        struct enum identifier ignored_any
    }
}
