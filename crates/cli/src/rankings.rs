//! Many people's rankings, and how they are tested: what the commands on them share.

use std::mem::discriminant;

use clap::{Args, ValueEnum};
use partita_core::RankingsNote;
use partita_core::truth::{Alpha, Law, Reading, Unranked};
use partita_formats::rankings::{self, QueryRankings, RankingsFormat};
use partita_formats::{Source, Warning};

use crate::failure::Failure;

/// Which rankings are read, and how.
#[derive(Args, Clone, Debug)]
pub(crate) struct RankingsArgs {
    /// Many people's rankings; `-` is standard input
    #[arg(long, short, value_name = "FILE", required = true, num_args = 1..)]
    rankings: Vec<String>,
    /// The format of the rankings, if their looks leave a doubt
    #[arg(long, value_name = "FORMAT", value_enum)]
    rankings_format: Option<RankingsFormatName>,
    /// What the list of a matrix or of a PrefLib file is called, if not after the file
    #[arg(long, value_name = "NAME")]
    query: Option<String>,
    /// What is made of an item that an assessor left unranked: its sample has a rank less, or it
    /// gets the mean of his last places
    #[arg(long, value_enum, default_value = "drop")]
    unranked: UnrankedName,
    /// Take every test from its exact law, however large the samples
    #[arg(long)]
    exact: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RankingsFormatName {
    /// query,assessor,item,rank; an empty rank is left unranked
    Rows,
    /// A row an assessor, a column an item
    Matrix,
    /// PrefLib's .soc, .soi, .toc and .toi; every vote is an assessor
    Preflib,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum UnrankedName {
    Drop,
    Worst,
}

impl RankingsArgs {
    /// Reads the rankings, and says what there is to remark of them.
    pub(crate) fn read(&self) -> Result<(Vec<QueryRankings>, Vec<Warning>), Failure> {
        if self.rankings.iter().filter(|file| *file == "-").count() > 1 {
            return Err(Failure::input("only one file can be standard input"));
        }
        let sources = self.rankings.iter().map(|file| Source::open(file));
        let sources = sources.collect::<Result<Vec<_>, _>>()?;
        let options = rankings::ReadOptions {
            format: self.rankings_format.map(|name| match name {
                RankingsFormatName::Rows => RankingsFormat::Rows,
                RankingsFormatName::Matrix => RankingsFormat::Matrix,
                RankingsFormatName::Preflib => RankingsFormat::Preflib,
            }),
            query: self.query.clone(),
        };
        let files = rankings::read(&sources, &options)?;
        let mut warnings = files.warnings;
        warnings.extend(remarks(&files.queries, self.unranked));
        Ok((files.queries, warnings))
    }

    /// Whether one of the files is standard input.
    pub(crate) fn is_standard_input(&self) -> bool {
        self.rankings.iter().any(|file| file == "-")
    }

    /// How the rankings are tested.
    pub(crate) fn reading(&self) -> Reading {
        Reading {
            unranked: match self.unranked {
                UnrankedName::Drop => Unranked::LeftOut,
                UnrankedName::Worst => Unranked::Worst,
            },
            law: match self.exact {
                true => Law::Exact,
                false => Law::Auto,
            },
        }
    }

    /// What is made of unranked items, in a word.
    pub(crate) fn unranked_name(&self) -> &'static str {
        match self.unranked {
            UnrankedName::Drop => "drop",
            UnrankedName::Worst => "worst",
        }
    }

    /// Whether every p-value is to be exact.
    pub(crate) fn is_exact(&self) -> bool {
        self.exact
    }
}

/// The level of an option, which must be one.
pub(crate) fn level(option: &str, alpha: f64) -> Result<Alpha, Failure> {
    Alpha::new(alpha).ok_or_else(|| {
        let message = format!("{option} must be between 0 and 1, not {alpha}");
        Failure::input(message)
    })
}

/// What there is to say of rankings. Notes of one kind are said once, with the first query.
fn remarks(queries: &[QueryRankings], unranked: UnrankedName) -> Vec<Warning> {
    let mut kinds: Vec<(RankingsNote, &QueryRankings, Vec<&str>)> = Vec::new();
    for query in queries {
        for note in query.rankings.notes() {
            let known = |(first, ..): &&mut (RankingsNote, _, _)| {
                discriminant(first) == discriminant(&note)
            };
            match kinds.iter_mut().find(known) {
                Some((_, _, others)) => others.push(&query.name),
                None => kinds.push((note, query, Vec::new())),
            }
        }
    }
    let warning = |(note, query, others): (RankingsNote, &QueryRankings, Vec<&str>)| {
        let mut message = format!("query `{}`: {note}", query.name);
        if let (RankingsNote::NobodyRanked(_), UnrankedName::Drop) = (&note, unranked) {
            message.push_str(" (not in the list)");
        }
        if !others.is_empty() {
            message.push_str(&format!("; {}", likewise(&others)));
        }
        Warning {
            file: query.file.clone(),
            line: None,
            message,
        }
    };
    kinds.into_iter().map(warning).collect()
}

fn likewise(others: &[&str]) -> String {
    const MOST: usize = 5;
    match others {
        [other] => format!("likewise in query `{other}`"),
        _ => {
            let named = others[..others.len().min(MOST)].join("`, `");
            let more = if others.len() > MOST { ", ..." } else { "" };
            format!(
                "likewise in {} more queries (`{named}`{more})",
                others.len()
            )
        }
    }
}
