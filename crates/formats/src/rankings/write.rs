//! Rankings written in the formats in which they are read.

use partita_core::AssessorRankings;
use partita_named::NamedEnum;

use super::{QueryRankings, RankingsFormat};
use crate::diagnostic;
use crate::diagnostic::FormatError;
use crate::remedy::Remedy;
use crate::shared::preflib::write_orders;
use crate::table::csv_writer::CsvWriter;
use crate::text::line::check_table_name;

/// Writes rankings. In PrefLib's format ranks become places, and assessors lose their names.
///
/// # Errors
/// Several queries in a format that holds one, or names that a format cannot hold.
pub fn write(queries: &[QueryRankings], format: RankingsFormat) -> Result<String, FormatError> {
    if format == RankingsFormat::Rows {
        return rows(queries);
    }
    let [QueryRankings { name, rankings, .. }] = queries else {
        let problem = diagnostic!(Unrepresentable { count = queries.len() }:
            "a file holds the rankings of one query, but there are {count}");
        let remedy = "choose one with {query NAME}, or name a folder with {output DIR}";
        let remedy = Remedy::parse(remedy);
        return Err(FormatError::in_file(format.name(), problem).with_remedy(remedy));
    };
    match format {
        RankingsFormat::Matrix => matrix(rankings),
        _ => preflib(name, rankings),
    }
}

const MEMORY: &str = "memory can be written to";

fn names(rankings: &AssessorRankings) -> Vec<&str> {
    let items = rankings.items();
    items.items().map(|item| items.name(item)).collect()
}

fn shown(rank: &Option<f64>) -> String {
    rank.map_or_else(String::new, |rank| rank.to_string())
}

fn rows(queries: &[QueryRankings]) -> Result<String, FormatError> {
    let mut writer = CsvWriter::new(Vec::new());
    writer
        .write_row(["query", "assessor", "item", "rank"])
        .expect(MEMORY);
    for QueryRankings {
        name: query,
        rankings,
        ..
    } in queries
    {
        for (number, row) in rankings.rows().enumerate() {
            for (item, rank) in names(rankings).into_iter().zip(row) {
                let row = [query, rankings.assessor_name(number), item];
                for name in row {
                    check_table_name("rows", name)?;
                }
                writer
                    .write_row(row.into_iter().chain([shown(rank).as_str()]))
                    .expect(MEMORY);
            }
        }
    }
    Ok(String::from_utf8(writer.finish().expect(MEMORY)).expect("text was written"))
}

fn matrix(rankings: &AssessorRankings) -> Result<String, FormatError> {
    let mut writer = CsvWriter::new(Vec::new());
    let items = names(rankings);
    for name in &items {
        check_table_name("matrix", name)?;
    }
    writer
        .write_row(["assessor"].into_iter().chain(items))
        .expect(MEMORY);
    for (number, row) in rankings.rows().enumerate() {
        let assessor = rankings.assessor_name(number);
        check_table_name("matrix", assessor)?;
        let ranks = row.iter().map(shown);
        writer
            .write_row([assessor.to_owned()].into_iter().chain(ranks))
            .expect(MEMORY);
    }
    Ok(String::from_utf8(writer.finish().expect(MEMORY)).expect("text was written"))
}

fn preflib(query: &str, rankings: &AssessorRankings) -> Result<String, FormatError> {
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
    write_orders(query, &names(rankings), &orders)
}
