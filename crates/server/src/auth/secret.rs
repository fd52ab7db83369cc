//! Server secret, shared by all servers that use the same database.

use std::io;
use std::path::Path;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::token::{Token, hex};
use partita::judging::campaign::WorkOutcome;

/// Minimum length of the server secret in bytes, without surrounding white space. Generated secrets
/// have 64.
const MIN_SECRET_BYTES: usize = 16;

/// Secret HMAC key from which completion codes are derived. It is stored in a file of the server,
/// never in the database.
#[derive(Clone)]
pub(crate) struct ServerSecret(Vec<u8>);

impl ServerSecret {
    /// Reads the secret from a file; if the file does not exist, creates it with a random secret.
    /// Fails if the secret in the file is too short.
    pub(crate) fn load_or_create(path: &Path) -> io::Result<Self> {
        match std::fs::read(path) {
            // With an empty or short secret, anybody could compute completion codes.
            Ok(bytes) if bytes.trim_ascii().len() < MIN_SECRET_BYTES => {
                let reason = format!(
                    "{}: the secret has fewer than {MIN_SECRET_BYTES} bytes; delete the file to create a new secret",
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

    /// Returns the HMAC-SHA-256 of a text under the secret, as hexadecimal digits; `purpose`
    /// separates the uses of the secret.
    fn hmac_hex(&self, purpose: &str, text: &str) -> String {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC accepts keys of any length");
        mac.update(purpose.as_bytes());
        mac.update(&[0]);
        mac.update(text.as_bytes());
        hex(&mac.finalize().into_bytes())
    }

    /// Returns a fingerprint of the secret, by which servers check that they have the same secret.
    /// The fingerprint does not reveal the secret.
    pub(crate) fn fingerprint(&self) -> String {
        self.hmac_hex("fingerprint", "")
    }

    /// Returns the completion code by which an assessor proves this outcome of their work to their
    /// recruiter. The code cannot be guessed without the secret.
    pub(crate) fn completion_code(&self, person: &str, outcome: WorkOutcome) -> String {
        let digits = self.hmac_hex("code", &format!("{person}\0{outcome}"));
        digits[..12].to_uppercase()
    }
}
