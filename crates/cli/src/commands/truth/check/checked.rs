//! Lists with their audits.

use partita_core::evaluation::mean;
use partita_core::truth::{
    Agreement, Alpha, Audit, Consistency, Evidence, Exactness, Pair, Recipe, Relations, Tails,
    Triple, agreement, audit, consistency,
};
use partita_core::{GroundTruth, GroupedList, Item};
use partita_formats::Warning;
use partita_formats::rankings::QueryRankings;
use rayon::prelude::*;

use super::CheckArgs;
use crate::failure::Failure;
use crate::progress;

/// A list and what the rankings say of it.
pub(super) struct Checked {
    pub(super) query: QueryRankings,
    pub(super) list: GroupedList,
    /// ADR-1 and ADR-2; none of a list of one item.
    pub(super) consistency: [Option<Consistency>; 2],
    pub(super) agreement: Agreement,
    /// The audit by the tests that were asked for, with p-values.
    pub(super) audit: Audit,
    /// The audits by 1-tailed and by 2-tailed tests, for their counts and triples.
    pub(super) both: [Audit; 2],
    /// How the items relate by both, for every triple.
    relations: [Relations; 2],
}

/// What can be wrong with a pair of items.
pub(super) const KINDS: [&str; 3] = ["intra", "inter", "misordered"];

impl Checked {
    pub(super) fn item(&self, item: Item) -> &str {
        self.query.rankings.items().name(item)
    }

    /// The pairs that are wrong, in the order of [`KINDS`].
    pub(super) fn pairs(&self) -> [&[Pair]; 3] {
        [&self.audit.intra, &self.audit.inter, &self.audit.misordered]
    }

    /// Contradictory triples with the tests by which they are: 1-tailed ones, then 2-tailed ones.
    /// The worst of each, or every one.
    pub(super) fn triples(&self, every: bool) -> impl Iterator<Item = (u8, Triple)> {
        let both = self.both.iter().zip(&self.relations);
        (1..)
            .zip(both)
            .flat_map(move |(tails, (audit, relations))| {
                let most = if every {
                    usize::MAX
                } else {
                    audit.non_transitive.worst.len()
                };
                let triples = relations.triples().take(most);
                triples.map(move |triple| (tails, triple.map(|place| self.list.items()[place])))
            })
    }
}

/// The mean ADR-1 and ADR-2 of lists.
pub(super) fn means(lists: &[Checked]) -> [Option<f64>; 2] {
    let mean_of = |tails: usize| {
        let values = lists.iter().map(|list| list.consistency[tails].as_ref());
        mean(values.map(|consistency| consistency.map(|c| c.value)))
    };
    [mean_of(0), mean_of(1)]
}

/// The lists that the rankings themselves give.
pub(super) fn built(
    queries: Vec<QueryRankings>,
    args: &CheckArgs,
    recipe: &Recipe,
    alpha: Alpha,
) -> Vec<Checked> {
    let progress = progress::bar(queries.len(), "checking");
    let check = |query: QueryRankings| {
        let evidence = recipe.evidence(&query.rankings);
        let list = evidence.list(recipe.aggregation);
        progress.inc(1);
        check(query, list, &evidence.at(alpha), args)
    };
    let lists = queries.into_par_iter().map(check).collect();
    progress.finish_and_clear();
    lists
}

/// The lists of a ground truth, with what there is to remark of it beside the rankings.
pub(super) fn given(
    truth: &GroundTruth,
    file: &str,
    queries: Vec<QueryRankings>,
    args: &CheckArgs,
    alpha: Alpha,
) -> Result<(Vec<Checked>, Vec<Warning>), Failure> {
    let (known, unknown): (Vec<_>, Vec<_>) = queries
        .into_iter()
        .partition(|query| truth.query(&query.name).is_some());
    let names = |names: Vec<&str>| {
        let some = names[..names.len().min(5)].join("`, `");
        let more = if names.len() > 5 { ", ..." } else { "" };
        format!("`{some}`{more}")
    };
    if known.is_empty() {
        let ranked = names(unknown.iter().map(|query| query.name.as_str()).collect());
        let listed = names(truth.iter().map(|(name, _)| name).collect());
        let message = format!(
            "{file}: no query of the ground truth has rankings: it has {listed}, and ranked are {ranked}"
        );
        return Err(Failure::input(message)
            .hint("a matrix or a PrefLib file is called by its name, or by `--query`"));
    }
    let mut warnings = Vec::new();
    let mut remark = |message: String| {
        warnings.push(Warning {
            file: file.to_owned(),
            line: None,
            message,
        });
    };
    let listed = |name: &&str| !known.iter().any(|query| query.name == *name);
    let unranked: Vec<&str> = truth.iter().map(|(name, _)| name).filter(listed).collect();
    if !unranked.is_empty() {
        let count = unranked.len();
        remark(format!(
            "{count} queries have no rankings and are not audited: {}",
            names(unranked)
        ));
    }
    if !unknown.is_empty() {
        let count = unknown.len();
        remark(format!(
            "{count} queries with rankings are not in the ground truth: {}",
            names(unknown.iter().map(|query| query.name.as_str()).collect())
        ));
    }
    let mut beside = Vec::new();
    let mut lists = Vec::new();
    for query in known {
        let judged = truth.query(&query.name).map(|number| truth.judged(number));
        let Some(judged) = judged else { continue };
        let list = query.rankings.list_of(judged).map_err(|error| {
            Failure::input(format!("{file}: query `{}`: {error}", query.name))
                .hint("the ground truth and the rankings must call the items alike")
        })?;
        let more = query.rankings.items().len() - list.len();
        if more > 0 {
            beside.push(format!("`{}` ({more})", query.name));
        }
        lists.push((query, list));
    }
    if !beside.is_empty() {
        remark(format!(
            "in {} queries the rankings hold items that are not in the list: {}",
            beside.len(),
            beside[..beside.len().min(5)].join(", ")
        ));
    }
    let progress = progress::bar(lists.len(), "checking");
    let check = |(query, list): (QueryRankings, GroupedList)| {
        let evidence = Evidence::new(&query.rankings, alpha, args.rankings.reading());
        progress.inc(1);
        check(query, list, &evidence, args)
    };
    let lists = lists.into_par_iter().map(check).collect();
    progress.finish_and_clear();
    Ok((lists, warnings))
}

fn check(
    query: QueryRankings,
    list: GroupedList,
    evidence: &Evidence,
    args: &CheckArgs,
) -> Checked {
    let exactness = match args.rankings.is_exact() {
        true => Exactness::Exact,
        false => Exactness::Quick,
    };
    let tests = evidence.comparisons();
    let counts = |tails| audit(&list, tests, tails, |_, _| None);
    Checked {
        consistency: [Tails::One, Tails::Two].map(|tails| consistency(&list, tests, tails)),
        agreement: agreement(&query.rankings),
        audit: evidence.audit(&list, args.tails.tails(), exactness),
        both: [counts(Tails::One), counts(Tails::Two)],
        relations: [Tails::One, Tails::Two]
            .map(|tails| Relations::of_items(list.items(), tests, tails)),
        query,
        list,
    }
}
