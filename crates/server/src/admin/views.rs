//! Command-line views (CSV and tables) of the results of administrative commands.

use std::io;

use partita::report::{Column, ColumnSet, Document, View};

use super::{
    CampaignSummaries, CampaignSummary, CampaignVerification, InviteLink, InviteLinks, IssuedToken,
    TokenSummaries, TokenSummary, VerificationReport,
};

/// Implements `View` for a result that is shown as one table. `$rows` returns the rows of the
/// result, and `$columns` is the `ColumnSet` that describes the columns.
macro_rules! impl_table_view {
    ($result:ty, $row:ty, $rows:expr, $columns:expr) => {
        impl View for $result {
            fn write_csv(&self, output: &mut dyn io::Write) -> io::Result<()> {
                let rows: fn(&$result) -> &[$row] = $rows;
                $columns.write_csv(rows(self), output)
            }

            fn document(&self) -> Document {
                let rows: fn(&$result) -> &[$row] = $rows;
                Document::new().table($columns.to_table(rows(self)))
            }
        }
    };
}

/// Returns the columns of the table of campaigns.
fn campaign_columns() -> ColumnSet<'static, CampaignSummary> {
    ColumnSet::new()
        .field("name", Column::text("Campaign"), |row: &CampaignSummary| {
            row.name.clone()
        })
        .field("title", Column::text("Title"), |row| row.title.clone())
        .field("state", Column::text("State"), |row| row.state.clone())
}

impl_table_view!(
    CampaignSummaries,
    CampaignSummary,
    |listed| &listed.campaigns,
    campaign_columns()
);

impl_table_view!(
    CampaignSummary,
    CampaignSummary,
    std::slice::from_ref,
    campaign_columns()
);

impl View for InviteLinks {
    fn write_csv(&self, output: &mut dyn io::Write) -> io::Result<()> {
        let columns = ColumnSet::new()
            .csv_field("id", |row: &InviteLink| row.id.clone())
            .csv_field("link", |row| row.link.clone())
            .csv_field("invite", |row| row.invite.clone())
            .csv_field("label", |row| row.label.clone());
        columns.write_csv(&self.invites, output)
    }

    fn document(&self) -> Document {
        let said = match self.invites.len() {
            1 => "1 link, for one person. It is shown only now.".to_owned(),
            count => format!("{count} links, each for one person. They are shown only now."),
        };
        // One label for all links would only repeat what the organiser wrote.
        let mut labels = self.invites.windows(2);
        let are_named = labels.any(|pair| pair[0].label != pair[1].label);
        let lines = self.invites.iter().flat_map(|invite| {
            let label = invite.label.as_deref().filter(|_| are_named);
            label.into_iter().chain([invite.link.as_str()])
        });
        Document::new().paragraph(said).lines(lines)
    }
}

impl_table_view!(
    IssuedToken,
    IssuedToken,
    std::slice::from_ref,
    ColumnSet::new()
        .field("id", Column::text("Id"), |row: &IssuedToken| row.id.clone())
        .field("token", Column::text("Token"), |row| row.token.clone())
);

impl_table_view!(
    TokenSummaries,
    TokenSummary,
    |listed| &listed.tokens,
    ColumnSet::new()
        .field("id", Column::text("Id"), |row: &TokenSummary| row
            .id
            .clone())
        .field("scopes", Column::text("Scopes"), |row| row.scopes.join(" "))
        .field("campaign", Column::text("Campaign"), |row| {
            row.campaign.clone().unwrap_or_default()
        })
        .field("created", Column::text("Made"), |row| row.created.clone())
);

impl_table_view!(
    VerificationReport,
    CampaignVerification,
    |verified| &verified.campaigns,
    ColumnSet::new()
        .field(
            "campaign",
            Column::text("Campaign"),
            |row: &CampaignVerification| { row.campaign.clone() }
        )
        .field("events", Column::number("Events", 0), |row| row.events)
        .field("unsound", Column::text("Problem"), |row| {
            match &row.unsound {
                None => "nothing".to_owned(),
                Some(unsound) => format!("event {}: {}", unsound.event, unsound.reason),
            }
        })
);
