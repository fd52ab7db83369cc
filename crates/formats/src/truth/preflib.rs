//! Ground truths in PrefLib's format of orders with ties, `1: 1,{2,3},4`, with one voter: the best
//! comes first.

use partita_core::{GroundTruth, TruthScale};

use super::{TruthBuilder, TruthFormatDefinition, TruthReadOptions, TruthReader};
use crate::diagnostic;
use crate::diagnostic::FormatError;
use crate::remedy::Remedy;
use crate::shared::preflib::{PreflibHeader, orders, write_orders};
use crate::text::SourceText;
use crate::text::line::SourceLine;

/// Format `preflib`.
pub(super) static FORMAT: TruthFormatDefinition = TruthFormatDefinition {
    scale: TruthScale::Groups,
    by_item: false,
    read: TruthReader::Whole(read),
    write,
};

fn read(text: &SourceText<'_>, _: &TruthReadOptions) -> Result<TruthBuilder, FormatError> {
    let mut rows = TruthBuilder::new(TruthScale::Groups);
    let header = PreflibHeader::read(text)?;
    let query = text.source.stem();
    let mut voter: Option<u64> = None;
    for vote in orders(text) {
        let vote = vote?;
        let line = vote.line;
        if let Some(first) = voter {
            return Err(several_voters_error(
                line,
                format!("a second vote; the first is on line {first}"),
            ));
        }
        if vote.count != "1" {
            return Err(several_voters_error(
                line,
                format!("a vote that {} people cast", vote.count),
            ));
        }
        voter = Some(line.number);
        rows.query(query);
        for (group, tied) in (1..).zip(vote.groups()?) {
            for (number, alternative) in tied {
                let added = rows.add(line, query, &header.item_name(number), f64::from(group));
                // The file contains the number of the alternative instead of its name, so the
                // column is that of the number.
                added.map_err(|error| FormatError {
                    column: line.column_of(alternative),
                    ..error
                })?;
            }
        }
    }
    Ok(rows)
}

fn several_voters_error(line: SourceLine<'_>, found: String) -> FormatError {
    let problem = diagnostic!(OtherFormat { found }:
        "a ground truth is one person's order; found {found}");
    line.error(problem)
        .at_column(1)
        .with_remedy("many people's orders are rankings, from which a ground truth can be built")
}

fn write(truth: &GroundTruth) -> Result<String, FormatError> {
    let mut queries = truth.iter();
    let (Some((query, judged)), None) = (queries.next(), queries.next()) else {
        let problem = diagnostic!(Unrepresentable { count = truth.len() }:
            "a file holds one list, but there are {count} queries");
        return Err(
            FormatError::in_file("preflib", problem).with_remedy(Remedy::parse(
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
