//! A row a list, or a row a pair.

use csv::Writer;

use super::checked::{Checked, KINDS, means};
use super::json::kind;
use crate::failure::Failure;

/// A row a list; the query of the means is `all`.
pub(super) fn lists(lists: &[Checked]) -> Result<String, Failure> {
    let header = [
        "query",
        "items",
        "groups",
        "assessors",
        "w",
        "w_unranked_last",
        "adr1",
        "adr2",
        "same_group_pairs",
        "intra",
        "different_group_pairs",
        "inter",
        "misordered",
        "non_transitive",
        "untestable",
    ];
    let number = |value: Option<f64>| value.map(|v| v.to_string()).unwrap_or_default();
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for checked in lists {
        let (agreement, audit) = (&checked.agreement, &checked.audit);
        let [adr1, adr2] = &checked.consistency;
        rows.push(vec![
            checked.query.name.clone(),
            checked.list.len().to_string(),
            checked.list.group_count().to_string(),
            agreement.assessors.to_string(),
            number(agreement.common.map(|c| c.w)),
            number(agreement.unranked_last.map(|c| c.w)),
            number(adr1.as_ref().map(|c| c.value)),
            number(adr2.as_ref().map(|c| c.value)),
            audit.same_group_pairs.to_string(),
            audit.intra.len().to_string(),
            audit.different_group_pairs.to_string(),
            audit.inter.len().to_string(),
            audit.misordered.len().to_string(),
            audit.non_transitive.total().to_string(),
            audit.untestable_pairs.to_string(),
        ]);
    }
    let [adr1, adr2] = means(lists);
    let sum = |column: usize| -> String {
        let counts = rows[1..].iter().map(|row| row[column].parse::<usize>());
        counts
            .map(Result::unwrap_or_default)
            .sum::<usize>()
            .to_string()
    };
    let mut all = vec!["all".to_owned(), sum(1), sum(2)];
    all.extend([String::new(), String::new(), String::new()]);
    all.extend([number(adr1), number(adr2)]);
    all.extend((8..header.len()).map(sum));
    rows.push(all);
    print(rows)
}

/// A row a pair, or a triple.
pub(super) fn pairs(lists: &[Checked]) -> Result<String, Failure> {
    let header = [
        "query",
        "kind",
        "a",
        "b",
        "c",
        "tails",
        "p_less",
        "p_greater",
        "p_two_sided",
        "approximate",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for checked in lists {
        let query = || checked.query.name.clone();
        let name = |item| checked.item(item).to_owned();
        for (kind, pairs) in KINDS.iter().zip(checked.pairs()) {
            let tails = match checked.audit.tails {
                partita_core::truth::Tails::One => "1",
                partita_core::truth::Tails::Two => "2",
            };
            // Pairs are in the wrong order by 1-tailed tests only.
            let tails = if *kind == "misordered" { "1" } else { tails };
            for pair in pairs {
                let p = |part: fn(&partita_stats::PValues) -> f64| {
                    pair.p.map(|p| part(&p.p).to_string()).unwrap_or_default()
                };
                rows.push(vec![
                    query(),
                    (*kind).to_owned(),
                    name(pair.earlier),
                    name(pair.later),
                    String::new(),
                    tails.to_owned(),
                    p(|p| p.less),
                    p(|p| p.greater),
                    p(|p| p.two_sided),
                    pair.p.is_some_and(|p| p.approximate).to_string(),
                ]);
            }
        }
        for (tails, triple) in checked.triples(true) {
            let [a, b, c] = triple.items.map(name);
            let mut row = vec![query(), kind(triple.paradox).to_owned(), a, b, c];
            row.push(tails.to_string());
            row.resize(header.len(), String::new());
            rows.push(row);
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
