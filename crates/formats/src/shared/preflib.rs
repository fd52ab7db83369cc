//! PrefLib's orders with ties. `3: 1,{2,3},4` is an order that three voters gave, best first.
//!
//! The meaning depends on the kind of file: a ground truth is the order of one voter, rankings have
//! many voters.

use std::collections::HashMap;

use crate::diagnostic;
use crate::diagnostic::FormatError;
use crate::text::SourceText;
use crate::text::line::SourceLine;
use crate::text::name_rules::check_table_name;

/// Returns true if a file name extension is one that PrefLib uses for orders: `soc`, `soi`, `toc`
/// or `toi`.
pub(crate) fn is_preflib_extension(extension: Option<&str>) -> bool {
    matches!(extension, Some("soc" | "soi" | "toc" | "toi"))
}

/// Returns true if a text starts like a PrefLib file.
pub(crate) fn starts_like_preflib(text: &str) -> bool {
    text.starts_with("# FILE NAME:") || text.starts_with("# NUMBER ALTERNATIVES:")
}

/// Order of alternatives, with the number of voters who gave it.
pub(crate) struct PreflibOrder<'a> {
    pub(crate) line: SourceLine<'a>,
    /// Number of voters who gave the order, as written in the file.
    pub(crate) count: &'a str,
    order: &'a str,
}

/// Returns the orders of a file, or the error of a line that is not an order.
pub(crate) fn orders<'a>(
    text: &'a SourceText<'a>,
) -> impl Iterator<Item = Result<PreflibOrder<'a>, FormatError>> {
    text.lines().map(|line| {
        let (count, order) = line.text.split_once(':').ok_or_else(|| {
            let problem = diagnostic!(Syntax: "expected a vote such as `1: 1,{{2,3}},4`");
            line.error(problem).at_column(1)
        })?;
        Ok(PreflibOrder {
            line,
            count: count.trim(),
            order,
        })
    })
}

impl<'a> PreflibOrder<'a> {
    /// Parses the groups of tied alternatives, best group first. Each alternative is a number with
    /// its text in the file, for error messages.
    pub(crate) fn groups(&self) -> Result<Vec<Vec<(u64, &'a str)>>, FormatError> {
        let mut rest = self.order.trim();
        let mut groups = Vec::new();
        while !rest.is_empty() {
            if let Some(inside) = rest.strip_prefix('{') {
                let (tied, after) = inside.split_once('}').ok_or_else(|| {
                    let problem = diagnostic!(Syntax: "a brace that is never closed");
                    self.line.error_at(rest, problem)
                })?;
                groups.push(
                    tied.split(',')
                        .map(|a| self.parse_alternative(a))
                        .collect::<Result<_, _>>()?,
                );
                rest = after.trim_start();
                if let Some(next) = rest.strip_prefix(',') {
                    rest = next.trim_start();
                } else if !rest.is_empty() {
                    return Err(self
                        .line
                        .error_at(rest, diagnostic!(Syntax: "expected a comma")));
                }
            } else {
                let (alternative, after) = rest.split_once(',').unwrap_or((rest, ""));
                groups.push(vec![self.parse_alternative(alternative)?]);
                rest = after.trim_start();
            }
        }
        Ok(groups)
    }

    /// Parses the number of an alternative.
    fn parse_alternative(&self, alternative: &'a str) -> Result<(u64, &'a str), FormatError> {
        let alternative = alternative.trim();
        let number = alternative.parse().map_err(|_| {
            let problem = diagnostic!(NotANumber { found = alternative }:
                "expected the number of an alternative, not `{found}`");
            self.line.error_at(alternative, problem)
        })?;
        Ok((number, alternative))
    }
}

/// Header of a PrefLib file.
#[derive(Default)]
pub(crate) struct PreflibHeader {
    names: HashMap<u64, String>,
    unique: bool,
    /// Number of alternatives that the header states, and the line that states it.
    pub(crate) alternatives: Option<(u64, u64)>,
    /// Number of voters that the header states, and the line that states it.
    pub(crate) voters: Option<(u64, u64)>,
    /// Type of the orders (strict or with ties, complete or incomplete): `soc`, `soi`, `toc` or
    /// `toi`.
    pub(crate) kind: Option<String>,
}

impl PreflibHeader {
    /// Reads the lines of the header, which start with `#`.
    pub(crate) fn read(text: &SourceText<'_>) -> Result<Self, FormatError> {
        let mut header = Self::default();
        for (number, line) in (1..).zip(text.text.lines()) {
            let line = SourceLine::new(text.source, number, line);
            let Some(entry) = line.text.strip_prefix('#').map(str::trim_start) else {
                continue;
            };
            if let Some(name) = entry.strip_prefix("ALTERNATIVE NAME ") {
                header.add_name(line, name)?;
            } else if let Some(count) = entry.strip_prefix("NUMBER ALTERNATIVES:") {
                header.alternatives = Some((parse_count(line, count)?, number));
            } else if let Some(count) = entry.strip_prefix("NUMBER VOTERS:") {
                header.voters = Some((parse_count(line, count)?, number));
            } else if let Some(kind) = entry.strip_prefix("DATA TYPE:") {
                header.kind = Some(kind.trim().to_lowercase());
            }
        }
        let mut distinct: Vec<&String> = header.names.values().collect();
        distinct.sort();
        distinct.dedup();
        header.unique = distinct.len() == header.names.len()
            && !distinct.iter().any(|name| name.is_empty())
            && !header
                .names
                .values()
                .any(|name| header.is_unnamed_number(name));
        Ok(header)
    }

    /// Returns true if a name is written like the number of an alternative without a name, so that
    /// the two could not be distinguished.
    fn is_unnamed_number(&self, name: &str) -> bool {
        let Some((count, _)) = self.alternatives else {
            return false;
        };
        let number = name.parse().ok().filter(|n: &u64| n.to_string() == name);
        number.is_some_and(|n| (1..=count).contains(&n) && !self.names.contains_key(&n))
    }

    /// Adds the name of an alternative from a line `# ALTERNATIVE NAME 1: name`; `entry` is the
    /// part after `NAME`.
    fn add_name(&mut self, line: SourceLine<'_>, entry: &str) -> Result<(), FormatError> {
        let (alternative, name) = entry
            .split_once(':')
            .and_then(|(number, name)| Some((number.trim().parse().ok()?, name.trim())))
            .ok_or_else(|| {
                let problem = diagnostic!(Syntax: "expected `# ALTERNATIVE NAME 1: name`");
                line.error(problem).at_column(1)
            })?;
        self.names.insert(alternative, name.to_owned());
        Ok(())
    }

    /// Returns the name of an alternative, or its number if it has no name or if names are
    /// ambiguous.
    pub(crate) fn item_name(&self, number: u64) -> String {
        match self.names.get(&number) {
            Some(name) if self.unique => name.clone(),
            _ => number.to_string(),
        }
    }

    /// Returns true if an alternative with this number may exist: it is at most the number of
    /// alternatives that the header states, or has a name, or the header states no number.
    pub(crate) fn allows_alternative(&self, number: u64) -> bool {
        match self.alternatives {
            Some((count, _)) => (1..=count).contains(&number) || self.names.contains_key(&number),
            None => true,
        }
    }

    /// Returns true if the header has names that are not used because they are ambiguous.
    pub(crate) fn has_ambiguous_names(&self) -> bool {
        !self.unique && !self.names.is_empty()
    }

    /// Returns the numbers of the alternatives that have a name, ascending.
    pub(crate) fn named_alternatives(&self) -> Vec<u64> {
        let mut numbers: Vec<u64> = self.names.keys().copied().collect();
        numbers.sort_unstable();
        numbers
    }
}

/// Parses a number of alternatives or voters in the header.
fn parse_count(line: SourceLine<'_>, count: &str) -> Result<u64, FormatError> {
    let found = count.trim();
    let problem = || diagnostic!(NotANumber { found }: "expected a whole number, not `{found}`");
    found.parse().map_err(|_| line.error_at(found, problem()))
}

/// Writes orders, each with the number of voters who gave it. The alternatives are numbered from 1,
/// in the order of `names`.
pub(crate) fn write_orders(
    query: &str,
    names: &[&str],
    orders: &[(usize, Vec<Vec<usize>>)],
) -> Result<String, FormatError> {
    for name in names.iter().copied().chain([query]) {
        check_table_name("preflib", name)?;
    }
    let strict = orders
        .iter()
        .all(|(_, groups)| groups.iter().all(|group| group.len() == 1));
    let ranked = |groups: &Vec<Vec<usize>>| groups.iter().map(Vec::len).sum::<usize>();
    let complete = orders
        .iter()
        .all(|(_, groups)| ranked(groups) == names.len());
    let kind = format!(
        "{}o{}",
        if strict { 's' } else { 't' },
        if complete { 'c' } else { 'i' }
    );
    let voters: usize = orders.iter().map(|(count, _)| count).sum();
    let mut text = format!(
        "# FILE NAME: {query}.{kind}\n# TITLE: {query}\n# DATA TYPE: {kind}\n\
         # NUMBER ALTERNATIVES: {}\n# NUMBER VOTERS: {voters}\n# NUMBER UNIQUE ORDERS: {}\n",
        names.len(),
        orders.len()
    );
    for (number, name) in (1..).zip(names) {
        text += &format!("# ALTERNATIVE NAME {number}: {name}\n");
    }
    for (count, groups) in orders {
        let groups = groups.iter().map(|group| {
            let numbers: Vec<String> = group.iter().map(usize::to_string).collect();
            match numbers.as_slice() {
                [alone] => alone.clone(),
                tied => format!("{{{}}}", tied.join(",")),
            }
        });
        text += &format!("{count}: {}\n", groups.collect::<Vec<_>>().join(","));
    }
    Ok(text)
}
