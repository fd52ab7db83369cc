//! Answers and batches as this program writes them.
//!
//! Nearly all of a log is either, and nearly every one has its fields in the order in which they are
//! written, without blanks, escapes and exponents. Such a line is read here at once.
//! Whatever else JSON allows is left to a parser of JSON, which gives the same for these.

use std::collections::BTreeMap;

use super::event::{BatchPair, PreferenceAnswer, PreferenceChoice};

/// The answer with these fields; nothing if they are not written as this program writes them, whether
/// they are an answer or not.
pub(super) fn parse_answer(fields: &[u8]) -> Option<PreferenceAnswer> {
    let mut rest = FieldCursor(fields);
    rest.skip(b"\"query\":\"")?;
    let query = rest.text()?;
    rest.skip(b",\"a\":\"")?;
    let a = rest.text()?;
    rest.skip(b",\"b\":\"")?;
    let b = rest.text()?;
    rest.skip(b",\"assessor\":\"")?;
    let assessor = rest.text()?;
    rest.skip(b",\"answer\":\"")?;
    let answer = match rest.text()? {
        "a" => PreferenceChoice::A,
        "b" => PreferenceChoice::B,
        "equal" => PreferenceChoice::Equal,
        "blank" => PreferenceChoice::Blank,
        _ => return None,
    };
    let seconds = rest.number_of(b",\"seconds\":")?;
    let time = rest.number_of(b",\"time\":")?;
    let id = rest.text_of(b",\"id\":\"")?;
    let batch = rest.text_of(b",\"batch\":\"")?;
    let listened = if rest.skip(b",\"listened\":").is_some() {
        serde_json::from_slice(rest.object()?).ok()?
    } else {
        BTreeMap::new()
    };
    let hidden = rest.number_of(b",\"hidden\":")?;
    rest.0.is_empty().then(|| PreferenceAnswer {
        query: query.to_owned(),
        a: a.to_owned(),
        b: b.to_owned(),
        assessor: assessor.to_owned(),
        answer,
        seconds,
        time,
        id: id.map(str::to_owned),
        batch: batch.map(str::to_owned),
        playback: listened,
        hidden_seconds: hidden,
    })
}

/// The number and the pairs of the batch with these fields; nothing as above.
pub(super) fn parse_batch(fields: &[u8]) -> Option<(u32, Vec<BatchPair>)> {
    let mut rest = FieldCursor(fields);
    rest.skip(b"\"batch\":")?;
    let batch = rest.count()?;
    rest.skip(b",\"pairs\":[")?;
    let mut pairs = Vec::new();
    loop {
        rest.skip(b"{\"query\":\"")?;
        let query = rest.text()?;
        rest.skip(b",\"a\":\"")?;
        let a = rest.text()?;
        rest.skip(b",\"b\":\"")?;
        let b = rest.text()?;
        rest.skip(b",\"votes\":")?;
        let votes = rest.count()?;
        rest.skip(b",\"more\":")?;
        let more = rest.count()?;
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

/// The text of a JSON string without escapes, between its quotes.
pub(super) fn text(string: &[u8]) -> Option<&str> {
    let mut rest = FieldCursor(string.strip_prefix(b"\"")?);
    let text = rest.text()?;
    rest.0.is_empty().then_some(text)
}

/// What is still to be read.
struct FieldCursor<'l>(&'l [u8]);

impl<'l> FieldCursor<'l> {
    fn skip(&mut self, begin: &[u8]) -> Option<()> {
        self.0 = self.0.strip_prefix(begin)?;
        Some(())
    }

    /// The text up to the end of a string, whose first quote is read.
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

    /// The text of a field that may be missing; nothing if it cannot be read here.
    fn text_of(&mut self, begin: &[u8]) -> Option<Option<&'l str>> {
        match self.skip(begin) {
            Some(()) => self.text().map(Some),
            None => Some(None),
        }
    }

    /// The number of a field that may be missing; nothing if it cannot be read here.
    fn number_of(&mut self, begin: &[u8]) -> Option<Option<f64>> {
        match self.skip(begin) {
            Some(()) => self.number().map(Some),
            None => Some(None),
        }
    }

    /// A number of at most 15 digits. It is a whole number of less than 2^53 and a power of ten, both
    /// exact, so that their quotient is the number that is closest to what is written.
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
        if over || digits + places > MOST_DIGITS {
            return None;
        }
        Some(number as f64 / POWERS[places])
    }

    /// A whole number that is none too large.
    fn count(&mut self) -> Option<u32> {
        let (number, digits) = self.digits(0)?;
        if digits > 1 && self.0.starts_with(b"0") {
            return None;
        }
        self.0 = &self.0[digits..];
        u32::try_from(number).ok()
    }

    /// The digits from here, behind those of a number, and how many there are; nothing if none or too
    /// many.
    fn digits(&self, number: u64) -> Option<(u64, usize)> {
        let mut number = number;
        let mut count = 0;
        for byte in self.0 {
            if !byte.is_ascii_digit() {
                break;
            }
            if count == MOST_DIGITS {
                return None;
            }
            number = 10 * number + u64::from(byte - b'0');
            count += 1;
        }
        (count > 0).then_some((number, count))
    }

    /// An object of objects, which holds no strings but names of fields.
    fn object(&mut self) -> Option<&'l [u8]> {
        let end = self.0.windows(2).position(|two| two == b"}}")? + 2;
        let (object, rest) = self.0.split_at(end);
        self.0 = rest;
        Some(object)
    }
}

const MOST_DIGITS: usize = 15;

const POWERS: [f64; MOST_DIGITS + 1] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// What a parser of JSON makes of the same fields.
    fn by_json(fields: &str) -> Option<PreferenceAnswer> {
        serde_json::from_str(&format!("{{{fields}}}")).ok()
    }

    const BEGIN: &str = r#""query":"q","a":"x","b":"ÿ z","assessor":"w","answer":"#;

    #[test]
    fn a_plain_answer_is_what_json_makes_of_it() {
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
                let fields = format!("{BEGIN}\"{said}\"{more}");
                assert_eq!(
                    parse_answer(fields.as_bytes()),
                    by_json(&fields),
                    "{fields}"
                );
            }
        }
    }

    #[test]
    fn whatever_is_read_here_is_what_json_makes_of_it() {
        // Half of these are answers that are written otherwise, the others are none.
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
            let fields = format!("{BEGIN}\"a\"{more}");
            if let Some(read) = parse_answer(fields.as_bytes()) {
                assert_eq!(Some(read), by_json(&fields), "{fields}");
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
    fn a_plain_batch_is_what_json_makes_of_it() {
        let pair =
            |votes: &str| format!(r#"{{"query":"q","a":"x","b":"ÿ","votes":{votes},"more":0}}"#);
        let of = |pairs: &str| format!(r#""batch":12,"pairs":[{pairs}]"#);
        for fields in [
            of(&pair("3")),
            of(&format!("{},{}", pair("0"), pair("4294967295"))),
        ] {
            let json: super::super::Asked =
                serde_json::from_str(&format!("{{{fields}}}")).expect("a batch");
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
    fn numbers_are_the_closest_to_what_is_written() {
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
            assert_eq!(number, Some(text.parse().expect("a number")), "{text}");
        }
    }
}
