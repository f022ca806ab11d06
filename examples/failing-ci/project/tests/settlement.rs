use ledger::replay::{balance, day};
use ledger::{split, total};

#[test]
fn the_day_is_replayed() {
    let mut sum = 0;
    for posting in day() {
        sum += posting.cents;
        println!("posting {:04} account {} {:>9.2} EUR", posting.id, posting.account, posting.cents as f64 / 100.0);
    }
    assert_eq!((1000..1097).map(balance).sum::<i64>(), sum);
}

#[test]
fn an_even_amount_is_split_evenly() {
    assert_eq!(split(900, 3), [300, 300, 300]);
}

#[test]
fn a_remainder_goes_to_the_first_parties() {
    let parts = split(1000, 3);
    assert_eq!(parts, [334, 333, 333], "three parties share 10.00 EUR");
}

#[test]
fn nothing_is_lost_or_made() {
    for cents in 0..500 {
        for shares in 1..12 {
            assert_eq!(total(&split(cents, shares)), cents, "{cents} cents among {shares} parties");
        }
    }
}
