//! Times in the formats of crowdsourcing platforms.

use time::format_description::FormatItem;
use time::format_description::well_known::Iso8601;
use time::macros::format_description;
use time::{OffsetDateTime, PrimitiveDateTime, UtcOffset};

/// Format of Mechanical Turk without day of the week and time zone: `Apr 14 18:29:32 2010`.
const TURK_FORMAT: &[FormatItem<'_>] =
    format_description!("[month repr:short] [day padding:none] [hour]:[minute]:[second] [year]");

/// Format of databases: `2010-04-14 18:29:32`.
const DATABASE_FORMAT: &[FormatItem<'_>] =
    format_description!("[year]-[month]-[day] [hour]:[minute]:[second]");

/// Parses a time: seconds since 1970, ISO 8601, or the format of databases or Mechanical Turk.
/// Returns seconds since 1970, or `None` for another format. A time without a zone is UTC.
pub(super) fn parse_timestamp(text: &str) -> Option<f64> {
    if let Ok(number) = text.parse::<f64>() {
        return number.is_finite().then_some(number);
    }
    let moment =
        |time: OffsetDateTime| time.unix_timestamp() as f64 + f64::from(time.microsecond()) * 1e-6;
    if let Ok(time) = OffsetDateTime::parse(text, &Iso8601::DEFAULT) {
        return Some(moment(time));
    }
    if let Ok(time) = PrimitiveDateTime::parse(text, &Iso8601::DEFAULT) {
        return Some(moment(time.assume_utc()));
    }
    if let Ok(time) = PrimitiveDateTime::parse(text, DATABASE_FORMAT) {
        return Some(moment(time.assume_utc()));
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let [_, month, day, clock, zone, year] = words[..] else {
        return None;
    };
    let time = PrimitiveDateTime::parse(&[month, day, clock, year].join(" "), TURK_FORMAT).ok()?;
    Some(moment(time.assume_offset(offset(zone)?)))
}

/// Returns the UTC offset of a time zone abbreviation that Mechanical Turk used, such as PST.
fn offset(zone: &str) -> Option<UtcOffset> {
    let hours = match zone {
        "GMT" | "UTC" => 0,
        "PDT" => -7,
        "PST" => -8,
        "EDT" => -4,
        "EST" => -5,
        _ => return None,
    };
    UtcOffset::from_hms(hours, 0, 0).ok()
}
