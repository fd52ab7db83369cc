//! Choices that have a name.
//!
//! What a person chooses by a word (a correction, a way of breaking ties, a file format) is an enum
//! that knows the words. The command line, files and JSON all use them, so that a new choice is
//! named once, where it is defined.

use std::fmt;

/// A choice among few, each with a name.
///
/// Made by [`named!`](crate::named!).
pub trait NamedEnum: Copy + Eq + Sized + 'static {
    /// Every choice, in the order in which they are offered.
    const VARIANTS: &'static [Self];
    /// What is chosen, in words: `correction`, `file format`.
    const LABEL: &'static str;

    /// The name by which it is asked for and written.
    fn name(self) -> &'static str;

    /// One line that says what it is.
    fn summary(self) -> &'static str;

    /// Other names that are understood.
    fn aliases(self) -> &'static [&'static str];

    /// The choice of that name, whatever the case of its letters.
    ///
    /// # Errors
    /// [`UnknownName`] where none has it.
    fn from_name(name: &str) -> Result<Self, UnknownNameError> {
        let is_it = |known: &str| known.eq_ignore_ascii_case(name);
        let mut all = Self::VARIANTS.iter().copied();
        all.find(|choice| is_it(choice.name()) || choice.aliases().iter().any(|a| is_it(a)))
            .ok_or_else(|| UnknownNameError {
                label: Self::LABEL,
                name: name.to_owned(),
                valid_names: Self::VARIANTS.iter().map(|choice| choice.name()).collect(),
            })
    }
}

/// Nothing has that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownNameError {
    /// What was to be chosen.
    pub label: &'static str,
    /// The name that was asked for.
    pub name: String,
    /// The names that there are.
    pub valid_names: Vec<&'static str>,
}

impl fmt::Display for UnknownNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, name, known) = (self.label, &self.name, self.valid_names.join(", "));
        write!(f, "unknown {what} \"{name}\"; there are: {known}")
    }
}

impl std::error::Error for UnknownNameError {}

/// Defines an enum that is [`Named`]: displayed, parsed, serialised and described by its names. What
/// stands behind `=` is its default.
///
/// ```
/// use partita_stats::named::Named;
///
/// partita_stats::named! {
///     /// The side of a street.
///     pub enum Side: "side" = East {
///         /// Where the sun rises
///         East = "east",
///         /// Where the sun sets
///         West = "west" | "occident",
///     }
/// }
/// assert_eq!("West".parse(), Ok(Side::West));
/// assert_eq!(Side::default(), Side::East);
/// assert_eq!("occident".parse(), Ok(Side::West));
/// assert_eq!(Side::East.to_string(), "east");
/// assert_eq!(Side::East.about(), "Where the sun rises");
/// let error = "north".parse::<Side>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown side \"north\"; there are: east, west");
/// ```
#[macro_export]
macro_rules! named {
    (
        $(#[$meta:meta])*
        $vis:vis enum $type:ident: $what:literal $(= $default:ident)? {
            $( $(#[doc = $about:literal])+ $variant:ident = $name:literal $(| $alias:literal)*, )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis enum $type {
            $( $(#[doc = $about])+ $variant, )+
        }

        impl $crate::named::NamedEnum for $type {
            const VARIANTS: &'static [Self] = &[$(Self::$variant),+];
            const LABEL: &'static str = $what;

            fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            fn summary(self) -> &'static str {
                match self { $(Self::$variant => concat!($($about),+).trim_ascii(),)+ }
            }

            fn aliases(self) -> &'static [&'static str] {
                match self { $(Self::$variant => &[$($alias),*],)+ }
            }
        }

        $(impl ::std::default::Default for $type {
            fn default() -> Self {
                Self::$default
            }
        })?

        impl ::std::str::FromStr for $type {
            type Err = $crate::named::UnknownNameError;

            fn from_str(name: &str) -> ::std::result::Result<Self, Self::Err> {
                $crate::named::NamedEnum::from_name(name)
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad($crate::named::NamedEnum::name(*self))
            }
        }

        impl $crate::named::serde::Serialize for $type {
            fn serialize<S: $crate::named::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str($crate::named::NamedEnum::name(*self))
            }
        }

        impl<'de> $crate::named::serde::Deserialize<'de> for $type {
            fn deserialize<D: $crate::named::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                let name = <::std::string::String as $crate::named::serde::Deserialize>::deserialize(
                    deserializer,
                )?;
                name.parse().map_err($crate::named::serde::de::Error::custom)
            }
        }

        impl $crate::named::schemars::JsonSchema for $type {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(
                _: &mut $crate::named::schemars::SchemaGenerator,
            ) -> $crate::named::schemars::Schema {
                $crate::named::schemars::json_schema!({"type": "string", "enum": [$($name),+]})
            }
        }
    };
}

// For the macro, which is used where these are no dependencies.
#[doc(hidden)]
pub use {schemars, serde};
