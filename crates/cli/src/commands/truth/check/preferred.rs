//! Lists audited by the preferences behind them.

mod csv;
mod json;
mod tables;

use partita_core::truth::{Relations, Triple};
use partita_core::{GroundTruth, GroupedList, Item, QueryPreferences};
use partita_formats::preferences::PreferencesFile;
use partita_formats::{Source, Warning, truth};
use partita_judging::{
    Agreement, AuditedPair, Built, PeopleDrawn, PreferenceAudit, PreferenceBootstrap,
    PreferenceTrust, Rule, Votes, audit_preferences, build, decided_relations,
};
use partita_report::TableFormat;
use rayon::prelude::*;

use super::{CheckArgs, Format};
use crate::failure::Failure;
use crate::output::warn;
use crate::progress;
use crate::rankings::level;

/// A list and what the answers say of it.
struct Checked<'f> {
    query: &'f QueryPreferences,
    list: GroupedList,
    /// The list that the answers make, with the decisions.
    built: Built,
    audit: PreferenceAudit,
    /// How the items relate by the decisions, for every triple.
    relations: Relations,
    agreement: Agreement,
    assessors: usize,
    trust: Option<PreferenceTrust>,
}

impl Checked<'_> {
    fn item(&self, item: Item) -> &str {
        self.query.items().name(item)
    }

    /// The pairs that are wrong, each kind by its name in files.
    fn pairs(&self) -> [(&'static str, &[AuditedPair]); 3] {
        [
            ("intra", &self.audit.intra),
            ("inter", &self.audit.inter),
            ("misordered", &self.audit.misordered),
        ]
    }

    /// Contradictory triples: the worst, or every one.
    fn triples(&self, every: bool) -> impl Iterator<Item = Triple> {
        let most = if every {
            usize::MAX
        } else {
            self.audit.non_transitive.worst.len()
        };
        let triples = self.relations.triples().take(most);
        triples.map(|triple| triple.map(|place| self.list.items()[place]))
    }

    /// The group of each item of the list, from 1.
    fn groups(&self) -> impl Iterator<Item = (usize, Item)> {
        let groups = (1..).zip(self.list.groups());
        groups.flat_map(|(number, group)| group.iter().map(move |&item| (number, item)))
    }
}

/// What all lists have in common.
struct Audit<'a> {
    args: &'a CheckArgs,
    rule: Rule,
    lists: Vec<Checked<'a>>,
    /// How far people agree on all pairs.
    agreement: Agreement,
    warnings: Vec<Warning>,
}

pub(super) fn run(args: &CheckArgs, name: &str) -> Result<String, Failure> {
    let rule = args.preferences.rule(level("--alpha", args.alpha)?);
    args.trust.check()?;
    refuse(args)?;
    if args.truth.as_deref() == Some("-") && name == "-" {
        return Err(Failure::input("only one file can be standard input"));
    }
    let file = args.preferences.read(name)?;
    let mut warnings = file.warnings.clone();
    let mut lists = match &args.truth {
        None => built(&file, rule, args.trust.seed),
        Some(truth_name) => {
            let source = Source::open(truth_name)?;
            let read = truth::read(&source, &args.truth_reading.options())?;
            warnings.extend(read.warnings);
            given(
                &file,
                rule,
                args.trust.seed,
                &read.truth,
                source.name(),
                &mut warnings,
            )?
        }
    };
    if let Some(replicates) = args.trust.bootstrap {
        warnings.extend(trust(args, &file, &mut lists, rule, replicates));
    }
    warn(&warnings);
    let votes: Vec<Votes> = (lists.iter())
        .flat_map(|checked| checked.built.decisions.iter().map(|(pair, _)| pair.votes))
        .collect();
    let audit = Audit {
        args,
        rule,
        agreement: Agreement::of(&votes),
        lists,
        warnings,
    };
    let default = match args.destination.is_terminal() {
        true => Format::Table,
        false => Format::Csv,
    };
    match args.format.unwrap_or(default) {
        Format::Table => tables::print(&audit, TableFormat::Text),
        Format::Latex => tables::print(&audit, TableFormat::Latex),
        Format::Mediawiki => tables::print(&audit, TableFormat::MediaWiki),
        Format::Markdown => tables::print(&audit, TableFormat::Markdown),
        Format::Json => Ok(json::print(&audit)),
        Format::Csv if args.trust.bootstrap.is_some() => csv::trust(&audit),
        Format::Csv if args.pairs => csv::pairs(&audit),
        Format::Csv => csv::lists(&audit),
    }
}

/// Refuses what is for rankings only.
fn refuse(args: &CheckArgs) -> Result<(), Failure> {
    let what = match () {
        () if args.figure.is_some() => "--figure",
        () if !args.trust.systems.is_empty() => "--run",
        () => return Ok(()),
    };
    Err(Failure::input(format!("{what} is for --rankings only")))
}

/// The lists that the answers themselves make.
fn built(file: &PreferencesFile, rule: Rule, seed: u64) -> Vec<Checked<'_>> {
    let queries = file.preferences.queries().iter();
    let checked = queries.map(|query| {
        let built = build(query, rule, seed);
        let list = built.list.clone();
        check(query, list, built, rule)
    });
    checked.collect()
}

/// The lists of a ground truth.
fn given<'f>(
    file: &'f PreferencesFile,
    rule: Rule,
    seed: u64,
    truth: &GroundTruth,
    name: &str,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Checked<'f>>, Failure> {
    let mut remark = |message: String| {
        warnings.push(Warning {
            file: name.to_owned(),
            line: None,
            message,
        });
    };
    let queries = file.preferences.queries();
    let asked = |name: &&str| queries.iter().any(|query| query.name() == *name);
    let listed: Vec<&str> = truth.iter().map(|(name, _)| name).collect();
    let unasked: Vec<&str> = listed.iter().copied().filter(|n| !asked(n)).collect();
    let mut unlisted = Vec::new();
    let mut strange = Vec::new();
    let mut lists = Vec::new();
    for query in queries {
        let Some(number) = truth.query(query.name()) else {
            unlisted.push(query.name());
            continue;
        };
        let judged = truth.judged(number);
        let name_of = |item: &Item| judged.names().name(*item);
        let known = |item: &Item| query.items().get(name_of(item));
        strange.extend(
            judged
                .list()
                .items()
                .iter()
                .filter(|i| known(i).is_none())
                .map(name_of),
        );
        let groups: Vec<Vec<Item>> = (judged.list().groups())
            .map(|group| group.iter().filter_map(known).collect::<Vec<Item>>())
            .filter(|group| !group.is_empty())
            .collect();
        let list = GroupedList::new(groups).map_err(Failure::ours)?;
        let mut built = build(query, rule, seed);
        // Where the record leaves several lists open, the given one may be another than was drawn.
        if let Some(same) = built
            .alternatives
            .iter()
            .find(|other| same_groups(other, &list))
        {
            built.list = same.clone();
        }
        lists.push(check(query, list, built, rule));
    }
    if lists.is_empty() {
        let message = format!(
            "{name}: no query of the ground truth has answers: it has {}, and answers are for {}",
            some(&listed),
            some(&unlisted)
        );
        return Err(Failure::input(message).hint("both must call the queries alike"));
    }
    if !unasked.is_empty() {
        let (count, names) = (unasked.len(), some(&unasked));
        remark(format!(
            "{count} queries have no answers and are not audited: {names}"
        ));
    }
    if !unlisted.is_empty() {
        let (count, names) = (unlisted.len(), some(&unlisted));
        remark(format!(
            "{count} queries with answers are not in the ground truth: {names}"
        ));
    }
    if !strange.is_empty() {
        let (count, names) = (strange.len(), some(&strange));
        remark(format!(
            "{count} items that nobody compared are left out: {names}"
        ));
    }
    Ok(lists)
}

fn check(query: &QueryPreferences, list: GroupedList, built: Built, rule: Rule) -> Checked<'_> {
    let votes: Vec<Votes> = built.decisions.iter().map(|(pair, _)| pair.votes).collect();
    let mut assessors: Vec<Item> = query.answers().iter().map(|given| given.assessor).collect();
    assessors.sort_unstable();
    assessors.dedup();
    Checked {
        audit: audit_preferences(&list, &built.decisions, rule),
        relations: decided_relations(&list, &built.decisions),
        agreement: Agreement::of(&votes),
        assessors: assessors.len(),
        query,
        list,
        built,
        trust: None,
    }
}

/// Draws the people anew, and says what of the lists would stay.
fn trust(
    args: &CheckArgs,
    file: &PreferencesFile,
    lists: &mut [Checked<'_>],
    rule: Rule,
    replicates: usize,
) -> Vec<Warning> {
    let people = PeopleDrawn::new(&file.preferences);
    let seed = args.trust.seed;
    let progress = progress::bar(replicates * lists.len(), "drawing assessors");
    let (mut others, mut unlike): (Vec<&str>, Vec<&str>) = Default::default();
    for checked in lists {
        if !same_groups(&checked.built.list, &checked.list) {
            others.push(checked.query.name());
        }
        let bootstrap = PreferenceBootstrap::new(checked.query, &checked.built, rule);
        if !bootstrap.is_faithful() {
            unlike.push(checked.query.name());
        }
        // Each thread remembers its own decisions. A replicate is a function of the seed and its
        // number all the same, so the number of threads changes nothing.
        let drawn: Vec<_> = (0..replicates as u64)
            .into_par_iter()
            .map_init(
                || bootstrap.clone(),
                |bootstrap, replicate| {
                    progress.inc(1);
                    bootstrap.replicate(&people, seed, replicate)
                },
            )
            .collect();
        let (items, pairs) = (checked.query.items().len(), checked.built.decisions.len());
        checked.trust = Some(PreferenceTrust::new(items, pairs, &drawn));
    }
    progress.finish_and_clear();
    let remark = |names: &[&str], file: &str, what: &str| {
        (!names.is_empty()).then(|| Warning {
            file: file.to_owned(),
            line: None,
            message: format!("{} {what}: {}", names.len(), some(names)),
        })
    };
    let given = args.truth.as_deref().unwrap_or_default();
    let other = "lists are not those that the answers make, which is what --bootstrap tells of";
    let open = "lists are not what the record alone leads to, since it breaks off; --bootstrap \
                completes it";
    let answers = args.preferences.preferences.as_deref().unwrap_or_default();
    let warnings = [
        remark(&others, given, other),
        remark(&unlike, answers, open),
    ];
    warnings.into_iter().flatten().collect()
}

/// Names, of many only the first.
fn some(names: &[&str]) -> String {
    let first = names[..names.len().min(5)].join("`, `");
    let more = if names.len() > 5 { ", ..." } else { "" };
    format!("`{first}`{more}")
}

/// Whether two lists hold the same groups, in whatever order inside them.
fn same_groups(a: &GroupedList, b: &GroupedList) -> bool {
    let sorted = |list: &GroupedList| -> Vec<Vec<Item>> {
        let groups = list.groups().map(|group| {
            let mut group = group.to_vec();
            group.sort_unstable();
            group
        });
        groups.collect()
    };
    sorted(a) == sorted(b)
}
