//! Ground truths from people's judgments, and retrieval systems compared with them.
//!
//! How similar two melodies are has no fixed scale, and neither has how relevant a document is. Ask
//! people which of two is closer to a query and they mostly agree; ask for a number from 0 to 10 and
//! they do not. So the ground truth here is a **list of groups** for each query: earlier groups are
//! closer to it, and items inside a group are equal, because nobody could tell them apart. A system
//! may return equal items in any order and loses nothing.
//!
//! This crate is the whole of Partita as a library: what the program does with files, it does with
//! values. Each job takes a request (plain data, with defaults), something to work on, and whoever is
//! to do the [`work`]; its result is owned, goes by the names of your systems, queries and items, and
//! is written by [`report`] as a table, as CSV or as JSON. Nothing below reads a file or a clock.
//!
//! | from | to | by | the program says |
//! | --- | --- | --- | --- |
//! | rankings by several people | a ground truth | [`truth::build()`] | `truth build` |
//! | preferences between two items | a ground truth | [`judging::build_lists`], [`judging::campaign`] | `truth build`, `judge` |
//! | a ground truth and its evidence | what is wrong with it | [`truth::check()`], [`truth::study()`], [`truth::compare()`] | `truth check`, ... |
//! | a ground truth and runs | scores | [`evaluation::evaluate`] | `evaluate` |
//! | scores | which system is better | [`compare::compare`] | `compare` |
//! | scores | whether other queries would say the same | [`reliability::study()`] | `reliability` |
//! | scores | how many queries and judges are needed | [`plan::plan`] | `plan` |
//!
//! # A ground truth from rankings
//!
//! Six people put four melodies in order, from the closest to the query down. Where their ranks differ
//! significantly a new group begins (Typke et al. 2005; Urbano et al. 2010):
//!
//! ```
//! use partita::formats;
//! use partita::work::InTurn;
//! use partita::{Rankings, truth};
//!
//! let people = ["ann", "bob", "cid", "dee", "eve", "flo"];
//! let orders = ["wxyz", "wxyz", "wxzy", "xwyz", "wxzy", "xwzy"];
//! let ranks = people.iter().zip(orders).flat_map(|(person, order)| {
//!     let places = ["w", "x", "y", "z"].map(|item| (item, order.find(item).map(|at| at as f64 + 1.0)));
//!     places.map(|(item, rank)| (*person, item, rank))
//! });
//! let rankings = Rankings::new(ranks)?;
//! let built = truth::build(&[("q1", &rankings)], &Default::default(), true, &InTurn)?;
//! let text = formats::truth::write(&built.truth, "notation".parse()?)?;
//! assert_eq!(text, "q1: (w, x), (y, z)\n");
//! // How far the list agrees with the tests behind it, from 0 to 1.
//! assert_eq!(built.consistency.get("q1").and_then(|list| list.adr1), Some(1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A ground truth from preferences
//!
//! It is easier to say which of two melodies is closer. The votes on a pair decide it, and a sort makes
//! a list of the decisions:
//!
//! ```
//! use partita::formats;
//! use partita::judging::{Grouping, ListsBy, ListsRequest, Price, build_lists};
//! use partita::work::InTurn;
//! use partita::{Answer, Preference, Preferences};
//!
//! let mut preferences = Preferences::new();
//! for person in ["ann", "bob", "cid"] {
//!     for (a, b, answer) in [("x", "y", Answer::A), ("x", "z", Answer::A), ("y", "z", Answer::Equal)] {
//!         preferences.add("q1", Preference::new(a, b, person, answer))?;
//!     }
//! }
//! let request = ListsRequest {
//!     preferences: &preferences,
//!     batches: &[],
//!     price: Price::PAPER,
//!     rule: "majority".parse()?,
//!     by: ListsBy::Sort,
//!     grouping: Grouping::default(),
//!     seed: 1,
//! };
//! let lists = build_lists(&request, &InTurn)?;
//! let text = formats::truth::write(&lists.truth, "notation".parse()?)?;
//! assert_eq!(text, "q1: (x), (y, z)\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Where people are still to be asked, a campaign ([`judging::campaign`]) says what to ask next, takes
//! in answers, and is kept in a log: a [`LogFile`], or a store of your own.
//!
//! # Scores
//!
//! Average dynamic recall (ADR) compares what a system returned with the groups; for graded judgments
//! there are nDCG, AP and more ([`measure`]). This is the example by which it was defined:
//!
//! ```
//! use partita::evaluation::{Request, evaluate};
//! use partita::work::InTurn;
//! use partita::{GroundTruth, Run};
//!
//! let truth = GroundTruth::of_groups([("q1", [vec!["1", "2"], vec!["3", "4", "5"]])])?;
//! let run = Run::of("mine", [("q1", ["2", "3", "1", "5", "7", "8", "9", "4"])]);
//! let evaluation = evaluate(&Request::default(), &truth, &[run], &InTurn)?;
//! assert_eq!(evaluation.runs[0].mean.get("ADR"), Some(&Some(0.86)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which system is better, and would other queries agree?
//!
//! The scores of an evaluation ([`Evaluation::scores`](evaluation::Evaluation::scores)), or
//! [`Scores`] from elsewhere, are compared pair by pair; systems that share a letter do not differ
//! significantly. Then the queries are drawn again, to see how often smaller sets of them come to the
//! same conclusion, and a plan says how many the next evaluation needs:
//!
//! ```
//! use partita::report::{ComparisonView, Present, TableFormat};
//! use partita::work::InTurn;
//! use partita::{Scores, Threads, compare, plan, reliability};
//!
//! // Two systems on twelve queries; `new` is a little better on nearly all of them.
//! let queries: Vec<String> = (1..=12).map(|query| format!("q{query}")).collect();
//! let pairs = (0..12).map(|query| 0.3 + 0.03 * f64::from(query)).enumerate();
//! let values = pairs.flat_map(|(i, old)| [old + if i == 4 { -0.01 } else { 0.05 + 0.01 * i as f64 }, old]);
//! let scores = Scores::new("AP", ["new", "old"], queries, values.collect())?;
//!
//! let comparison = compare::compare(&scores, compare::DEFAULT, &Default::default(), &InTurn)?;
//! assert_eq!(comparison.significant, 1);
//!
//! let request = reliability::Request { sizes: Some("5,12".parse()?), ..Default::default() };
//! let studied = [scores.clone().into()];
//! let study = reliability::study(&request, &studied, &Threads::new(2))?;
//! assert_eq!(study.measures[0].pairs, 1);
//!
//! let evidence = [plan::Evidence::Scores(&scores)];
//! let plan = plan::plan(&plan::Request::default(), &evidence)?;
//! assert_eq!(plan.measures[0].queries, 12);
//!
//! // What a person reads: on a terminal, in a paper, on a wiki.
//! let view = ComparisonView { comparisons: &[comparison], pairs: true, details: false, by_default: true };
//! assert!(view.in_format(TableFormat::Latex).contains("tabular"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Files
//!
//! [`formats`] reads and writes ground truths, runs, rankings, preferences and scores in the formats
//! that people have them in; what is odd about a file is a [`formats::Warning`], never silence. Errors and
//! warnings are data: a [`formats::Code`], a place, values, and for errors a [`formats::Remedy`] in which
//! settings can be called what you call them. JSON is the result itself with these warnings
//! ([`report::Reply`]), and [`schema`] describes it for every command.
//!
//! # Work
//!
//! Who does the work is up to you: [`work::InTurn`] on this thread, [`Threads`] on many, or a
//! [`work::Work`] of your own with a deadline. The result does
//! not depend on it: all that is drawn is a function of a seed.

mod evidence_file;
mod file_store;
pub mod schema;
mod thread_pool;

pub use crate::evidence_file::{NoAnswersError, preferences_from_log, repeated_answers_in_log};
pub use crate::file_store::{FileStore, FileStoreError, TornLine, read_campaign_log};
pub use crate::thread_pool::ThreadPool;

pub use partita_core::{
    AssessorRankings, AssessorScores, GroundTruth, Measure, OrderedMap, Preference, Preferences,
    QueryTruth, Ranking, Run, ScoreMatrix, Strata, SystemRankings, TieBreaking, TruthScale, Vote,
};
pub use partita_core::{
    comparison, evaluation, measure, plan, reliability, significance, truth, work,
};
#[cfg(feature = "melody")]
#[doc(no_inline)]
pub use partita_melody as melody;
#[doc(no_inline)]
pub use {
    partita_formats as formats, partita_judging as judging, partita_report as report,
    partita_stats as stats,
};
