//! What the JSON of each command is like, as JSON Schema.
//!
//! The files in `docs/schema` are made from this, one for each command.
//!
//! ```
//! let compare = partita::schema::COMMANDS.iter().find(|known| known.command == "compare").unwrap();
//! assert_eq!((compare.command, compare.file().as_str()), ("compare", "compare.json"));
//! let schema = compare.schema();
//! assert_eq!(schema.pointer("/properties/schema/const"), Some(&partita::report::SCHEMA.into()));
//! ```

use partita_core::{compare, evaluation, measure, plan, reliability, truth};
use partita_formats::Warning;
use partita_judging::{
    Batches, ComparisonWithOthers, PreferenceCheck, PreferenceLists, Screening, campaign, simulate,
};
#[cfg(feature = "melody")]
use partita_melody::{candidates, collection, feature, search, sound, system, tune};
use partita_report::Reply;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

/// Every command whose JSON is described, but for those about a server, which its crate has. That of `truth build` and of `judge export` is with `--details`;
/// without, it is a ground truth.
pub const COMMANDS: &[CommandSchema] = &[
    #[cfg(feature = "melody")]
    CommandSchema::new("collection candidates", reply::<candidates::CandidateLists>),
    #[cfg(feature = "melody")]
    CommandSchema::new("collection features", reply::<feature::Features>),
    #[cfg(feature = "melody")]
    CommandSchema::new("collection import", reply::<collection::ImportReport>),
    #[cfg(feature = "melody")]
    CommandSchema::new("collection list", reply::<collection::Listing>),
    #[cfg(feature = "melody")]
    CommandSchema::new("collection render", reply::<sound::Rendering>),
    #[cfg(feature = "melody")]
    CommandSchema::new("collection show", reply::<collection::ShownItems>),
    CommandSchema::new("compare", reply::<compare::Comparisons>),
    CommandSchema::new("evaluate", reply::<evaluation::Evaluation>),
    CommandSchema::new(
        "judge add",
        either::<campaign::IntakeReport, campaign::JudgmentsReport>,
    ),
    CommandSchema::new("judge agree", reply::<ComparisonWithOthers>),
    CommandSchema::new("judge batches", reply::<Batches>),
    CommandSchema::new("judge close", reply::<campaign::ActEffect>),
    CommandSchema::new("judge decide", reply::<campaign::Decisions>),
    CommandSchema::new("judge export", reply::<campaign::ExportedLists>),
    CommandSchema::new("judge extend", reply::<campaign::ActEffect>),
    CommandSchema::new(
        "judge next",
        either::<campaign::Questions, campaign::QuestionSheets>,
    ),
    CommandSchema::new("judge pause", reply::<campaign::ActEffect>),
    CommandSchema::new("judge resume", reply::<campaign::ActEffect>),
    CommandSchema::new("judge retract", reply::<campaign::ActEffect>),
    CommandSchema::new(
        "judge screen",
        either::<Screening, campaign::ExclusionEffect>,
    ),
    CommandSchema::new("judge simulate", reply::<simulate::Simulation>),
    CommandSchema::new("judge status", reply::<campaign::CampaignStatus>),
    CommandSchema::new("judge votes", reply::<campaign::ActEffect>),
    CommandSchema::new("measures", reply::<measure::Catalogue>),
    CommandSchema::new("plan", reply::<plan::Plan>),
    CommandSchema::new("reliability", reply::<reliability::Reliability>),
    #[cfg(feature = "melody")]
    CommandSchema::new("search", reply::<search::Searches>),
    #[cfg(feature = "melody")]
    CommandSchema::new("systems", reply::<system::Catalogue>),
    CommandSchema::new("truth build", either::<truth::BuiltLists, PreferenceLists>),
    CommandSchema::new("truth check", either::<truth::Check, PreferenceCheck>),
    CommandSchema::new("truth compare", reply::<truth::TruthComparison>),
    CommandSchema::new("truth study", reply::<truth::Study>),
    #[cfg(feature = "melody")]
    CommandSchema::new("tune", reply::<tune::Tuning>),
];

/// A command and what its JSON is like.
#[derive(Clone, Copy, Debug)]
pub struct CommandSchema {
    /// The command, as in `truth build`.
    pub command: &'static str,
    make: fn(SchemaGenerator) -> Schema,
}

impl CommandSchema {
    /// A command whose JSON a schema is made for.
    pub const fn new(command: &'static str, make: fn(SchemaGenerator) -> Schema) -> Self {
        Self { command, make }
    }

    /// The name of the file in `docs/schema`.
    pub fn file(&self) -> String {
        format!("{}.json", self.command.replace(' ', "-"))
    }

    /// What is written, not what would be understood: a field that may be null is always there.
    pub fn schema(&self) -> Schema {
        let settings = SchemaSettings::draft2020_12().for_serialize();
        let mut schema = (self.make)(settings.into_generator());
        RecursiveTransform(describe_in_words).transform(&mut schema);
        let program = format!("partita {}", self.command);
        let about = format!("What `{program}` prints as JSON.");
        schema.insert("title".to_owned(), program.into());
        schema.insert("description".to_owned(), about.into());
        schema
    }
}

/// Whoever reads a schema has no use for examples in Rust, nor for links into its documentation.
pub fn describe_in_words(schema: &mut Schema) {
    let Some(Value::String(text)) = schema.get_mut("description") else {
        return;
    };
    let words = text.split("```").next().expect("a text has a first part");
    *text = words.trim().replace("[`", "`").replace("`]", "`");
}

/// A reply with this result.
pub fn reply<R: JsonSchema>(generator: SchemaGenerator) -> Schema {
    generator.into_root_schema_for::<Reply<R, Warning>>()
}

/// This result alone, without what a reply adds.
pub fn plain<R: JsonSchema>(generator: SchemaGenerator) -> Schema {
    generator.into_root_schema_for::<R>()
}

/// A reply with one of two results: by rankings or by preferences, say.
fn either<A: JsonSchema, B: JsonSchema>(generator: SchemaGenerator) -> Schema {
    generator.into_root_schema_for::<Either<Reply<A, Warning>, Reply<B, Warning>>>()
}

#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "a shape of which no value is made")]
enum Either<A, B> {
    One(A),
    Other(B),
}
