//! Runs: one file a format.
//!
//! | format | looks like | order |
//! |---|---|---|
//! | `trec` | `query Q0 item rank score tag` | by score, rank or file |
//! | `systems` | `system query item` | as in the file |
//! | `lines` | `query item item ...` | as in the line |
//! | `json` | `{"query": ["a", ["b", "c"]]}` | as in the list; an inner list is tied |

mod json;
mod lines;
mod open;
mod remarks;
mod returned;
mod scored;
mod shelf;
mod systems;
mod trec;

use partita_core::{GroundTruth, Run};
use partita_stats::named::Named;

use crate::columns::starts_line;
use crate::error::{FormatError, Warning};
use crate::source::Source;
use crate::table::Separator;
use crate::text::{Blocks, is_comment_or_blank};

pub use open::{OpenRun, OpenRuns};
pub use partita_core::{Order, Ties};
pub use scored::{Scored, ScoringError, score};

partita_stats::named! {
    /// A format of runs.
    pub enum RunFormat: "format of runs" {
        /// query Q0 item rank score tag
        Trec = "trec",
        /// system query item, in the order of rank
        Systems = "systems",
        /// query item item ..., a line per query
        Lines = "lines",
        /// {"query": ["a", "b"]}, with inner lists for tied items
        Json = "json",
    }
}

/// How a run is read.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// The format, if it is not to be found out.
    pub format: Option<RunFormat>,
    /// What the order is taken from.
    pub order: Order,
    /// How ties are broken.
    pub ties: Ties,
    /// Whether scores are compared in single precision, as trec_eval does.
    pub single_precision: bool,
}

impl Default for ReadOptions {
    /// As trec_eval does, but for the precision.
    fn default() -> Self {
        Self {
            format: None,
            order: Order::Score,
            ties: Ties::Docno,
            single_precision: false,
        }
    }
}

/// The runs of a file, read beside a ground truth.
#[derive(Debug)]
pub struct RunFile {
    /// The runs.
    pub runs: Vec<NamedRun>,
    /// What there was to remark.
    pub warnings: Vec<Warning>,
}

/// A run with the name that it bears in its file.
#[derive(Debug)]
pub struct NamedRun {
    /// The run.
    pub run: Run,
    /// Its tag, or what the system column calls it.
    pub own_name: Option<String>,
}

/// Reads the runs of a file beside a ground truth.
///
/// Documents that no judgment mentions are not kept by name, so that even a long run is small.
pub fn read(
    source: &Source,
    truth: &GroundTruth,
    options: &ReadOptions,
) -> Result<RunFile, FormatError> {
    match find_format(source, options)? {
        RunFormat::Trec => trec::read(source, truth, options),
        format => Ok(read_lists(source, format)?.beside(source, truth)),
    }
}

/// Reads the runs of a file with the names of all their documents.
pub fn read_open(source: &Source, options: &ReadOptions) -> Result<OpenRuns, FormatError> {
    match find_format(source, options)? {
        RunFormat::Trec => trec::read_open(source, options),
        format => read_lists(source, format),
    }
}

fn read_lists(source: &Source, format: RunFormat) -> Result<OpenRuns, FormatError> {
    match format {
        RunFormat::Systems => systems::read(source),
        RunFormat::Lines => lines::read(source),
        _ => json::read(source),
    }
}

/// Writes runs.
pub fn write(runs: &OpenRuns, format: RunFormat) -> Result<String, FormatError> {
    if let RunFormat::Trec | RunFormat::Lines = format {
        for ranking in runs.runs.iter().flat_map(|run| &run.queries) {
            starts_line(format.name(), &ranking.query)?;
        }
    }
    match format {
        RunFormat::Trec => trec::write(runs),
        RunFormat::Systems => systems::write(runs),
        RunFormat::Lines => lines::write(runs),
        RunFormat::Json => json::write(runs),
    }
}

fn find_format(source: &Source, options: &ReadOptions) -> Result<RunFormat, FormatError> {
    if let Some(format) = options.format {
        return Ok(format);
    }
    let (number, first) = first_line(source)?;
    if first.trim_start().starts_with(['{', '[']) {
        return Ok(RunFormat::Json);
    }
    let words: Vec<&str> = first.split_ascii_whitespace().collect();
    let columns = Separator::of(&first, 3).split(&first).len();
    // Some write TREC's constant as `q0`, which may as well be a query of the second column of
    // three. `Q0` is no query.
    let constant = words.get(1).copied().unwrap_or_default();
    if words.len() == 6 || constant == "Q0" || columns != 3 && constant.eq_ignore_ascii_case("Q0") {
        return Ok(RunFormat::Trec);
    }
    if columns == 3 {
        return Ok(RunFormat::Systems);
    }
    let message = format!(
        "a line of {} columns is no run that can be told by its looks",
        words.len()
    );
    Err(FormatError::line(source.name(), number, message)
        .column(1)
        .hint(
            "say its format with `--run-format`: trec (query Q0 item rank score tag), systems \
             (system query item), lines (query item item ...) or json",
        ))
}

/// The first line that says something.
fn first_line(source: &Source) -> Result<(u64, String), FormatError> {
    let mut blocks = Blocks::start(source)?;
    while let Some(block) = blocks.next()? {
        let mut lines = (block.first_line..).zip(block.text.lines());
        if let Some((number, line)) = lines.find(|(_, line)| !is_comment_or_blank(line)) {
            return Ok((number, line.to_owned()));
        }
    }
    Err(crate::text::empty(source.name()))
}

/// Where a run was found, for naming it.
#[derive(Clone, Debug)]
pub struct Found<'a> {
    /// Its tag, or what the system column calls it.
    pub own_name: Option<&'a str>,
    /// The file it was in.
    pub source: &'a Source,
}

/// What runs are called: by their own names where no other run has the same, else by their
/// files' stems, else by their files.
///
/// ```
/// use partita_formats::{Source, run::{Found, settle_names}};
///
/// let (a, b, c) = (Source::memory("x/a.run", ""), Source::memory("x/b.run", ""), Source::memory("c.run", ""));
/// let found = [
///     Found { own_name: Some("test"), source: &a },
///     Found { own_name: Some("test"), source: &b },
///     Found { own_name: Some("mine"), source: &c },
/// ];
/// assert_eq!(settle_names(&found), ["a", "b", "mine"]);
/// ```
pub fn settle_names(runs: &[Found<'_>]) -> Vec<String> {
    // The same file given twice does not make its only run one of several.
    let mut names_of = std::collections::HashMap::new();
    for run in runs {
        let names: &mut std::collections::HashSet<_> =
            names_of.entry(run.source.name()).or_default();
        names.insert(run.own_name);
    }
    let among_others = |run: &Found<'_>| names_of[run.source.name()].len() > 1;
    let forms: [&dyn Fn(&Found<'_>) -> String; 3] = [
        &|run| run.own_name.unwrap_or(run.source.stem()).to_owned(),
        &|run| match run.own_name {
            Some(own) if among_others(run) => format!("{}/{own}", run.source.stem()),
            _ => run.source.stem().to_owned(),
        },
        &|run| match run.own_name {
            Some(own) if among_others(run) => format!("{}/{own}", run.source.name()),
            _ => run.source.name().to_owned(),
        },
    ];
    let mut form_of = vec![0; runs.len()];
    loop {
        let names: Vec<String> = runs
            .iter()
            .zip(&form_of)
            .map(|(run, &form)| forms[form](run))
            .collect();
        let mut counts = std::collections::HashMap::new();
        for name in &names {
            *counts.entry(name.as_str()).or_insert(0) += 1;
        }
        let mut changed = false;
        for (name, form) in names.iter().zip(&mut form_of) {
            if counts[name.as_str()] > 1 && *form + 1 < forms.len() {
                *form += 1;
                changed = true;
            }
        }
        if !changed {
            return number_repeats(names);
        }
    }
}

/// Tells apart what still has the same name: the same file given twice.
fn number_repeats(names: Vec<String>) -> Vec<String> {
    let mut taken: std::collections::HashSet<String> = names.iter().cloned().collect();
    let mut seen = std::collections::HashSet::new();
    let number = |name: String| {
        if seen.insert(name.clone()) {
            return name;
        }
        let mut numbered = (2..).map(|count| format!("{name} ({count})"));
        let free = numbered.find(|numbered| taken.insert(numbered.clone()));
        free.expect("there are fewer runs than numbers")
    };
    names.into_iter().map(number).collect()
}
