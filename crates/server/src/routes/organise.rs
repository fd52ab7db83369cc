//! Routes of the organisers' API.

use axum::http::StatusCode;
use partita::judging::campaign::{Action, CampaignSnapshot, CampaignSpec};

use super::Route;
use crate::auth::organiser::{IssuedToken, Scope};
use crate::handlers::organise::{
    assessors, campaigns, export, invites, lifecycle, lists, media, reports, session, tokens,
};
use crate::http::problem::ProblemKind as Kind;
use crate::http::table_query::TableQuery;
use crate::media::MediaView;

/// Returns the routes of the organisers' API.
pub(crate) fn routes() -> Vec<Route> {
    [
        campaign_routes(),
        lifecycle_routes(),
        assessor_routes(),
        file_routes(),
        token_routes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns the routes that read and create campaigns.
fn campaign_routes() -> Vec<Route> {
    vec![
        Route::new(
            "GET /api/v1/campaigns",
            "listCampaigns",
            "Lists the campaigns that the token may access",
            campaigns::list_campaigns,
        )
        .for_organiser(Scope::Read)
        .responds_with_json::<campaigns::CampaignSummariesView>(StatusCode::OK, "The campaigns"),
        Route::new(
            "POST /api/v1/campaigns",
            "createCampaign",
            "Creates a campaign from a document, or from a zip with `campaign.json` and its files",
            campaigns::create_campaign,
        )
        .for_organiser(Scope::Manage)
        .with_json_body::<CampaignSpec>()
        .with_bytes_body(&["application/zip"])
        .responds_with_json::<campaigns::CampaignView>(StatusCode::CREATED, "The campaign")
        .fails_with(&[Kind::AlreadyExists]),
        Route::new(
            "GET /api/v1/campaigns/{name}",
            "getCampaign",
            "Returns a campaign with its document",
            campaigns::get_campaign,
        )
        .for_organiser(Scope::Read)
        .responds_with_json::<campaigns::CampaignView>(StatusCode::OK, "The campaign"),
        Route::new(
            "GET /api/v1/campaigns/{name}/log",
            "getLog",
            "The log, one event per line",
            campaigns::get_log,
        )
        .for_organiser(Scope::Read)
        .with_query::<campaigns::LogQuery>()
        .responds_with_text(
            "application/x-ndjson",
            "Lines of the log, as in docs/schema/campaign-log-line.json",
        ),
        Route::new(
            "GET /api/v1/campaigns/{name}/state",
            "getState",
            "Returns the state of the campaign, byte for byte as `partita campaign replay` prints it",
            campaigns::get_state,
        )
        .for_organiser(Scope::Read)
        .responds_with_json::<CampaignSnapshot>(StatusCode::OK, "The state"),
        Route::new(
            "GET /api/v1/campaigns/{name}/status",
            "getStatus",
            "Returns progress, expected remaining votes and current activity",
            campaigns::get_status,
        )
        .for_organiser(Scope::Read)
        .responds_with_json::<campaigns::LiveStatusView>(StatusCode::OK, "The status"),
        Route::new(
            "GET /api/v1/campaigns/{name}/pairs",
            "listPairs",
            "Returns the asked pairs with their votes",
            lists::list_pairs,
        )
        .for_organiser(Scope::Read)
        .responds_with_json::<lists::AskedPairsView>(StatusCode::OK, "The pairs"),
        Route::new(
            "GET /api/v1/campaigns/{name}/lists",
            "listLists",
            "Returns the current lists",
            lists::get_lists,
        )
        .for_organiser(Scope::Read)
        .with_query::<lists::ListsQuery>()
        .with_query::<TableQuery>()
        .responds_with_json::<lists::CurrentListsView<'static>>(StatusCode::OK, "The lists"),
        Route::new(
            "GET /api/v1/campaigns/{name}/reports",
            "listReports",
            "Returns all reported problems, counted by query, item and problem",
            reports::list_reports,
        )
        .for_organiser(Scope::Read)
        .with_query::<TableQuery>()
        .responds_with_json::<reports::ReportListView>(StatusCode::OK, "The reports"),
    ]
}

/// Returns the routes that change an existing campaign.
fn lifecycle_routes() -> Vec<Route> {
    let phase_route = |endpoint, id, summary, action: Action| {
        Route::new(endpoint, id, summary, move |state, name, organiser| {
            lifecycle::change_phase(state, name, organiser, action.clone())
        })
        .for_organiser(Scope::Manage)
        .responds_with_json::<lifecycle::CampaignPhaseView>(StatusCode::OK, "The updated campaign")
        .fails_with(&[Kind::Invalid])
    };
    vec![
        phase_route(
            "POST /api/v1/campaigns/{name}/pause",
            "pauseCampaign",
            "Pauses a campaign: no new questions until it is resumed",
            Action::Pause,
        ),
        phase_route(
            "POST /api/v1/campaigns/{name}/resume",
            "resumeCampaign",
            "Resumes a campaign",
            Action::Resume,
        ),
        phase_route(
            "POST /api/v1/campaigns/{name}/close",
            "closeCampaign",
            "Closes a campaign permanently",
            Action::Close {
                queries: Vec::new(),
            },
        ),
        Route::new(
            "DELETE /api/v1/campaigns/{name}",
            "deleteCampaign",
            "Deletes a closed campaign with its log, people and links, and the files that no other campaign uses",
            lifecycle::delete_campaign,
        )
        .for_organiser(Scope::Manage)
        .with_json_body::<lifecycle::DeletionRequest>()
        .responds_empty(StatusCode::NO_CONTENT, "The campaign is deleted")
        .fails_with(&[Kind::CampaignOpen]),
        Route::new(
            "POST /api/v1/campaigns/{name}/extend",
            "extendCampaign",
            "Changes the number of votes, the budget, the settled share or the panel's limit, or adds lists",
            lifecycle::extend_campaign,
        )
        .for_organiser(Scope::Manage)
        .with_json_body::<lifecycle::ExtensionRequest>()
        .responds_with_json::<lifecycle::CampaignPhaseView>(StatusCode::OK, "The updated campaign"),
    ]
}

/// Returns the routes that concern assessors and invites.
fn assessor_routes() -> Vec<Route> {
    vec![
        Route::new(
            "GET /api/v1/campaigns/{name}/people",
            "listPeople",
            "Returns the people with their screening cards; with the scope `people` also `claim`",
            assessors::list_assessors,
        )
        .for_organiser(Scope::Read)
        .with_query::<TableQuery>()
        .responds_with_json::<assessors::AssessorListView>(StatusCode::OK, "The people")
        .fails_with(&[Kind::Invalid]),
        Route::new(
            "POST /api/v1/campaigns/{name}/people/{person}/exclude",
            "excludePerson",
            "Excludes a person; pairs that now lack votes are asked again",
            |state, path, organiser, body| {
                assessors::set_exclusion(state, path, organiser, body, true)
            },
        )
        .for_organiser(Scope::Manage)
        .with_json_body::<assessors::ExclusionReasonRequest>()
        .responds_empty(StatusCode::NO_CONTENT, "The person is excluded"),
        Route::new(
            "POST /api/v1/campaigns/{name}/people/{person}/readmit",
            "readmitPerson",
            "Readmits a person; their votes count again",
            |state, path, organiser, body| {
                assessors::set_exclusion(state, path, organiser, body, false)
            },
        )
        .for_organiser(Scope::Manage)
        .with_json_body::<assessors::ExclusionReasonRequest>()
        .responds_empty(StatusCode::NO_CONTENT, "The person is readmitted"),
        Route::new(
            "POST /api/v1/campaigns/{name}/people/{person}/erase",
            "erasePerson",
            "Erases the personal data of a person, and revokes their link",
            assessors::erase_assessor,
        )
        .for_organiser(Scope::People)
        .responds_empty(StatusCode::NO_CONTENT, "The data are erased"),
        Route::new(
            "GET /api/v1/campaigns/{name}/invites",
            "listInvites",
            "Lists the invites, without their tokens",
            invites::list_invites,
        )
        .for_organiser(Scope::Read)
        .with_query::<TableQuery>()
        .responds_with_json::<invites::InviteListView>(StatusCode::OK, "The invites"),
        Route::new(
            "POST /api/v1/campaigns/{name}/invites",
            "createInvites",
            "Creates invites, each for one person",
            invites::create_invites,
        )
        .for_organiser(Scope::Manage)
        .with_json_body::<invites::InvitesRequest>()
        .with_bytes_body(&["text/csv"])
        .fails_with(&[Kind::CampaignClosed])
        .responds_with_json::<invites::InviteLinks>(
            StatusCode::CREATED,
            "The invites with their tokens, which are shown only once",
        )
        .responds_with_bytes(
            StatusCode::CREATED,
            &["text/csv"],
            "The invites with their tokens, which are shown only once",
        ),
        Route::new(
            "PATCH /api/v1/campaigns/{name}/invites/{invite}",
            "changeInvite",
            "Changes the label of an invite",
            invites::change_invite,
        )
        .for_organiser(Scope::Manage)
        .with_json_body::<invites::InviteChangeRequest>()
        .responds_empty(StatusCode::NO_CONTENT, "The label is changed"),
        Route::new(
            "DELETE /api/v1/campaigns/{name}/invites/{invite}",
            "revokeInvite",
            "Revokes an invite",
            invites::revoke_invite,
        )
        .for_organiser(Scope::Manage)
        .responds_empty(StatusCode::NO_CONTENT, "The invite is revoked"),
    ]
}

/// Returns the routes that upload or download files.
fn file_routes() -> Vec<Route> {
    vec![
        Route::new("POST /api/v1/media", "createMedia", "Uploads a clip (WAV, MP3, Ogg, FLAC, M4A) or a picture (PNG, JPEG, WebP) of at most 20 MiB",
            media::upload_media,
        )
        .for_organiser(Scope::Manage)
        .with_bytes_body(&["application/octet-stream"])
        .responds_with_json::<MediaView>(StatusCode::CREATED, "The id of the file for campaign documents"),
        Route::new("GET /api/v1/campaigns/{name}/export/{export}", "getExport", "A file to download",
            export::get_export,
        )
        .for_organiser(Scope::Read)
        .with_query::<export::ExportParams>()
        .responds_with_bytes(StatusCode::OK, &["text/csv", "text/plain", "application/x-ndjson", "application/zip"], "The file")
        .responds_with_json::<export::GroundTruthJson>(StatusCode::OK, "The file"),
        Route::new("GET /api/v1/campaigns/{name}/figures/{figure}", "getFigure", "A figure",
            export::get_figure,
        )
        .for_organiser(Scope::Read)
        .responds_with_text("image/svg+xml", "The figure")
        .fails_with(&[Kind::Invalid]),
    ]
}

/// Returns the routes that concern organiser tokens and sessions.
fn token_routes() -> Vec<Route> {
    vec![
        Route::new(
            "GET /api/v1/tokens",
            "listTokens",
            "Lists the tokens without their secret values",
            tokens::list_tokens,
        )
        .for_organiser(Scope::Tokens)
        .responds_with_json::<tokens::TokenSummariesView>(StatusCode::OK, "The tokens"),
        Route::new(
            "POST /api/v1/tokens",
            "createToken",
            "Creates a token",
            tokens::create_token,
        )
        .for_organiser(Scope::Tokens)
        .with_json_body::<tokens::TokenRequest>()
        .responds_with_json::<IssuedToken>(
            StatusCode::CREATED,
            "The token, which is shown only once",
        ),
        Route::new(
            "DELETE /api/v1/tokens/{token}",
            "revokeToken",
            "Revokes a token, and ends its sessions",
            tokens::revoke_token,
        )
        .for_organiser(Scope::Tokens)
        .responds_empty(StatusCode::NO_CONTENT, "The token is revoked")
        .fails_with(&[Kind::NotFound]),
        Route::new(
            "POST /api/v1/session",
            "beginSession",
            "Signs a browser in; only from a page of this server",
            session::begin_session,
        )
        .with_json_body::<session::SignInRequest>()
        .responds_empty(StatusCode::NO_CONTENT, "The cookie is set")
        .fails_with(&[
            Kind::Unauthorised,
            Kind::CrossOrigin,
            Kind::RateLimited,
            Kind::Unavailable,
        ]),
        Route::new(
            "DELETE /api/v1/session",
            "endSession",
            "Signs a browser out",
            session::end_session,
        )
        .responds_empty(StatusCode::NO_CONTENT, "The cookie is removed")
        .fails_with(&[Kind::CrossOrigin, Kind::Unavailable]),
    ]
}
