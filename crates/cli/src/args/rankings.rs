//! Options for rankings and their tests.

use std::mem::discriminant;

use clap::Args;
use partita::formats::rankings::{QueryRankings, RankingsFormat, RankingsReadOptions};
use partita::formats::{Diagnostic, DiagnosticCode, EvidenceKind, Source, Warning};
use partita::judging::campaign::CampaignEvidence;
use partita::truth::{Alpha, NullDistribution, RankTestOptions, UnrankedPolicy};
use partita::{
    AssessorRankings, AssessorRankingsNote, Evidence, EvidenceReadOptions, campaign_evidence,
    read_evidence, summarize_names,
};

use super::input::{check_single_stdin, open_all};
use crate::output::error::CliError;
use crate::output::result::named_value_parser;

/// Options for reading rankings.
#[derive(Clone, Debug, Args)]
pub(crate) struct RankingsArgs {
    /// Rankings by several assessors, or the log of a campaign; `-` is standard input
    #[arg(long, short, value_name = "FILE", required = true, num_args = 1..)]
    rankings: Vec<String>,
    /// Format of the rankings, if it is not recognised
    #[arg(long, value_name = "FORMAT", value_parser = named_value_parser::<RankingsFormat>())]
    rankings_format: Option<RankingsFormat>,
    /// How to treat items that an assessor left unranked
    #[arg(long, default_value_t, value_parser = named_value_parser::<UnrankedPolicy>())]
    unranked: UnrankedPolicy,
    /// Take the values for ranks even if no row is a ranking of its items; the lowest value is best
    #[arg(long)]
    as_ranks: bool,
    /// Use exact p-values for samples of any size
    #[arg(long)]
    exact: bool,
}

impl RankingsArgs {
    /// Reads the rankings of these queries, or of all if none is named, and returns them with
    /// warnings. A single query name that is not the name of a file becomes the name of the query
    /// in a file without a query column.
    pub(crate) fn read(
        &self,
        wanted: &[String],
    ) -> Result<(Vec<QueryRankings>, Vec<Warning>), CliError> {
        check_single_stdin(self.rankings.iter().map(|file| Some(file.as_str())))?;
        let sources = open_all(&self.rankings)?;
        let options = EvidenceReadOptions {
            kind: Some(EvidenceKind::Rankings),
            rankings: self.options(&sources, wanted),
            ..EvidenceReadOptions::default()
        };
        let (evidence, mut warnings) = read_evidence(&sources, &options)?;
        let found = match evidence {
            Evidence::Rankings(read) => read.queries,
            Evidence::Campaign { campaign, kind } => {
                let file = sources[0].name();
                if self.rankings_format.is_some() {
                    let message = format!(
                        "--rankings-format cannot be used with {file}: it is the log of a campaign"
                    );
                    return Err(CliError::input(message));
                }
                let found = match campaign_evidence(file, &campaign, kind, &[])? {
                    CampaignEvidence::Rankings(found) => campaign_rankings(file, found),
                    _ => return Err(CliError::internal("rankings of another kind")),
                };
                if found.is_empty() {
                    return Err(CliError::input(format!("{file}: nobody has ranked yet")));
                }
                found
            }
            Evidence::Preferences(_) | Evidence::Grades(_) => {
                return Err(CliError::internal("rankings of another kind"));
            }
        };
        let queries = self.select_queries(found, wanted, &mut warnings)?;
        Ok((queries, warnings))
    }

    /// Returns the files of the option.
    pub(super) fn files(&self) -> &[String] {
        &self.rankings
    }

    /// Returns the options for reading these files.
    pub(super) fn options(&self, sources: &[Source], wanted: &[String]) -> RankingsReadOptions {
        let is_file = |name: &String| sources.iter().any(|source| source.stem() == name);
        RankingsReadOptions {
            format: self.rankings_format,
            query: match wanted {
                [only] if sources.len() == 1 || !is_file(only) => Some(only.clone()),
                _ => None,
            },
            as_ranks: self.as_ranks,
        }
    }

    /// Returns the rankings of the wanted queries, or of all if none is named, and adds the warnings
    /// about them.
    pub(super) fn select_queries(
        &self,
        mut queries: Vec<QueryRankings>,
        wanted: &[String],
        warnings: &mut Vec<Warning>,
    ) -> Result<Vec<QueryRankings>, CliError> {
        let known: Vec<&str> = queries.iter().map(|query| &*query.name).collect();
        if let Some(name) = wanted.iter().find(|name| !known.contains(&name.as_str())) {
            let message = format!("there are no rankings of query `{name}`");
            return Err(CliError::input(message)
                .with_hint(format!("the queries are {}", summarize_names(&known, 5))));
        }
        if !wanted.is_empty() {
            queries.retain(|query| wanted.contains(&query.name));
        }
        warnings.extend(ranking_warnings(&queries, self.unranked));
        Ok(queries)
    }

    /// Returns true if one of the files is standard input.
    pub(crate) fn is_standard_input(&self) -> bool {
        self.rankings.iter().any(|file| file == "-")
    }

    /// Returns the options of the tests that compare the ranks of two items.
    pub(crate) fn test_options(&self) -> RankTestOptions {
        RankTestOptions {
            unranked: self.unranked,
            null_distribution: if self.exact {
                NullDistribution::Exact
            } else {
                NullDistribution::Auto
            },
        }
    }
}

/// Selection of queries.
#[derive(Clone, Debug, Args)]
pub(crate) struct QueryArgs {
    /// Use only these queries. For a file without a column of queries: name of its query
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(crate) query: Vec<String>,
}

/// Returns the rankings of a campaign, by query, as if they came from the file of its log.
pub(crate) fn campaign_rankings(
    file: &str,
    rankings: Vec<(String, AssessorRankings)>,
) -> Vec<QueryRankings> {
    let queries = rankings.into_iter().map(|(name, rankings)| QueryRankings {
        name,
        file: file.to_owned(),
        rankings,
    });
    queries.collect()
}

/// Returns the rankings of each query with its name.
pub(crate) fn by_query(queries: &[QueryRankings]) -> Vec<(&str, &AssessorRankings)> {
    let queries = queries.iter();
    queries
        .map(|query| (query.name.as_str(), &query.rankings))
        .collect()
}

/// Parses the significance level of an option.
pub(crate) fn parse_alpha(option: &str, alpha: f64) -> Result<Alpha, CliError> {
    Alpha::new(alpha).ok_or_else(|| {
        let message = format!("{option} must be between 0 and 1, not {alpha}");
        CliError::input(message)
    })
}

/// Returns the warnings about rankings. All notes of one kind give a single warning, which
/// describes the first query concerned.
fn ranking_warnings(queries: &[QueryRankings], unranked: UnrankedPolicy) -> Vec<Warning> {
    let mut kinds: Vec<(AssessorRankingsNote, &QueryRankings, Vec<&str>)> = Vec::new();
    for query in queries {
        for note in query.rankings.notes() {
            let known = |(first, ..): &&mut (AssessorRankingsNote, _, _)| {
                discriminant(first) == discriminant(&note)
            };
            match kinds.iter_mut().find(known) {
                Some((_, _, others)) => others.push(&query.name),
                None => kinds.push((note, query, Vec::new())),
            }
        }
    }
    let warning = |(note, query, others): (AssessorRankingsNote, &QueryRankings, Vec<&str>)| {
        let mut message = format!("query `{}`: {note}", query.name);
        if matches!(note, AssessorRankingsNote::UnrankedItems(_))
            && unranked == UnrankedPolicy::LeftOut
        {
            message.push_str(" (not in the list)");
        }
        match &others[..] {
            [] => {}
            [other] => message.push_str(&format!("; likewise in query `{other}`")),
            others => message.push_str(&format!(
                "; likewise in {} more queries ({})",
                others.len(),
                summarize_names(others, 5)
            )),
        }
        Warning::in_file(
            &query.file,
            Diagnostic::new(DiagnosticCode::OddRankings, message),
        )
    };
    kinds.into_iter().map(warning).collect()
}
