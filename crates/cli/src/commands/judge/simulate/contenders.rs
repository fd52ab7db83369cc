//! The strategies by their names.

use partita_core::truth::Alpha;
use partita_judging::simulate::{Contender, Way};
use partita_judging::{Choice, Grouping, Pooled, Refitted, Sorting, Stop};

use super::SimulateArgs;
use crate::failure::Failure;

/// The strategies that are tried if none are named.
pub(super) const DEFAULT: &str =
    "sort,sort-curtailed,sort-predictive:0.9,sort-refitted:0.7/0.8/0.9,random,pooled";

/// The votes at which lists of pooled strategies are looked at, as multiples of n log₂ n; the last is
/// beyond the sort's votes, which are about 6.
const ALONG: [f64; 10] = [1.0, 1.5, 1.8, 2.1, 2.4, 2.7, 3.0, 4.0, 5.8, 6.5];

pub(super) fn parse(args: &SimulateArgs, alpha: Alpha) -> Result<Vec<Contender>, Failure> {
    let parse = |name: &String| contender(args, alpha, name.trim());
    args.strategies.iter().map(parse).collect()
}

fn contender(args: &SimulateArgs, alpha: Alpha, name: &str) -> Result<Contender, Failure> {
    let unknown = || {
        Failure::input(format!("no strategy is called `{name}`")).hint(
            "there are sort, sort:VOTES, sort-curtailed, sort-predictive:P, sort-refitted:P, pooled and \
             random",
        )
    };
    let (kind, parameter) = match name.split_once(':') {
        Some((kind, parameter)) => (kind, Some(parameter)),
        None => (name, None),
    };
    let rule = args.decide.at(alpha);
    let sorting = |votes, stop| Sorting::new(votes, rule, stop);
    let grouping = Grouping {
        matters: args.matters,
        ..Grouping::default()
    };
    let refitted = |sorting| Refitted { sorting, grouping };
    let pooled = |choice| {
        let [along @ .., budget] = ALONG;
        let strategy = Pooled {
            votes: args.votes,
            budget,
            choice,
            grouping,
            ..Pooled::default()
        };
        vec![Way {
            strategy: Box::new(strategy),
            along: along.to_vec(),
        }]
    };
    let whole = |strategy| Way {
        strategy,
        along: Vec::new(),
    };
    let ways: Vec<Way> = match (kind, parameter) {
        ("sort", None) => vec![whole(Box::new(sorting(args.votes, Stop::Full)))],
        ("sort", Some(votes)) => {
            let parse = |votes: &str| -> Result<Way, Failure> {
                let votes = votes
                    .parse()
                    .ok()
                    .filter(|votes| (1..=args.votes).contains(votes));
                let votes = votes.ok_or_else(unknown)?;
                Ok(whole(Box::new(sorting(votes, Stop::Full))))
            };
            votes.split('/').map(parse).collect::<Result<_, _>>()?
        }
        ("sort-curtailed", None) => vec![whole(Box::new(sorting(args.votes, Stop::Curtailed)))],
        ("sort-predictive" | "sort-refitted", given) => {
            let parse = |level: &str| -> Result<Way, Failure> {
                let level = level
                    .parse()
                    .ok()
                    .filter(|level| *level > 0.0 && *level <= 1.0);
                let sorting = sorting(args.votes, Stop::Predictive(level.ok_or_else(unknown)?));
                Ok(match kind {
                    "sort-refitted" => whole(Box::new(refitted(sorting))),
                    _ => whole(Box::new(sorting)),
                })
            };
            let given = given.unwrap_or("0.9");
            given.split('/').map(parse).collect::<Result<_, _>>()?
        }
        ("pooled", None) => pooled(Choice::Telling),
        ("random", None) => pooled(Choice::Random),
        _ => return Err(unknown()),
    };
    Ok(Contender {
        name: name.to_owned(),
        ways,
    })
}
