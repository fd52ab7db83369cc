//! The addresses of organisers.

use axum::http::StatusCode;
use partita_judging::campaign::State;

use super::{Scope, acts, campaigns, export, invites, lists, media, people, session, tokens};
use crate::api::Route;
use crate::document::Document;
use crate::media::MediaView;
use crate::problem::ProblemKind as Kind;

/// The addresses of this folder.
pub(crate) fn routes() -> Vec<Route> {
    [
        campaign_routes(),
        act_routes(),
        people_routes(),
        file_routes(),
        token_routes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Campaigns as they are.
fn campaign_routes() -> Vec<Route> {
    vec![
        Route::get(
            "/api/v1/campaigns",
            ("listCampaigns", "All campaigns that the token is for"),
            campaigns::all,
        )
        .of_organiser(Scope::Read)
        .gives::<campaigns::CampaignsView>(StatusCode::OK, "The campaigns"),
        Route::post(
            "/api/v1/campaigns",
            (
                "createCampaign",
                "Makes a campaign of a document, or of a zip with `campaign.json` and its files",
            ),
            campaigns::make,
        )
        .of_organiser(Scope::Manage)
        .takes::<Document>()
        .takes_bytes(&["application/zip"])
        .gives::<campaigns::CampaignView>(StatusCode::CREATED, "The campaign")
        .refuses(&[Kind::Exists]),
        Route::get(
            "/api/v1/campaigns/{name}",
            ("getCampaign", "A campaign and what it was made of"),
            campaigns::one,
        )
        .of_organiser(Scope::Read)
        .gives::<campaigns::CampaignView>(StatusCode::OK, "The campaign"),
        Route::get(
            "/api/v1/campaigns/{name}/log",
            ("getLog", "The log, one event per line"),
            campaigns::log,
        )
        .of_organiser(Scope::Read)
        .takes_query::<campaigns::After>()
        .gives_text(
            "application/x-ndjson",
            "Lines of the log; docs/schema/campaign-log-line.json says what a line is like",
        ),
        Route::get(
            "/api/v1/campaigns/{name}/state",
            (
                "getState",
                "All that follows from the log, to the byte what `partita judge replay` prints",
            ),
            campaigns::state,
        )
        .of_organiser(Scope::Read)
        .gives::<State>(StatusCode::OK, "The state"),
        Route::get(
            "/api/v1/campaigns/{name}/status",
            (
                "getStatus",
                "How far a campaign has come, what is left, and what goes on",
            ),
            campaigns::status,
        )
        .of_organiser(Scope::Read)
        .gives::<campaigns::StatusView>(StatusCode::OK, "The status"),
        Route::get(
            "/api/v1/campaigns/{name}/pairs",
            ("listPairs", "The pairs that were asked, with their votes"),
            lists::pairs,
        )
        .of_organiser(Scope::Read)
        .gives::<lists::PairsView>(StatusCode::OK, "The pairs"),
        Route::get(
            "/api/v1/campaigns/{name}/lists",
            ("listLists", "The lists as they are now"),
            lists::lists,
        )
        .of_organiser(Scope::Read)
        .takes_query::<lists::Which>()
        .gives::<lists::ListsView>(StatusCode::OK, "The lists"),
    ]
}

/// What is done to a campaign.
fn act_routes() -> Vec<Route> {
    vec![
        Route::post(
            "/api/v1/campaigns/{name}/pause",
            (
                "pauseCampaign",
                "Asks nothing until the campaign is resumed",
            ),
            acts::pause,
        )
        .of_organiser(Scope::Manage)
        .gives::<acts::ActView>(StatusCode::OK, "How the campaign is now")
        .refuses(&[Kind::Invalid]),
        Route::post(
            "/api/v1/campaigns/{name}/resume",
            ("resumeCampaign", "Lets a campaign go on"),
            acts::resume,
        )
        .of_organiser(Scope::Manage)
        .gives::<acts::ActView>(StatusCode::OK, "How the campaign is now")
        .refuses(&[Kind::Invalid]),
        Route::post(
            "/api/v1/campaigns/{name}/close",
            ("closeCampaign", "Ends a campaign for good"),
            acts::close,
        )
        .of_organiser(Scope::Manage)
        .gives::<acts::ActView>(StatusCode::OK, "How the campaign is now")
        .refuses(&[Kind::Invalid]),
        Route::post(
            "/api/v1/campaigns/{name}/extend",
            (
                "extendCampaign",
                "Changes the number of votes or the budget, or adds lists",
            ),
            acts::extend,
        )
        .of_organiser(Scope::Manage)
        .takes::<acts::Extension>()
        .gives::<acts::ActView>(StatusCode::OK, "How the campaign is now"),
    ]
}

/// People and invites.
fn people_routes() -> Vec<Route> {
    vec![
        Route::get(
            "/api/v1/campaigns/{name}/people",
            (
                "listPeople",
                "The people, and what speaks for and against each; `claim` with the scope `people`",
            ),
            people::all,
        )
        .of_organiser(Scope::Read)
        .gives::<people::PeopleView>(StatusCode::OK, "The people")
        .refuses(&[Kind::Invalid]),
        Route::post(
            "/api/v1/campaigns/{name}/people/{person}/exclude",
            (
                "excludePerson",
                "Leaves somebody's votes out; exactly their pairs are asked again",
            ),
            people::exclude,
        )
        .of_organiser(Scope::Manage)
        .takes::<people::Why>()
        .gives_nothing(StatusCode::NO_CONTENT, "They are left out"),
        Route::post(
            "/api/v1/campaigns/{name}/people/{person}/readmit",
            ("readmitPerson", "Takes somebody's votes in again"),
            people::readmit,
        )
        .of_organiser(Scope::Manage)
        .takes::<people::Why>()
        .gives_nothing(StatusCode::NO_CONTENT, "They are in again"),
        Route::post(
            "/api/v1/campaigns/{name}/people/{person}/erase",
            (
                "erasePerson",
                "Deletes all that says who somebody is, and ends their link",
            ),
            people::erase,
        )
        .of_organiser(Scope::People)
        .gives_nothing(StatusCode::NO_CONTENT, "It is deleted"),
        Route::get(
            "/api/v1/campaigns/{name}/invites",
            ("listInvites", "All invites, without their tokens"),
            invites::all,
        )
        .of_organiser(Scope::Read)
        .gives::<invites::InvitesView>(StatusCode::OK, "The invites"),
        Route::post(
            "/api/v1/campaigns/{name}/invites",
            ("createInvites", "Makes invites, each for one person"),
            invites::make,
        )
        .of_organiser(Scope::Manage)
        .takes::<invites::NewInvites>()
        .gives::<invites::MadeInvites>(
            StatusCode::CREATED,
            "The invites, with their tokens this once",
        ),
        Route::delete(
            "/api/v1/campaigns/{name}/invites/{invite}",
            ("revokeInvite", "Revokes an invite"),
            invites::revoke,
        )
        .of_organiser(Scope::Manage)
        .gives_nothing(StatusCode::NO_CONTENT, "It lets nobody in any more"),
    ]
}

/// What is sent and downloaded.
fn file_routes() -> Vec<Route> {
    vec![
        Route::post(
            "/api/v1/media",
            ("createMedia", "Takes a clip (WAV, MP3, Ogg, FLAC, M4A) or a picture (PNG, JPEG, WebP) of at most 20 MiB"),
            media::take,
        )
        .of_organiser(Scope::Manage)
        .takes_bytes(&["application/octet-stream"])
        .gives::<MediaView>(StatusCode::CREATED, "What to call it in a campaign"),
        Route::get(
            "/api/v1/campaigns/{name}/export/{export}",
            ("getExport", "A file to download"),
            export::file,
        )
        .of_organiser(Scope::Read)
        .takes_query::<export::How>()
        .gives_bytes(StatusCode::OK, &["text/csv", "text/plain", "application/x-ndjson", "application/zip"], "The file")
        .gives::<export::TruthJson>(StatusCode::OK, "The file"),
        Route::get(
            "/api/v1/campaigns/{name}/figures/{figure}",
            ("getFigure", "A figure"),
            export::figure,
        )
        .of_organiser(Scope::Read)
        .gives_text("image/svg+xml", "The figure")
        .refuses(&[Kind::Invalid]),
    ]
}

/// Tokens and sessions.
fn token_routes() -> Vec<Route> {
    vec![
        Route::get(
            "/api/v1/tokens",
            ("listTokens", "All tokens, without themselves"),
            tokens::all,
        )
        .of_organiser(Scope::Tokens)
        .gives::<tokens::TokensView>(StatusCode::OK, "The tokens"),
        Route::post(
            "/api/v1/tokens",
            ("createToken", "Makes a token"),
            tokens::make,
        )
        .of_organiser(Scope::Tokens)
        .takes::<tokens::NewToken>()
        .gives::<tokens::MadeToken>(StatusCode::CREATED, "The token, shown this once"),
        Route::delete(
            "/api/v1/tokens/{token}",
            ("revokeToken", "Revokes a token, and ends its sessions"),
            tokens::revoke,
        )
        .of_organiser(Scope::Tokens)
        .gives_nothing(StatusCode::NO_CONTENT, "It is not valid any more")
        .refuses(&[Kind::NotFound]),
        Route::post(
            "/api/v1/session",
            (
                "beginSession",
                "Signs a browser in, from a page of this server",
            ),
            session::begin,
        )
        .takes::<session::NewSession>()
        .gives_nothing(StatusCode::NO_CONTENT, "The cookie is set")
        .refuses(&[
            Kind::Unauthorised,
            Kind::Origin,
            Kind::TooMany,
            Kind::Unavailable,
        ]),
        Route::delete(
            "/api/v1/session",
            ("endSession", "Signs a browser out"),
            session::end,
        )
        .gives_nothing(StatusCode::NO_CONTENT, "The cookie is gone")
        .refuses(&[Kind::Origin, Kind::Unavailable]),
    ]
}
