//! Runs with the names of all their documents.

use partita_core::{GroundTruth, Item, Names, Ranking, Run, Slot};

use super::remarks::Remarks;
use super::{NamedRun, RunFile, RunFormat};
pub(super) use crate::columns::one_word;
use crate::error::{FormatError, Warning};
use crate::source::Source;

/// The runs of a file, with the names of all their documents.
#[derive(Debug, Default)]
pub struct OpenRuns {
    /// The names of the documents.
    pub documents: Names,
    /// The runs.
    pub runs: Vec<OpenRun>,
    /// What there was to remark.
    pub warnings: Vec<Warning>,
}

/// A run with the names of all its documents.
#[derive(Debug, Default)]
pub struct OpenRun {
    /// Its tag, or what the system column calls it.
    pub own_name: Option<String>,
    /// The queries in the order of the file.
    pub queries: Vec<OpenRanking>,
}

/// What a run returned for a query: groups of tied documents, best first.
#[derive(Debug)]
pub struct OpenRanking {
    /// The query.
    pub query: String,
    /// The line where it starts, if lines are known.
    pub line: u64,
    /// The groups of tied documents.
    pub groups: Vec<Vec<Item>>,
}

impl OpenRuns {
    /// The runs as seen from a ground truth.
    pub(super) fn beside(self, source: &Source, truth: &GroundTruth) -> RunFile {
        let mut remarks = Remarks::default();
        let mut runs = Vec::with_capacity(self.runs.len());
        for open in self.runs {
            let mut run = Run::new(source.stem(), truth);
            for ranking in open.queries {
                let Some(query) = truth.query(&ranking.query) else {
                    remarks.unknown_query(ranking.line, &ranking.query);
                    continue;
                };
                let names = truth.judged(query).names();
                let mut seen = std::collections::HashSet::new();
                let mut slot = |item: Item| {
                    let name = self.documents.name(item);
                    remarks.check_length(ranking.line, name.as_bytes());
                    if !seen.insert(item) {
                        remarks.repeat(ranking.line, &ranking.query, name.as_bytes());
                    }
                    (item, Slot::from(names.get(name)))
                };
                let groups = ranking.groups.into_iter();
                let groups = groups.map(|group| -> Vec<(Item, Slot)> {
                    group.into_iter().map(&mut slot).collect()
                });
                run.set(query, Ranking::of_documents(groups));
            }
            runs.push(NamedRun {
                run,
                own_name: open.own_name,
            });
        }
        let mut warnings = self.warnings;
        warnings.extend(remarks.warnings(source.name(), "file"));
        RunFile { runs, warnings }
    }

    /// Names the runs that have no name of their own: by the tag that is given, else after the file.
    pub fn name_after(&mut self, source: &Source, tag: Option<&str>) {
        for run in &mut self.runs {
            // A stem of several words, as of standard input, makes no tag.
            let stem = || source.stem().split_whitespace().collect::<Vec<_>>();
            let name = || tag.map_or_else(|| stem().join("-"), str::to_owned);
            run.own_name.get_or_insert_with(name);
        }
    }

    /// The queries that a format has no place for: those without any document, where each document has
    /// a line.
    pub fn left_out(&self, format: RunFormat) -> Vec<&str> {
        let by_document = matches!(format, RunFormat::Trec | RunFormat::Systems);
        let queries = self.runs.iter().flat_map(|run| &run.queries);
        let empty = queries.filter(|ranking| by_document && ranking.groups.is_empty());
        empty.map(|ranking| ranking.query.as_str()).collect()
    }

    /// The only run, for formats that hold one.
    pub(super) fn only(&self, format: &str) -> Result<&OpenRun, FormatError> {
        match self.runs.as_slice() {
            [run] => Ok(run),
            runs => {
                let message = format!("a file holds one run, but there are {}", runs.len());
                Err(FormatError::file(format, message).hint("use `--to systems`"))
            }
        }
    }
}

/// Refuses tied documents in a format that cannot tie them.
pub(super) fn untied(format: &str, ranking: &OpenRanking) -> Result<(), FormatError> {
    if ranking.groups.iter().any(|group| group.len() > 1) {
        let message = format!("documents are tied for query `{}`", ranking.query);
        return Err(FormatError::file(format, message)
            .hint("use `--to json` or `--to trec`, which can tie them"));
    }
    Ok(())
}
