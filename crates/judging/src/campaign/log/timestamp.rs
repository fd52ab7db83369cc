//! Timestamps of log entries.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Number of milliseconds per day.
const DAY_MILLISECONDS: i64 = 86_400_000;

/// Point in time in milliseconds since 1970-01-01, for the years 0 to 9999; written in RFC 3339 in
/// UTC.
///
/// ```
/// use partita_judging::campaign::log::Timestamp;
///
/// let timestamp = Timestamp::from_seconds(1_271_269_772.25).unwrap();
/// assert_eq!(timestamp.to_string(), "2010-04-14T18:29:32.250Z");
/// assert_eq!("2010-04-14T18:29:32.25Z".parse(), Ok(timestamp));
/// assert_eq!(timestamp.seconds(), 1_271_269_772.25);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// Error for a text that is not an RFC 3339 time in UTC with the suffix `Z`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no time such as 2010-04-14T18:29:32Z")]
pub struct TimestampError(pub String);

impl Timestamp {
    /// Creates a timestamp from seconds since 1970-01-01. Returns `None` outside the years 0 to
    /// 9999.
    pub fn from_seconds(seconds: f64) -> Option<Self> {
        let first = days_since_1970(0, 1, 1) * DAY_MILLISECONDS;
        let last = days_since_1970(10_000, 1, 1) * DAY_MILLISECONDS;
        let milliseconds = (seconds * 1e3).round();
        let there = milliseconds >= first as f64 && milliseconds < last as f64;
        there.then_some(Self(milliseconds as i64))
    }

    /// Returns the seconds since 1970-01-01.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / 1e3
    }
}

/// Returns the number of days from 1970-01-01 to a date of the Gregorian calendar.
///
/// Years start in March, so that the leap day is the last day of the year. The lengths of the
/// months from March on repeat the pattern 31, 30, 31, 30, 31. Month m, counted from 0 for March,
/// therefore starts (153 m + 2) / 5 days after the first of March.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let leap = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    // There are 719,468 days from 0000-03-01 to 1970-01-01.
    365 * year + leap + (153 * month + 2) / 5 + day - 1 - 719_468
}

/// Converts a number of days since 1970-01-01 to year, month and day. Inverse of
/// [`days_since_1970`] (Hinnant 2013, *chrono-compatible low-level date algorithms*).
fn date_from_days(number: i64) -> (i64, i64, i64) {
    let number = number + 719_468;
    // 400 years have 146,097 days, 100 years 36,524 and 4 years 1,461, not counting a leap day at
    // the end of each period.
    let (centuries, day) = (number.div_euclid(146_097), number.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let year = 400 * centuries + year;
    let day = day - (153 * month + 2) / 5 + 1;
    if month < 10 {
        (year, month + 3, day)
    } else {
        (year + 1, month - 9, day)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = date_from_days(self.0.div_euclid(DAY_MILLISECONDS));
        let rest = self.0.rem_euclid(DAY_MILLISECONDS);
        let (seconds, milliseconds) = (rest / 1_000, rest % 1_000);
        let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
        // Every event has two timestamps, so the digits are written directly instead of with
        // `format!`.
        let mut text = *b"0000-00-00T00:00:00.000Z";
        let mut write_digits = |mut end: usize, mut number: i64| {
            while number > 0 {
                end -= 1;
                text[end] = b'0' + (number % 10) as u8;
                number /= 10;
            }
        };
        write_digits(4, year);
        write_digits(7, month);
        write_digits(10, day);
        write_digits(13, hour);
        write_digits(16, minute);
        write_digits(19, second);
        write_digits(23, milliseconds);
        f.write_str(std::str::from_utf8(&text).expect("digits are ASCII"))
    }
}

impl FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, TimestampError> {
        parse(text).ok_or_else(|| TimestampError(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Timestamp> {
    let text = text.strip_suffix('Z')?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if whole.len() != 19 || !whole.is_ascii() {
        return None;
    }
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let number = |from: usize, to: usize| {
        let part = &whole[from..to];
        digits(part).then(|| part.parse::<i64>().ok()).flatten()
    };
    for (place, mark) in [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')] {
        if whole.as_bytes()[place] != mark {
            return None;
        }
    }
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let first = days_since_1970(year, month, 1);
    // `days_since_1970` takes month 13 as January of the next year.
    if !(1..=12).contains(&month)
        || !(1..=days_since_1970(year, month + 1, 1) - first).contains(&day)
    {
        return None;
    }
    if hour > 23 || minute > 59 || second > 59 || fraction.is_empty() || !digits(fraction) {
        return None;
    }
    let thousandths = fraction.bytes().chain([b'0'; 2]).take(3);
    let thousandths = thousandths.fold(0, |sum, digit| 10 * sum + i64::from(digit - b'0'));
    Some(Timestamp(
        (first + day - 1) * DAY_MILLISECONDS
            + (hour * 3_600 + minute * 60 + second) * 1_000
            + thousandths,
    ))
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_years_0_to_9999_convert_to_day_numbers_and_back() {
        let mut number = days_since_1970(0, 1, 1);
        for year in 0..10_000 {
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let lengths = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30];
            for (month, length) in (1..).zip(lengths.into_iter().chain([31, 31, 30, 31, 30, 31])) {
                assert_eq!(days_since_1970(year, month, 1), number);
                assert_eq!(date_from_days(number + length - 1), (year, month, length));
                number += length;
            }
        }
    }
}
