//! How what organisers do at the machine of the server is shown.

use std::io;

use partita_report::{Column, Document, Present, Sheet};

use super::{
    CampaignListed, CampaignsListed, InviteMade, InvitesMade, TokenListed, TokenMade, TokensListed,
    Verified, VerifiedCampaign,
};

/// Shows the rows of a result by their sheet.
macro_rules! shown {
    ($result:ty, $row:ty, $rows:expr, $sheet:expr) => {
        impl Present for $result {
            fn csv(&self, place: &mut dyn io::Write) -> io::Result<()> {
                let rows: fn(&$result) -> &[$row] = $rows;
                $sheet.csv(rows(self), place)
            }

            fn document(&self) -> Document {
                let rows: fn(&$result) -> &[$row] = $rows;
                Document::new().table($sheet.table(rows(self)))
            }
        }
    };
}

fn campaigns() -> Sheet<'static, CampaignListed> {
    Sheet::new()
        .field("name", Column::text("Campaign"), |row: &CampaignListed| {
            row.name.clone()
        })
        .field("title", Column::text("Title"), |row| row.title.clone())
        .field("state", Column::text("State"), |row| row.state.clone())
}

shown!(
    CampaignsListed,
    CampaignListed,
    |listed| &listed.campaigns,
    campaigns()
);

shown!(
    CampaignListed,
    CampaignListed,
    std::slice::from_ref,
    campaigns()
);

shown!(
    InvitesMade,
    InviteMade,
    |made| &made.invites,
    Sheet::new()
        .field("id", Column::text("Invite"), |row: &InviteMade| row
            .id
            .clone())
        .field("link", Column::text("Link for one person"), |row| row
            .link
            .clone())
        .csv_field("invite", |row| row.invite.clone())
);

shown!(
    TokenMade,
    TokenMade,
    std::slice::from_ref,
    Sheet::new()
        .field("id", Column::text("Id"), |row: &TokenMade| row.id.clone())
        .field("token", Column::text("Token"), |row| row.token.clone())
);

shown!(
    TokensListed,
    TokenListed,
    |listed| &listed.tokens,
    Sheet::new()
        .field("id", Column::text("Id"), |row: &TokenListed| row.id.clone())
        .field("scopes", Column::text("Scopes"), |row| row.scopes.join(" "))
        .field("campaign", Column::text("Campaign"), |row| {
            row.campaign.clone().unwrap_or_default()
        })
        .field("created", Column::text("Made"), |row| row.created.clone())
);

shown!(
    Verified,
    VerifiedCampaign,
    |verified| &verified.campaigns,
    Sheet::new()
        .field(
            "campaign",
            Column::text("Campaign"),
            |row: &VerifiedCampaign| { row.campaign.clone() }
        )
        .field("events", Column::number("Events", 0), |row| row.events)
        .field("unsound", Column::text("What is wrong"), |row| {
            match &row.unsound {
                None => "nothing".to_owned(),
                Some(unsound) => format!("event {}: {}", unsound.event, unsound.reason),
            }
        })
);
