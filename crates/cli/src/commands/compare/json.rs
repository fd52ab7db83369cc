//! Everything as one JSON object.

use partita_core::compare::{
    Comparison, Correction, CriticalDifference, Goal, Held, Leaderboard, Pair, System,
};
use partita_core::truth::{Paradox, Tails};
use partita_stats::signed_rank::{Method, Zeros};
use serde_json::{Value, json};

use super::words::better;
use super::{CompareArgs, Compared};

/// One measure is an object of its own, several are a list of such.
pub(super) fn print(args: &CompareArgs, compared: &Compared) -> String {
    let warnings: Vec<Value> = (compared.warnings.iter())
        .map(|w| json!({"file": w.file, "line": w.line, "message": w.message}))
        .collect();
    let objects = compared.comparisons.iter();
    let mut objects: Vec<Value> = objects.map(|c| object(args, c)).collect();
    let mut object = match objects.len() {
        1 => objects.remove(0),
        _ => json!({"measures": objects}),
    };
    object["warnings"] = warnings.into();
    format!("{object:#}\n")
}

fn object(args: &CompareArgs, comparison: &Comparison) -> Value {
    let settings = &comparison.settings;
    let mut object = json!({
        "measure": comparison.measure,
        "test": comparison.test.name,
        "alpha": settings.alpha.value(),
        "tails": tails(comparison),
        "correction": comparison.correction.name(),
        "queries": comparison.queries,
        "samples": comparison.samples,
        "seed": settings.seed,
        "confidence": comparison.confidence,
        "systems": comparison.systems.iter().map(system).collect::<Vec<_>>(),
        "pairs": comparison.pairs.iter().map(|p| pair(comparison, p)).collect::<Vec<_>>(),
        "significant": comparison.significant(),
        "omnibus": comparison.omnibus.map(|o| json!({"chi2": o.chi_squared, "df": o.df, "p": o.p})),
        "critical_difference": comparison.critical_difference.map(|difference| match difference {
            CriticalDifference::OfRanks(value) => json!({"of": "mean_rank", "value": value}),
            CriticalDifference::OfMeans(value) => json!({"of": "mean", "value": value}),
        }),
        "error_rates": error_rates(comparison),
    });
    if let Some(leaderboard) = &comparison.leaderboard {
        orders(comparison, leaderboard, &mut object);
    }
    if args.details {
        object["settings"] = json!({
            "baselines": settings.baselines,
            "rounded": settings.rounded,
            "zeros": match settings.zeros {
                Zeros::Wilcox => "wilcox",
                Zeros::Pratt => "pratt",
                Zeros::Split => "zsplit",
            },
            "method": match settings.method {
                Method::Auto => "auto",
                Method::ExactConditional => "exact",
                Method::Normal { .. } => "normal",
            },
            "threshold": settings.threshold,
            "margin": settings.margin,
            "missing": args.input.missing_name(),
            "summary": comparison.test.summary,
            "description": comparison.test.description,
            "reference": comparison.test.reference,
        });
    }
    object
}

/// How many tails p-values are of.
fn tails(comparison: &Comparison) -> u8 {
    match (comparison.test.goal, comparison.settings.tails) {
        (Goal::Equivalence, _) | (_, Tails::One) => 1,
        (_, Tails::Two) => 2,
    }
}

fn system(system: &System) -> Value {
    json!({
        "system": system.name,
        "mean": system.mean,
        "mean_rank": system.mean_rank,
        "group": system.group,
        "best_rank": system.ranks.map(|(best, _)| best),
        "worst_rank": system.ranks.map(|(_, worst)| worst),
    })
}

fn pair(comparison: &Comparison, pair: &Pair) -> Value {
    let name = |system: usize| &comparison.systems[system].name;
    let mut object = json!({
        "a": name(pair.a),
        "b": name(pair.b),
        "difference": pair.difference,
        "lower": pair.interval.map(|(lower, _)| lower),
        "upper": pair.interval.map(|(_, upper)| upper),
        "d": pair.d,
        "a12": pair.a12,
        "wins": pair.wins,
        "ties": pair.ties,
        "losses": pair.losses,
        "mean_rank_difference": pair.mean_rank_difference,
        "p": pair.p,
        "p_adjusted": pair.p_adjusted,
        "significant": pair.significant,
        "better": better(comparison, pair),
    });
    if pair.against_the_means {
        object["against_the_means"] = true.into();
    }
    if let Some(equivalent) = pair.equivalent {
        object["equivalent"] = equivalent.into();
    }
    object
}

fn error_rates(comparison: &Comparison) -> Value {
    let rates = &comparison.error_rates;
    json!({
        "comparisons": rates.comparisons,
        "experiment_wide": rates.experiment_wide,
        "comparisons_per_participant": rates.comparisons_each,
        "per_participant": rates.per_participant,
        "corrected_by": match comparison.correction {
            _ if comparison.test.simultaneous => Some(comparison.test.name),
            Correction::None => None,
            correction => Some(correction.name()),
        },
        "held_at_alpha": match rates.held {
            Held::Nothing => None,
            Held::ExperimentWide => Some("experiment_wide"),
            Held::FalseDiscovery => Some("false_discovery_rate"),
        },
    })
}

/// What the pairs make of the systems.
fn orders(comparison: &Comparison, leaderboard: &Leaderboard, object: &mut Value) {
    let name = |&system: &usize| comparison.systems[system].name.as_str();
    let names = |systems: &[usize]| -> Vec<&str> { systems.iter().map(name).collect() };
    let pairs = |pairs: &[(usize, usize)]| -> Vec<[&str; 2]> {
        pairs.iter().map(|(a, b)| [name(a), name(b)]).collect()
    };
    let groups: Vec<Vec<&str>> = leaderboard.groups.iter().map(|g| names(g)).collect();
    object["groups"] = json!(groups);
    if comparison.test.goal == Goal::Equivalence {
        return;
    }
    let triples = leaderboard.triples.worst.iter().map(|triple| {
        let kind = match triple.paradox {
            Paradox::EqualsDiffer => "equals-differ",
            Paradox::ChainBreaks => "chain-breaks",
            Paradox::Cycle => "cycle",
        };
        json!({"kind": kind, "systems": names(&triple.items)})
    });
    object["non_transitive"] = triples.collect();
    object["non_transitive_count"] = leaderboard.triples.total().into();
    let circles: Vec<Vec<&str>> = leaderboard.order.circles.iter().map(|c| names(c)).collect();
    object["hasse"] = json!({
        "edges": pairs(&leaderboard.order.edges),
        "circles": circles,
        "implied": pairs(&leaderboard.order.implied),
    });
}
