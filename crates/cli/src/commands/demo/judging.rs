//! A small campaign that comes with the program, and a server on which people judge it.

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use partita_judging::campaign::Kind;
use partita_judging::simulate::SimulatedAssessors;
use partita_melody::read::{ReadOptions, pae};
use partita_melody::sound::{AudioFormat, Sound, Voice};
use partita_server::{Place, Running, ServeSettings, SimulatedJudges};

use crate::commands::campaign::not_done;
use crate::failure::Failure;
use crate::output::{Destination, say};

/// The campaign: clips are called like the melodies that they are made of.
const CAMPAIGN: &str = include_str!("../../../demo/campaign.json");
const MELODIES: &str = include_str!("../../../demo/melodies.txt");
const NAME: &str = "demo";

/// Half of what compact discs have is enough for a few tones, and is made in half the time.
const SAMPLES_PER_SECOND: u32 = 22_050;

/// Who has judged before: people who mostly see what is close, and leave much to be asked.
const SIMULATED: SimulatedJudges = SimulatedJudges {
    people: 5,
    answers: 6,
    assessors: SimulatedAssessors {
        noise: 1.0,
        band: 0.5,
        careless: 0.05,
        bias: 0.0,
    },
    seed: 1,
};

/// How many links for judges are shown.
const LINKS: u32 = 2;

/// Serves the campaign on this machine until the program is ended; in a folder that is removed then, unless
/// one is given.
pub(super) fn serve(data: Option<&Path>) -> Result<(), Failure> {
    let (folder, temporary) = match data {
        Some(folder) => (folder.to_owned(), None),
        None => {
            let made = tempfile::Builder::new().prefix("partita-demo-").tempdir();
            let made = made.map_err(|error| Failure::writing("a temporary folder", &error))?;
            (made.path().to_owned(), Some(made))
        }
    };
    let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let settings = ServeSettings {
        data: folder.clone(),
        database: None,
        listen: any,
        local: any,
        public_url: None,
        trusted_proxies: Vec::new(),
        security_contact: None,
        no_limits: false,
        patience: ServeSettings::PATIENCE,
        connections: ServeSettings::usual_connections(),
    };
    let kept = temporary.is_none();
    partita_server::run(settings, |running| announce(running, &folder, kept))?;
    let place = folder.display();
    match temporary {
        Some(temporary) => {
            let gone = temporary.close();
            gone.map_err(|error| Failure::writing(&place.to_string(), &error))?;
            say(&format!(
                "The server has ended; its folder {place} is removed."
            ));
        }
        None => say(&format!(
            "The server has ended; everything is in {place}, and `partita serve --data {place}` goes on."
        )),
    }
    Ok(())
}

/// Makes the campaign, where it is not there from before, and says how to reach it.
fn announce(running: &Running, folder: &Path, kept: bool) -> Result<(), Failure> {
    let place = Place::Folder(folder.to_owned());
    let listed = place.campaigns().map_err(not_done)?;
    if !listed.campaigns.iter().any(|known| known.name == NAME) {
        let made = place.create_judged_campaign(CAMPAIGN.as_bytes(), clips(), &SIMULATED);
        made.map_err(not_done)?;
    }
    let invites = place.invite(NAME, Kind::Preference, LINKS, None, &running.url);
    let invites = invites.map_err(not_done)?.invites;
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
        SIMULATED.people,
        folder.join("organiser.token").display(),
        running.url,
    );
    Destination::default().write(&text)
}

/// The melodies as they are heard.
fn clips() -> HashMap<String, Vec<u8>> {
    const OURS: &str = "the melodies that come with the program can be read and sound";
    let sound = Sound {
        rate: SAMPLES_PER_SECOND,
        ..Sound::default()
    };
    let mut clips = HashMap::new();
    pae::each_record("melodies", MELODIES.as_bytes(), &mut |record| {
        let record = record.expect(OURS);
        let read = record.read(&ReadOptions::default()).expect(OURS);
        let clip = sound.render(&read.melody, &Voice).expect(OURS);
        let file = clip.to_file(AudioFormat::Flac).expect(OURS);
        let id = record.id.expect("each of them has a name");
        clips.insert(id.into_owned(), file);
    });
    clips
}
