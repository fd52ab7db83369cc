//! View of an audit of lists: comparison with the rankings or preferences of assessors.

use std::io;

use partita_core::truth::{AuditCounts, Tails, TruthCheck};
use partita_judging::{AgreementCoefficients, PreferenceCheck};

use super::bootstrap;
use crate::column_set::ColumnSet;
use crate::document::{Document, View};
use crate::phrases::{format_p_value, plural};
use crate::table::{Table, integer, number, right, text};

/// View of an audit of lists: the number of inconsistent pairs and triples of each list, and if
/// requested the inconsistencies themselves.
pub struct TruthCheckView<'a> {
    by: AuditSource<'a>,
    pairs: bool,
}

/// Audit by the kind of judgments that it is based on.
#[derive(Clone, Copy)]
pub(super) enum AuditSource<'a> {
    Rankings(&'a TruthCheck),
    Answers(&'a PreferenceCheck),
}

impl<'a> TruthCheckView<'a> {
    /// Creates the view of an audit by rankings. `pairs` adds every inconsistency.
    pub fn from_rankings(result: &'a TruthCheck, pairs: bool) -> Self {
        let by = AuditSource::Rankings(result);
        Self { by, pairs }
    }

    /// Creates the view of an audit by preferences. `pairs` adds every inconsistency.
    pub fn from_preferences(result: &'a PreferenceCheck, pairs: bool) -> Self {
        let by = AuditSource::Answers(result);
        Self { by, pairs }
    }
}

impl View for TruthCheckView<'_> {
    fn write_csv(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        match self.by {
            AuditSource::Rankings(check) if check.trust.is_some() => {
                bootstrap::write_ranking_csv(check, writer)
            }
            AuditSource::Answers(check) if check.trust.is_some() => {
                bootstrap::write_preference_csv(check, writer)
            }
            by if self.pairs => {
                let lists = by.inconsistencies();
                by.inconsistency_columns()
                    .write_csv(lists.iter().flat_map(|(_, rows)| rows), writer)
            }
            by => {
                let (lists, all) = by.list_rows();
                by.list_columns()
                    .write_csv(lists.iter().chain([&all]), writer)
            }
        }
    }

    fn document(&self) -> Document {
        let mut document = Document::new();
        if self.pairs {
            let columns = self.by.inconsistency_columns();
            let lists = self.by.inconsistencies().into_iter();
            let lists = lists.filter(|(_, rows)| !rows.is_empty());
            document = document.tables(
                lists.map(|(query, rows)| with_query_caption(columns.to_table(rows), query)),
            );
        }
        let (lists, all) = self.by.list_rows();
        let columns = self.by.list_columns();
        let mut table = columns.to_table(&lists);
        if lists.len() > 1 {
            table.push_rule();
            columns.push_row(&all, &mut table);
        }
        document = document.table(table);
        match self.by {
            AuditSource::Rankings(check) => {
                self.notes(check, document).append(match &check.trust {
                    Some(trust) => bootstrap::ranking_document(check, trust, self.pairs),
                    None => Document::new(),
                })
            }
            AuditSource::Answers(check) => {
                let rule = match check.settings.alpha {
                    Some(alpha) => format!("{} at alpha {}", check.settings.decide, alpha.value()),
                    None => check.settings.decide.clone(),
                };
                let votes = "Votes: for the first item, for neither, for the second.";
                document
                    .note(format!(
                        "Pairs are decided by {rule}; counts are of pairs that people compared."
                    ))
                    .notes(self.pairs.then_some(votes))
                    .note(
                        "Agreement: the mean of two people, a half for one who prefers neither. \
                         Alpha (Krippendorff) and AC1 (Gwet) are 0 for chance.",
                    )
                    .append(bootstrap::preference_document(check, self.pairs))
            }
        }
    }
}

impl TruthCheckView<'_> {
    /// Adds the notes below the tables of an audit by rankings.
    fn notes(&self, check: &TruthCheck, document: Document) -> Document {
        let settings = &check.settings;
        let counts = check.totals.summary.get(tails(check));
        let (differ, same) = (counts.intra, counts.same_group_compared);
        let (equal, others) = (counts.inter, counts.different_group_compared);
        let mut document = if counts.undecided == 0 {
            document.note(format!(
                "{differ} of {} in the same group differ; {equal} of {} in different groups do not.",
                plural(same, "pair"),
                plural(others, "pair")
            ))
        } else {
            let pairs = plural(counts.undecided, "pair");
            document
                .note(format!(
                    "Of the pairs that can be tested, {differ} of {same} in the same group differ; \
                     {equal} of {others} in different groups do not."
                ))
                .note(format!(
                    "{pairs} cannot be tested, because fewer than 2 assessors ranked an item. For \
                     ADR-1 and ADR-2 such items do not differ. Triples with such a pair: {}, not \
                     counted as non-transitive.",
                    counts.undecided_triples
                ))
        };
        if let (Some(function), Some(alpha)) = (settings.aggregate, settings.build_alpha) {
            let alpha = alpha.value();
            document = document.note(format!("Lists built by {function} at alpha {alpha}."));
        }
        document = document
            .note(format!(
                "{}-tailed Mann-Whitney tests at alpha {}; unranked items: {}.",
                settings.tails,
                settings.alpha.value(),
                settings.reading.unranked
            ))
            .note(
                "W: Kendall's coefficient of concordance over the items that every assessor ranked; \
                 p(W): the probability of at least this agreement by chance.",
            );
        let approximate = check.lists.iter().any(|list| {
            let mut pairs = list.audit.pairs().into_iter().flat_map(|(_, pairs)| pairs);
            pairs.any(|pair| pair.evidence.approximate)
        });
        if approximate && self.pairs {
            document = document
                .note("~ marks an approximate p-value.")
                .hint("`--exact` gives the exact one.");
        }
        document
    }
}

/// Returns the number of tails of the tests of an audit by rankings.
fn tails(check: &TruthCheck) -> Tails {
    if check.settings.tails == 1 {
        Tails::One
    } else {
        Tails::Two
    }
}

/// Row of the table of lists: counts of one list, or sums over all lists.
#[derive(Default)]
struct ListRow {
    query: String,
    items: usize,
    groups: usize,
    assessors: Option<usize>,
    counts: AuditCounts,
    /// Results of an audit by rankings: Kendall's W over the items that all assessors ranked,
    /// Kendall's W over all items with unranked ones last, and the list consistency by one-tailed
    /// (ADR-1) and two-tailed tests (ADR-2).
    ranking_agreement: [Option<f64>; 4],
    /// P-values of the two values of Kendall's W.
    agreement_p: [Option<f64>; 2],
    answers: usize,
    agreement: Option<AgreementCoefficients>,
}

impl ListRow {
    /// Returns the row of the sums over all lists.
    fn sum(lists: &[Self]) -> Self {
        let mut all = Self {
            query: "all".to_owned(),
            ..Self::default()
        };
        for list in lists {
            all.items += list.items;
            all.groups += list.groups;
            all.counts += list.counts;
            all.answers += list.answers;
        }
        all
    }
}

impl AuditSource<'_> {
    /// Returns one row per list, and the row of the sums over all lists.
    fn list_rows(self) -> (Vec<ListRow>, ListRow) {
        match self {
            Self::Rankings(check) => {
                let lists = check.lists.iter().map(|list| {
                    let (w, adr) = (&list.measures.kendall_w, &list.measures.consistency);
                    let [common, unranked_last] = [w.common, w.unranked_last].map(|w| Some(w?.w));
                    ListRow {
                        query: list.query.clone(),
                        items: list.items,
                        groups: list.groups,
                        assessors: Some(list.assessors),
                        counts: *list.counts.summary.get(tails(check)),
                        ranking_agreement: [common, unranked_last, adr.adr1, adr.adr2],
                        agreement_p: [w.common, w.unranked_last].map(|w| Some(w?.p)),
                        ..ListRow::default()
                    }
                });
                let lists: Vec<ListRow> = lists.collect();
                let mut all = ListRow::sum(&lists);
                all.ranking_agreement =
                    [None, None, check.totals.mean.adr1, check.totals.mean.adr2];
                (lists, all)
            }
            Self::Answers(check) => {
                let lists = check.lists.iter().map(|list| ListRow {
                    query: list.query.clone(),
                    items: list.items,
                    groups: list.groups,
                    assessors: Some(list.assessors),
                    counts: list.counts.summary,
                    answers: list.measures.answers,
                    agreement: Some(list.counts.agreement),
                    ..ListRow::default()
                });
                let lists: Vec<ListRow> = lists.collect();
                let mut all = ListRow::sum(&lists);
                all.agreement = Some(check.totals.agreement);
                (lists, all)
            }
        }
    }

    fn list_columns<'s>(self) -> ColumnSet<'s, ListRow> {
        let rankings = matches!(self, Self::Rankings(_));
        let votes = !rankings;
        type CountAccessor = fn(&AuditCounts) -> usize;
        let count = |part: CountAccessor| move |row: &ListRow| part(&row.counts);
        // `all` counts only pairs that were compared (preferences) or can be tested (rankings).
        let of = |part: CountAccessor, all: CountAccessor| {
            move |row: &ListRow| format!("{} of {}", part(&row.counts), all(&row.counts))
        };
        let agreement = |part: fn(&AgreementCoefficients) -> Option<f64>| {
            move |row: &ListRow| row.agreement.as_ref().and_then(part)
        };
        let differ = of(|c| c.intra, |c| c.same_group_compared);
        let equal = of(|c| c.inter, |c| c.different_group_compared);
        let compared = "different_group_compared";
        let untestable = matches!(self, Self::Rankings(check) if check.totals.summary.get(tails(check)).undecided > 0);
        ColumnSet::<ListRow>::new()
            .field("query", text("Query"), |row| row.query.clone())
            .field("items", integer("Items"), |row| row.items)
            .field("groups", integer("Groups"), |row| row.groups)
            .field("assessors", integer("Assessors"), |row| row.assessors)
            .add_if(rankings, |columns| {
                columns
                    .field("w", number("W", 3), |row| row.ranking_agreement[0])
                    .csv_field("w_p", |row| row.agreement_p[0])
                    .table_field(number("p(W)", 4), |row| {
                        row.agreement_p[0].map(format_p_value)
                    })
                    .csv_field("w_unranked_last", |row| row.ranking_agreement[1])
                    .csv_field("w_unranked_last_p", |row| row.agreement_p[1])
                    .field("adr1", number("ADR-1", 4), |row| row.ranking_agreement[2])
                    .field("adr2", number("ADR-2", 4), |row| row.ranking_agreement[3])
            })
            .add_if(votes, |s| s.csv_field("answers", |row| row.answers))
            .csv_field("same_group_pairs", count(|c| c.same_group_pairs))
            .csv_field("same_group_compared", count(|c| c.same_group_compared))
            .csv_field("intra", count(|c| c.intra))
            .table_field(right("Same group, differ"), differ)
            .csv_field("different_group_pairs", count(|c| c.different_group_pairs))
            .csv_field(compared, count(|c| c.different_group_compared))
            .csv_field("inter", count(|c| c.inter))
            .table_field(right("Other group, equal"), equal)
            .field("misordered", integer("Misordered"), count(|c| c.misordered))
            .add_if(votes, |columns| {
                columns.field("undecided", integer("Not compared"), count(|c| c.undecided))
            })
            .field("non_transitive", integer("Non-transitive"), |row| {
                row.counts.non_transitive
            })
            .add_if(rankings, |columns| {
                columns
                    .csv_field("untestable", count(|c| c.undecided))
                    .csv_field("undecided_triples", |row| row.counts.undecided_triples)
            })
            .add_if(untestable, |columns| {
                columns.table_field(integer("Not testable"), count(|c| c.undecided))
            })
            .add_if(votes, |columns| {
                let alpha = agreement(|a| a.alpha_nominal);
                columns
                    .csv_field("consistent", |row| row.counts.consistent_share())
                    .field("agreement", number("Agreement", 3), agreement(|a| a.score))
                    .field("krippendorff_alpha", number("Alpha", 3), alpha)
                    .csv_field("fleiss_kappa", agreement(|a| a.fleiss_kappa))
                    .field("gwet_ac1", number("AC1", 3), agreement(|a| a.ac1))
            })
    }
}

/// Sets the query as the caption of a table.
pub(super) fn with_query_caption(table: Table, query: &str) -> Table {
    table.with_caption(format!("Query {query}"))
}
