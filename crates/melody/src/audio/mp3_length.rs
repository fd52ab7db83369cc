//! Whether an MP3 file ends too early, which its decoder does not say: a file is a row of frames, each of
//! which says how long it is, and the first may say how long the whole is.

/// Kilobits per second of layer III by the number in a frame's head, for MPEG-1 and for MPEG-2 and 2.5 (ISO/IEC
/// 11172-3, 2.4.2.3; ISO/IEC 13818-3, 2.4.2.3).
const RATES_1: [usize; 14] = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
];
const RATES_2: [usize; 14] = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

/// Samples per second of MPEG-1; MPEG-2 has half and 2.5 a quarter of these.
const SAMPLES: [usize; 3] = [44_100, 48_000, 32_000];

/// The length of the frame that begins here; nothing where none of layer III does.
fn frame(bytes: &[u8]) -> Option<usize> {
    let [0xff, second, third, _, ..] = *bytes else {
        return None;
    };
    let layer_three = second & 0xe6 == 0xe2;
    let (version, rate) = (second >> 3 & 3, usize::from(third >> 4));
    let samples = SAMPLES.get(usize::from(third >> 2 & 3))?;
    let (rates, samples, factor) = match version {
        3 => (RATES_1, *samples, 144_000),
        2 => (RATES_2, samples / 2, 72_000),
        0 => (RATES_2, samples / 4, 72_000),
        _ => return None,
    };
    let rate = rates.get(rate.checked_sub(1)?)?;
    layer_three.then(|| factor * rate / samples + usize::from(third >> 1 & 1))
}

/// How many bytes the first frame says that there are from it on (the header of Xing, which LAME writes too).
fn promised(first: &[u8]) -> Option<usize> {
    // After the head and what a decoder needs of one or two channels, by version.
    [13, 21, 36].iter().find_map(|&at| {
        let head = first.get(at..at + 16)?;
        let (flags, named) = (
            head[7],
            head.starts_with(b"Xing") || head.starts_with(b"Info"),
        );
        // The number of frames comes before it, if it is there.
        let at = if flags & 1 == 1 { 12 } else { 8 };
        let bytes = head[at..at + 4].try_into().expect("these are four bytes");
        (named && flags & 2 == 2).then(|| u32::from_be_bytes(bytes) as usize)
    })
}

/// Whether a file of layer III ends within a frame, or before the place that it says.
pub(crate) fn is_cut(bytes: &[u8]) -> bool {
    let mut rest = after_tag(bytes);
    if frame(rest).is_none() {
        return false;
    }
    if promised(rest).is_some_and(|promised| promised > rest.len()) {
        return true;
    }
    while let Some(length) = frame(rest) {
        match rest.get(length..) {
            Some(next) => rest = next,
            None => return true,
        }
    }
    false
}

/// What comes after a tag of ID3, whose length is in groups of seven bits.
fn after_tag(bytes: &[u8]) -> &[u8] {
    match bytes {
        [b'I', b'D', b'3', _, _, _, size @ ..] if size.len() >= 4 => {
            let digits = size[..4].iter().map(|&digit| usize::from(digit & 0x7f));
            let length = digits.fold(0, |length, digit| length * 128 + digit);
            size[4..].get(length..).unwrap_or(&[])
        }
        _ => bytes,
    }
}
