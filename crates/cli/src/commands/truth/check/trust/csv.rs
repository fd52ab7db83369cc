//! Trust as CSV: a row a list, an item, a pair of items, a system and a pair of systems.

use csv::Writer;
use partita_core::truth::Tails;

use super::super::checked::Checked;
use super::{Trust, TrustArgs};
use crate::failure::Failure;

const HEADER: [&str; 10] = [
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

/// Rows of `kind,query,a,b,estimate,lower,upper,before,same_group,after`. For two systems, `before`
/// is how likely a is the better one, and `after` how likely b is.
pub(in super::super) fn print(
    args: &TrustArgs,
    lists: &[Checked],
    trust: &Trust,
) -> Result<String, Failure> {
    let mut rows = vec![HEADER.map(str::to_owned)];
    let mut push = |kind: &str, names: [&str; 3], numbers: [Option<f64>; 6]| {
        let mut row: [String; 10] = Default::default();
        kind.clone_into(&mut row[0]);
        for (cell, name) in row[1..4].iter_mut().zip(names) {
            name.clone_into(cell);
        }
        for (cell, number) in row[4..].iter_mut().zip(numbers) {
            *cell = number.map(|number| number.to_string()).unwrap_or_default();
        }
        rows.push(row);
    };
    for (checked, of_list) in lists.iter().zip(&trust.lists) {
        let query = checked.query.name.as_str();
        for (kind, tails) in [("adr1", Tails::One), ("adr2", Tails::Two)] {
            let found = of_list.consistency(tails, args.confidence);
            let numbers = [
                found.map(|f| f.estimate),
                found.map(|f| f.lower),
                found.map(|f| f.upper),
                None,
                None,
                None,
            ];
            push(kind, [query, "", ""], numbers);
        }
        let items = checked.list.items();
        for (number, group) in (1u32..).zip(checked.list.groups()) {
            for &item in group {
                let found = of_list.groups(item, args.confidence);
                let numbers = [
                    Some(f64::from(number)),
                    found.map(|(lower, _)| lower as f64),
                    found.map(|(_, upper)| upper as f64),
                    None,
                    None,
                    None,
                ];
                push("item", [query, checked.item(item), ""], numbers);
            }
        }
        for (place, &a) in items.iter().enumerate() {
            for &b in &items[place + 1..] {
                let shares = of_list.pair(a, b);
                let shares = [shares.before, shares.same_group, shares.after].map(Some);
                let numbers = [None, None, None, shares[0], shares[1], shares[2]];
                push("pair", [query, checked.item(a), checked.item(b)], numbers);
            }
        }
    }
    if let Some((names, of_systems)) = &trust.systems {
        for (a, name) in names.iter().enumerate() {
            let found = of_systems.interval(a, args.confidence);
            let score = Some(of_systems.scores()[a]).filter(|score| !score.is_nan());
            let ends = [found.map(|f| f.lower), found.map(|f| f.upper)];
            push(
                "system",
                ["all", name, ""],
                [score, ends[0], ends[1], None, None, None],
            );
        }
        for (a, first) in names.iter().enumerate() {
            for (b, second) in names.iter().enumerate().skip(a + 1) {
                let found = of_systems.difference(a, b, args.confidence);
                let numbers = [
                    found.map(|f| f.estimate),
                    found.map(|f| f.lower),
                    found.map(|f| f.upper),
                    of_systems.better(a, b),
                    None,
                    of_systems.better(b, a),
                ];
                push("systems", ["all", first, second], numbers);
            }
        }
    }
    let mut writer = Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(&row).map_err(Failure::ours)?;
    }
    let bytes = writer.into_inner().map_err(Failure::ours)?;
    String::from_utf8(bytes).map_err(Failure::ours)
}
