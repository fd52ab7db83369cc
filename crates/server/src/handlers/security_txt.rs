//! Security contact for reports of vulnerabilities (RFC 9116).

use std::str::FromStr;
use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::AppState;
use crate::routes::Route;
use crate::writer::UnixMillis;

/// Security policy of the project, shown on the security page of the server.
const SECURITY_POLICY: &str = include_str!("../../../../SECURITY.md");

/// Validity of `security.txt` in days. RFC 9116 recommends less than a year.
const VALIDITY_DAYS: i64 = 180;

/// Contact URI of the operator of a server, for reports of vulnerabilities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecurityContact(String);

/// Error for a text that is not a valid contact URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a contact begins with mailto:, https:// or tel: and has no blanks")]
pub struct SecurityContactError;

impl FromStr for SecurityContact {
    type Err = SecurityContactError;

    fn from_str(text: &str) -> Result<Self, SecurityContactError> {
        let rest = ["mailto:", "https://", "tel:"]
            .into_iter()
            .find_map(|scheme| text.strip_prefix(scheme));
        let plain = |c: char| c.is_ascii_graphic();
        match rest {
            Some(rest) if !rest.is_empty() && rest.chars().all(plain) => Ok(Self(text.to_owned())),
            _ => Err(SecurityContactError),
        }
    }
}

/// Returns the routes of `security.txt` and of the security page.
pub(crate) fn routes() -> [Route; 2] {
    [
        Route::new(
            "GET /.well-known/security.txt",
            "getSecurityTxt",
            "Contact for security reports (RFC 9116)",
            get_security_txt,
        )
        .responds_with_text("text/plain", "Fields, one per line"),
        Route::new(
            "GET /security",
            "getSecurity",
            "How to report a vulnerability",
            get_security_page,
        )
        .responds_with_text("text/plain", "The security policy"),
    ]
}

/// Builds a plain text response.
fn text_response(text: String) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}

/// Handles `GET /.well-known/security.txt`.
async fn get_security_txt(State(shared): State<Arc<AppState>>) -> Response {
    let url = &shared.public_url;
    // If the operator gave no contact, refer to the security page of this server, which tells whom
    // to contact.
    let contact = match &shared.contact {
        Some(contact) => contact.0.clone(),
        None => format!("{url}/security"),
    };
    let expires = UnixMillis(UnixMillis::now().0 + VALIDITY_DAYS * 24 * 3_600_000).to_rfc3339();
    text_response(format!(
        "Contact: {contact}\nExpires: {expires}\nPreferred-Languages: en, es\nPolicy: {url}/security\n\
         Canonical: {url}/.well-known/security.txt\n"
    ))
}

/// Handles `GET /security`: the security page.
async fn get_security_page(State(shared): State<Arc<AppState>>) -> Response {
    let whom = match &shared.contact {
        Some(contact) => format!("write to {}", contact.0),
        None => "contact its operator: the person who invited you to judge or gave you a token"
            .to_owned(),
    };
    text_response(format!(
        "This server runs Partita {}. About a vulnerability of this server, or about\nits personal \
         data, {whom}.\nAbout a vulnerability of the program, read on.\n\n{SECURITY_POLICY}",
        env!("CARGO_PKG_VERSION")
    ))
}
