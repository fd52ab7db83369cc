//! Invite links. Each admits one assessor to a campaign.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use partita::formats::campaign::invited_people::{
    self, InvitedPerson, MAX_INVITED_NAME_CHARS, is_email_address,
};
use partita::formats::{CsvWriter, Source, escape_formula};
use partita::judging::campaign::JudgmentKind;
use partita::judging::campaign::log::Timestamp;
use partita::named::NamedEnum as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::AppState;
use crate::auth::organiser::{AuthenticatedOrganiser, Scope};
use crate::auth::{Token, random_id};
use crate::campaign::state::CampaignPhase;
use crate::http::json::parse_json;
use crate::http::problem::{FieldError, HttpProblem, ProblemKind};
use crate::http::request::{
    JsonBody, JsonResponse, QueryParams, content_type, read_body, read_json_body,
};
use crate::http::table_query::{SortValue, TableQuery, TableRow};
use crate::store::statement as sql;
use crate::writer::{JobError, UnixMillis};

/// Maximum number of invites per request.
const MAX_INVITES: usize = 1_000;

/// Maximum size of the body of a request for invites: that of 1,000 long names.
const MAX_INVITES_BYTES: usize = 1 << 20;

/// Request to create invite links: a number of them, or one for each person of a list.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InvitesRequest {
    /// Kind of judgment the invited assessors give.
    kind: JudgmentKind,
    /// Number of invite links to create; 1 if neither this nor `people` is given.
    #[serde(default)]
    #[schemars(range(min = 1, max = MAX_INVITES))]
    count: Option<usize>,
    /// Label of all these links, for the organiser.
    #[serde(default)]
    #[schemars(length(max = MAX_INVITED_NAME_CHARS))]
    label: Option<String>,
    /// People to invite, each by a link of their own.
    #[serde(default)]
    #[schemars(length(max = MAX_INVITES))]
    people: Option<Vec<InvitedPersonRequest>>,
    /// Time when the invites expire, in RFC 3339 and in UTC, with `Z` as the offset; they do not
    /// expire if omitted.
    #[serde(default)]
    #[schemars(extend("format" = "date-time"))]
    expires: Option<String>,
}

/// Person to invite.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct InvitedPersonRequest {
    /// Label of the link, for the organiser: for example the name of the person.
    #[schemars(length(min = 1, max = MAX_INVITED_NAME_CHARS))]
    label: String,
    /// E-mail address of the person.
    #[serde(default)]
    email: Option<String>,
}

/// Invite to create.
#[derive(Clone, Debug)]
pub(crate) struct NewInvite {
    pub(crate) kind: JudgmentKind,
    pub(crate) label: Option<String>,
    pub(crate) email: Option<String>,
}

impl NewInvite {
    /// Creates invites for the people of a file. `default` is the kind of judgment of those for whom
    /// the file names none.
    pub(crate) fn from_people(people: Vec<InvitedPerson>, default: JudgmentKind) -> Vec<Self> {
        let invites = people.into_iter().map(|person| Self {
            kind: person.kind.unwrap_or(default),
            label: Some(person.name),
            email: person.email,
        });
        invites.collect()
    }
}

/// Returns the error of a label that is empty or too long.
fn label_error(pointer: &str, label: &str) -> Option<FieldError> {
    let is_valid = (1..=MAX_INVITED_NAME_CHARS).contains(&label.trim().chars().count());
    let detail = format!("a label has 1 to {MAX_INVITED_NAME_CHARS} characters");
    (!is_valid).then(|| FieldError::new(pointer, detail))
}

impl InvitesRequest {
    /// Returns the invites to create, and the time when they expire in Unix milliseconds.
    fn into_invites(self) -> Result<(Vec<NewInvite>, Option<i64>), HttpProblem> {
        let mut errors = Vec::new();
        let count = self.count.unwrap_or(1);
        if !(1..=MAX_INVITES).contains(&count) {
            let detail = format!("from 1 to {MAX_INVITES} at a time");
            errors.push(FieldError::new("/count", detail));
        }
        let label = self.label.filter(|label| !label.is_empty());
        errors.extend(
            label
                .iter()
                .filter_map(|label| label_error("/label", label)),
        );
        if let Some(people) = &self.people {
            if self.count.is_some() || label.is_some() {
                let detail = "give either `people`, or `count` and `label`";
                errors.push(FieldError::new("/people", detail));
            }
            for (index, person) in people.iter().enumerate() {
                let pointer = format!("/people/{index}");
                errors.extend(label_error(&format!("{pointer}/label"), &person.label));
                let email = person.email.as_deref();
                if email.is_some_and(|email| !is_email_address(email)) {
                    let detail = "this is no e-mail address";
                    errors.push(FieldError::new(format!("{pointer}/email"), detail));
                }
            }
        }
        let expires = self.expires.map(|text| text.parse::<Timestamp>());
        if matches!(expires, Some(Err(_))) {
            let detail = "a time must have the form 2026-11-16T12:00:00Z";
            errors.push(FieldError::new("/expires", detail));
        }
        if !errors.is_empty() {
            return Err(HttpProblem::invalid(errors));
        }
        let expires = expires.and_then(Result::ok);
        let expires = expires.map(|moment| (moment.seconds() * 1_000.0) as i64);
        let kind = self.kind;
        let invites = match self.people {
            Some(people) => people
                .into_iter()
                .map(|person| NewInvite {
                    kind,
                    label: Some(person.label.trim().to_owned()),
                    email: person.email,
                })
                .collect(),
            None => vec![
                NewInvite {
                    kind,
                    label,
                    email: None,
                };
                count
            ],
        };
        Ok((invites, expires))
    }
}

/// Newly created invite links.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InviteLinks {
    /// Invite links, one per assessor.
    pub invites: Vec<InviteLink>,
}

/// Newly created invite link.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InviteLink {
    /// Id of the invite, by which it can be revoked.
    pub id: String,
    /// Secret token of the invite. Only its hash is stored, so it is shown once.
    pub invite: String,
    /// URL to send to one assessor.
    pub link: String,
    /// Label of the link, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// E-mail address of the person for whom the link is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
}

/// Invites of a campaign, as organisers see them.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct InviteListView {
    /// Invites, without their secret tokens.
    invites: Vec<InviteView>,
    /// Number of invites that the search found. Present only if the request has a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
}

/// Invite as organisers see it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct InviteView {
    /// Id of the invite.
    id: String,
    /// Kind of judgment the invited assessor gives.
    kind: JudgmentKind,
    /// Label of the link, for the organiser.
    label: Option<String>,
    /// E-mail address of the person for whom the link is. Present only if it is known and the token
    /// has the scope `people`.
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<String>,
    /// Time when the invite expires, in RFC 3339, if it does.
    #[schemars(extend("format" = "date-time"))]
    expires: Option<String>,
    /// Time when the invite was revoked, in RFC 3339, if it was.
    #[schemars(extend("format" = "date-time"))]
    revoked: Option<String>,
    /// Id of the assessor who used the invite, if any.
    person: Option<String>,
    /// State of the work of the invited assessor.
    state: InviteState,
    /// Number of tasks that the invited assessor has answered.
    answers: u32,
}

partita::named::named_enum! {
    /// State of the work of an invited assessor.
    pub(crate) enum InviteState: "state of an invite" {
        /// nobody has used the link
        Unused = "unused",
        /// the person has entered and not answered yet
        Entered = "entered",
        /// the person has answered
        Working = "working",
        /// the person's work has ended
        Done = "done",
    }
}

impl TableRow for InviteView {
    const SORT_KEYS: &'static [&'static str] = &[
        "id", "kind", "label", "expires", "revoked", "person", "state", "answers",
    ];

    fn sort_value(&self, key: &str) -> SortValue<'_> {
        match key {
            "id" => SortValue::Text(&self.id),
            "kind" => SortValue::Text(self.kind.name()),
            "label" => self.label.as_deref().into(),
            "expires" => self.expires.as_deref().into(),
            "revoked" => self.revoked.as_deref().into(),
            "state" => SortValue::Number(f64::from(self.state as u8)),
            "answers" => SortValue::Number(f64::from(self.answers)),
            _ => self.person.as_deref().into(),
        }
    }

    fn search_texts(&self) -> Vec<&str> {
        let optional = [&self.label, &self.email, &self.person].map(Option::as_deref);
        let mut texts: Vec<&str> = optional.into_iter().flatten().collect();
        texts.push(&self.id);
        texts
    }
}

/// Content type of a list of people and of the links for them.
const CSV: &str = "text/csv";

pub(crate) async fn create_invites(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    organiser: AuthenticatedOrganiser,
    request: Request,
) -> Result<Response, HttpProblem> {
    organiser.require(Scope::Manage, &name)?;
    let accepted = request.headers().get(header::ACCEPT);
    let wants_csv = accepted
        .and_then(|accepted| accepted.to_str().ok())
        .is_some_and(|accepted| accepted.split([',', ';']).any(|kind| kind.trim() == CSV));
    let (people, (mut invites, expires)) =
        match content_type(&request).is_some_and(|kind| kind.eq_ignore_ascii_case(CSV)) {
            true => {
                let bytes = read_body(request, MAX_INVITES_BYTES).await?;
                let people = invited_people::read(&Source::from_bytes("people", bytes));
                (
                    people.map_err(HttpProblem::invalid_request)?,
                    (Vec::new(), None),
                )
            }
            false => {
                let bytes = read_json_body(request, MAX_INVITES_BYTES).await?;
                let new: InvitesRequest = parse_json(&bytes)?;
                (Vec::new(), new.into_invites()?)
            }
        };
    let url = shared.public_url.clone();
    let made = shared.writer.run_job(&name, move |context| {
        Box::pin(async move {
            require_not_closed(context.campaign.phase())?;
            let spec = context.campaign.spec().clone();
            if !people.is_empty() {
                invites = NewInvite::from_people(people, spec.kinds[0]);
            }
            let campaign = (spec.name.as_str(), spec.kinds.as_slice());
            insert_invites(context.transaction, campaign, invites, expires, &url).await
        })
    });
    let made = made.await?;
    if !wants_csv {
        return Ok((StatusCode::CREATED, JsonResponse(made)).into_response());
    }
    let headers = [(header::CONTENT_TYPE, "text/csv; charset=utf-8")];
    Ok((StatusCode::CREATED, headers, made.to_csv()).into_response())
}

impl InviteLinks {
    /// Returns the links as CSV with the columns `label`, `email` and `link`.
    fn to_csv(&self) -> String {
        let mut csv = CsvWriter::in_memory();
        csv.push_row(["label", "email", "link"]);
        for invite in &self.invites {
            let text = |value: &Option<String>| {
                escape_formula(value.as_deref().unwrap_or_default()).into_owned()
            };
            csv.push_row([
                text(&invite.label),
                text(&invite.email),
                invite.link.clone(),
            ]);
        }
        csv.into_text()
    }
}

/// Returns a problem for a campaign that is closed: a new link would admit nobody.
pub(crate) fn require_not_closed(phase: CampaignPhase) -> Result<(), HttpProblem> {
    match phase {
        // The writer has already refused changes to a damaged campaign.
        CampaignPhase::Open | CampaignPhase::Paused | CampaignPhase::Damaged => Ok(()),
        CampaignPhase::Closed => Err(HttpProblem::new(
            ProblemKind::CampaignClosed,
            "the campaign is closed, so a new link would admit nobody",
        )),
    }
}

/// Creates invites for a campaign, given by its name and the kinds of judgments that it collects.
/// Returns their links, which begin with `base_url`. `expires` is the time when they expire, in Unix
/// milliseconds.
pub(crate) async fn insert_invites(
    transaction: &mut dyn crate::store::Transaction,
    (campaign, kinds): (&str, &[JudgmentKind]),
    new: Vec<NewInvite>,
    expires: Option<i64>,
    base_url: &str,
) -> Result<InviteLinks, JobError> {
    if !(1..=MAX_INVITES).contains(&new.len()) {
        let detail = format!("from 1 to {MAX_INVITES} at a time");
        return Err(HttpProblem::invalid_field("/people", detail).into());
    }
    if let Some(other) = new.iter().find(|invite| !kinds.contains(&invite.kind)) {
        let detail = format!("the campaign has no tasks of the kind {}", other.kind);
        return Err(HttpProblem::invalid_field("/kind", detail).into());
    }
    let mut invites = Vec::new();
    for invite in new {
        let (id, token) = (random_id(), Token::random());
        let values = vec![
            id.as_str().into(),
            campaign.into(),
            token.hash().into(),
            invite.kind.to_string().into(),
            invite.label.clone().into(),
            invite.email.clone().into(),
            expires.into(),
        ];
        transaction.execute(&sql::INVITE_ADD, values).await?;
        // Put the token in the URL fragment, which browsers do not send to servers.
        let link = format!("{base_url}/j/{campaign}#invite={}", token.as_str());
        invites.push(InviteLink {
            id,
            invite: token.as_str().to_owned(),
            link,
            label: invite.label,
            email: invite.email,
        });
    }
    Ok(InviteLinks { invites })
}

/// Returns the state of the work and the number of answers of each assessor of a campaign.
async fn fetch_work_states(
    shared: &AppState,
    name: &str,
) -> Result<HashMap<String, (InviteState, u32)>, HttpProblem> {
    let states = shared.writer.run_read_job(name, |context| {
        Box::pin(async move {
            let campaign_state = &context.campaign;
            let states = campaign_state.assessors.values().map(|person| {
                let answers = campaign_state.answer_count(&person.id);
                let state = match campaign_state.outcome(person) {
                    Some(_) => InviteState::Done,
                    None if answers > 0 => InviteState::Working,
                    None => InviteState::Entered,
                };
                (person.id.clone(), (state, answers))
            });
            Ok(states.collect())
        })
    });
    states.await
}

pub(crate) async fn list_invites(
    State(shared): State<Arc<AppState>>,
    Path(name): Path<String>,
    QueryParams(rows): QueryParams<TableQuery>,
    organiser: AuthenticatedOrganiser,
) -> Result<JsonResponse<InviteListView>, HttpProblem> {
    organiser.require(Scope::Read, &name)?;
    let states = fetch_work_states(&shared, &name).await?;
    let shows_email = organiser.require_scope(Scope::People).is_ok();
    let mut read = shared.store.begin_read().await?;
    let time = |millis: Option<i64>| millis.map(|millis| UnixMillis(millis).to_rfc3339());
    let mut invites = Vec::new();
    for mut row in read.fetch_all(&sql::INVITE_ALL, vec![name.into()]).await? {
        let id = row.text()?;
        let kind = row.text()?.parse().map_err(HttpProblem::internal)?;
        let label = row.text_or_null();
        let email = row.text_or_null().filter(|_| shows_email);
        let (expires, revoked) = (time(row.int_or_null()), time(row.int_or_null()));
        let person = row.text_or_null();
        let known = person.as_ref().map(|person| states.get(person).copied());
        // Somebody may have entered since the states were read.
        let (state, answers) = match known {
            None => (InviteState::Unused, 0),
            Some(known) => known.unwrap_or((InviteState::Entered, 0)),
        };
        invites.push(InviteView {
            id,
            kind,
            label,
            email,
            expires,
            revoked,
            person,
            state,
            answers,
        });
    }
    let page = rows.select(invites)?;
    Ok(JsonResponse(InviteListView {
        invites: page.rows,
        total: page.total,
    }))
}

/// Change of an invite.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InviteChangeRequest {
    /// New label; `null` removes it.
    #[schemars(length(min = 1, max = MAX_INVITED_NAME_CHARS))]
    label: Option<String>,
}

/// Changes the label of an invite.
pub(crate) async fn change_invite(
    State(shared): State<Arc<AppState>>,
    Path((name, id)): Path<(String, String)>,
    organiser: AuthenticatedOrganiser,
    JsonBody(change): JsonBody<InviteChangeRequest>,
) -> Result<StatusCode, HttpProblem> {
    organiser.require(Scope::Manage, &name)?;
    let label = change.label.map(|label| label.trim().to_owned());
    if let Some(error) = label
        .as_deref()
        .and_then(|label| label_error("/label", label))
    {
        return Err(HttpProblem::invalid(vec![error]));
    }
    let changed = shared.writer.run_job(&name, |context| {
        Box::pin(async move {
            let values = vec![
                context.campaign.name.as_str().into(),
                id.into(),
                label.into(),
            ];
            if context.execute(&sql::INVITE_SET_LABEL, values).await? == 0 {
                return Err(HttpProblem::not_found("invite").into());
            }
            Ok(())
        })
    });
    changed.await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn revoke_invite(
    State(shared): State<Arc<AppState>>,
    Path((name, id)): Path<(String, String)>,
    organiser: AuthenticatedOrganiser,
) -> Result<StatusCode, HttpProblem> {
    organiser.require(Scope::Manage, &name)?;
    let revoked = shared.writer.run_job(&name, |context| {
        Box::pin(async move {
            let key = vec![context.campaign.name.as_str().into(), id.as_str().into()];
            let known = context.fetch_optional(&sql::INVITE_GET, key).await?;
            known.ok_or_else(|| HttpProblem::not_found("invite"))?;
            let values = vec![
                context.campaign.name.as_str().into(),
                id.into(),
                context.now.0.into(),
            ];
            context.execute(&sql::INVITE_REVOKE, values).await?;
            Ok(())
        })
    });
    revoked.await?;
    Ok(StatusCode::NO_CONTENT)
}
