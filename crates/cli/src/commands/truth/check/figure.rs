//! The figure of a list: its groups, the ranks of its items, and its inconsistent pairs.

use std::path::Path;

use partita_core::Item;
use partita_core::truth::Pair;
use partita_report::{ListAudit, ListItem, list_figure};

use super::CheckArgs;
use super::checked::Checked;
use crate::failure::Failure;
use crate::output::{is_folder, write_file};

/// Draws the list, or, where the name given is that of a folder, every list in a file of its own.
pub(super) fn draw(args: &CheckArgs, lists: &[Checked], place: &str) -> Result<(), Failure> {
    if is_folder(place) {
        std::fs::create_dir_all(place).map_err(|error| Failure::writing(place, &error))?;
        for list in lists {
            let name = &list.query.name;
            if name.contains(['/', '\\']) || name.starts_with('.') {
                let message = format!("the query `{name}` cannot be the name of a file");
                return Err(Failure::input(message));
            }
            let file = Path::new(place).join(format!("{name}.svg"));
            write_file(&file.to_string_lossy(), &svg(args, list)?)?;
        }
        return Ok(());
    }
    match lists {
        [list] => write_file(place, &svg(args, list)?),
        lists => {
            let message = format!("a figure shows one list, but there are {}", lists.len());
            Err(Failure::input(message).hint("name a folder, as in `--figure figures/`"))
        }
    }
}

fn svg(args: &CheckArgs, checked: &Checked) -> Result<String, Failure> {
    let items = checked.list.items();
    let rankings = &checked.query.rankings;
    let list_items = items.iter().map(|&item| {
        let ranks = rankings.rows().filter_map(|row| row[item.index()]);
        ListItem::new(checked.item(item), ranks.collect()).map_err(Failure::ours)
    });
    let list_items = list_items.collect::<Result<Vec<_>, _>>()?;
    let ends = checked.list.group_ends().to_vec();
    let place = |item: Item| items.iter().position(|&other| other == item);
    let places = |pairs: &[Pair]| {
        let places = pairs
            .iter()
            .map(|pair| Some((place(pair.earlier)?, place(pair.later)?)));
        places.collect::<Option<Vec<_>>>().unwrap_or_default()
    };
    let (intra, inter) = (places(&checked.audit.intra), places(&checked.audit.inter));
    let mut audit = ListAudit::new(&checked.query.name, list_items, ends)
        .and_then(|audit| audit.with_inconsistent_pairs(intra, inter))
        .map_err(Failure::ours)?;
    if let [Some(one), Some(two)] = &checked.consistency {
        audit = audit
            .with_consistency(one.value, two.value)
            .map_err(Failure::ours)?;
    }
    let tails = args.tails.number();
    let note = format!("{tails}-tailed Mann-Whitney U tests, alpha {}", args.alpha);
    Ok(list_figure(&audit.with_note(note)).to_svg())
}
