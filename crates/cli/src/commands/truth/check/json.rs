//! Everything as one JSON object.

use partita_core::truth::{Audit, Pair, Paradox};
use partita_formats::Warning;
use partita_stats::concordance::Concordance;
use serde_json::{Value, json};

use super::CheckArgs;
use super::checked::{Checked, means};
use super::trust::{Trust, list_json, systems_json};
use crate::output::warnings_json;

pub(super) fn print(
    args: &CheckArgs,
    lists: &[Checked],
    trust: Option<&Trust>,
    warnings: &[Warning],
) -> String {
    let [adr1, adr2] = means(lists);
    let one: Vec<&Audit> = lists.iter().map(|list| &list.both[0]).collect();
    let two: Vec<&Audit> = lists.iter().map(|list| &list.both[1]).collect();
    let of_lists = lists.iter().enumerate().map(|(number, checked)| {
        let mut of_list = list(args, checked);
        if let Some(trust) = trust {
            of_list["trust"] = list_json(&args.trust, checked, &trust.lists[number]);
        }
        of_list
    });
    let mut object = json!({
        "settings": {
            "alpha": args.alpha,
            "tails": args.tails.number(),
            "unranked": args.rankings.unranked_name(),
            "exact": args.rankings.is_exact(),
            "truth": args.truth,
            "aggregate": args.built_by().map(|(name, _)| name),
            "build_alpha": args.built_by().map(|(_, alpha)| alpha),
        },
        "lists": of_lists.collect::<Vec<_>>(),
        "mean": {"adr1": adr1, "adr2": adr2},
        "summary": {"one_tailed": counts(&one), "two_tailed": counts(&two)},
        "warnings": warnings_json(warnings),
    });
    if let Some(trust) = trust {
        object["trust"] = json!({
            "replicates": args.trust.bootstrap,
            "seed": args.trust.seed,
            "confidence": args.trust.confidence,
            "shared_assessors": args.trust.shared_assessors,
            "aggregate": args.aggregate.aggregation().name(),
            "alpha": args.build_alpha.unwrap_or(args.alpha),
        });
        if let Some((names, of_systems)) = &trust.systems {
            let (systems, pairs) = systems_json(&args.trust, names, of_systems);
            object["trust"]["systems"] = systems;
            object["trust"]["pairs"] = pairs;
        }
    }
    format!("{object:#}\n")
}

fn list(args: &CheckArgs, checked: &Checked) -> Value {
    let [adr1, adr2] = &checked.consistency;
    let pairs =
        |pairs: &[Pair]| -> Value { pairs.iter().map(|one| pair(args, checked, one)).collect() };
    let [intra, inter, misordered] = checked.pairs().map(pairs);
    let triples = checked.triples(args.pairs).map(|(tails, triple)| {
        json!({
            "kind": kind(triple.paradox),
            "items": triple.items.map(|item| checked.item(item)),
            "tails": tails,
        })
    });
    let [one, two] = &checked.both;
    json!({
        "query": checked.query.name,
        "items": checked.list.len(),
        "groups": checked.list.group_count(),
        "assessors": checked.agreement.assessors,
        "kendall_w": kendall_w(checked),
        "adr1": adr1.as_ref().map(|c| c.value),
        "adr2": adr2.as_ref().map(|c| c.value),
        "per_position": adr1.as_ref().map_or(&[][..], |c| &c.per_position),
        "per_position_adr2": adr2.as_ref().map_or(&[][..], |c| &c.per_position),
        "same_group_pairs": checked.audit.same_group_pairs,
        "different_group_pairs": checked.audit.different_group_pairs,
        "untestable_pairs": checked.audit.untestable_pairs,
        "intra": intra,
        "inter": inter,
        "misordered": misordered,
        "non_transitive": triples.collect::<Vec<_>>(),
        "non_transitive_count": one.non_transitive.total() + two.non_transitive.total(),
        "summary": {"one_tailed": counts(&[one]), "two_tailed": counts(&[two])},
    })
}

/// A pair as it stands in the list: `a` comes before `b`.
fn pair(args: &CheckArgs, checked: &Checked, pair: &Pair) -> Value {
    json!({
        "a": checked.item(pair.earlier),
        "b": checked.item(pair.later),
        "p": pair.p_value(args.tails.tails()),
        "p_less": pair.p.map(|p| p.p.less),
        "p_greater": pair.p.map(|p| p.p.greater),
        "p_two_sided": pair.p.map(|p| p.p.two_sided),
        "approximate": pair.p.is_some_and(|p| p.approximate),
    })
}

/// The stable name of a paradox.
pub(super) fn kind(paradox: Paradox) -> &'static str {
    match paradox {
        Paradox::EqualsDiffer => "equals-differ",
        Paradox::ChainBreaks => "chain-breaks",
        Paradox::Cycle => "cycle",
    }
}

fn kendall_w(checked: &Checked) -> Value {
    let agreement = &checked.agreement;
    let w = |concordance: Option<Concordance>| {
        concordance.map(|c| json!({"w": c.w, "chi2": c.chi_squared, "df": c.df, "p": c.p}))
    };
    json!({
        "common_items": agreement.common_items,
        "common": w(agreement.common),
        "unranked_last": w(agreement.unranked_last),
    })
}

fn counts(audits: &[&Audit]) -> Value {
    let sum = |count: fn(&Audit) -> usize| -> usize { audits.iter().map(|a| count(a)).sum() };
    json!({
        "same_group_pairs": sum(|a| a.same_group_pairs),
        "intra": sum(|a| a.intra.len()),
        "different_group_pairs": sum(|a| a.different_group_pairs),
        "inter": sum(|a| a.inter.len()),
        "misordered": sum(|a| a.misordered.len()),
        "non_transitive": sum(|a| a.non_transitive.total() as usize),
        "cycles": sum(|a| a.non_transitive.counts.cycles as usize),
        "untestable": sum(|a| a.untestable_pairs),
    })
}
