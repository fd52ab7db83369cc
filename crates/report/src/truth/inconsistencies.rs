//! Every inconsistent pair and triple of lists, by rankings or by answers.

use partita_core::truth::{Audit, AuditedPair, AuditedTriple, Inconsistency, Tested};
use partita_judging::Voted;

use super::check::Evidence;
use crate::sheet::Sheet;
use crate::table::{Cell, right, text};
use crate::words::p_value;

impl Evidence<'_> {
    /// The inconsistencies of each list.
    pub(super) fn inconsistencies(&self) -> Vec<(&str, Vec<InconsistencyRow<'_>>)> {
        match self {
            Self::Rankings(check) => (check.lists.iter())
                .map(|list| rows(&list.query, &list.audit, Known::of_tests))
                .collect(),
            Self::Answers(check) => (check.lists.iter())
                .map(|list| rows(&list.query, &list.audit, Known::of_votes))
                .collect(),
        }
    }

    pub(super) fn inconsistency_sheet<'s>(&self) -> Sheet<'s, InconsistencyRow<'s>> {
        let tests = match self {
            Self::Rankings(check) => Some(check.settings.tails),
            Self::Answers(_) => None,
        };
        let sheet = Sheet::<InconsistencyRow<'_>>::new()
            .csv_field("query", |row| row.query)
            .csv_field("kind", |row| row.kind())
            .csv_field("a", |row| row.item(0))
            .csv_field("b", |row| row.item(1))
            .csv_field("c", |row| row.item(2))
            .table_field(text("Inconsistency"), |row| row.in_words())
            .table_field(text("Items"), |row| row.items_in_words());
        let p = |sheet: Sheet<'s, InconsistencyRow<'s>>| {
            sheet
                .csv_field("p_less", |row| row.known.p_less)
                .csv_field("p_greater", |row| row.known.p_greater)
        };
        match tests {
            Some(asked) => p(sheet.csv_field("tails", move |row| match row.what {
                // Pairs are in the wrong order by 1-tailed tests only.
                What::Pair(Inconsistency::Misordered, _) => Some(1),
                What::Pair(..) => Some(asked),
                What::Triple(triple) => triple.tails,
            }))
            .csv_field("p_two_sided", |row| {
                row.known.tested.and_then(|tested| tested.p_two_sided)
            })
            .csv_field("approximate", |row| {
                row.known.tested.map(|tested| tested.approximate)
            })
            .table_field(right("p"), |row| row.p_in_words()),
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
                        row.known.voted.map(|voted| voted.relation.name())
                    })
                    .table_field(right("Votes"), |row| {
                        row.known.voted.map(|voted| votes_in_words(voted.votes))
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
pub(super) struct InconsistencyRow<'a> {
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
) -> (&'a str, Vec<InconsistencyRow<'a>>) {
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
    (query, pairs.chain(triples).collect())
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
