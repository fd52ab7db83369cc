//! A row a list, a pair, or whatever was drawn anew.

use csv::Writer;

use super::super::json::kind;
use super::{Audit, Checked};
use crate::failure::Failure;

/// A row a list; the query of the sums is `all`.
pub(super) fn lists(audit: &Audit<'_>) -> Result<String, Failure> {
    let header = [
        "query",
        "items",
        "groups",
        "assessors",
        "answers",
        "same_group_pairs",
        "same_group_compared",
        "intra",
        "different_group_pairs",
        "different_group_compared",
        "inter",
        "misordered",
        "undecided",
        "non_transitive",
        "consistent",
        "agreement",
        "krippendorff_alpha",
        "fleiss_kappa",
        "gwet_ac1",
    ];
    let counts = |checked: &Checked<'_>| -> [usize; 12] {
        let found = &checked.audit;
        [
            checked.list.len(),
            checked.list.group_count(),
            checked.query.answers().len(),
            found.same_group_pairs,
            found.same_group_compared,
            found.intra.len(),
            found.different_group_pairs,
            found.different_group_compared,
            found.inter.len(),
            found.misordered.len(),
            found.undecided(),
            found.non_transitive.total() as usize,
        ]
    };
    let number = |value: Option<f64>| value.map(|v| v.to_string()).unwrap_or_default();
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let mut sums = [0; 12];
    let mut push = |name: &str, assessors: String, counts: &[usize; 12], rest: [Option<f64>; 5]| {
        let mut row = vec![name.to_owned()];
        row.extend(counts[..2].iter().map(ToString::to_string));
        row.push(assessors);
        row.extend(counts[2..].iter().map(ToString::to_string));
        row.extend(rest.map(number));
        rows.push(row);
    };
    for checked in &audit.lists {
        let counts = counts(checked);
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
        let agreement = &checked.agreement;
        let rest = [
            checked.audit.consistent(),
            agreement.score,
            agreement.alpha_nominal,
            agreement.fleiss_kappa,
            agreement.ac1,
        ];
        let assessors = checked.assessors.to_string();
        push(checked.query.name(), assessors, &counts, rest);
    }
    let compared = sums[4] + sums[7];
    let wrong = sums[5] + sums[8] + sums[9];
    let consistent = (compared > 0).then(|| (compared - wrong) as f64 / compared as f64);
    let agreement = &audit.agreement;
    let rest = [
        consistent,
        agreement.score,
        agreement.alpha_nominal,
        agreement.fleiss_kappa,
        agreement.ac1,
    ];
    push("all", String::new(), &sums, rest);
    print(rows)
}

/// A row a pair, or a triple.
pub(super) fn pairs(audit: &Audit<'_>) -> Result<String, Failure> {
    let header = [
        "query",
        "kind",
        "a",
        "b",
        "c",
        "votes_a",
        "votes_equal",
        "votes_b",
        "relation",
        "p_less",
        "p_greater",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for checked in &audit.lists {
        let query = || checked.query.name().to_owned();
        let name = |item| checked.item(item).to_owned();
        for (kind, pairs) in checked.pairs() {
            for pair in pairs {
                let mut row = vec![query(), kind.to_owned()];
                row.extend([name(pair.earlier), name(pair.later), String::new()]);
                row.extend(pair.votes.counts().map(|count| count.to_string()));
                row.push(pair.relation.name().to_owned());
                // A test that a has more votes is one that its rank is less.
                let p = [pair.p.map(|p| p.greater), pair.p.map(|p| p.less)];
                row.extend(p.map(|p| p.map(|p| p.to_string()).unwrap_or_default()));
                rows.push(row);
            }
        }
        for triple in checked.triples(true) {
            let mut row = vec![query(), kind(triple.paradox).to_owned()];
            row.extend(triple.items.map(name));
            row.resize(header.len(), String::new());
            rows.push(row);
        }
    }
    print(rows)
}

/// A row an item, a pair of a list, and a pair that was compared.
pub(super) fn trust(audit: &Audit<'_>) -> Result<String, Failure> {
    let header = [
        "kind",
        "query",
        "a",
        "b",
        "estimate",
        "lower",
        "upper",
        "before",
        "same_group",
        "after",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let mut push =
        |kind: &str, names: [&str; 3], groups: [Option<usize>; 3], shares: [Option<f64>; 3]| {
            let mut row = vec![kind.to_owned()];
            row.extend(names.map(str::to_owned));
            row.extend(groups.map(|group| group.map(|g| g.to_string()).unwrap_or_default()));
            row.extend(shares.map(|share| share.map(|s| s.to_string()).unwrap_or_default()));
            rows.push(row);
        };
    for checked in &audit.lists {
        let Some(trust) = &checked.trust else {
            continue;
        };
        let query = checked.query.name();
        for (group, item) in checked.groups() {
            let interval = trust.groups(item, audit.args.trust.confidence);
            let groups = [
                Some(group),
                interval.map(|(lower, _)| lower),
                interval.map(|(_, upper)| upper),
            ];
            push("item", [query, checked.item(item), ""], groups, [None; 3]);
        }
        let listed = checked.list.items();
        for (place, &a) in listed.iter().enumerate() {
            for &b in &listed[place + 1..] {
                let shares = trust.pair(a, b);
                let shares = [shares.before, shares.same_group, shares.after].map(Some);
                let names = [query, checked.item(a), checked.item(b)];
                push("pair", names, [None; 3], shares);
            }
        }
        for ((pair, _), shares) in checked.built.decisions.iter().zip(trust.relations()) {
            let shares = [shares.less, shares.equal, shares.greater].map(Some);
            let names = [query, checked.item(pair.a), checked.item(pair.b)];
            push("relation", names, [None; 3], shares);
        }
    }
    print(rows)
}

fn print(rows: Vec<Vec<String>>) -> Result<String, Failure> {
    let mut writer = Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(&row).map_err(Failure::ours)?;
    }
    let bytes = writer.into_inner().map_err(Failure::ours)?;
    String::from_utf8(bytes).map_err(Failure::ours)
}
