//! Combination of the runs of several files, with distinct names.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::RunFile;
use crate::diagnostic;
use crate::diagnostic::Warning;
use crate::text::source::Source;

/// Runs of several files with distinct names.
#[derive(Debug)]
pub struct RunSet<R> {
    /// Runs in the order of the files.
    pub runs: Vec<R>,
    /// Name of the file that each run was read from, keyed by the name of the run.
    pub file_of_run: BTreeMap<String, String>,
    /// Warnings about the files. Warnings of the same kind are merged.
    pub warnings: Vec<Warning>,
}

impl<R> RunSet<R> {
    /// Combines the runs of several files and makes their names distinct. `name` gives access to
    /// the name of a run: a run keeps its name if no other run has it, else it is named by the stem
    /// of its file, else by the file, followed by `/` and its name if the file has several runs.
    /// Names that are still equal are numbered.
    ///
    /// ```
    /// use partita_formats::Source;
    /// use partita_formats::run::{RunFile, RunSet};
    ///
    /// let sources = ["x/a.run", "x/b.run", "c.run"].map(|name| Source::from_bytes(name, ""));
    /// let runs = ["test", "test", "mine"].map(|name| vec![name.to_owned()]);
    /// let files = runs.map(|runs| RunFile { runs, warnings: Vec::new() });
    /// let set = RunSet::from_files(&sources, files, |name| name);
    /// assert_eq!(set.runs, ["a", "b", "mine"]);
    /// ```
    pub fn from_files(
        sources: &[Source],
        files: impl IntoIterator<Item = RunFile<R>>,
        name: impl Fn(&mut R) -> &mut String,
    ) -> Self {
        let (mut runs, mut names, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
        for (source, file) in sources.iter().zip(files) {
            warnings.extend(file.warnings);
            for mut run in file.runs {
                names.push((std::mem::take(name(&mut run)), source));
                runs.push(run);
            }
        }
        let mut warnings = Warning::merge(warnings);
        warnings.extend(duplicate_source_warnings(sources));
        let mut file_of_run = BTreeMap::new();
        let distinct = disambiguate_names(&names);
        for ((run, distinct), (_, source)) in runs.iter_mut().zip(distinct).zip(&names) {
            name(run).clone_from(&distinct);
            file_of_run.insert(distinct, source.name().to_owned());
        }
        Self {
            runs,
            file_of_run,
            warnings,
        }
    }
}

/// Chooses distinct names for runs, given their names and files, as described for
/// [`RunSet::from_files`].
fn disambiguate_names(runs: &[(String, &Source)]) -> Vec<String> {
    // A file given twice counts once, so that its run is not mistaken for one of several runs of
    // the file.
    let mut names_of: HashMap<&str, HashSet<&str>> = HashMap::new();
    for (name, source) in runs {
        names_of.entry(source.name()).or_default().insert(name);
    }
    let name_in_form = |(name, source): &(String, &Source), form: usize| {
        let among_others = names_of[source.name()].len() > 1;
        match [name.as_str(), source.stem(), source.name()][form] {
            file if form > 0 && among_others => format!("{file}/{name}"),
            chosen => chosen.to_owned(),
        }
    };
    let mut forms = vec![0; runs.len()];
    loop {
        let names: Vec<String> = (runs.iter().zip(&forms))
            .map(|(run, &form)| name_in_form(run, form))
            .collect();
        let mut counts = HashMap::new();
        for name in &names {
            *counts.entry(name.as_str()).or_insert(0) += 1;
        }
        let mut changed = false;
        for (name, form) in names.iter().zip(&mut forms) {
            if counts[name.as_str()] > 1 && *form < 2 {
                *form += 1;
                changed = true;
            }
        }
        if !changed {
            return number_repeats(names);
        }
    }
}

/// Creates the warnings about files that are given more than once.
fn duplicate_source_warnings(sources: &[Source]) -> Vec<Warning> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for source in sources {
        *counts.entry(source.name()).or_default() += 1;
    }
    let twice = counts.into_iter().filter(|(_, count)| *count > 1);
    let warning = |(file, count): (&str, usize)| {
        let problem = diagnostic!(Duplicate { count }:
            "the same file is given {count} times, and counts as {count} runs");
        Warning::in_file(file, problem)
    };
    twice.map(warning).collect()
}

/// Appends numbers, from 2 on, to all but the first of equal names.
fn number_repeats(names: Vec<String>) -> Vec<String> {
    let mut used_names: HashSet<String> = names.iter().cloned().collect();
    let mut seen = HashSet::new();
    let number = |name: String| {
        if seen.insert(name.clone()) {
            return name;
        }
        let mut numbered = (2..).map(|count| format!("{name} ({count})"));
        let unused = numbered.find(|numbered| used_names.insert(numbered.clone()));
        unused.expect("there are fewer runs than numbers")
    };
    names.into_iter().map(number).collect()
}
