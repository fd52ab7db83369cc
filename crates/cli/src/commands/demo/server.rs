//! Demo server with a small built-in campaign.

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use partita::judging::campaign::JudgmentKind;
use partita::judging::simulate::AssessorModel;
use partita::melody::audio::renderer::{AudioFormat, BuiltInInstrument, ClipRenderer};
use partita::melody::readers::{MelodyReadOptions, pae};
use partita_server::{
    InvitedPeople, ServerHandle, ServerOptions, ServerStorage, SimulatedCampaignOptions,
};

use crate::output::destination::{Destination, print_message};
use crate::output::error::CliError;

/// Campaign document of the demo in JSON. Clips have the names of the melodies they are rendered
/// from.
const CAMPAIGN_DOCUMENT: &str = include_str!("../../../demo/campaign.json");
/// Melodies of the demo in Plaine & Easie code.
const MELODIES: &str = include_str!("../../../demo/melodies.txt");
/// Name of the demo campaign.
const CAMPAIGN_NAME: &str = "demo";

/// Sample rate of the clips. Half the rate of compact discs is sufficient for a few tones and
/// renders twice as fast.
const SAMPLES_PER_SECOND: u32 = 22_050;

/// Simulated earlier assessors. They mostly answer correctly and leave many questions open.
const SIMULATED_CAMPAIGN: SimulatedCampaignOptions = SimulatedCampaignOptions {
    people: 5,
    answers: 6,
    assessors: AssessorModel {
        noise: 1.0,
        tie_threshold: 0.5,
        lapse_rate: 0.05,
        side_bias: 0.0,
    },
    seed: 1,
};

/// Number of invitation links that are created and printed.
const INVITATION_LINKS: u32 = 2;

/// Serves the campaign on this machine until the program ends. Uses a temporary folder unless one
/// is given.
pub(super) fn serve(data: Option<&Path>) -> Result<(), CliError> {
    let (folder, temporary) = match data {
        Some(folder) => (folder.to_owned(), None),
        None => {
            let made = tempfile::Builder::new().prefix("partita-demo-").tempdir();
            let made =
                made.map_err(|error| CliError::from_write_error("a temporary folder", &error))?;
            (made.path().to_owned(), Some(made))
        }
    };
    let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let settings = ServerOptions {
        data: folder.clone(),
        database: None,
        listen: any,
        health_listen: any,
        public_url: None,
        trusted_proxies: Vec::new(),
        security_contact: None,
        disable_rate_limits: false,
        timeout: ServerOptions::DEFAULT_TIMEOUT,
        max_connections: ServerOptions::default_max_connections(),
    };
    let is_permanent = temporary.is_none();
    partita_server::run(settings, |running| {
        create_campaign_and_print_links(running, &folder, is_permanent)
    })?;
    let place = folder.display();
    match temporary {
        Some(temporary) => {
            let gone = temporary.close();
            gone.map_err(|error| CliError::from_write_error(&place.to_string(), &error))?;
            print_message(&format!(
                "The server has ended; its folder {place} is removed."
            ));
        }
        None => print_message(&format!(
            "The server has ended; everything is in {place}, and `partita serve --data {place}` goes on."
        )),
    }
    Ok(())
}

/// Creates the campaign unless it exists, and prints its links.
fn create_campaign_and_print_links(
    running: &ServerHandle,
    folder: &Path,
    is_permanent: bool,
) -> Result<(), CliError> {
    let place = ServerStorage::Folder(folder.to_owned());
    let listed = place.campaigns()?;
    if !listed
        .campaigns
        .iter()
        .any(|known| known.name == CAMPAIGN_NAME)
    {
        place.create_simulated_campaign(
            CAMPAIGN_DOCUMENT.as_bytes(),
            render_clips(),
            &SIMULATED_CAMPAIGN,
        )?;
    }
    let people = InvitedPeople::Count {
        kind: JudgmentKind::Preference,
        count: INVITATION_LINKS,
        label: None,
    };
    let created = place.create_invites(CAMPAIGN_NAME, people, &running.url)?;
    let links = created.invites.iter();
    let links: String = links.map(|invite| format!("  {}\n", invite.link)).collect();
    let end = match is_permanent {
        true => "leaves its folder as it is",
        false => "removes its folder; `--data DIR` keeps one",
    };
    let text = format!(
        "\nSuch lists come from people. A server, on this machine alone, now asks them\n\
         which of two melodies or sayings is closer to another; {} simulated people\n\
         have begun.\n\n\
         Judge in a browser, each link for one person:\n{links}\n\
         Organise, and sign in with what is in {}:\n  {}/organise/{CAMPAIGN_NAME}\n\n\
         Ctrl-C ends the server and {end}.\n",
        SIMULATED_CAMPAIGN.people,
        folder.join("organiser.token").display(),
        running.url,
    );
    Destination::default().write(&text)
}

/// Renders the melodies of the demo as audio clips, by name.
fn render_clips() -> HashMap<String, Vec<u8>> {
    const BUNDLED_DATA_IS_VALID: &str =
        "the melodies that come with the program can be read and sound";
    let sound = ClipRenderer {
        rate: SAMPLES_PER_SECOND,
        ..ClipRenderer::default()
    };
    let mut clips = HashMap::new();
    pae::for_each_record("melodies", MELODIES.as_bytes(), &mut |record| {
        let record = record.expect(BUNDLED_DATA_IS_VALID);
        let read = record
            .transcribe(&MelodyReadOptions::default())
            .expect(BUNDLED_DATA_IS_VALID);
        let clip = sound
            .render_melody(&read.melody, &BuiltInInstrument)
            .expect(BUNDLED_DATA_IS_VALID);
        let file = clip.encode(AudioFormat::Flac).expect(BUNDLED_DATA_IS_VALID);
        let id = record.id.expect("every melody of the demo has an id");
        clips.insert(id.into_owned(), file);
    });
    clips
}
