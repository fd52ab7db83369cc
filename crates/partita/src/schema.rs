//! JSON Schemas of the JSON output of each command.
//!
//! The files in `docs/schema` are generated from these, one per command.
//!
//! ```
//! use partita::schema::COMMAND_SCHEMAS;
//!
//! let compare = COMMAND_SCHEMAS.iter().find(|known| known.command == "compare").unwrap();
//! assert_eq!((compare.command, compare.file_name().as_str()), ("compare", "compare.json"));
//! let schema = compare.schema();
//! let version = schema.pointer("/properties/schema/const");
//! assert_eq!(version, Some(&partita::report::SCHEMA_VERSION.into()));
//! ```

use partita_core::{comparison, evaluation, measure, plan, reliability, truth};
use partita_formats::Warning;
use partita_judging::{
    BatchesReport, GradeLists, PreferenceCheck, PreferenceLists, ReferenceComparison, Screening,
    campaign, simulate,
};
#[cfg(feature = "melody")]
use partita_melody::audio::renderer;
#[cfg(feature = "melody")]
use partita_melody::search::{candidates, tuning};
#[cfg(feature = "melody")]
use partita_melody::{collection, features, search, systems};
use partita_report::Reply;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

/// Schemas of all commands with JSON output, except those of the server, which the server crate
/// describes. The schemas of `truth build` and `campaign export` describe the output with `--details`;
/// without it, the output is a ground truth.
pub const COMMAND_SCHEMAS: &[CommandSchema] = &[
    CommandSchema::new(
        "campaign add",
        either_reply_schema::<campaign::IntakeReport, campaign::JudgmentIntakeReport>,
    ),
    CommandSchema::new("campaign agree", reply_schema::<ReferenceComparison>),
    CommandSchema::new("campaign batches", reply_schema::<BatchesReport>),
    CommandSchema::new("campaign close", reply_schema::<campaign::ActionEffect>),
    CommandSchema::new(
        "campaign decide",
        reply_schema::<campaign::CampaignDecisions>,
    ),
    CommandSchema::new("campaign export", reply_schema::<campaign::ExportedLists>),
    CommandSchema::new("campaign extend", reply_schema::<campaign::ActionEffect>),
    CommandSchema::new(
        "campaign next",
        either_reply_schema::<campaign::OpenPairs, campaign::QuestionSheets>,
    ),
    CommandSchema::new("campaign pause", reply_schema::<campaign::ActionEffect>),
    CommandSchema::new("campaign resume", reply_schema::<campaign::ActionEffect>),
    CommandSchema::new("campaign retract", reply_schema::<campaign::ActionEffect>),
    CommandSchema::new(
        "campaign screen",
        either_reply_schema::<Screening, campaign::ExclusionEffect>,
    ),
    CommandSchema::new("campaign simulate", reply_schema::<simulate::Simulation>),
    CommandSchema::new("campaign status", reply_schema::<campaign::CampaignStatus>),
    CommandSchema::new("campaign votes", reply_schema::<campaign::ActionEffect>),
    #[cfg(feature = "melody")]
    CommandSchema::new(
        "collection candidates",
        reply_schema::<candidates::CandidateLists>,
    ),
    #[cfg(feature = "melody")]
    CommandSchema::new("collection features", reply_schema::<features::Features>),
    #[cfg(feature = "melody")]
    CommandSchema::new(
        "collection import",
        reply_schema::<collection::ImportReport>,
    ),
    #[cfg(feature = "melody")]
    CommandSchema::new(
        "collection list",
        reply_schema::<collection::CollectionListing>,
    ),
    #[cfg(feature = "melody")]
    CommandSchema::new("collection render", reply_schema::<renderer::RenderReport>),
    #[cfg(feature = "melody")]
    CommandSchema::new(
        "collection show",
        reply_schema::<collection::ItemDetailsList>,
    ),
    CommandSchema::new("compare", reply_schema::<comparison::ComparisonResults>),
    CommandSchema::new("evaluate", reply_schema::<evaluation::Evaluation>),
    CommandSchema::new("measures", reply_schema::<measure::MeasureCatalogue>),
    CommandSchema::new("plan", reply_schema::<plan::Plan>),
    CommandSchema::new("reliability", reply_schema::<reliability::ReliabilityStudy>),
    #[cfg(feature = "melody")]
    CommandSchema::new("search", reply_schema::<search::SearchResults>),
    #[cfg(feature = "melody")]
    CommandSchema::new("systems", reply_schema::<systems::SystemCatalogue>),
    CommandSchema::new("truth build", bare_schema::<BuildReply>),
    CommandSchema::new(
        "truth check",
        either_reply_schema::<truth::TruthCheck, PreferenceCheck>,
    ),
    CommandSchema::new("truth compare", reply_schema::<truth::TruthComparison>),
    CommandSchema::new("truth study", reply_schema::<truth::AggregationStudy>),
    #[cfg(feature = "melody")]
    CommandSchema::new("tune", reply_schema::<tuning::TuningResult>),
];

/// Command with the function that generates the JSON Schema of its output.
#[derive(Clone, Copy, Debug)]
pub struct CommandSchema {
    /// Name of the command, for example `truth build`.
    pub command: &'static str,
    generate: fn(SchemaGenerator) -> Schema,
}

impl CommandSchema {
    /// Creates the entry of a command in [`COMMAND_SCHEMAS`].
    pub const fn new(command: &'static str, generate: fn(SchemaGenerator) -> Schema) -> Self {
        Self { command, generate }
    }

    /// Returns the name of the schema's file in `docs/schema`.
    pub fn file_name(&self) -> String {
        format!("{}.json", self.command.replace(' ', "-"))
    }

    /// Generates the schema of the command's output. It describes serialised values, so that a
    /// nullable field is always present.
    pub fn schema(&self) -> Schema {
        let settings = SchemaSettings::draft2020_12().for_serialize();
        let mut schema = (self.generate)(settings.into_generator());
        RecursiveTransform(strip_rustdoc).transform(&mut schema);
        let program = format!("partita {}", self.command);
        let about = format!("What `{program}` prints as JSON.");
        schema.insert("title".to_owned(), program.into());
        schema.insert("description".to_owned(), about.into());
        schema
    }
}

/// Removes Rust examples, with any text after them, and the brackets of links to Rust documentation
/// from the description of a schema, for readers who do not use Rust.
pub fn strip_rustdoc(schema: &mut Schema) {
    let Some(Value::String(text)) = schema.get_mut("description") else {
        return;
    };
    let words = text.split("```").next().expect("a text has a first part");
    *text = words.trim().replace("[`", "`").replace("`]", "`");
}

/// Generates the schema of a reply: a result with warnings and the version of the schema.
pub fn reply_schema<R: JsonSchema>(generator: SchemaGenerator) -> Schema {
    generator.into_root_schema_for::<Reply<R, Warning>>()
}

/// Generates the schema of a result alone, without the fields that a reply adds.
pub fn bare_schema<R: JsonSchema>(generator: SchemaGenerator) -> Schema {
    generator.into_root_schema_for::<R>()
}

/// Generates the schema of a reply with one of two results, for example from rankings or from
/// preferences.
fn either_reply_schema<A: JsonSchema, B: JsonSchema>(generator: SchemaGenerator) -> Schema {
    generator.into_root_schema_for::<Either<Reply<A, Warning>, Reply<B, Warning>>>()
}

/// Reply of `truth build`, by the judgments that lists are built from.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "a shape of which no value is made")]
enum BuildReply {
    Rankings(Reply<truth::BuiltLists, Warning>),
    Preferences(Reply<PreferenceLists, Warning>),
    Grades(Reply<GradeLists, Warning>),
    Campaign(Reply<campaign::ExportedLists, Warning>),
}

#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "a shape of which no value is made")]
enum Either<A, B> {
    #[serde(rename = "One")]
    First(A),
    Second(B),
}
