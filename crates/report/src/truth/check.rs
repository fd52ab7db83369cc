//! What an audit of lists found, by rankings or by answers.

use std::io;

use partita_core::truth::{
    Audit, AuditedPair, AuditedTriple, Check, Inconsistency, PairCounts, Tails, Tested,
};
use partita_judging::{Agreement, PreferenceCheck, Voted};

use super::trust;
use crate::document::{Document, Present};
use crate::sheet::Sheet;
use crate::table::{Align, Cell, Column, Table};
use crate::words::p_value;

/// An audit of lists.
pub struct CheckView<'a> {
    by: Evidence<'a>,
    pairs: bool,
}

#[derive(Clone, Copy)]
enum Evidence<'a> {
    Rankings(&'a Check),
    Answers(&'a PreferenceCheck),
}

impl<'a> CheckView<'a> {
    /// Lists that were audited by rankings, if asked with every inconsistency.
    #[must_use]
    pub fn by_rankings(result: &'a Check, pairs: bool) -> Self {
        let by = Evidence::Rankings(result);
        Self { by, pairs }
    }

    /// Lists that were audited by answers, if asked with every inconsistency.
    #[must_use]
    pub fn by_answers(result: &'a PreferenceCheck, pairs: bool) -> Self {
        let by = Evidence::Answers(result);
        Self { by, pairs }
    }
}

impl Present for CheckView<'_> {
    fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
        match self.by {
            Evidence::Rankings(check) if check.trust.is_some() => trust::csv_of(check, place),
            Evidence::Answers(check) if check.trust.is_some() => {
                trust::csv_of_answers(check, place)
            }
            by if self.pairs => {
                let lists = by.inconsistencies();
                by.inconsistency_sheet()
                    .csv(lists.iter().flat_map(|(_, rows)| rows), place)
            }
            by => {
                let (lists, all) = by.lists();
                by.list_sheet().csv(lists.iter().chain([&all]), place)
            }
        }
    }

    fn document(&self) -> Document {
        let mut document = Document::new();
        if self.pairs {
            for (query, rows) in self.by.inconsistencies() {
                if !rows.is_empty() {
                    let table = self.by.inconsistency_sheet().table(&rows);
                    document = document.table(of_query(table, query));
                }
            }
        }
        let (lists, all) = self.by.lists();
        let sheet = self.by.list_sheet();
        let mut table = sheet.table(&lists);
        if lists.len() > 1 {
            table.push_rule();
            sheet.add(&all, &mut table);
        }
        document = document.table(table);
        match self.by {
            Evidence::Rankings(check) => self.notes(check, document).then(match &check.trust {
                Some(trust) => trust::document_of(check, trust, self.pairs),
                None => Document::new(),
            }),
            Evidence::Answers(check) => {
                let rule = match check.settings.alpha {
                    Some(alpha) => format!("{} at alpha {}", check.settings.decide, alpha.value()),
                    None => check.settings.decide.clone(),
                };
                document
                    .note(format!(
                        "Pairs are decided by {rule}; counts are of pairs that people compared."
                    ))
                    .note(
                        "Agreement: the mean of two people, a half for one who prefers neither. \
                         Alpha (Krippendorff) and AC1 (Gwet) are 0 for chance.",
                    )
                    .then(trust::document_of_answers(check, self.pairs))
            }
        }
    }
}

impl CheckView<'_> {
    /// What there is to say of an audit by rankings.
    fn notes(&self, check: &Check, document: Document) -> Document {
        let settings = &check.settings;
        let counts = check.summary.of(tails(check));
        let pairs = &counts.pairs;
        let mut document = document.note(format!(
            "{} of {} pairs in the same group differ; {} of {} pairs in different groups do not.",
            pairs.intra, pairs.same_group_pairs, pairs.inter, pairs.different_group_pairs
        ));
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
                "W: Kendall's coefficient of concordance over the items that every assessor ranked.",
            );
        if counts.untestable > 0 {
            let (pairs, count) = match counts.untestable {
                1 => ("pair", "it counts"),
                _ => ("pairs", "they count"),
            };
            document = document.note(format!(
                "{} {pairs} cannot be tested, because an item has fewer than 2 ranks; {count} as \
                 equal.",
                counts.untestable
            ));
        }
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

fn tails(check: &Check) -> Tails {
    if check.settings.tails == 1 {
        Tails::One
    } else {
        Tails::Two
    }
}

/// What is counted of a list, or of all.
#[derive(Default)]
struct ListRow {
    query: String,
    items: usize,
    groups: usize,
    assessors: Option<usize>,
    counts: PairCounts,
    non_transitive: u64,
    /// W over common items, W over all, ADR-1 and ADR-2.
    of_rankings: [Option<f64>; 4],
    answers: usize,
    agreement: Option<Agreement>,
}

impl ListRow {
    fn sum(lists: &[Self]) -> Self {
        let mut all = Self {
            query: "all".to_owned(),
            ..Self::default()
        };
        for list in lists {
            all.items += list.items;
            all.groups += list.groups;
            all.counts += list.counts;
            all.non_transitive += list.non_transitive;
            all.answers += list.answers;
        }
        all
    }
}

impl Evidence<'_> {
    fn is_rankings(self) -> bool {
        matches!(self, Self::Rankings(_))
    }

    /// A row for each list, and one for all of them.
    fn lists(self) -> (Vec<ListRow>, ListRow) {
        match self {
            Self::Rankings(check) => {
                let lists = check.lists.iter().map(|list| {
                    let counts = list.summary.of(tails(check));
                    let w = &list.kendall_w;
                    ListRow {
                        query: list.query.clone(),
                        items: list.items,
                        groups: list.groups,
                        assessors: Some(list.assessors),
                        counts: counts.pairs,
                        non_transitive: counts.non_transitive,
                        of_rankings: [
                            w.common.map(|w| w.w),
                            w.unranked_last.map(|w| w.w),
                            list.consistency.adr1,
                            list.consistency.adr2,
                        ],
                        ..ListRow::default()
                    }
                });
                let lists: Vec<ListRow> = lists.collect();
                let mut all = ListRow::sum(&lists);
                all.of_rankings = [None, None, check.mean.adr1, check.mean.adr2];
                (lists, all)
            }
            Self::Answers(check) => {
                let lists = check.lists.iter().map(|list| ListRow {
                    query: list.query.clone(),
                    items: list.items,
                    groups: list.groups,
                    assessors: Some(list.assessors),
                    counts: list.counts,
                    non_transitive: list.audit.non_transitive_count,
                    answers: list.answers,
                    agreement: Some(list.agreement),
                    ..ListRow::default()
                });
                let lists: Vec<ListRow> = lists.collect();
                let mut all = ListRow::sum(&lists);
                all.agreement = Some(check.agreement);
                (lists, all)
            }
        }
    }

    fn list_sheet<'s>(self) -> Sheet<'s, ListRow> {
        let rankings = self.is_rankings();
        let of = move |part: usize, all: usize, compared: usize| {
            Cell::text(format!(
                "{part} of {}",
                if rankings { all } else { compared }
            ))
        };
        let right = |header: &str| Column::text(header).align(Align::Right);
        let agreement = |part: fn(&Agreement) -> Option<f64>| {
            move |row: &ListRow| Cell::from(row.agreement.as_ref().and_then(part))
        };
        Sheet::<ListRow>::new()
            .field("query", Column::text("Query"), |row| (&row.query).into())
            .field("items", Column::integer("Items"), |row| row.items.into())
            .field("groups", Column::integer("Groups"), |row| row.groups.into())
            .field("assessors", Column::integer("Assessors"), |row| {
                row.assessors.into()
            })
            .when(rankings, |sheet| {
                sheet
                    .field("w", Column::number("W", 3), |row| row.of_rankings[0].into())
                    .csv_field("w_unranked_last", |row| row.of_rankings[1].into())
                    .field("adr1", Column::number("ADR-1", 4), |row| {
                        row.of_rankings[2].into()
                    })
                    .field("adr2", Column::number("ADR-2", 4), |row| {
                        row.of_rankings[3].into()
                    })
            })
            .when(!rankings, |sheet| {
                sheet.csv_field("answers", |row| row.answers.into())
            })
            .csv_field("same_group_pairs", |row| row.counts.same_group_pairs.into())
            .when(!rankings, |sheet| {
                sheet.csv_field("same_group_compared", |row| {
                    row.counts.same_group_compared.into()
                })
            })
            .csv_field("intra", |row| row.counts.intra.into())
            .table_field(right("Same group, differ"), move |row| {
                let counts = &row.counts;
                of(
                    counts.intra,
                    counts.same_group_pairs,
                    counts.same_group_compared,
                )
            })
            .csv_field("different_group_pairs", |row| {
                row.counts.different_group_pairs.into()
            })
            .when(!rankings, |sheet| {
                sheet.csv_field("different_group_compared", |row| {
                    row.counts.different_group_compared.into()
                })
            })
            .csv_field("inter", |row| row.counts.inter.into())
            .table_field(right("Other group, equal"), move |row| {
                let counts = &row.counts;
                of(
                    counts.inter,
                    counts.different_group_pairs,
                    counts.different_group_compared,
                )
            })
            .field("misordered", Column::integer("Misordered"), |row| {
                row.counts.misordered.into()
            })
            .when(!rankings, |sheet| {
                sheet.field("undecided", Column::integer("Not compared"), |row| {
                    row.counts.undecided().into()
                })
            })
            .field("non_transitive", Column::integer("Non-transitive"), |row| {
                row.non_transitive.into()
            })
            .when(rankings, |sheet| {
                sheet.csv_field("untestable", |row| row.counts.undecided().into())
            })
            .when(!rankings, |sheet| {
                sheet
                    .csv_field("consistent", |row| row.counts.consistent().into())
                    .field(
                        "agreement",
                        Column::number("Agreement", 3),
                        agreement(|a| a.score),
                    )
                    .field(
                        "krippendorff_alpha",
                        Column::number("Alpha", 3),
                        agreement(|a| a.alpha_nominal),
                    )
                    .csv_field("fleiss_kappa", agreement(|a| a.fleiss_kappa))
                    .field("gwet_ac1", Column::number("AC1", 3), agreement(|a| a.ac1))
            })
    }

    /// The inconsistencies of each list.
    fn inconsistencies(&self) -> Vec<(&str, Vec<InconsistencyRow<'_>>)> {
        match self {
            Self::Rankings(check) => {
                let lists = check.lists.iter();
                lists
                    .map(|list| {
                        (
                            list.query.as_str(),
                            rows(&list.query, &list.audit, Known::of_tests),
                        )
                    })
                    .collect()
            }
            Self::Answers(check) => {
                let lists = check.lists.iter();
                lists
                    .map(|list| {
                        (
                            list.query.as_str(),
                            rows(&list.query, &list.audit, Known::of_votes),
                        )
                    })
                    .collect()
            }
        }
    }

    fn inconsistency_sheet<'s>(&self) -> Sheet<'s, InconsistencyRow<'s>> {
        let tests = match self {
            Self::Rankings(check) => Some(check.settings.tails),
            Self::Answers(_) => None,
        };
        let sheet = Sheet::<InconsistencyRow<'_>>::new()
            .csv_field("query", |row| row.query.into())
            .csv_field("kind", |row| row.kind().into())
            .csv_field("a", |row| row.item(0))
            .csv_field("b", |row| row.item(1))
            .csv_field("c", |row| row.item(2))
            .table_field(Column::text("Inconsistency"), |row| row.in_words().into())
            .table_field(Column::text("Items"), |row| row.items_in_words().into());
        let p = |sheet: Sheet<'s, InconsistencyRow<'s>>| {
            sheet
                .csv_field("p_less", |row| row.known.p_less.into())
                .csv_field("p_greater", |row| row.known.p_greater.into())
        };
        match tests {
            Some(asked) => p(sheet.csv_field("tails", move |row| match row.what {
                // Pairs are in the wrong order by 1-tailed tests only.
                What::Pair(Inconsistency::Misordered, _) => 1_u8.into(),
                What::Pair(..) => asked.into(),
                What::Triple(triple) => triple.tails.into(),
            }))
            .csv_field("p_two_sided", |row| {
                row.known
                    .tested
                    .and_then(|tested| tested.p_two_sided)
                    .into()
            })
            .csv_field("approximate", |row| {
                row.known.tested.map(|tested| tested.approximate).into()
            })
            .table_field(Column::text("p").align(Align::Right), |row| {
                row.p_in_words()
            }),
            None => {
                let votes = |which: usize| {
                    move |row: &InconsistencyRow<'_>| {
                        Cell::from(row.known.voted.map(|voted| voted.votes[which]))
                    }
                };
                let sheet = sheet
                    .csv_field("votes_a", votes(0))
                    .csv_field("votes_equal", votes(1))
                    .csv_field("votes_b", votes(2))
                    .csv_field("relation", |row| {
                        row.known.voted.map(|voted| voted.relation.name()).into()
                    })
                    .table_field(Column::text("Votes").align(Align::Right), |row| {
                        row.known
                            .voted
                            .map(|voted| votes_in_words(voted.votes))
                            .into()
                    });
                p(sheet)
            }
        }
    }
}

/// Votes as a reader counts them: for a, for neither, for b.
pub(super) fn votes_in_words([a, equal, b]: [u32; 3]) -> String {
    format!("{a}, {equal}, {b}")
}

/// An inconsistent pair or triple.
struct InconsistencyRow<'a> {
    query: &'a str,
    what: What<'a>,
    known: Known,
}

enum What<'a> {
    Pair(Inconsistency, [&'a str; 2]),
    Triple(&'a AuditedTriple),
}

/// What is known of a pair.
#[derive(Clone, Copy, Default)]
struct Known {
    p: Option<f64>,
    p_less: Option<f64>,
    p_greater: Option<f64>,
    tested: Option<Tested>,
    voted: Option<Voted>,
}

impl Known {
    fn new<E>(pair: &AuditedPair<E>) -> Self {
        Self {
            p: pair.p,
            p_less: pair.p_less,
            p_greater: pair.p_greater,
            ..Self::default()
        }
    }

    fn of_tests(pair: &AuditedPair<Tested>) -> Self {
        Self {
            tested: Some(pair.evidence),
            ..Self::new(pair)
        }
    }

    fn of_votes(pair: &AuditedPair<Voted>) -> Self {
        Self {
            voted: Some(pair.evidence),
            ..Self::new(pair)
        }
    }
}

/// The inconsistencies of a list: pairs by kind, then triples.
fn rows<'a, E>(
    query: &'a str,
    audit: &'a Audit<E>,
    known: fn(&AuditedPair<E>) -> Known,
) -> Vec<InconsistencyRow<'a>> {
    let pairs = audit.pairs().into_iter().flat_map(|(kind, pairs)| {
        pairs.iter().map(move |pair| InconsistencyRow {
            query,
            what: What::Pair(kind, [pair.a.as_str(), pair.b.as_str()]),
            known: known(pair),
        })
    });
    let triples = audit.non_transitive.iter().map(|triple| InconsistencyRow {
        query,
        what: What::Triple(triple),
        known: Known::default(),
    });
    pairs.chain(triples).collect()
}

impl InconsistencyRow<'_> {
    fn kind(&self) -> String {
        match &self.what {
            What::Pair(kind, _) => kind.to_string(),
            What::Triple(triple) => triple.kind.name().to_owned(),
        }
    }

    fn item(&self, place: usize) -> Cell {
        match &self.what {
            What::Pair(_, items) => items.get(place).copied().into(),
            What::Triple(triple) => triple.items.get(place).into(),
        }
    }

    fn in_words(&self) -> String {
        match &self.what {
            What::Pair(Inconsistency::Intra, _) => "same group, differ".to_owned(),
            What::Pair(Inconsistency::Inter, _) => "other group, equal".to_owned(),
            What::Pair(Inconsistency::Misordered, _) => "misordered".to_owned(),
            What::Triple(triple) => {
                let words = triple.kind.name().replace('-', " ");
                match triple.tails {
                    Some(tails) => format!("{words}, {tails}-tailed"),
                    None => words,
                }
            }
        }
    }

    fn items_in_words(&self) -> String {
        match &self.what {
            What::Pair(Inconsistency::Intra, items) => items.join(" /= "),
            What::Pair(Inconsistency::Inter, items) => items.join(" = "),
            What::Pair(Inconsistency::Misordered, items) => items.join(" > "),
            What::Triple(triple) => triple.items.join(", "),
        }
    }

    fn p_in_words(&self) -> Cell {
        let p = match self.what {
            What::Triple(_) => return Cell::missing(),
            What::Pair(Inconsistency::Misordered, _) => self.known.p_greater,
            What::Pair(..) => self.known.p,
        };
        let about = self.known.tested.is_some_and(|tested| tested.approximate);
        match p {
            None => "untestable".into(),
            Some(p) => format!("{}{}", if about { "~" } else { "" }, p_value(p)).into(),
        }
    }
}

/// The table of a list's own, by its query.
pub(super) fn of_query(table: Table, query: &str) -> Table {
    table.with_caption(format!("Query {query}"))
}
