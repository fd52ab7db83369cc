//! Check of the lists of a ground truth against the judgments behind them.

use super::{CheckDetail, CheckedList, ListCase, ListCheck, ListEvidence};
use crate::data::assessor_rankings::AssessorRankingsError;
use crate::data::ground_truth::GroundTruth;
use crate::data::grouped_list::GroupedList;
use crate::data::names::summarize_names;
use crate::evidence::trust::MIN_RESAMPLED_ASSESSORS;
use crate::truth::ChanceAgreement;
use crate::work::{Work, WorkError};

/// Error of the check of a ground truth against judgments.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum TruthCheckError {
    /// The ground truth and the judgments have no query in common.
    #[error(
        "no query of the ground truth has {judgments}: it has {}, and {judgments} are of {}",
        quoted(.listed),
        quoted(.judged)
    )]
    NoCommonQuery {
        judgments: &'static str,
        listed: Vec<String>,
        judged: Vec<String>,
    },
    /// A list holds items that are not in the rankings.
    #[error("query `{query}`: {error}")]
    UnknownItems {
        query: String,
        error: AssessorRankingsError,
    },
    /// The work was cancelled or failed.
    #[error(transparent)]
    Work(#[from] WorkError),
}

/// Formats the first five names, each in backquotes.
fn quoted(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    summarize_names(&quoted, 5)
}

/// Mismatch between a ground truth and the judgments that audit it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TruthCheckNote {
    /// Queries of the ground truth without judgments (`rankings` or `answers`).
    #[error("queries that have no {} and are not audited: {}", .0, quoted(.1))]
    QueriesWithoutJudgments(&'static str, Vec<String>),
    /// Queries with judgments (`rankings` or `answers`) that are not in the ground truth.
    #[error("queries with {} that are not in the ground truth: {}", .0, quoted(.1))]
    QueriesWithoutList(&'static str, Vec<String>),
    /// Queries whose rankings hold items outside the list, each with the number of such items.
    #[error("queries whose rankings hold items that are not in the list: {}", summarize_names(.0, 5))]
    ItemsOutsideList(Vec<String>),
    /// Items of lists that nobody compared.
    #[error("items that nobody compared and that are left out: {}", quoted(.0))]
    UncomparedItems(Vec<String>),
    /// Queries whose audited lists differ from the lists that are built from the judgments. The
    /// bootstrap describes the built lists. The first field says how they are built, such as `any-1
    /// makes of the rankings`.
    #[error(
        "lists that are not those that {}, which is what the bootstrap is about: {}",
        .0,
        quoted(.1)
    )]
    ListsNotRebuilt(String, Vec<String>),
    /// Lists whose assessors do not agree more than by chance.
    #[error(transparent)]
    ChanceAgreement(#[from] ChanceAgreement),
    /// Lists by fewer than [`MIN_RESAMPLED_ASSESSORS`] assessors whose bootstrap gave shares and
    /// intervals, each with the number of assessors.
    #[error(
        "lists by fewer than {MIN_RESAMPLED_ASSESSORS} people, for which P and intervals say little about \
         other people: {}",
        summarize_names(.0, 5)
    )]
    FewAssessors(Vec<String>),
    /// Queries with two assessors or one whose list is the same in all replicates, so that the
    /// bootstrap gives neither shares nor intervals.
    #[error(
        "lists by two people or one that are the same whoever of them is drawn, and that get neither P \
         nor intervals: {}",
        quoted(.0)
    )]
    UnvariedLists(Vec<String>),
    /// Queries whose recorded votes end before the sort of their items is complete, so that their
    /// lists do not follow from the votes alone. The bootstrap completes the sort.
    #[error(
        "lists that are not what the record alone leads to, since it breaks off; the bootstrap completes \
         it: {}",
        quoted(.0)
    )]
    IncompleteSortRecord(Vec<String>),
}

/// Results by query, with notes on mismatches between a ground truth and the judgments.
pub type WithNotes<T> = (Vec<T>, Vec<TruthCheckNote>);

/// Returns the queries that are in the ground truth and have judgments, each as its index in
/// `judged` and its index in the ground truth. Also returns notes on the other queries. Fails if
/// there is no common query.
pub fn common_queries(
    truth: &GroundTruth,
    judgments: &'static str,
    judged: &[&str],
) -> Result<WithNotes<(usize, usize)>, TruthCheckError> {
    let common: Vec<(usize, usize)> = (judged.iter().enumerate())
        .filter_map(|(number, query)| Some((number, truth.query_index(query)?)))
        .collect();
    if common.is_empty() {
        return Err(TruthCheckError::NoCommonQuery {
            judgments,
            listed: truth.query_names().map(str::to_owned).collect(),
            judged: judged.iter().map(ToString::to_string).collect(),
        });
    }
    let mut notes = Vec::new();
    let not_judged: Vec<String> = (truth.query_names())
        .filter(|query| !judged.contains(query))
        .map(str::to_owned)
        .collect();
    if !not_judged.is_empty() {
        notes.push(TruthCheckNote::QueriesWithoutJudgments(
            judgments, not_judged,
        ));
    }
    let not_listed: Vec<String> = (judged.iter())
        .filter(|query| truth.query_index(query).is_none())
        .map(ToString::to_string)
        .collect();
    if !not_listed.is_empty() {
        notes.push(TruthCheckNote::QueriesWithoutList(judgments, not_listed));
    }
    Ok((common, notes))
}

/// Lists of all queries, checked against their evidence.
pub struct CheckedLists<E: ListEvidence> {
    /// Results of the check, one per list.
    pub lists: Vec<CheckedList<E::Detail>>,
    /// Lists with their evidence, in the order of `lists`.
    pub cases: Vec<ListCase<E::Case>>,
    /// Notes on mismatches between the lists and the judgments.
    pub notes: Vec<TruthCheckNote>,
}

/// Checks the lists of a ground truth, or without one the lists that the judgments make.
///
/// # Errors
/// Returns [`TruthCheckError`] if lists and judgments do not match, or if the work was cancelled or
/// failed.
pub fn check_lists<E: ListEvidence>(
    evidence: &E,
    truth: Option<&GroundTruth>,
    work: &dyn Work,
) -> Result<CheckedLists<E>, TruthCheckError> {
    let names = evidence.query_names();
    let mut notes = Vec::new();
    // Number of each query, with its list if a ground truth was given.
    let lists: Vec<(usize, Option<GroupedList>)> = match truth {
        None => (0..names.len()).map(|query| (query, None)).collect(),
        Some(truth) => {
            let (common, found) = common_queries(truth, evidence.judgments(), &names)?;
            notes = found;
            let mut unmatched = Vec::new();
            let resolved = common.into_iter().map(|(query, number)| {
                let list = evidence.resolve(query, truth.query_truth(number), &mut unmatched)?;
                Ok((query, Some(list)))
            });
            let resolved = resolved.collect::<Result<_, TruthCheckError>>()?;
            if !unmatched.is_empty() {
                notes.push(evidence.unmatched_note(unmatched));
            }
            resolved
        }
    };
    let checked = work.map("checking", lists.len(), |number| {
        let (query, list) = &lists[number];
        let case = evidence.case(*query, list.clone());
        (evidence.check(&case), case)
    })?;
    let (lists, cases) = checked.into_iter().unzip();
    Ok(CheckedLists {
        lists,
        cases,
        notes,
    })
}

impl<E: ListEvidence> CheckedLists<E> {
    /// Returns the result of the check, without the evidence.
    pub fn into_result(
        self,
        settings: <E::Detail as CheckDetail>::Settings,
        totals: <E::Detail as CheckDetail>::Totals,
        trust: Option<<E::Detail as CheckDetail>::Bootstrap>,
    ) -> ListCheck<E::Detail> {
        ListCheck {
            settings,
            lists: self.lists,
            totals,
            trust,
            notes: self.notes,
        }
    }
}
