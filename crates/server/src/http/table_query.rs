//! Query parameters that search, sort and page the rows of a table.

use std::cmp::Ordering;

use schemars::JsonSchema;
use serde::Deserialize;

use super::problem::HttpProblem;

/// Query parameters of an endpoint that returns the rows of a table. Without them it returns all
/// rows in their usual order.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct TableQuery {
    /// Text that the returned rows contain, in any case.
    #[schemars(with = "String")]
    find: Option<String>,
    /// Key by which the rows are sorted; a minus before it reverses the order. Rows without a value
    /// come last.
    #[schemars(with = "String")]
    sort: Option<String>,
    /// Number of rows that are skipped.
    offset: usize,
    /// Maximum number of returned rows. With it, the response has `total`.
    #[schemars(with = "usize", range(min = 1))]
    limit: Option<usize>,
}

/// Value by which a row is sorted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SortValue<'a> {
    /// Text, compared without regard to case.
    Text(&'a str),
    /// Number.
    Number(f64),
    /// No value.
    Missing,
}

impl<'a> From<Option<&'a str>> for SortValue<'a> {
    fn from(text: Option<&'a str>) -> Self {
        text.map_or(Self::Missing, Self::Text)
    }
}

impl From<Option<f64>> for SortValue<'_> {
    fn from(number: Option<f64>) -> Self {
        number.map_or(Self::Missing, Self::Number)
    }
}

/// Row of a table that can be searched and sorted.
pub(crate) trait TableRow {
    /// Keys by which rows can be sorted.
    const SORT_KEYS: &'static [&'static str];

    /// Returns the value of one of the sort keys.
    fn sort_value(&self, key: &str) -> SortValue<'_>;

    /// Returns the texts in which a search looks.
    fn search_texts(&self) -> Vec<&str>;
}

impl<T: TableRow> TableRow for &T {
    const SORT_KEYS: &'static [&'static str] = T::SORT_KEYS;

    fn sort_value(&self, key: &str) -> SortValue<'_> {
        (*self).sort_value(key)
    }

    fn search_texts(&self) -> Vec<&str> {
        (*self).search_texts()
    }
}

/// Selected rows of a table.
#[derive(Debug)]
pub(crate) struct TablePage<T> {
    /// Rows, at most as many as the query asked for.
    pub(crate) rows: Vec<T>,
    /// Number of rows that the search found, if the query has a limit.
    pub(crate) total: Option<usize>,
}

impl TableQuery {
    /// Returns the rows that the query asks for.
    ///
    /// # Errors
    /// Returns a problem with the pointer of the parameter for an unknown sort key or a limit of 0.
    pub(crate) fn select<T: TableRow>(&self, rows: Vec<T>) -> Result<TablePage<T>, HttpProblem> {
        if self.limit == Some(0) {
            return Err(HttpProblem::invalid_field(
                "/limit",
                "the smallest limit is 1",
            ));
        }
        let mut found = rows;
        if let Some(find) = &self.find {
            let wanted = find.to_lowercase();
            found.retain(|row| {
                let mut texts = row.search_texts().into_iter();
                texts.any(|text| text.to_lowercase().contains(&wanted))
            });
        }
        if let Some(sort) = &self.sort {
            let (key, is_reversed) = match sort.strip_prefix('-') {
                Some(key) => (key, true),
                None => (sort.as_str(), false),
            };
            if !T::SORT_KEYS.contains(&key) {
                let keys = T::SORT_KEYS.join(", ");
                let detail = format!("rows are sorted by one of {keys}, not by `{key}`");
                return Err(HttpProblem::invalid_field("/sort", detail));
            }
            found.sort_by(|one, other| {
                compare(one.sort_value(key), other.sort_value(key), is_reversed)
            });
        }
        let total = self.limit.map(|_| found.len());
        let page = found.into_iter().skip(self.offset);
        Ok(TablePage {
            rows: page.take(self.limit.unwrap_or(usize::MAX)).collect(),
            total,
        })
    }
}

/// Compares two sort values. A missing value comes last in either direction.
fn compare(one: SortValue<'_>, other: SortValue<'_>, is_reversed: bool) -> Ordering {
    let order = match (one, other) {
        (SortValue::Missing, SortValue::Missing) => return Ordering::Equal,
        (SortValue::Missing, _) => return Ordering::Greater,
        (_, SortValue::Missing) => return Ordering::Less,
        (SortValue::Number(one), SortValue::Number(other)) => one.total_cmp(&other),
        (SortValue::Text(one), SortValue::Text(other)) => {
            one.to_lowercase().cmp(&other.to_lowercase())
        }
        (SortValue::Number(_), SortValue::Text(_)) => Ordering::Less,
        (SortValue::Text(_), SortValue::Number(_)) => Ordering::Greater,
    };
    if is_reversed { order.reverse() } else { order }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Row with a name and an optional number.
    #[derive(Debug)]
    struct NamedRow(&'static str, Option<f64>);

    impl TableRow for NamedRow {
        const SORT_KEYS: &'static [&'static str] = &["name", "number"];

        fn sort_value(&self, key: &str) -> SortValue<'_> {
            match key {
                "name" => SortValue::Text(self.0),
                _ => self.1.into(),
            }
        }

        fn search_texts(&self) -> Vec<&str> {
            vec![self.0]
        }
    }

    /// Returns the names that a query selects, and the total.
    fn select(query: &TableQuery) -> (Vec<&'static str>, Option<usize>) {
        let rows = [("b", Some(2.0)), ("A", None), ("ab", Some(10.0))];
        let rows = rows.map(|(name, number)| NamedRow(name, number));
        let page = query.select(rows.into()).unwrap();
        (page.rows.iter().map(|row| row.0).collect(), page.total)
    }

    fn sorted_by(key: &str) -> TableQuery {
        TableQuery {
            sort: Some(key.to_owned()),
            ..TableQuery::default()
        }
    }

    #[test]
    fn without_parameters_all_rows_come_in_their_order_and_without_total() {
        assert_eq!(select(&TableQuery::default()), (vec!["b", "A", "ab"], None));
    }

    #[test]
    fn text_is_sorted_in_any_case_and_numbers_by_value_with_missing_ones_last() {
        assert_eq!(select(&sorted_by("name")).0, ["A", "ab", "b"]);
        assert_eq!(select(&sorted_by("number")).0, ["b", "ab", "A"]);
        assert_eq!(select(&sorted_by("-number")).0, ["ab", "b", "A"]);
    }

    #[test]
    fn total_counts_what_was_found_before_the_page_is_cut() {
        let query = TableQuery {
            find: Some("B".to_owned()),
            limit: Some(1),
            offset: 1,
            ..sorted_by("name")
        };
        assert_eq!(select(&query), (vec!["b"], Some(2)));
        let beyond = TableQuery { offset: 9, ..query };
        assert_eq!(select(&beyond), (vec![], Some(2)));
    }

    #[test]
    fn an_unknown_key_and_a_limit_of_zero_are_refused_with_their_pointer() {
        let rows = || vec![NamedRow("a", None)];
        let error = sorted_by("-size").select(rows()).unwrap_err();
        let told = format!("{error:?}");
        assert!(
            told.contains("/sort") && told.contains("name, number"),
            "{told}"
        );
        let none = TableQuery {
            limit: Some(0),
            ..TableQuery::default()
        };
        let told = format!("{:?}", none.select(rows()).unwrap_err());
        assert!(told.contains("/limit"), "{told}");
    }
}
