//! A small campaign that comes with the program, and a server on which people judge it.

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use partita_judging::campaign::JudgmentKind;
use partita_judging::simulate::AssessorModel;
use partita_melody::audio::renderer::{AudioFormat, BuiltInInstrument, ClipRenderer};
use partita_melody::readers::{MelodyReadOptions, pae};
use partita_server::{ServerHandle, ServerOptions, ServerStorage, SimulatedCampaignOptions};

use crate::commands::campaign::admin_error;
use crate::output::destination::{Destination, print_message};
use crate::output::error::CliError;

/// The campaign: clips are called like the melodies that they are made of.
const CAMPAIGN: &str = include_str!("../../../demo/campaign.json");
const MELODIES: &str = include_str!("../../../demo/melodies.txt");
const NAME: &str = "demo";

/// Half of what compact discs have is enough for a few tones, and is made in half the time.
const SAMPLES_PER_SECOND: u32 = 22_050;

/// Who has judged before: people who mostly see what is close, and leave much to be asked.
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

/// How many links for judges are shown.
const LINKS: u32 = 2;

/// Serves the campaign on this machine until the program is ended; in a folder that is removed then, unless
/// one is given.
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
    let kept = temporary.is_none();
    partita_server::run(settings, |running| {
        create_campaign_and_print_links(running, &folder, kept)
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

/// Makes the campaign, where it is not there from before, and says how to reach it.
fn create_campaign_and_print_links(
    running: &ServerHandle,
    folder: &Path,
    kept: bool,
) -> Result<(), CliError> {
    let place = ServerStorage::Folder(folder.to_owned());
    let listed = place.campaigns().map_err(admin_error)?;
    if !listed.campaigns.iter().any(|known| known.name == NAME) {
        let made =
            place.create_simulated_campaign(CAMPAIGN.as_bytes(), clips(), &SIMULATED_CAMPAIGN);
        made.map_err(admin_error)?;
    }
    let invites = place.create_invites(NAME, JudgmentKind::Preference, LINKS, None, &running.url);
    let invites = invites.map_err(admin_error)?.invites;
    let links = invites.iter().map(|invite| format!("  {}\n", invite.link));
    let links: String = links.collect();
    let end = match kept {
        true => "leaves its folder as it is",
        false => "removes its folder; `--data DIR` keeps one",
    };
    let text = format!(
        "\nSuch lists come from people. A server, on this machine alone, now asks them\n\
         which of two melodies or sayings is closer to another; {} simulated people\n\
         have begun.\n\n\
         Judge in a browser, each link for one person:\n{links}\n\
         Organise, and sign in with what is in {}:\n  {}/organise/{NAME}\n\n\
         Ctrl-C ends the server and {end}.\n",
        SIMULATED_CAMPAIGN.people,
        folder.join("organiser.token").display(),
        running.url,
    );
    Destination::default().write(&text)
}

/// The melodies as they are heard.
fn clips() -> HashMap<String, Vec<u8>> {
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
        let id = record.id.expect("each of them has a name");
        clips.insert(id.into_owned(), file);
    });
    clips
}
