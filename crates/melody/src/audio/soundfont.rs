//! Instruments from SoundFont 2 files, which contain recorded samples of instruments.

use std::sync::Arc;

use rustysynth_ext::{SoundFont, Synthesizer, SynthesizerSettings};

use super::instrument::{Instrument, NoteSpan};
use super::resampler::Resampler;

/// One instrument of a SoundFont 2 file.
#[derive(Clone, Debug)]
pub struct Soundfont {
    font: Arc<SoundFont>,
    program: u8,
}

/// Error for a SoundFont file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SoundfontError {
    /// The file is damaged or is no SoundFont 2 file.
    #[error("it is no SoundFont 2 file that can be read: {0}")]
    Unreadable(String),
    /// The soundfont has no instrument with the requested program number.
    #[error("it has no instrument for program {program}; it has {known}")]
    NoProgram {
        /// Requested General MIDI program number, from 0.
        program: u8,
        /// Program numbers that the soundfont has, as text for the error message; the first eight
        /// if there are more.
        known: String,
    },
}

/// Time that a clip of a soundfont continues after the end of its last note, in seconds. Sounds
/// that last longer are faded out.
const RELEASE_SECONDS: f64 = 0.5;

/// MIDI velocity of all notes, from 1 to 127.
const NOTE_VELOCITY: i32 = 100;

/// Lowest sample rate of the synthesizer library, in Hz. For lower rates it plays at twice the
/// rate, and the sound is resampled.
const MIN_SYNTHESIZER_RATE: u32 = 16_000;

/// Number of samples that the synthesizer computes at a time. Notes start at multiples of it, which
/// are half a millisecond apart at the lowest sample rate.
const SYNTHESIZER_BLOCK: usize = 8;

impl Soundfont {
    /// Loads the instrument of bank 0 with this General MIDI program number, from 0, from the bytes
    /// of a SoundFont 2 file.
    pub fn new(bytes: &[u8], program: u8) -> Result<Self, SoundfontError> {
        if bytes.starts_with(b"RIFF") && !chunks_fit(bytes) {
            let message = "it says that it has more than it has";
            return Err(SoundfontError::Unreadable(message.to_owned()));
        }
        let font = SoundFont::new(&mut &*bytes);
        let font = font.map_err(|error| SoundfontError::Unreadable(error.to_string()))?;
        let presets = font.get_presets().iter();
        let mut programs: Vec<i32> = presets
            .filter(|preset| preset.get_bank_number() == 0)
            .map(rustysynth_ext::Preset::get_patch_number)
            .filter(|number| (0..128).contains(number))
            .collect();
        programs.sort_unstable();
        programs.dedup();
        if !programs.contains(&i32::from(program)) {
            let shown: Vec<String> = programs.iter().take(8).map(i32::to_string).collect();
            let known = match (programs.len(), shown.join(", ")) {
                (0, _) => "none".to_owned(),
                (count, shown) if count > 8 => format!("{count}: {shown}, ..."),
                (_, shown) => shown,
            };
            return Err(SoundfontError::NoProgram { program, known });
        }
        Ok(Self {
            font: Arc::new(font),
            program,
        })
    }
}

impl Instrument for Soundfont {
    fn release_seconds(&self) -> f64 {
        RELEASE_SECONDS
    }

    fn can_play(&self, key: u8) -> bool {
        let (key, program) = (i32::from(key), i32::from(self.program));
        let mut presets = self.font.get_presets().iter();
        let preset =
            presets.find(|one| one.get_bank_number() == 0 && one.get_patch_number() == program);
        let mut regions = preset
            .into_iter()
            .flat_map(rustysynth_ext::Preset::get_regions);
        regions.any(|region| {
            let instrument = self.font.get_instruments().get(region.get_instrument_id());
            let mut parts = instrument
                .into_iter()
                .flat_map(rustysynth_ext::Instrument::get_regions);
            region.contains(key, NOTE_VELOCITY)
                && parts.any(|part| part.contains(key, NOTE_VELOCITY))
        })
    }

    fn play(&self, notes: &[NoteSpan], samples: usize, rate: u32) -> Vec<f64> {
        if rate >= MIN_SYNTHESIZER_RATE {
            return self.synthesize(notes, samples, rate);
        }
        // The synthesizer plays at twice the rate; the result is resampled.
        let doubled = |note: &NoteSpan| NoteSpan {
            start: note.start * 2,
            end: note.end * 2,
            ..*note
        };
        let notes: Vec<NoteSpan> = notes.iter().map(doubled).collect();
        let fine = self.synthesize(&notes, samples * 2, rate * 2);
        let mut sound = Vec::with_capacity(samples);
        let mut resampler = Resampler::new(rate * 2, rate);
        resampler.push(&fine, &mut |sample| sound.push(sample));
        resampler.finish(&mut |sample| sound.push(sample));
        sound
    }
}

impl Soundfont {
    /// Plays notes with the synthesizer library at `rate` Hz.
    fn synthesize(&self, notes: &[NoteSpan], samples: usize, rate: u32) -> Vec<f64> {
        let rate = i32::try_from(rate).expect("valid sample rates are below 2^31");
        let mut settings = SynthesizerSettings::new(rate);
        settings.block_size = SYNTHESIZER_BLOCK;
        // Reverb and chorus would blur the notes and make clips longer.
        settings.enable_reverb_and_chorus = false;
        let synthesizer = Synthesizer::new(&self.font, &settings);
        let mut synthesizer = synthesizer.expect("the sample rate and the block size are valid");
        /// Status byte of the MIDI message that selects an instrument.
        const PROGRAM_CHANGE: i32 = 0xC0;
        synthesizer.process_midi_message(0, PROGRAM_CHANGE, self.program.into(), 0);
        // Note-offs sort before note-ons, so that a repeated note is struck again.
        let mut messages: Vec<(usize, bool, u8)> = Vec::with_capacity(notes.len() * 2);
        for note in notes {
            messages.push((
                note.start / SYNTHESIZER_BLOCK * SYNTHESIZER_BLOCK,
                true,
                note.key,
            ));
            messages.push((
                note.end / SYNTHESIZER_BLOCK * SYNTHESIZER_BLOCK,
                false,
                note.key,
            ));
        }
        messages.sort_by_key(|&(at, begins, _)| (at, begins));
        let (mut left, mut right) = (vec![0.0_f32; samples], vec![0.0_f32; samples]);
        let mut done = 0;
        for (at, begins, key) in messages {
            let at = at.min(samples);
            synthesizer.render(&mut left[done..at], &mut right[done..at]);
            done = at;
            if begins {
                synthesizer.note_on(0, key.into(), NOTE_VELOCITY);
            } else {
                synthesizer.note_off(0, key.into());
            }
        }
        synthesizer.render(&mut left[done..], &mut right[done..]);
        let both = left.iter().zip(&right);
        let mut sound: Vec<f64> = both.map(|(l, r)| f64::from(l + r) / 2.0).collect();
        fade_out(&mut sound, rate as usize / 10);
        sound
    }
}

/// Returns true if all RIFF chunks of a file lie within it. The synthesizer library allocates
/// memory for the declared size of a chunk before it checks that the chunk is there.
fn chunks_fit(bytes: &[u8]) -> bool {
    /// Splits off the first RIFF chunk. Returns its content and the bytes after it, or `None` if
    /// the chunk is incomplete.
    fn split_first_chunk(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
        let size = bytes.get(4..8)?.try_into().expect("these are four bytes");
        let content = bytes[8..].get(..u32::from_le_bytes(size) as usize)?;
        let end = 8 + content.len() + content.len() % 2;
        Some((content, bytes.get(end..).unwrap_or(&[])))
    }
    /// Returns true if `bytes` is a sequence of complete RIFF chunks. Chunks inside a list are
    /// checked too, unless `in_list` is true.
    fn all_chunks_fit(mut bytes: &[u8], in_list: bool) -> bool {
        while !bytes.is_empty() {
            let Some((content, rest)) = split_first_chunk(bytes) else {
                return false;
            };
            // A list has a four-byte name, followed by chunks.
            if !in_list
                && bytes.starts_with(b"LIST")
                && !all_chunks_fit(content.get(4..).unwrap_or(&[]), true)
            {
                return false;
            }
            bytes = rest;
        }
        true
    }
    split_first_chunk(bytes).is_some_and(|(content, _)| {
        content
            .get(4..)
            .is_some_and(|parts| all_chunks_fit(parts, false))
    })
}

/// Fades out the last `samples` samples of a sound to silence.
pub(crate) fn fade_out(sound: &mut [f64], samples: usize) {
    let length = samples.min(sound.len());
    let from = sound.len() - length;
    for (place, sample) in sound[from..].iter_mut().enumerate() {
        *sample *= 1.0 - (place + 1) as f64 / length as f64;
    }
}
