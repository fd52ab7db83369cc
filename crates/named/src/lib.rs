//! Enums whose variants have names.
//!
//! An option that a user chooses by name (a correction, a tie-breaking rule, a file format) is an enum
//! that defines its names once. The command line, files and JSON all use these names.

use std::fmt;

/// Enum whose variants have a name, aliases and a one-line summary.
///
/// Implemented by [`named_enum!`].
pub trait NamedEnum: Copy + Eq + Sized + 'static {
    /// All variants, in the order of declaration.
    const VARIANTS: &'static [Self];
    /// Word for the kind of option in error messages, such as `correction` or `file format`.
    const LABEL: &'static str;

    /// Returns the name of the variant on the command line, in files and in JSON.
    fn name(self) -> &'static str;

    /// Returns the one-line summary of the variant: its doc comment.
    fn summary(self) -> &'static str;

    /// Returns the other names that are accepted for the variant.
    fn aliases(self) -> &'static [&'static str];

    /// Returns the variant with this name or alias, ignoring case.
    ///
    /// # Errors
    /// Returns [`UnknownNameError`] if no variant has it.
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

/// Error for a name that no variant of a [`NamedEnum`] has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownNameError {
    /// Word for the kind of option, such as `correction`.
    pub label: &'static str,
    /// Name as the user wrote it.
    pub name: String,
    /// Names of all variants, without aliases.
    pub valid_names: Vec<&'static str>,
}

impl fmt::Display for UnknownNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, name, known) = (self.label, &self.name, self.valid_names.join(", "));
        write!(f, "unknown {what} \"{name}\"; there are: {known}")
    }
}

impl std::error::Error for UnknownNameError {}

/// Defines an enum whose variants have names, and implements [`NamedEnum`], `Display`, `FromStr`,
/// serde and `JsonSchema` with these names. The variant after `=` is the default.
///
/// ```
/// use partita_named::NamedEnum;
///
/// partita_named::named_enum! {
///     /// Side of a street.
///     pub enum Side: "side" = East {
///         /// Side of the sunrise
///         East = "east",
///         /// Side of the sunset
///         West = "west" | "occident",
///     }
/// }
/// assert_eq!("West".parse(), Ok(Side::West));
/// assert_eq!(Side::default(), Side::East);
/// assert_eq!("occident".parse(), Ok(Side::West));
/// assert_eq!(Side::East.to_string(), "east");
/// assert_eq!(Side::East.summary(), "Side of the sunrise");
/// let error = "north".parse::<Side>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown side \"north\"; there are: east, west");
/// ```
#[macro_export]
macro_rules! named_enum {
    (
        $(#[$meta:meta])*
        $vis:vis enum $type:ident: $what:literal $(= $default:ident)? {
            $(
                $(#[doc = $about:literal])+
                $(#[cfg($cfg:meta)])?
                $variant:ident = $name:literal $(| $alias:literal)*,
            )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis enum $type {
            $( $(#[doc = $about])+ $(#[cfg($cfg)])? $variant, )+
        }

        impl $crate::NamedEnum for $type {
            const VARIANTS: &'static [Self] = &[$($(#[cfg($cfg)])? Self::$variant),+];
            const LABEL: &'static str = $what;

            fn name(self) -> &'static str {
                match self { $($(#[cfg($cfg)])? Self::$variant => $name,)+ }
            }

            fn summary(self) -> &'static str {
                match self {
                    $($(#[cfg($cfg)])? Self::$variant => concat!($($about),+).trim_ascii(),)+
                }
            }

            fn aliases(self) -> &'static [&'static str] {
                match self { $($(#[cfg($cfg)])? Self::$variant => &[$($alias),*],)+ }
            }
        }

        $(impl ::std::default::Default for $type {
            fn default() -> Self {
                Self::$default
            }
        })?

        impl ::std::str::FromStr for $type {
            type Err = $crate::UnknownNameError;

            fn from_str(name: &str) -> ::std::result::Result<Self, Self::Err> {
                $crate::NamedEnum::from_name(name)
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad($crate::NamedEnum::name(*self))
            }
        }

        impl $crate::serde::Serialize for $type {
            fn serialize<S: $crate::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str($crate::NamedEnum::name(*self))
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $type {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                let name = <::std::string::String as $crate::serde::Deserialize>::deserialize(
                    deserializer,
                )?;
                name.parse().map_err($crate::serde::de::Error::custom)
            }
        }

        impl $crate::schemars::JsonSchema for $type {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(
                _: &mut $crate::schemars::SchemaGenerator,
            ) -> $crate::schemars::Schema {
                let variants = <Self as $crate::NamedEnum>::VARIANTS;
                let names: ::std::vec::Vec<&str> =
                    variants.iter().map(|&variant| $crate::NamedEnum::name(variant)).collect();
                $crate::schemars::json_schema!({"type": "string", "enum": names})
            }
        }
    };
}

// Re-exported for the macro, so that its callers need not depend on these crates.
#[doc(hidden)]
pub use {schemars, serde};
