//! PrefLib's orders with ties, `1: 1,{2,3},4`, with one voter: the best comes first.

use partita_core::{GroundTruth, Scale};

use super::{Definition, ReadOptions, Reader, Rows};
use crate::columns::Line;
use crate::error::FormatError;
use crate::preflib::{Header, votes, write_orders};
use crate::problem;
use crate::remedy::Remedy;
use crate::text::Text;

pub(super) static FORMAT: Definition = Definition {
    scale: Scale::Groups,
    by_item: false,
    read: Reader::Whole(read),
    write,
};

fn read(text: &Text<'_>, _: &ReadOptions) -> Result<Rows, FormatError> {
    let mut rows = Rows::new(Scale::Groups);
    let header = Header::read(text)?;
    let query = text.source.stem();
    let mut voter: Option<u64> = None;
    for vote in votes(text) {
        let vote = vote?;
        let line = vote.line;
        if let Some(first) = voter {
            return Err(one_voter(
                line,
                format!("a second vote; the first is on line {first}"),
            ));
        }
        if vote.count != "1" {
            return Err(one_voter(
                line,
                format!("a vote that {} people cast", vote.count),
            ));
        }
        voter = Some(line.number);
        rows.query(query);
        for (group, tied) in (1..).zip(vote.groups()?) {
            for (number, alternative) in tied {
                let added = rows.add(line, query, &header.item(number), f64::from(group));
                // What stands here is the number, not the name.
                added.map_err(|error| FormatError {
                    column: line.column_of(alternative),
                    ..error
                })?;
            }
        }
    }
    Ok(rows)
}

fn one_voter(line: Line<'_>, found: String) -> FormatError {
    let problem = problem!(OtherFormat { found }:
        "a ground truth is one person's order; found {found}");
    line.error(problem)
        .column(1)
        .remedy("many people's orders are rankings, from which a ground truth can be built")
}

fn write(truth: &GroundTruth) -> Result<String, FormatError> {
    let mut queries = truth.iter();
    let (Some((query, judged)), None) = (queries.next(), queries.next()) else {
        let problem = problem!(Unrepresentable { count = truth.len() }:
            "a file holds one list, but there are {count} queries");
        return Err(
            FormatError::file("preflib", problem).remedy(Remedy::with_terms(
                "choose one with {query NAME}, or name a folder with {output DIR}",
            )),
        );
    };
    let list = judged.list();
    let items = list.items().iter();
    let names: Vec<&str> = items.map(|&item| judged.names().name(item)).collect();
    let mut numbers = 1..;
    let order = list
        .groups()
        .map(|group| numbers.by_ref().take(group.len()).collect());
    write_orders(query, &names, &[(1, order.collect())])
}
