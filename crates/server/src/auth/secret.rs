//! The secret that all servers of a database share.

use std::io;
use std::path::Path;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::token::{Token, hex};
use crate::campaign::recruiter::WorkOutcome;

/// The fewest bytes of a secret; one that the server makes has 64.
const SHORTEST: usize = 16;

/// The key of all that is derived, such as completion codes. It lies in a file of the server, never in
/// the database.
#[derive(Clone)]
pub(crate) struct ServerSecret(Vec<u8>);

impl ServerSecret {
    /// The secret in a file, which is made if there is none.
    pub(crate) fn load_or_create(path: &Path) -> io::Result<Self> {
        match std::fs::read(path) {
            // Codes that are derived from nothing could be made by anybody.
            Ok(bytes) if bytes.trim_ascii().len() < SHORTEST => {
                let reason = format!(
                    "{}: the secret has fewer than {SHORTEST} bytes; delete the file to create a new secret",
                    path.display()
                );
                Err(io::Error::new(io::ErrorKind::InvalidData, reason))
            }
            Ok(bytes) => Ok(Self(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let token = Token::random();
                crate::data_folder::write_private_file(path, token.as_str().as_bytes())?;
                Ok(Self(token.as_str().as_bytes().to_vec()))
            }
            Err(error) => Err(error),
        }
    }

    fn hmac_hex(&self, purpose: &str, text: &str) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("any key will do");
        mac.update(purpose.as_bytes());
        mac.update(&[0]);
        mac.update(text.as_bytes());
        hex(&mac.finalize().into_bytes())
    }

    /// What tells whether another server has the same, without telling what it is.
    pub(crate) fn fingerprint(&self) -> String {
        self.hmac_hex("fingerprint", "")
    }

    /// A completion code that differs from person to person and cannot be guessed.
    pub(crate) fn completion_code(&self, person: &str, end: WorkOutcome) -> String {
        let digits = self.hmac_hex("code", &format!("{person}\0{end}"));
        digits[..12].to_uppercase()
    }
}
