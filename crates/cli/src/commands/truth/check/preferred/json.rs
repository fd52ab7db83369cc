//! Everything as one JSON object.

use partita_judging::{AuditedPair, PreferenceTrust};
use serde_json::{Value, json};

use super::super::json::kind;
use super::{Audit, Checked};
use crate::batches::agreement_json;

pub(super) fn print(audit: &Audit<'_>) -> String {
    let warnings = (audit.warnings.iter())
        .map(|w| json!({"file": w.file, "line": w.line, "message": w.message}));
    let sum = |count: fn(&Checked<'_>) -> usize| -> usize { audit.lists.iter().map(count).sum() };
    let mut object = json!({
        "settings": {
            "decide": audit.rule.to_string(),
            "alpha": audit.rule.alpha().map(|alpha| alpha.value()),
            "seed": audit.args.trust.seed,
        },
        "lists": audit.lists.iter().map(|checked| list(audit, checked)).collect::<Vec<_>>(),
        "summary": {
            "same_group_pairs": sum(|c| c.audit.same_group_pairs),
            "same_group_compared": sum(|c| c.audit.same_group_compared),
            "intra": sum(|c| c.audit.intra.len()),
            "different_group_pairs": sum(|c| c.audit.different_group_pairs),
            "different_group_compared": sum(|c| c.audit.different_group_compared),
            "inter": sum(|c| c.audit.inter.len()),
            "misordered": sum(|c| c.audit.misordered.len()),
            "undecided": sum(|c| c.audit.undecided()),
            "non_transitive": audit.lists.iter().map(|c| c.audit.non_transitive.total()).sum::<u64>(),
        },
        "agreement": agreement_json(&audit.agreement),
        "warnings": warnings.collect::<Vec<_>>(),
    });
    if let Some(replicates) = audit.args.trust.bootstrap {
        object["trust"] = json!({
            "replicates": replicates,
            "seed": audit.args.trust.seed,
            "confidence": audit.args.trust.confidence,
        });
    }
    format!("{object:#}\n")
}

fn list(audit: &Audit<'_>, checked: &Checked<'_>) -> Value {
    let found = &checked.audit;
    let pairs =
        |pairs: &[AuditedPair]| -> Value { pairs.iter().map(|one| pair(checked, one)).collect() };
    let triples = checked.triples(audit.args.pairs).map(|triple| {
        json!({
            "kind": kind(triple.paradox),
            "items": triple.items.map(|item| checked.item(item)),
        })
    });
    let mut object = json!({
        "query": checked.query.name(),
        "items": checked.list.len(),
        "groups": checked.list.group_count(),
        "assessors": checked.assessors,
        "answers": checked.query.answers().len(),
        "same_group_pairs": found.same_group_pairs,
        "same_group_compared": found.same_group_compared,
        "different_group_pairs": found.different_group_pairs,
        "different_group_compared": found.different_group_compared,
        "undecided": found.undecided(),
        "consistent": found.consistent(),
        "intra": pairs(&found.intra),
        "inter": pairs(&found.inter),
        "misordered": pairs(&found.misordered),
        "non_transitive": triples.collect::<Vec<_>>(),
        "non_transitive_count": found.non_transitive.total(),
        "agreement": agreement_json(&checked.agreement),
    });
    if let Some(of_list) = &checked.trust {
        object["trust"] = trust(audit, checked, of_list);
    }
    object
}

/// A pair as it stands in the list: `a` comes before `b`.
fn pair(checked: &Checked<'_>, pair: &AuditedPair) -> Value {
    json!({
        "a": checked.item(pair.earlier),
        "b": checked.item(pair.later),
        "votes": pair.votes.counts(),
        "relation": pair.relation.name(),
        "p": pair.p.map(|p| p.less.min(p.greater)),
        // A test that a has more votes is one that its rank is less.
        "p_less": pair.p.map(|p| p.greater),
        "p_greater": pair.p.map(|p| p.less),
    })
}

fn trust(audit: &Audit<'_>, checked: &Checked<'_>, trust: &PreferenceTrust) -> Value {
    let items = checked.groups().map(|(group, item)| {
        let interval = trust.groups(item, audit.args.trust.confidence);
        json!({
            "item": checked.item(item),
            "group": group,
            "lower": interval.map(|(lower, _)| lower),
            "upper": interval.map(|(_, upper)| upper),
        })
    });
    let listed = checked.list.items();
    let mut pairs = Vec::new();
    for (place, &a) in listed.iter().enumerate() {
        for &b in &listed[place + 1..] {
            let shares = trust.pair(a, b);
            pairs.push(json!({
                "a": checked.item(a),
                "b": checked.item(b),
                "before": shares.before,
                "same_group": shares.same_group,
                "after": shares.after,
            }));
        }
    }
    let decided = checked.built.decisions.iter().zip(trust.relations());
    let relations = decided.map(|((pair, relation), shares)| {
        json!({
            "a": checked.item(pair.a),
            "b": checked.item(pair.b),
            "votes": pair.votes.counts(),
            "relation": relation.name(),
            "less": shares.less,
            "equal": shares.equal,
            "greater": shares.greater,
        })
    });
    json!({
        "assumed": trust.unasked(),
        "items": items.collect::<Vec<_>>(),
        "pairs": pairs,
        "relations": relations.collect::<Vec<_>>(),
    })
}
