//! Ground truths from human judgments, and evaluation of retrieval systems against them.
//!
//! Similarity of melodies and relevance of documents have no fixed scale. Assessors mostly agree on
//! which of two items is closer to a query, but not on a number from 0 to 10. The ground truth is
//! therefore a **list of groups** per query: earlier groups are closer to the query, and items
//! within a group are equal because assessors could not tell them apart. A system may return equal
//! items in any order without losing score.
//!
//! This crate is all of Partita as a library: the program works on files, the library on values.
//! Each job takes a request (plain data with defaults), its input, and an executor from [`work`].
//! The result is owned data that refers to systems, queries and items by name; [`report`] writes it
//! as a table, CSV or JSON. The jobs below read neither files nor clocks.
//!
//! | input | output | function | command |
//! | --- | --- | --- | --- |
//! | rankings by several assessors | a ground truth | [`truth::build()`] | `truth build` |
//! | a file of judgments, or a campaign log | rankings, preferences or grades | [`read_evidence`] | `truth build`, `truth check` |
//! | preferences between two items | a ground truth | [`judging::build_preference_lists`], [`judging::campaign`] | `truth build`, `campaign` |
//! | a ground truth and its evidence | a quality report | [`truth::check()`], [`truth::study_aggregations`], [`truth::comparison::compare_truths`] | `truth check`, ... |
//! | a ground truth and runs | scores | [`evaluation::evaluate`], [`evaluate_files`] | `evaluate` |
//! | scores | significant differences | [`comparison::compare`] | `compare` |
//! | scores | agreement with other query sets | [`reliability::study()`] | `reliability` |
//! | scores | number of queries and assessors needed | [`plan::plan`] | `plan` |
//!
//! # A ground truth from rankings
//!
//! Six assessors order four melodies by their similarity to the query. A new group begins where the
//! ranks differ significantly (Typke et al. 2005; Urbano et al. 2010):
//!
//! ```
//! use partita::formats;
//! use partita::work::SequentialWork;
//! use partita::{AssessorRankings, truth};
//!
//! let assessors = ["ann", "bob", "cid", "dee", "eve", "flo"];
//! let orders = ["wxyz", "wxyz", "wxzy", "xwyz", "wxzy", "xwzy"];
//! let ranks = assessors.iter().zip(orders).flat_map(|(assessor, order)| {
//!     let ranks = ["w", "x", "y", "z"].map(|item| (item, order.find(item).map(|at| at as f64 + 1.0)));
//!     ranks.map(|(item, rank)| (*assessor, item, rank))
//! });
//! let rankings = AssessorRankings::new(ranks)?;
//! let built = truth::build(&[("q1", &rankings)], &Default::default(), true, &SequentialWork)?;
//! let text = formats::truth::write(&built.truth, "notation".parse()?)?;
//! assert_eq!(text, "q1: (w, x), (y, z)\n");
//! // Agreement of the list with the tests behind it, from 0 to 1.
//! assert_eq!(built.consistency.get("q1").and_then(|list| list.adr1), Some(1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A ground truth from preferences
//!
//! Comparing two melodies is easier than ordering many. The votes on a pair decide it, and a sort
//! builds a list from the decisions:
//!
//! ```
//! use partita::formats;
//! use partita::judging::{ListMethod, PreferenceListsRequest, build_preference_lists};
//! use partita::work::SequentialWork;
//! use partita::{Preference, Preferences, Vote};
//!
//! let mut preferences = Preferences::new();
//! let choices =
//!     [("x", "y", Preference::A), ("x", "z", Preference::A), ("y", "z", Preference::Equal)];
//! for assessor in ["ann", "bob", "cid"] {
//!     for (a, b, preference) in choices {
//!         preferences.add("q1", Vote::new(a, b, assessor, preference))?;
//!     }
//! }
//! let request = PreferenceListsRequest {
//!     preferences: &preferences,
//!     batches: &[],
//!     price: None,
//!     rule: "majority".parse()?,
//!     by: ListMethod::Sort,
//!     grouping: Default::default(),
//!     seed: 1,
//! };
//! let lists = build_preference_lists(&request, &SequentialWork)?;
//! let text = formats::truth::write(&lists.truth, "notation".parse()?)?;
//! assert_eq!(text, "q1: (x), (y, z)\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! To collect preferences, a campaign ([`judging::campaign`]) chooses the next questions, takes in
//! answers, and records everything in a log: a [`FileStore`], or a store of your own.
//!
//! # Scores
//!
//! Average dynamic recall (ADR) compares the results of a system with the groups. For graded
//! judgments there are nDCG, AP and more ([`measure`]). This example comes from the definition of
//! ADR:
//!
//! ```
//! use partita::evaluation::{EvaluationRequest, evaluate};
//! use partita::work::SequentialWork;
//! use partita::{GroundTruth, Run};
//!
//! let truth = GroundTruth::from_groups([("q1", [vec!["1", "2"], vec!["3", "4", "5"]])])?;
//! let run = Run::from_lists("mine", [("q1", ["2", "3", "1", "5", "7", "8", "9", "4"])]);
//! let evaluation = evaluate(&EvaluationRequest::default(), &truth, &[run], &SequentialWork)?;
//! assert_eq!(evaluation.runs[0].mean.get("ADR"), Some(&Some(0.86)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Comparing systems
//!
//! The scores of an evaluation ([`Evaluation::scores`](evaluation::Evaluation::scores)) or a
//! [`ScoreMatrix`] from elsewhere are compared pair by pair; systems that share a letter do not
//! differ significantly. A reliability study resamples the queries to see how often smaller sets
//! lead to the same conclusion. A plan gives the number of queries that the next evaluation needs:
//!
//! ```
//! use partita::report::{ComparisonView, TableFormat, View};
//! use partita::work::SequentialWork;
//! use partita::{ScoreMatrix, ThreadPool, comparison, plan, reliability};
//!
//! // Two systems on twelve queries; `new` is a little better on nearly all of them.
//! let queries: Vec<String> = (1..=12).map(|query| format!("q{query}")).collect();
//! let old_scores = (0..12).map(|query| 0.3 + 0.03 * f64::from(query)).enumerate();
//! let values = old_scores.flat_map(|(i, old)| {
//!     let difference = if i == 4 { -0.01 } else { 0.05 + 0.01 * i as f64 };
//!     [old + difference, old]
//! });
//! let scores = ScoreMatrix::new("AP", ["new", "old"], queries, values.collect())?;
//!
//! let test = comparison::DEFAULT_TEST;
//! let compared = comparison::compare(&scores, test, &Default::default(), &SequentialWork)?;
//! assert_eq!(compared.significant, 1);
//!
//! let request = reliability::ReliabilityRequest { sizes: Some("5,12".parse()?), ..Default::default() };
//! let study = reliability::study(&request, &[scores.clone().into()], &ThreadPool::new(2))?;
//! assert_eq!(study.measures[0].pairs, 1);
//!
//! let evidence = [plan::PlanInput::Scores(&scores)];
//! let plan = plan::plan(&plan::PlanRequest::default(), &evidence)?;
//! assert_eq!(plan.measures[0].queries, 12);
//!
//! // Tables for a terminal, a paper or a wiki.
//! let view = ComparisonView {
//!     comparisons: &[compared],
//!     all_pairs: true,
//!     with_settings: false,
//!     test_is_default: true,
//! };
//! assert!(view.render(TableFormat::Latex).contains("tabular"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Files
//!
//! [`formats`] reads and writes ground truths, runs, rankings, preferences and scores in their
//! common formats. Anything unusual in a file is reported as a [`formats::Warning`]. Errors and
//! warnings are data: a [`formats::DiagnosticCode`], a position, values, and for errors a
//! [`formats::Remedy`] that can use your own names of settings. JSON output is the result with
//! these warnings ([`report::Reply`]); [`schema`] describes it for every command.
//!
//! # Work
//!
//! The caller chooses the executor: [`work::SequentialWork`] on the current thread, [`ThreadPool`]
//! on several threads, or a [`work::Work`] of your own, for example with a deadline. The result
//! does not depend on the executor: all random draws are functions of a seed.

mod campaign_answers;
mod conversion;
mod file_evaluation;
mod file_evidence;
mod file_store;
mod named_options;
pub mod schema;
mod scores_jobs;
mod thread_pool;

pub use crate::campaign_answers::{NoAnswersError, preferences_from_log, repeated_answers_in_log};
pub use crate::conversion::{
    ConversionError, ConversionRequest, ConvertedData, convert, data_formats,
};
pub use crate::file_evaluation::{
    EvaluationFiles, FileEvaluation, FileEvaluationError, evaluate_files, evaluation_note_warning,
    trec_eval_output_warning,
};
pub use crate::file_evidence::{
    Evidence, EvidenceReadError, EvidenceReadOptions, campaign_evidence, evidence_kind,
    ignored_line_warning, read_evidence, read_truth, torn_line_warning, unsettled_lists_warning,
};
pub use crate::file_store::{FileStore, FileStoreError, TornLine, read_campaign_log};
pub use crate::named_options::{NamedOptions, OptionError, option_names, read_request};
pub use crate::scores_jobs::{
    JobResult, ScoresComparisonError, ScoresJobError, compare_scores, plan_scores, study_scores,
};
pub use crate::thread_pool::ThreadPool;

pub use partita_core::*;
#[cfg(feature = "melody")]
#[doc(no_inline)]
pub use partita_melody as melody;
#[doc(no_inline)]
pub use {
    partita_formats as formats, partita_judging as judging, partita_named as named,
    partita_report as report, partita_stats as stats,
};
