//! Tables of pairs and triples of items whose judgments contradict a list, by rankings or by
//! preferences.

use partita_core::truth::{Audit, AuditedPair, Inconsistency, RankTestEvidence, UntestablePair};
use partita_judging::VoteEvidence;
use partita_named::NamedEnum;

use super::check::AuditSource;
use crate::column_set::ColumnSet;
use crate::phrases::format_p_value;
use crate::table::{right, text};

/// Row of an inconsistent pair or triple of items. The test results are missing for triples and for
/// untestable pairs.
#[derive(Default)]
pub(super) struct InconsistencyRow<'a> {
    query: &'a str,
    kind: String,
    in_words: String,
    items: Vec<&'a str>,
    /// Text between the item names, such as ` = `: the relation of the items by the judgments.
    sign: &'static str,
    /// Number of tails of the test that found the inconsistency; `None` if it is the number that
    /// was requested.
    tails: Option<u8>,
    is_pair: bool,
    /// P-value of the test that found the inconsistency; `p_less` and `p_greater` are the
    /// one-tailed p-values of both directions.
    p: Option<f64>,
    p_less: Option<f64>,
    p_greater: Option<f64>,
    tested: Option<RankTestEvidence>,
    voted: Option<VoteEvidence>,
}

impl AuditSource<'_> {
    /// Returns the query and the inconsistencies of each list.
    pub(super) fn inconsistencies(&self) -> Vec<(&str, Vec<InconsistencyRow<'_>>)> {
        match self {
            Self::Rankings(check) => (check.lists.iter())
                .map(|list| {
                    let (query, mut rows) =
                        rows(&list.query, &list.audit, |tests| (Some(*tests), None));
                    let pairs = list.counts.untestable.iter();
                    rows.extend(pairs.map(|pair| untestable_row(query, pair)));
                    (query, rows)
                })
                .collect(),
            Self::Answers(check) => (check.lists.iter())
                .map(|list| rows(&list.query, &list.audit, |votes| (None, Some(*votes))))
                .collect(),
        }
    }

    /// Returns the columns of the table of inconsistencies.
    pub(super) fn inconsistency_columns<'s>(&self) -> ColumnSet<'s, InconsistencyRow<'s>> {
        let asked = match self {
            Self::Rankings(check) => Some(check.settings.tails),
            Self::Answers(_) => None,
        };
        let item = |place: usize| move |row: &InconsistencyRow<'s>| row.items.get(place).copied();
        let votes = |which: usize| {
            move |row: &InconsistencyRow<'_>| row.voted.map(|voted| voted.votes[which])
        };
        ColumnSet::<InconsistencyRow<'_>>::new()
            .csv_field("query", |row| row.query)
            .csv_field("kind", |row| row.kind.clone())
            .csv_field("a", item(0))
            .csv_field("b", item(1))
            .csv_field("c", item(2))
            .table_field(text("Inconsistency"), |row| row.in_words.clone())
            .table_field(text("Items"), |row| row.items.join(row.sign))
            .add_if(asked.is_some(), |columns| {
                columns.csv_field("tails", move |row| {
                    row.tails.or(asked.filter(|_| row.is_pair))
                })
            })
            .add_if(asked.is_none(), |columns| {
                columns
                    .csv_field("votes_a", votes(0))
                    .csv_field("votes_equal", votes(1))
                    .csv_field("votes_b", votes(2))
                    .csv_field("relation", |row| Some(row.voted?.relation.name()))
                    .table_field(right("Votes"), |row| {
                        row.voted.map(|voted| votes_label(voted.votes))
                    })
            })
            .csv_field("p_less", |row| row.p_less)
            .csv_field("p_greater", |row| row.p_greater)
            .add_if(asked.is_some(), |columns| {
                columns
                    .csv_field("p_two_sided", |row| row.tested?.p_two_sided)
                    .csv_field("approximate", |row| Some(row.tested?.approximate))
                    .table_field(right("p"), InconsistencyRow::p_value_text)
            })
    }
}

/// Formats the votes on a pair in the order: for a, for neither, for b.
pub(super) fn votes_label([a, equal, b]: [u32; 3]) -> String {
    format!("{a}, {equal}, {b}")
}

/// Returns the inconsistencies of a list: pairs by kind of contradiction, then triples.
fn rows<'a, E>(
    query: &'a str,
    audit: &'a Audit<E>,
    evidence: fn(&E) -> (Option<RankTestEvidence>, Option<VoteEvidence>),
) -> (&'a str, Vec<InconsistencyRow<'a>>) {
    let pair = |kind: Inconsistency, pair: &'a AuditedPair<E>| {
        // Only one-tailed tests can show that a pair is in the wrong order.
        let (in_words, sign, p, tails) = match kind {
            Inconsistency::Intra => ("same group, differ", " /= ", pair.p, None),
            Inconsistency::Inter => ("other group, equal", " = ", pair.p, None),
            Inconsistency::Misordered => ("misordered", " > ", pair.p_greater, Some(1)),
        };
        let (tested, voted) = evidence(&pair.evidence);
        InconsistencyRow {
            query,
            kind: kind.to_string(),
            in_words: in_words.to_owned(),
            items: vec![&pair.a, &pair.b],
            sign,
            tails,
            is_pair: true,
            p,
            p_less: pair.p_less,
            p_greater: pair.p_greater,
            tested,
            voted,
        }
    };
    let pairs = audit.pairs().into_iter();
    let pairs = pairs.flat_map(|(kind, pairs)| pairs.iter().map(move |found| pair(kind, found)));
    let triples = audit.non_transitive.iter().map(|triple| {
        let tails = triple.tails.map(|tails| format!(", {tails}-tailed"));
        let words = triple.intransitivity.name().replace('-', " ");
        InconsistencyRow {
            query,
            kind: triple.intransitivity.name().to_owned(),
            in_words: words + &tails.unwrap_or_default(),
            items: triple.items.iter().map(String::as_str).collect(),
            sign: ", ",
            tails: triple.tails,
            ..InconsistencyRow::default()
        }
    });
    (query, pairs.chain(triples).collect())
}

/// Returns the row of a pair that cannot be tested because fewer than 2 assessors ranked one of its
/// items.
fn untestable_row<'a>(query: &'a str, pair: &'a UntestablePair) -> InconsistencyRow<'a> {
    let [a, b] = pair.ranks;
    InconsistencyRow {
        query,
        kind: "untestable".to_owned(),
        in_words: format!("not testable (ranked by {a} and {b})"),
        items: vec![&pair.a, &pair.b],
        sign: " ? ",
        is_pair: true,
        ..InconsistencyRow::default()
    }
}

impl InconsistencyRow<'_> {
    /// Formats the p-value, with `~` before it if it is approximate.
    fn p_value_text(&self) -> Option<String> {
        let is_approximate = self.tested.is_some_and(|tested| tested.approximate);
        let p = format_p_value(self.p?);
        Some(format!("{}{p}", if is_approximate { "~" } else { "" }))
    }
}
