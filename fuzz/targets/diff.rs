//! Any text as a diff: the room is kept, and what is kept stands in the input in this order.
#![no_main]

use dossier_bundle::cut::Measure;
use dossier_bundle::diff;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let [first, rest @ ..] = data else { return };
    let text = String::from_utf8_lossy(rest).into_owned();
    for measure in [Measure::Raw, Measure::Rendered] {
        let room = 400 + usize::from(*first) * 16;
        let Some(cut) = diff::cut(&text, room, measure) else { continue };
        assert!(cut.text.len() <= room);
        assert!(cut.kept.windows(2).all(|pair| pair[0].end <= pair[1].start));
        for range in &cut.kept {
            assert!(cut.text.contains(&text[range.clone()]));
        }
    }
});
