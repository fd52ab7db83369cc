//! Fast splitting of lines into words and parsing of numbers, the hot path of the readers of long
//! files.

use wide::u8x16;

/// First N words of a line, as positions in the text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LineTokens<const N: usize> {
    /// Start and end positions of the first N words, as far as they exist.
    pub(crate) words: [(usize, usize); N],
    /// Number of words in the line; N + 1 if there are more than N.
    pub(crate) count: usize,
    /// End of the line: position of its line feed, or the end of the text.
    pub(crate) end: usize,
}

/// Splits the first line of a text into words, by the fast path if it applies.
#[inline]
pub(crate) fn split_line<const N: usize>(text: &[u8]) -> LineTokens<N> {
    let short = text.first_chunk().and_then(split_short_line);
    short.unwrap_or_else(|| split_any_line(text))
}

/// Splits the first line of 128 bytes into words. Returns `None` unless it has N words separated by
/// single blanks, as nearly all lines of long files have.
///
/// A bit mask marks the blank bytes, so that words are found by counting zeros instead of
/// inspecting bytes. If the first 64 bytes do not hold all N words, they must hold the first half
/// of the words, and the 64 bytes after that half must hold the rest.
#[inline(always)]
pub(crate) fn split_short_line<const N: usize>(window: &[u8; 128]) -> Option<LineTokens<N>> {
    let ([near, far], _) = window.as_chunks() else {
        return None;
    };
    let mut ends = [0; N];
    let blank = blank_mask(near);
    if !store_word_ends(&mut ends, blank) {
        let (first, others) = ends.split_at_mut(N / 2);
        let start = match first {
            [.., last] if near[*last] <= b' ' => *last + 1,
            _ => return None,
        };
        let blank = blank >> (start - 1) >> 1 | blank_mask(far) << (64 - start);
        if !store_word_ends(others, blank) {
            return None;
        }
        for end in others {
            *end += start;
        }
    }
    let mut split = LineTokens {
        words: [(0, 0); N],
        count: N,
        end: ends[N - 1],
    };
    let (mut start, mut empty) = (0, false);
    for (word, end) in split.words.iter_mut().zip(ends) {
        empty |= end <= start;
        *word = (start, end);
        start = end + 1;
    }
    let line_goes_on = |&end: &usize| window[end] != b'\n';
    if empty || !ends[..N - 1].iter().all(line_goes_on) {
        return None;
    }
    match window[split.end] {
        b'\n' => {}
        b'\r' if window.get(split.end + 1) == Some(&b'\n') => split.end += 1,
        _ => return None,
    }
    Some(split)
}

/// Splits the first line of a text of any length into columns. Splits at tabs if it has both tabs
/// and spaces, so that names may contain spaces, unless blanks give N columns and tabs fewer; else
/// at any blank.
#[cold]
pub(crate) fn split_any_line<const N: usize>(text: &[u8]) -> LineTokens<N> {
    let split = split_at_blanks(text);
    let line = &text[..split.end];
    let tabs = memchr::memchr_iter(b'\t', line).count();
    if tabs == 0 || !line.contains(&b' ') || split.count == N && tabs + 1 < N {
        return split;
    }
    split_at_tabs(text, split.end)
}

/// Splits a line at its tabs. An empty column sets `count` to N + 1, so that callers refuse the
/// line.
fn split_at_tabs<const N: usize>(text: &[u8], end: usize) -> LineTokens<N> {
    let (mut words, mut count, mut start) = ([(0, 0); N], 0, 0);
    for column in text[..end].trim_ascii_end().split(|&byte| byte == b'\t') {
        let from = start + column.len() - column.trim_ascii_start().len();
        let length = column.trim_ascii().len();
        match words.get_mut(count) {
            Some(word) if length > 0 => *word = (from, from + length),
            _ => {
                count = N + 1;
                break;
            }
        }
        count += 1;
        start += column.len() + 1;
    }
    LineTokens { words, count, end }
}

/// Stores the end positions of words: the positions of the set bits of `blank_mask`, which mark
/// blanks. Returns `false` if the mask has fewer set bits than there are positions to store.
#[inline(always)]
fn store_word_ends(ends: &mut [usize], blank_mask: u64) -> bool {
    let (mut left, mut last) = (blank_mask, 0);
    for end in ends {
        last = left;
        // If no bit is left, the value is not used.
        *end = (left | 1 << 63).trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
    }
    last != 0
}

/// Splits the first line of a text into words, for any length and any blanks.
fn split_at_blanks<const N: usize>(text: &[u8]) -> LineTokens<N> {
    let mut words = [(0, 0); N];
    let mut edges = 0;
    let mut blank_before = 1;
    let mut seen = 0;
    loop {
        // The text is padded with line feeds, so that its last line ends like any other.
        let mut window = [b'\n'; 64];
        let length = window.len().min(text.len() - seen);
        window[..length].copy_from_slice(&text[seen..seen + length]);
        let (blank, feed) = (blank_mask(&window), line_feed_mask(&window));
        // Set bits alternate between starts and ends of words: they mark changes between blank and
        // non-blank.
        let mut left = (blank ^ (blank << 1 | blank_before)) & mask_through_first(feed);
        while left != 0 && edges <= 2 * N {
            let at = seen + left.trailing_zeros() as usize;
            match words.get_mut(edges / 2) {
                Some(word) if edges % 2 == 0 => word.0 = at,
                Some(word) => word.1 = at,
                None => {}
            }
            edges += 1;
            left &= left - 1;
        }
        if feed != 0 {
            return LineTokens {
                words,
                count: edges.div_ceil(2),
                end: seen + feed.trailing_zeros() as usize,
            };
        }
        blank_before = blank >> 63;
        seen += 64;
    }
}

/// Returns a mask of all bits up to and including the first set bit; all bits if none is set.
#[inline(always)]
fn mask_through_first(bits: u64) -> u64 {
    bits ^ bits.wrapping_sub(1)
}

/// Returns a bit mask of 64 bytes: bit i is set if byte i is a blank (a space or control
/// character).
#[inline(always)]
fn blank_mask(window: &[u8; 64]) -> u64 {
    // A byte of at most 0x20 equals its minimum with 0x20.
    byte_mask(window, |bytes| bytes.min(u8x16::splat(b' ')).simd_eq(bytes))
}

/// Returns a bit mask of 64 bytes: bit i is set if byte i is a line feed.
#[inline(always)]
fn line_feed_mask(window: &[u8; 64]) -> u64 {
    byte_mask(window, |bytes| bytes.simd_eq(u8x16::splat(b'\n')))
}

#[inline(always)]
fn byte_mask(window: &[u8; 64], of: impl Fn(u8x16) -> u8x16) -> u64 {
    let mut bits = 0;
    for (index, &part) in window.as_chunks().0.iter().enumerate() {
        bits |= u64::from(of(u8x16::new(part)).to_bitmask()) << (16 * index);
    }
    bits
}

/// Parses the number in a word, including NaN and infinities.
pub(crate) fn parse_number(word: &[u8]) -> Option<f64> {
    match parse_short_decimal(word, (0, word.len())) {
        Some(number) => Some(number),
        None => std::str::from_utf8(word).ok()?.parse().ok(),
    }
}

/// Parses the number at the positions `from..to` of a text, if it has up to 8 digits before the
/// decimal point and up to 19 in total.
///
/// The result equals that of the standard library, in fewer steps; `None` if the fast path does not
/// apply.
#[inline(always)]
pub(crate) fn parse_short_decimal(text: &[u8], (from, to): (usize, usize)) -> Option<f64> {
    let negative = text.get(from) == Some(&b'-');
    let from = from + usize::from(negative);
    let length = to - from;
    let last = eight_before(text, to);
    let decimals = bytes_after_point(last);
    let number = if decimals >= length.min(8) {
        if length <= 8 {
            parse_digits(last, length)? as i64 as f64
        } else {
            parse_long_decimal(text, (from, to), last)?
        }
    } else if decimals == 0 {
        return None;
    } else {
        let digits = if length <= 9 {
            // Remove the point: the digits before it shift by one position, which leaves up to
            // eight digits.
            let moved = eight_before(text, to - 1);
            let behind = u64::MAX << (64 - 8 * decimals);
            parse_digits(moved & !behind | last & behind, length - 1)?
        } else {
            let before = parse_short_digits(text, (from, to - 1 - decimals))?;
            before * POWERS_OF_TEN[decimals] + parse_digits(last, decimals)?
        };
        // Both operands are exact in double precision, so one division rounds once (Clinger, 1990).
        digits as i64 as f64 / POWERS_OF_TEN[decimals] as i64 as f64
    };
    Some(if negative { -number } else { number })
}

/// Parses a decimal number of more than eight bytes whose last eight bytes, given as `last`,
/// contain no decimal point.
#[inline(always)]
fn parse_long_decimal(text: &[u8], (from, to): (usize, usize), last: u64) -> Option<f64> {
    let mut behind = parse_digits(last, 8)?;
    for taken in [8, 16] {
        let end = to.checked_sub(taken).filter(|&end| end > from)?;
        let eight = eight_before(text, end);
        let more = bytes_after_point(eight);
        if more < 8.min(end - from) {
            let decimals = taken + more;
            let point = end - 1 - more;
            if point - from + decimals > 19 {
                return None;
            }
            if more > 0 {
                behind += parse_digits(eight, more)? * POWERS_OF_TEN[taken];
            }
            let before = parse_short_digits(text, (from, point))?;
            return divide_by_power_of_ten(before * POWERS_OF_TEN[decimals] + behind, decimals);
        }
        if taken == 8 {
            behind += parse_digits(eight, 8)? * POWERS_OF_TEN[8];
        }
    }
    None
}

/// Powers of ten, from 10^0 to 10^19.
const POWERS_OF_TEN: [u64; 20] = {
    let mut powers = [1; 20];
    let mut n = 1;
    while n < powers.len() {
        powers[n] = 10 * powers[n - 1];
        n += 1;
    }
    powers
};

/// For each power of five from 5^1: the 64 highest bits of its reciprocal, and the bit length of
/// the power.
const RECIPROCALS_OF_POWERS_OF_FIVE: [(u64, u32); 20] = {
    let mut reciprocals = [(0, 0); 20];
    let (mut n, mut five) = (1, 5u128);
    while n < reciprocals.len() {
        let bits = 128 - five.leading_zeros();
        reciprocals[n] = (((1 << (63 + bits)) / five) as u64, bits);
        (n, five) = (n + 1, 5 * five);
    }
    reciprocals
};

/// Computes digits / 10^decimals for 1 to 19 decimals, rounded to the nearest double. Returns
/// `None` if 64 bits do not determine the nearest one, which happens once in a thousand numbers.
///
/// The digits are multiplied by the reciprocal of the power (Lemire, 2021). The reciprocal is
/// truncated, so the highest 64 bits of the product are too small by more than 0 and less than 2.
#[inline(always)]
fn divide_by_power_of_ten(digits: u64, decimals: usize) -> Option<f64> {
    if digits == 0 {
        return Some(0.0);
    }
    let (reciprocal, bits) = RECIPROCALS_OF_POWERS_OF_FIVE[decimals];
    let zeros = digits.leading_zeros();
    let product = u128::from(digits << zeros) * u128::from(reciprocal);
    let high = (product >> 64) as u64;
    // The product has 63 or 64 significant bits, of which a double keeps 53.
    let cut = 10 + (high >> 63) as u32;
    let half = 1 << (cut - 1);
    let rest = high & (2 * half - 1);
    if rest == half - 1 {
        return None;
    }
    let kept = (high >> cut) + u64::from(rest >= half);
    // The factor 2^(cut + 1 - bits - zeros - decimals) is far from the limits of a double.
    let exponent = 1024 + cut - bits - zeros - decimals as u32;
    Some(kept as i64 as f64 * f64::from_bits(u64::from(exponent) << 52))
}

/// Parses an integer of up to 8 digits.
#[inline(always)]
pub(crate) fn parse_short_integer(text: &[u8], place: (usize, usize)) -> Option<f64> {
    // Signed integers convert to doubles faster.
    Some(parse_short_digits(text, place)? as i64 as f64)
}

#[inline(always)]
fn parse_short_digits(text: &[u8], (from, to): (usize, usize)) -> Option<u64> {
    if to - from > 8 {
        return None;
    }
    parse_digits(eight_before(text, to), to - from)
}

/// Returns the number of bytes after the last decimal point in eight bytes of text; 8 if there is
/// none.
#[inline(always)]
fn bytes_after_point(eight: u64) -> usize {
    // The lowest zero byte is the lowest one in which subtracting 1 sets the highest bit (Warren,
    // Hacker's Delight, 6-1). Swapping makes the last of the eight bytes the lowest.
    let zero_at_point = eight.swap_bytes() ^ (ONE_IN_EACH_BYTE * u64::from(b'.'));
    let found =
        zero_at_point.wrapping_sub(ONE_IN_EACH_BYTE) & !zero_at_point & (ONE_IN_EACH_BYTE << 7);
    found.trailing_zeros() as usize / 8
}

/// Parses the last `count` (1 to 8) of eight bytes of text as an integer; `None` if one is not a
/// digit. All digits are combined in parallel: neighbours into pairs, pairs into fours and fours
/// into eights (Lemire, 2018).
#[inline(always)]
fn parse_digits(eight: u64, count: usize) -> Option<u64> {
    if count == 0 {
        return None;
    }
    // The first digit is the lowest byte. Bytes before the digits become zeros.
    let ours = u64::MAX << (64 - 8 * count);
    let digits = (eight ^ (ONE_IN_EACH_BYTE * u64::from(b'0'))) & ours;
    // Adding 118 sets the highest bit of all values from 10 upwards.
    if (digits.wrapping_add(ONE_IN_EACH_BYTE * 118) | digits) & (ONE_IN_EACH_BYTE << 7) != 0 {
        return None;
    }
    let pairs = digits * 10 + (digits >> 8);
    /// Mask of the lowest byte of each half.
    const LOWEST_OF_FOUR: u64 = 0x0000_00ff_0000_00ff;
    let first_and_third = (pairs & LOWEST_OF_FOUR).wrapping_mul(100 + (1_000_000 << 32));
    let second_and_last = ((pairs >> 16) & LOWEST_OF_FOUR).wrapping_mul(1 + (10_000 << 32));
    Some(first_and_third.wrapping_add(second_and_last) >> 32)
}

/// Number whose eight bytes all have the value 1, for arithmetic on eight bytes at once.
const ONE_IN_EACH_BYTE: u64 = 0x0101_0101_0101_0101;

/// Loads the eight bytes before position `to`, the first as the lowest byte; missing bytes are 0.
#[inline(always)]
fn eight_before(text: &[u8], to: usize) -> u64 {
    match text[..to].last_chunk() {
        Some(&eight) => u64::from_le_bytes(eight),
        None => fewer_than_eight(&text[..to]),
    }
}

#[cold]
fn fewer_than_eight(bytes: &[u8]) -> u64 {
    let mut eight = [0; 8];
    eight[8 - bytes.len()..].copy_from_slice(bytes);
    u64::from_le_bytes(eight)
}

/// Word that is compared with many others, such as the current query. Most words are so short that
/// integer comparisons are faster than a function call that compares bytes.
#[derive(Debug, Default)]
pub(crate) struct FastWord {
    text: String,
    /// First eight bytes of the word; `first_mask` is the mask of the bytes that exist, and `last`
    /// holds the last eight bytes if there are that many.
    first: u64,
    first_mask: u64,
    last: u64,
}

impl FastWord {
    /// Replaces the stored word.
    pub(crate) fn set(&mut self, text: &str) {
        self.text.clear();
        self.text.push_str(text);
        let bytes = text.as_bytes();
        let mut first = [0; 8];
        let length = bytes.len().min(8);
        first[..length].copy_from_slice(&bytes[..length]);
        self.first = u64::from_le_bytes(first);
        self.first_mask = u64::MAX.checked_shr(64 - 8 * length as u32).unwrap_or(0);
        self.last = eight_before(bytes, bytes.len());
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns true if the word at positions `from..to` of a text equals the stored word.
    #[inline(always)]
    pub(crate) fn equals(&self, text: &[u8], (from, to): (usize, usize)) -> bool {
        let length = to - from;
        if length != self.text.len() {
            return false;
        }
        match text[from..].first_chunk() {
            Some(&first) if length <= 16 => {
                u64::from_le_bytes(first) & self.first_mask == self.first
                    && (length <= 8 || eight_before(text, to) == self.last)
            }
            _ => text[from..to] == *self.text.as_bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_parsed_as_by_the_standard_library(
            text in "-?[0-9]{0,9}\\.?[0-9]{0,20}|-?[0-9]{0,17}\\.?[0-9]{0,17}|[-+.0-9eEnaif]{0,9}",
        ) {
            let standard = text.parse::<f64>().ok();
            let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
            // The result must not depend on the bytes around the word.
            for before in ["", ".7 ", "long before 1.5"] {
                let around = format!("{before}{text} 3.4");
                let word = (before.len(), before.len() + text.len());
                if let Some(ours) = parse_short_decimal(around.as_bytes(), word) {
                    prop_assert!(same(ours, standard.unwrap()));
                }
                if let Some(ours) = parse_short_integer(around.as_bytes(), word) {
                    prop_assert!(same(ours, standard.unwrap()));
                }
            }
            match (parse_number(text.as_bytes()), standard) {
                (Some(ours), Some(standard)) => prop_assert!(same(ours, standard)),
                (ours, standard) => prop_assert_eq!(ours, standard),
            }
        }

        #[test]
        fn fast_word_equals_only_the_same_word(
            before in "[a ]{0,3}", word in "[ab]{0,20}", other in "[ab]{0,20}", after in "[a ]{0,17}",
        ) {
            let text = format!("{before}{other}{after}");
            let place = (before.len(), before.len() + other.len());
            let mut same = FastWord::default();
            same.set(&word);
            prop_assert_eq!(same.equals(text.as_bytes(), place), word == other);
            same.set(&other);
            prop_assert!(same.equals(text.as_bytes(), place));
        }

        #[test]
        fn lines_are_split_as_by_standard_library_methods(
            line in "[a-zé]{1,30}( [a-zé]{1,9}){0,7}\r?|[a-zé]{1,40}(\t[a-zé]{1,40}){3}|[ \t\ra-zé]{0,200}",
            after in "(\n[ a-zé\n]{0,160})?",
        ) {
            let text = format!("{line}{after}");
            let split = split_line::<4>(text.as_bytes());
            let mut expected: Vec<&str> = line.split_ascii_whitespace().collect();
            let tabs = line.matches('\t').count();
            if tabs > 0 && line.contains(' ') && (expected.len() != 4 || tabs >= 3) {
                let columns = line.trim_end().split('\t').map(str::trim);
                expected = columns.collect();
                if expected.iter().take(4).any(|column| column.is_empty()) {
                    prop_assert_eq!(split.count, 5);
                    return Ok(());
                }
            }
            prop_assert_eq!(split.end, line.len());
            prop_assert_eq!(split.count, expected.len().min(5));
            for (&(from, to), expected) in split.words.iter().zip(expected) {
                prop_assert_eq!(&text[from..to], expected);
            }
        }

        #[test]
        fn fast_and_general_splitters_agree_on_any_bytes(
            bytes in prop::collection::vec(prop_oneof![8 => 1..=255u8, 1 => Just(b' '), 1 => Just(b'\n')], 0..300),
        ) {
            let (fast, general) = (split_line::<3>(&bytes), split_any_line::<3>(&bytes));
            prop_assert_eq!(fast.end, general.end);
            prop_assert_eq!(fast.count, general.count);
            let word_count = fast.count.min(3);
            prop_assert_eq!(&fast.words[..word_count], &general.words[..word_count]);
        }
    }
}
