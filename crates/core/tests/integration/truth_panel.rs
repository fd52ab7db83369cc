//! Panels of assessors.

use partita_core::Rankings;
use partita_core::truth::*;

#[test]
fn people_who_rank_several_queries_are_drawn_once_for_all() {
    let one = Rankings::new([("ann", "a", Some(1.0)), ("bob", "a", Some(1.0))]).unwrap();
    let other = [
        ("cy", "x", Some(1.0)),
        ("bob", "x", Some(1.0)),
        ("ann", "x", Some(2.0)),
    ];
    let other = Rankings::new(other).unwrap();
    let panels = Panel::shared(&[&one, &other]);
    for replicate in 0..20 {
        let drawn = [0, 1].map(|query: usize| {
            let panel = &panels[query];
            let seats = panel.draw(1, replicate).into_iter();
            seats
                .map(|a| panel.rankings().assessor(a))
                .collect::<Vec<_>>()
        });
        assert_eq!(drawn[1].len(), 3);
        let without_cy: Vec<&str> = drawn[1].iter().copied().filter(|&n| n != "cy").collect();
        assert_eq!(drawn[0], without_cy);
    }
}

#[test]
fn a_replicate_of_a_replicate_holds_nobody_else() {
    let names: Vec<String> = (0..9).map(|n| format!("p{n}")).collect();
    let rankings = Rankings::new(names.iter().map(|n| (n.as_str(), "a", Some(1.0)))).unwrap();
    let panel = Panel::new("q", &rankings);
    let drawn = panel.draw(3, 5);
    for turn in 0..5 {
        assert!(
            panel
                .draw_again(3, 5, turn)
                .iter()
                .all(|a| drawn.contains(a))
        );
    }
    assert_ne!(panel.draw_again(3, 5, 0), panel.draw_again(3, 5, 1));
    assert_ne!(panel.draw(3, 5), Panel::new("other", &rankings).draw(3, 5));
}
