//! Writers of rankings in the formats of [`RankingsFormat`].

use partita_core::AssessorRankings;
use partita_named::NamedEnum;

use super::{QueryRankings, RankingsFormat};
use crate::diagnostic;
use crate::diagnostic::FormatError;
use crate::remedy::Remedy;
use crate::shared::preflib::write_orders;
use crate::table::csv_writer::CsvWriter;
use crate::text::name_rules::check_table_name;
use crate::text::shorten;

/// Writes rankings. PrefLib's format keeps only the order of the ranks and no names of assessors.
///
/// # Errors
/// Returns [`FormatError`] for several queries in a format that holds one, or for names that the
/// format cannot hold.
pub fn write(queries: &[QueryRankings], format: RankingsFormat) -> Result<String, FormatError> {
    if format == RankingsFormat::Rows {
        return write_rows(queries);
    }
    let [QueryRankings { name, rankings, .. }] = queries else {
        let problem = diagnostic!(Unrepresentable { count = queries.len() }:
            "a file holds the rankings of one query, but there are {count}");
        let remedy = "choose one with {query NAME}, or name a folder with {output DIR}";
        let remedy = Remedy::parse(remedy);
        return Err(FormatError::in_file(format.name(), problem).with_remedy(remedy));
    };
    match format {
        RankingsFormat::Matrix => write_matrix(rankings),
        RankingsFormat::Orders => write_items_in_order(rankings),
        _ => write_preflib(name, rankings),
    }
}

/// Returns the names of the ranked items, by item number.
fn item_names(rankings: &AssessorRankings) -> Vec<&str> {
    let items = rankings.items();
    items.items().map(|item| items.name(item)).collect()
}

/// Formats a rank; a missing rank becomes an empty text.
fn format_rank(rank: &Option<f64>) -> String {
    rank.map_or_else(String::new, |rank| rank.to_string())
}

/// Writes the table `query,assessor,item,rank`.
fn write_rows(queries: &[QueryRankings]) -> Result<String, FormatError> {
    let mut csv = CsvWriter::in_memory();
    csv.push_row(["query", "assessor", "item", "rank"]);
    for QueryRankings {
        name: query,
        rankings,
        ..
    } in queries
    {
        for (number, row) in rankings.rows().enumerate() {
            for (item, rank) in item_names(rankings).into_iter().zip(row) {
                let row = [query, rankings.assessor_name(number), item];
                for name in row {
                    check_table_name("rows", name)?;
                }
                csv.push_row(row.into_iter().chain([format_rank(rank).as_str()]));
            }
        }
    }
    Ok(csv.into_text())
}

/// Writes a matrix with one row per assessor and one column per item.
fn write_matrix(rankings: &AssessorRankings) -> Result<String, FormatError> {
    let mut csv = CsvWriter::in_memory();
    let items = item_names(rankings);
    for name in &items {
        check_table_name("matrix", name)?;
    }
    csv.push_row(["assessor"].into_iter().chain(items));
    for (number, row) in rankings.rows().enumerate() {
        let assessor = rankings.assessor_name(number);
        check_table_name("matrix", assessor)?;
        let ranks = row.iter().map(format_rank);
        csv.push_row([assessor.to_owned()].into_iter().chain(ranks));
    }
    Ok(csv.into_text())
}

/// Writes one row per assessor with the items from best to worst. Every assessor must have ranked
/// all items without ties.
fn write_items_in_order(rankings: &AssessorRankings) -> Result<String, FormatError> {
    let mut csv = CsvWriter::in_memory();
    let names = item_names(rankings);
    for name in &names {
        check_table_name("orders", name)?;
    }
    let places = (1..=names.len()).map(|place| place.to_string());
    csv.push_row(["assessor".to_owned()].into_iter().chain(places));
    for (number, row) in rankings.rows().enumerate() {
        let assessor = rankings.assessor_name(number);
        check_table_name("orders", assessor)?;
        let ranked = row.iter().zip(&names);
        let mut ranked: Vec<(f64, &str)> = ranked
            .filter_map(|(rank, name)| Some(((*rank)?, *name)))
            .collect();
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
        if ranked.len() < names.len() || ranked.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            let problem = diagnostic!(Unrepresentable { assessor = shorten(assessor) }:
                "an order holds all items without ties, and the ranking by `{assessor}` has ties or \
                 unranked items");
            let error = FormatError::in_file(RankingsFormat::Orders.name(), problem);
            return Err(error.with_remedy(Remedy::parse("choose {to rows} or {to matrix}")));
        }
        let items = ranked.into_iter().map(|(_, name)| name);
        csv.push_row([assessor].into_iter().chain(items));
    }
    Ok(csv.into_text())
}

/// Writes PrefLib orders, each with the number of assessors who gave it.
fn write_preflib(query: &str, rankings: &AssessorRankings) -> Result<String, FormatError> {
    let mut orders: Vec<(usize, Vec<Vec<usize>>)> = Vec::new();
    for row in rankings.rows() {
        let ranked = (1..)
            .zip(row)
            .filter_map(|(number, rank)| Some((rank.as_ref()?, number)));
        let mut ranked: Vec<(&f64, usize)> = ranked.collect();
        ranked.sort_by(|a, b| a.0.total_cmp(b.0));
        let groups = ranked.chunk_by(|a, b| a.0 == b.0);
        let groups: Vec<Vec<usize>> = groups
            .map(|group| group.iter().map(|&(_, number)| number).collect())
            .collect();
        match orders.iter_mut().find(|(_, known)| *known == groups) {
            Some((count, _)) => *count += 1,
            None => orders.push((1, groups)),
        }
    }
    write_orders(query, &item_names(rankings), &orders)
}
