//! Trust as JSON.

use partita_core::truth::{ListTrust, SystemTrust, Tails};
use partita_stats::bootstrap::Interval;
use serde_json::{Value, json};

use super::super::checked::Checked;
use super::TrustArgs;

/// What the replicates say of a list.
pub(in super::super) fn of_list(args: &TrustArgs, checked: &Checked, trust: &ListTrust) -> Value {
    let consistency = |tails| trust.consistency(tails, args.confidence).map(interval);
    let items = checked.list.items();
    let mut group_of = Vec::new();
    for (number, group) in (1..).zip(checked.list.groups()) {
        group_of.extend(group.iter().map(|_| number as usize));
    }
    let of_item = |(&item, &group): (&partita_core::Item, &usize)| {
        let interval = trust.groups(item, args.confidence);
        json!({
            "item": checked.item(item),
            "group": group,
            "lower": interval.map(|(lower, _)| lower),
            "upper": interval.map(|(_, upper)| upper),
        })
    };
    let mut pairs = Vec::new();
    for (place, &a) in items.iter().enumerate() {
        for &b in &items[place + 1..] {
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
    json!({
        "adr1": consistency(Tails::One),
        "adr2": consistency(Tails::Two),
        "items": items.iter().zip(&group_of).map(of_item).collect::<Vec<_>>(),
        "pairs": pairs,
    })
}

/// What the replicates say of systems.
pub(in super::super) fn of_systems(
    args: &TrustArgs,
    names: &[String],
    trust: &SystemTrust,
) -> (Value, Value) {
    let systems = names.iter().enumerate().map(|(number, name)| {
        let mut of_one = json!({"system": name, "adr": trust.scores()[number]});
        if let Some(found) = trust.interval(number, args.confidence) {
            of_one["lower"] = json!(found.lower);
            of_one["upper"] = json!(found.upper);
        }
        of_one
    });
    let mut pairs = Vec::new();
    for (a, first) in names.iter().enumerate() {
        for (b, second) in names.iter().enumerate().skip(a + 1) {
            let difference = trust.difference(a, b, args.confidence);
            pairs.push(json!({
                "a": first,
                "b": second,
                "difference": difference.map(interval),
                "p_a_better": trust.better(a, b),
                "p_b_better": trust.better(b, a),
            }));
        }
    }
    (systems.collect(), json!(pairs))
}

fn interval(interval: Interval) -> Value {
    json!({
        "estimate": interval.estimate,
        "lower": interval.lower,
        "upper": interval.upper,
    })
}
