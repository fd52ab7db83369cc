//! Fast parser for answers and batches as this program writes them.
//!
//! Nearly all lines of a log are answers or batches whose fields stand in the order of writing,
//! without blanks, escapes or exponents. This module parses such lines directly. All other JSON is
//! left to serde_json, which gives the same result for these lines.

use std::collections::BTreeMap;

use partita_core::Preference;
use partita_core::judgment::{Answer, Judgment, JudgmentKind, Question};

use super::event::BatchPair;

/// Parses the JSON fields of a preference answer. Returns `None` for other orders of fields,
/// blanks, escapes, and numbers with exponents or more than 15 digits, which may still be valid
/// JSON of an answer.
pub(crate) fn parse_answer(fields: &[u8]) -> Option<Answer> {
    let mut rest = FieldCursor(fields);
    let [query, a, b] = rest.query_and_items()?;
    rest.skip(b",\"assessor\":\"")?;
    let assessor = rest.text()?;
    rest.skip(b",\"answer\":\"")?;
    let preference = match rest.text()? {
        "a" => Some(Preference::A),
        "b" => Some(Preference::B),
        "equal" => Some(Preference::Equal),
        "blank" => None,
        _ => return None,
    };
    let seconds = rest.optional_number(b",\"seconds\":")?;
    let time = rest.optional_number(b",\"time\":")?;
    let id = rest.optional_text(b",\"id\":\"")?;
    let batch = rest.optional_text(b",\"batch\":\"")?;
    let playback = if rest.skip(b",\"listened\":").is_some() {
        serde_json::from_slice(rest.playback_object()?).ok()?
    } else {
        BTreeMap::new()
    };
    let hidden_seconds = rest.optional_number(b",\"hidden\":")?;
    rest.0.is_empty().then(|| Answer {
        id: id.map(str::to_owned),
        assessor: assessor.to_owned(),
        question: Question {
            kind: JudgmentKind::Preference,
            query: query.to_owned(),
            items: vec![a.to_owned(), b.to_owned()],
        },
        judgment: Judgment::Preference(preference),
        seconds,
        time,
        playback,
        hidden_seconds,
        batch: batch.map(str::to_owned),
    })
}

/// Parses the number and the pairs of a batch of pair requests. Returns `None` under the same
/// conditions as [`parse_answer`].
pub(super) fn parse_batch(fields: &[u8]) -> Option<(u32, Vec<BatchPair>)> {
    let mut rest = FieldCursor(fields);
    rest.skip(b"\"batch\":")?;
    let batch = rest.unsigned_integer()?;
    rest.skip(b",\"pairs\":[")?;
    let mut pairs = Vec::new();
    loop {
        rest.skip(b"{")?;
        let [query, a, b] = rest.query_and_items()?;
        rest.skip(b",\"votes\":")?;
        let votes = rest.unsigned_integer()?;
        rest.skip(b",\"more\":")?;
        let more = rest.unsigned_integer()?;
        rest.skip(b"}")?;
        pairs.push(BatchPair {
            query: query.to_owned(),
            a: a.to_owned(),
            b: b.to_owned(),
            votes,
            new_votes: more,
        });
        if rest.skip(b",").is_none() {
            break;
        }
    }
    rest.skip(b"]")?;
    rest.0.is_empty().then_some((batch, pairs))
}

/// Returns the content of a JSON string, which is given with its quotes. Returns `None` if it
/// contains escapes.
pub(super) fn parse_plain_string(string: &[u8]) -> Option<&str> {
    let mut rest = FieldCursor(string.strip_prefix(b"\"")?);
    let text = rest.text()?;
    rest.0.is_empty().then_some(text)
}

/// Bytes of the JSON fields that are not parsed yet.
struct FieldCursor<'l>(&'l [u8]);

impl<'l> FieldCursor<'l> {
    /// Advances past `begin`, or returns `None` if the remaining bytes do not start with it.
    fn skip(&mut self, begin: &[u8]) -> Option<()> {
        self.0 = self.0.strip_prefix(begin)?;
        Some(())
    }

    /// Reads the values of the fields `query`, `a` and `b`.
    fn query_and_items(&mut self) -> Option<[&'l str; 3]> {
        self.skip(b"\"query\":\"")?;
        let query = self.text()?;
        self.skip(b",\"a\":\"")?;
        let a = self.text()?;
        self.skip(b",\"b\":\"")?;
        Some([query, a, self.text()?])
    }

    /// Reads the content of a JSON string up to its closing quote; the opening quote has been read.
    fn text(&mut self) -> Option<&'l str> {
        let special = |&byte: &u8| byte == b'"' || byte == b'\\' || byte < b' ';
        let end = self.0.iter().position(special)?;
        if self.0[end] != b'"' {
            return None;
        }
        let text = std::str::from_utf8(&self.0[..end]).ok()?;
        self.0 = &self.0[end + 1..];
        Some(text)
    }

    /// Reads a text field that starts with `begin`; the result is `Some(None)` if the field is
    /// absent. Returns `None` if the field needs the full JSON parser.
    fn optional_text(&mut self, begin: &[u8]) -> Option<Option<&'l str>> {
        match self.skip(begin) {
            Some(()) => self.text().map(Some),
            None => Some(None),
        }
    }

    /// Reads a number field that starts with `begin`; the result is `Some(None)` if the field is
    /// absent. Returns `None` if the field needs the full JSON parser.
    fn optional_number(&mut self, begin: &[u8]) -> Option<Option<f64>> {
        match self.skip(begin) {
            Some(()) => self.number().map(Some),
            None => Some(None),
        }
    }

    /// Reads a number of at most 15 digits. The digits form an integer below 2^53 and the divisor
    /// is an exact power of ten, so that the quotient is correctly rounded.
    fn number(&mut self) -> Option<f64> {
        let (whole, digits) = self.digits(0)?;
        if digits > 1 && self.0.starts_with(b"0") {
            return None;
        }
        self.0 = &self.0[digits..];
        let (number, places) = if self.skip(b".").is_some() {
            let (number, places) = self.digits(whole)?;
            self.0 = &self.0[places..];
            (number, places)
        } else {
            (whole, 0)
        };
        let over = !matches!(self.0.first(), None | Some(b','));
        if over || digits + places > MAX_DIGITS {
            return None;
        }
        Some(number as f64 / POWERS_OF_TEN[places])
    }

    /// Reads an integer that fits `u32`.
    fn unsigned_integer(&mut self) -> Option<u32> {
        let (number, digits) = self.digits(0)?;
        if digits > 1 && self.0.starts_with(b"0") {
            return None;
        }
        self.0 = &self.0[digits..];
        u32::try_from(number).ok()
    }

    /// Parses the digits at the cursor without advancing it, and appends them to the decimal digits
    /// of `number`. Returns the new number and the count of digits, or `None` if there are none or
    /// too many.
    fn digits(&self, number: u64) -> Option<(u64, usize)> {
        let mut number = number;
        let mut count = 0;
        for byte in self.0 {
            if !byte.is_ascii_digit() {
                break;
            }
            if count == MAX_DIGITS {
                return None;
            }
            number = 10 * number + u64::from(byte - b'0');
            count += 1;
        }
        (count > 0).then_some((number, count))
    }

    /// Reads the value of the playback field: a JSON object of objects whose only strings are field
    /// names, so that it ends with the first `}}`.
    fn playback_object(&mut self) -> Option<&'l [u8]> {
        let end = self.0.windows(2).position(|two| two == b"}}")? + 2;
        let (object, rest) = self.0.split_at(end);
        self.0 = rest;
        Some(object)
    }
}

/// Maximum number of decimal digits that this parser accepts. Integers of up to 15 digits are exact
/// in `f64`.
const MAX_DIGITS: usize = 15;

/// Powers of ten by exponent, all exact in `f64`.
const POWERS_OF_TEN: [f64; MAX_DIGITS + 1] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
];

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_with_serde(fields: &str) -> Option<Answer> {
        crate::campaign::kinds::preference::parse_line(fields.as_bytes()).ok()
    }

    const FIELDS_BEFORE_CHOICE: &str = r#""query":"q","a":"x","b":"ÿ z","assessor":"w","answer":"#;

    #[test]
    fn parse_answer_equals_serde_for_plain_answers() {
        for said in ["a", "b", "equal", "blank"] {
            for more in [
                "",
                r#","seconds":12.5"#,
                r#","time":1794823200.0"#,
                r#","seconds":0,"time":1794823200,"id":"7f""#,
                r#","id":"7","batch":"pilot""#,
                r#","seconds":3.25,"time":1794823200.125,"id":"ü","batch":"","hidden":0.1"#,
                r#","listened":{"a":{"plays":1,"ended":false},"query":{"plays":2,"ended":true}}"#,
                r#","listened":{"a":{"plays":1,"ended":false}},"hidden":10.0"#,
            ] {
                let fields = format!("{FIELDS_BEFORE_CHOICE}\"{said}\"{more}");
                assert_eq!(
                    parse_answer(fields.as_bytes()),
                    parse_with_serde(&fields),
                    "{fields}"
                );
            }
        }
    }

    #[test]
    fn parse_answer_never_differs_from_serde_when_it_returns_an_answer() {
        // Some of these fields are valid in a notation that this parser need not accept, the others
        // are invalid.
        for more in [
            r#","seconds":01"#,
            r#","seconds":1."#,
            r#","seconds":.5"#,
            r#","seconds":-1"#,
            r#","seconds":1e3"#,
            r#","seconds":1.5E-3"#,
            r#","seconds":null"#,
            r#","seconds":123456789012345678901"#,
            r#","seconds":0.1234567890123456"#,
            r#","seconds":1234567890.12345"#,
            r#","seconds":1,"seconds":2"#,
            r#","time":1,"seconds":2"#,
            r#","id":null"#,
            r#","id":"a\"b""#,
            r#","id":"a\u0041""#,
            r#","id":"unended"#,
            ",\"id\":\"a\tb\"",
            r#","id":7"#,
            r#","listened":{}"#,
            r#","listened":{},"hidden":1"#,
            r#","listened":{"}}":{"plays":1,"ended":true}}"#,
            r#","listened":{"a":{"plays":-1,"ended":true}}"#,
            r#","unknown":1"#,
            r#", "seconds":1"#,
            r#","seconds": 1"#,
            ",",
            "x",
        ] {
            let fields = format!("{FIELDS_BEFORE_CHOICE}\"a\"{more}");
            if let Some(read) = parse_answer(fields.as_bytes()) {
                assert_eq!(Some(read), parse_with_serde(&fields), "{fields}");
            }
        }
        for begin in [
            "",
            r#""query":"q""#,
            r#""a":"x","query":"q","b":"y","assessor":"w","answer":"a""#,
            r#""query":"q","a":"x","b":"y","assessor":"w","answer":"c""#,
            r#""query":"q","a":"x","b":"y","assessor":"w","answer":null"#,
        ] {
            assert_eq!(parse_answer(begin.as_bytes()), None, "{begin}");
        }
        assert_eq!(
            parse_answer(
                b"\"query\":\"\xff\",\"a\":\"x\",\"b\":\"y\",\"assessor\":\"w\",\"answer\":\"a\""
            ),
            None
        );
    }

    #[test]
    fn parse_batch_equals_serde_for_plain_batches() {
        let pair =
            |votes: &str| format!(r#"{{"query":"q","a":"x","b":"ÿ","votes":{votes},"more":0}}"#);
        let of = |pairs: &str| format!(r#""batch":12,"pairs":[{pairs}]"#);
        for fields in [
            of(&pair("3")),
            of(&format!("{},{}", pair("0"), pair("4294967295"))),
        ] {
            let json: super::super::BatchFields = serde_json::from_str(&format!("{{{fields}}}"))
                .expect("the fields are a valid batch");
            let plain = parse_batch(fields.as_bytes());
            assert_eq!(plain, Some((json.batch, json.pairs)), "{fields}");
        }
        for fields in [
            of(""),
            of(&pair("4294967296")),
            of(&pair("01")),
            of(&pair("1.0")),
            of(&pair("-1")),
            of(&format!("{},", pair("1"))),
            of(&pair("1")) + ",",
            r#""batch":1,"pairs":[{"query":"q"}]"#.to_owned(),
        ] {
            assert_eq!(parse_batch(fields.as_bytes()), None, "{fields}");
        }
    }

    #[test]
    fn number_returns_the_closest_f64_to_the_decimal_text() {
        let mut drawn = partita_stats::random::stream(2010, &[1]);
        for _ in 0..20_000 {
            let whole = partita_stats::random::uniform_index(&mut drawn, 1_000_000_000);
            let places = partita_stats::random::uniform_index(&mut drawn, 7);
            let fraction =
                partita_stats::random::uniform_index(&mut drawn, 10_usize.pow(places as u32));
            let text = if places == 0 {
                whole.to_string()
            } else {
                format!("{whole}.{fraction:0places$}")
            };
            let number = FieldCursor(text.as_bytes()).number();
            assert_eq!(
                number,
                Some(text.parse().expect("the text is a decimal number")),
                "{text}"
            );
        }
    }
}
