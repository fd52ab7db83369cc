//! The addresses of organisers.

use axum::http::StatusCode;
use partita_judging::campaign::CampaignSnapshot;

use super::Route;
use crate::auth::organiser::Scope;
use crate::campaign::document::CampaignDocument;
use crate::handlers::organise::{
    assessors, campaigns, export, invites, lifecycle, lists, media, session, tokens,
};
use crate::http::problem::ProblemKind as Kind;
use crate::media::MediaView;

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
            campaigns::list_campaigns,
        )
        .for_organiser(Scope::Read)
        .responds_with_json::<campaigns::CampaignSummariesView>(StatusCode::OK, "The campaigns"),
        Route::post(
            "/api/v1/campaigns",
            (
                "createCampaign",
                "Makes a campaign of a document, or of a zip with `campaign.json` and its files",
            ),
            campaigns::create_campaign,
        )
        .for_organiser(Scope::Manage)
        .with_json_body::<CampaignDocument>()
        .with_bytes_body(&["application/zip"])
        .responds_with_json::<campaigns::CampaignView>(StatusCode::CREATED, "The campaign")
        .fails_with(&[Kind::Exists]),
        Route::get(
            "/api/v1/campaigns/{name}",
            ("getCampaign", "A campaign and what it was made of"),
            campaigns::get_campaign,
        )
        .for_organiser(Scope::Read)
        .responds_with_json::<campaigns::CampaignView>(StatusCode::OK, "The campaign"),
        Route::get(
            "/api/v1/campaigns/{name}/log",
            ("getLog", "The log, one event per line"),
            campaigns::log,
        )
        .for_organiser(Scope::Read)
        .with_query::<campaigns::LogQuery>()
        .responds_with_text(
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
        .for_organiser(Scope::Read)
        .responds_with_json::<CampaignSnapshot>(StatusCode::OK, "The state"),
        Route::get(
            "/api/v1/campaigns/{name}/status",
            (
                "getStatus",
                "How far a campaign has come, what is left, and what goes on",
            ),
            campaigns::status,
        )
        .for_organiser(Scope::Read)
        .responds_with_json::<campaigns::LiveStatusView>(StatusCode::OK, "The status"),
        Route::get(
            "/api/v1/campaigns/{name}/pairs",
            ("listPairs", "The pairs that were asked, with their votes"),
            lists::pairs,
        )
        .for_organiser(Scope::Read)
        .responds_with_json::<lists::AskedPairsView>(StatusCode::OK, "The pairs"),
        Route::get(
            "/api/v1/campaigns/{name}/lists",
            ("listLists", "The lists as they are now"),
            lists::lists,
        )
        .for_organiser(Scope::Read)
        .with_query::<lists::ListsQuery>()
        .responds_with_json::<lists::CurrentListsView>(StatusCode::OK, "The lists"),
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
            lifecycle::pause,
        )
        .for_organiser(Scope::Manage)
        .responds_with_json::<lifecycle::CampaignPhaseView>(
            StatusCode::OK,
            "How the campaign is now",
        )
        .fails_with(&[Kind::Invalid]),
        Route::post(
            "/api/v1/campaigns/{name}/resume",
            ("resumeCampaign", "Lets a campaign go on"),
            lifecycle::resume,
        )
        .for_organiser(Scope::Manage)
        .responds_with_json::<lifecycle::CampaignPhaseView>(
            StatusCode::OK,
            "How the campaign is now",
        )
        .fails_with(&[Kind::Invalid]),
        Route::post(
            "/api/v1/campaigns/{name}/close",
            ("closeCampaign", "Ends a campaign for good"),
            lifecycle::close,
        )
        .for_organiser(Scope::Manage)
        .responds_with_json::<lifecycle::CampaignPhaseView>(
            StatusCode::OK,
            "How the campaign is now",
        )
        .fails_with(&[Kind::Invalid]),
        Route::post(
            "/api/v1/campaigns/{name}/extend",
            (
                "extendCampaign",
                "Changes the number of votes or the budget, or adds lists",
            ),
            lifecycle::extend,
        )
        .for_organiser(Scope::Manage)
        .with_json_body::<lifecycle::ExtensionRequest>()
        .responds_with_json::<lifecycle::CampaignPhaseView>(
            StatusCode::OK,
            "How the campaign is now",
        ),
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
            assessors::all,
        )
        .for_organiser(Scope::Read)
        .responds_with_json::<assessors::AssessorListView>(StatusCode::OK, "The people")
        .fails_with(&[Kind::Invalid]),
        Route::post(
            "/api/v1/campaigns/{name}/people/{person}/exclude",
            (
                "excludePerson",
                "Leaves somebody's votes out; exactly their pairs are asked again",
            ),
            assessors::exclude,
        )
        .for_organiser(Scope::Manage)
        .with_json_body::<assessors::ExclusionReasonRequest>()
        .responds_empty(StatusCode::NO_CONTENT, "They are left out"),
        Route::post(
            "/api/v1/campaigns/{name}/people/{person}/readmit",
            ("readmitPerson", "Takes somebody's votes in again"),
            assessors::readmit,
        )
        .for_organiser(Scope::Manage)
        .with_json_body::<assessors::ExclusionReasonRequest>()
        .responds_empty(StatusCode::NO_CONTENT, "They are in again"),
        Route::post(
            "/api/v1/campaigns/{name}/people/{person}/erase",
            (
                "erasePerson",
                "Deletes all that says who somebody is, and ends their link",
            ),
            assessors::erase,
        )
        .for_organiser(Scope::People)
        .responds_empty(StatusCode::NO_CONTENT, "It is deleted"),
        Route::get(
            "/api/v1/campaigns/{name}/invites",
            ("listInvites", "All invites, without their tokens"),
            invites::all,
        )
        .for_organiser(Scope::Read)
        .responds_with_json::<invites::InviteListView>(StatusCode::OK, "The invites"),
        Route::post(
            "/api/v1/campaigns/{name}/invites",
            ("createInvites", "Makes invites, each for one person"),
            invites::make,
        )
        .for_organiser(Scope::Manage)
        .with_json_body::<invites::InvitesRequest>()
        .responds_with_json::<invites::InviteLinks>(
            StatusCode::CREATED,
            "The invites, with their tokens this once",
        ),
        Route::delete(
            "/api/v1/campaigns/{name}/invites/{invite}",
            ("revokeInvite", "Revokes an invite"),
            invites::revoke,
        )
        .for_organiser(Scope::Manage)
        .responds_empty(StatusCode::NO_CONTENT, "It lets nobody in any more"),
    ]
}

/// What is sent and downloaded.
fn file_routes() -> Vec<Route> {
    vec![
        Route::post(
            "/api/v1/media",
            ("createMedia", "Takes a clip (WAV, MP3, Ogg, FLAC, M4A) or a picture (PNG, JPEG, WebP) of at most 20 MiB"),
            media::upload_media,
        )
        .for_organiser(Scope::Manage)
        .with_bytes_body(&["application/octet-stream"])
        .responds_with_json::<MediaView>(StatusCode::CREATED, "What to call it in a campaign"),
        Route::get(
            "/api/v1/campaigns/{name}/export/{export}",
            ("getExport", "A file to download"),
            export::get_export,
        )
        .for_organiser(Scope::Read)
        .with_query::<export::ExportQuery>()
        .responds_with_bytes(StatusCode::OK, &["text/csv", "text/plain", "application/x-ndjson", "application/zip"], "The file")
        .responds_with_json::<export::GroundTruthJson>(StatusCode::OK, "The file"),
        Route::get(
            "/api/v1/campaigns/{name}/figures/{figure}",
            ("getFigure", "A figure"),
            export::figure,
        )
        .for_organiser(Scope::Read)
        .responds_with_text("image/svg+xml", "The figure")
        .fails_with(&[Kind::Invalid]),
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
        .for_organiser(Scope::Tokens)
        .responds_with_json::<tokens::TokenSummariesView>(StatusCode::OK, "The tokens"),
        Route::post(
            "/api/v1/tokens",
            ("createToken", "Makes a token"),
            tokens::make,
        )
        .for_organiser(Scope::Tokens)
        .with_json_body::<tokens::TokenRequest>()
        .responds_with_json::<tokens::IssuedToken>(
            StatusCode::CREATED,
            "The token, shown this once",
        ),
        Route::delete(
            "/api/v1/tokens/{token}",
            ("revokeToken", "Revokes a token, and ends its sessions"),
            tokens::revoke,
        )
        .for_organiser(Scope::Tokens)
        .responds_empty(StatusCode::NO_CONTENT, "It is not valid any more")
        .fails_with(&[Kind::NotFound]),
        Route::post(
            "/api/v1/session",
            (
                "beginSession",
                "Signs a browser in, from a page of this server",
            ),
            session::begin,
        )
        .with_json_body::<session::SignInRequest>()
        .responds_empty(StatusCode::NO_CONTENT, "The cookie is set")
        .fails_with(&[
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
        .responds_empty(StatusCode::NO_CONTENT, "The cookie is gone")
        .fails_with(&[Kind::Origin, Kind::Unavailable]),
    ]
}
