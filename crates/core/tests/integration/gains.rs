//! Gains of judged documents.

use partita_core::*;

fn items(count: usize) -> Vec<Item> {
    let mut names = Names::new();
    (0..count)
        .map(|i| names.intern(&i.to_string()).unwrap())
        .collect()
}

#[test]
fn equal_gains_form_a_group_in_the_given_order() {
    let i = items(5);
    let gains = vec![
        (i[0], 1.0),
        (i[1], 4.5),
        (i[2], 1.0),
        (i[3], 0.0),
        (i[4], -2.0),
    ];
    let gains = Gains::new(gains).unwrap();
    let list = gains.to_list(ZeroGainPolicy::LeaveOut);
    assert_eq!(list.items(), [i[1], i[0], i[2]]);
    assert_eq!(list.group_ends(), [1, 3]);
    let literal = gains.to_list(ZeroGainPolicy::LastGroup);
    assert_eq!(literal.items(), [i[1], i[0], i[2], i[3], i[4]]);
    assert_eq!(literal.group_ends(), [1, 3, 5]);
}

#[test]
fn negative_zero_and_zero_are_in_one_group() {
    let i = items(2);
    let gains = Gains::new(vec![(i[0], -0.0), (i[1], 0.0)]).unwrap();
    assert_eq!(gains.to_list(ZeroGainPolicy::LastGroup).group_ends(), [2]);
}

#[test]
fn a_list_converted_to_gains_and_back_is_unchanged() {
    let i = items(4);
    let list = GroupedList::new([vec![i[2]], vec![i[0], i[3]], vec![i[1]]]).unwrap();
    assert_eq!(
        Gains::from_list(&list).to_list(ZeroGainPolicy::LeaveOut),
        list
    );
}

#[test]
fn gains_that_are_not_finite_are_rejected() {
    let i = items(1);
    assert!(Gains::new(vec![(i[0], f64::NAN)]).is_err());
    assert!(Gains::new(vec![(i[0], f64::INFINITY)]).is_err());
}

#[test]
fn gains_beyond_1e100_are_rejected() {
    let i = items(1);
    for gain in [1e100, -1e100] {
        assert!(Gains::new(vec![(i[0], gain)]).is_ok());
        let error = Gains::new(vec![(i[0], gain * 1.01)]).unwrap_err();
        assert!(matches!(error, GainsError::TooLarge { .. }));
        assert!(error.to_string().contains("beyond 1e100"), "{error}");
    }
}

#[test]
fn lists_of_gains_start_with_the_highest_and_end_with_zeros_or_omit_them()
-> Result<(), Box<dyn std::error::Error>> {
    use partita_core::{Gains, Names, ZeroGainPolicy};

    let mut names = Names::new();
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| names.intern(name).unwrap());
    let gains = Gains::new(vec![(a, 1.0), (b, 2.0), (c, 0.0), (d, 1.0)])?;
    // b comes first, then a and d with equal gains, then c if zero gains form the last group.
    let list = gains.to_list(ZeroGainPolicy::LeaveOut);
    assert!(list.groups().eq([[b].as_slice(), &[a, d]]));
    let list = gains.to_list(ZeroGainPolicy::LastGroup);
    assert!(list.groups().eq([[b].as_slice(), &[a, d], &[c]]));
    Ok(())
}
