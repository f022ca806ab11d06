//! Bounds a draft: cuts the sources that are too large, and says what cannot be cut.
//!
//! First every source gets its room, then each is cut once, from its whole text. When the bundle as a whole is too large,
//! room is taken from what is worth least, from the last in the draft.

use dossier_redact::Clean;

use crate::cut::{self, Measure, Missing, Shape};
use crate::diff;
use crate::draft::{Draft, Omission, Source};
use crate::escape::{self, Place};
use crate::excerpt;
use crate::finding::{Code, Finding};
use crate::kinds::{self, LimitClass, Worth};
use crate::layer::Layer;
use crate::limits::Limits;
use crate::render::{self, Mode, NOTICE_LINE_BYTES, NOTICE_LINES};

/// What ` truncated="true"` takes.
const TRUNCATED_BYTES: usize = 17;
/// The part of a log or diff that is worth more than the rest.
const LOG_CORE_BYTES: usize = 8_192;
const DIFF_CORE_BYTES: usize = 4_096;

/// Cuts the sources of `draft` to its limits and records what is left out in them. The findings say what cannot be cut: they
/// deny the bundle.
pub fn bound(draft: &mut Draft<Clean>) -> Vec<Finding> {
    let limits = draft.limits.clone();
    let mut findings = Vec::new();
    for source in &mut draft.sources {
        // The search may have put a marker into the name since.
        let part = format!("sources/{}", source.name);
        source.omissions.iter_mut().for_each(|omission| omission.part.clone_from(&part));
    }
    let fixed = measure(draft);
    if fixed.prompt > limits.max_prompt_bytes as usize {
        let detail = format!("layers 1 to 6 take {} bytes of {}", fixed.prompt, limits.max_prompt_bytes);
        findings.push(Finding::new(Code::PromptTooLarge, "draft", detail));
    }
    check_attachments(draft, &limits, &mut findings);

    let mut rooms: Vec<Room> = draft.sources.iter().map(|source| Room::of(source, &limits)).collect();
    share_diffs(&mut rooms, limits.max_diff_bytes as usize);
    fit(&mut rooms, fixed.all, limits.max_bytes as usize);
    for (source, room) in draft.sources.iter_mut().zip(&rooms) {
        shorten(source, room);
    }
    findings.extend(over(draft));
    findings
}

/// What is not cut.
struct Fixed {
    /// Layers 1 to 6.
    prompt: usize,
    /// All but the sources themselves.
    all: usize,
}

fn measure(draft: &mut Draft<Clean>) -> Fixed {
    let held = std::mem::take(&mut draft.sources);
    let messages = render::render(draft, Mode::Sent);
    draft.sources = held;
    let total: usize = messages.iter().map(|message| message.text.len()).sum();
    let sources: usize = messages.iter().map(|message| message.layer(Layer::Sources).len()).sum();
    // The standing line is longer by a few words where there are sources.
    let line = crate::builtin::STANDING_LINE_WITH_SOURCES.len() - crate::builtin::STANDING_LINE.len();
    let line = if draft.sources.is_empty() { 0 } else { line };
    let attachments: usize = draft.attachments.iter().map(|item| item.bytes as usize).sum();
    Fixed { prompt: total - sources + line, all: total + line + attachments }
}

fn check_attachments(draft: &Draft<Clean>, limits: &Limits, findings: &mut Vec<Finding>) {
    if draft.attachments.len() > limits.max_attachments as usize {
        let detail = format!("{} attachments of {}", draft.attachments.len(), limits.max_attachments);
        findings.push(Finding::new(Code::TooManyAttachments, "draft.attachments", detail));
    }
    for (index, item) in draft.attachments.iter().enumerate() {
        if item.bytes > limits.max_attachment_bytes {
            let detail = format!("{} bytes of {}", item.bytes, limits.max_attachment_bytes);
            findings.push(Finding::new(Code::AttachmentTooLarge, format!("draft.attachments[{index}]"), detail));
        }
    }
}

/// The room of a source, in rendered bytes of its whole fragment.
struct Room {
    /// What it takes uncut.
    whole: usize,
    /// What its tags take, said to be truncated.
    frame: usize,
    /// What it may take.
    room: usize,
    /// The limit that says so.
    reason: &'static str,
    class: LimitClass,
    worth: Worth,
    /// Whether a notice says already that something is left out.
    noticed: bool,
}

impl Room {
    fn of(source: &Source<Clean>, limits: &Limits) -> Self {
        let kind = kinds::source_kind(&source.kind);
        let (class, worth) = kind.map_or((LimitClass::Other, Worth::Rest), |kind| (kind.limit, kind.worth));
        let frame = render::source_frame_len(source);
        let whole = frame + escape::len(source.text.as_str(), Place::Text);
        let (limit, reason) = match class {
            LimitClass::Log => (limits.max_log_bytes, "maxLogBytes"),
            LimitClass::Diff => (limits.max_diff_bytes, "maxDiffBytes"),
            LimitClass::Task => (limits.max_task_bytes, "maxTaskBytes"),
            LimitClass::Memory => (limits.max_memory_bytes, "maxMemoryBytes"),
            LimitClass::Other => (limits.max_source_bytes, "maxSourceBytes"),
        };
        // Tags are not cut: what is no room for them is no room for the source.
        let room = whole.min((limit as usize).max(frame + TRUNCATED_BYTES));
        let noticed = source.truncated();
        Self { whole, frame: frame + TRUNCATED_BYTES, room, reason, class, worth, noticed }
    }

    fn is_cut(&self) -> bool {
        self.room < self.whole
    }

    /// The least that it keeps while things of `worth` are cut.
    fn floor(&self, worth: Worth) -> usize {
        let core = match self.class {
            _ if self.worth <= worth => 0,
            LimitClass::Log => LOG_CORE_BYTES,
            LimitClass::Diff => DIFF_CORE_BYTES,
            _ => return self.room,
        };
        (self.frame + core).min(self.room)
    }
}

/// Lets all diffs together take `limit`: small ones whole, the others equal shares.
fn share_diffs(rooms: &mut [Room], limit: usize) {
    let mut diffs: Vec<&mut Room> = rooms.iter_mut().filter(|room| room.class == LimitClass::Diff).collect();
    diffs.sort_by_key(|room| room.room);
    let (mut left, mut count) = (limit, diffs.len());
    for room in diffs {
        let share = left / count;
        room.room = room.room.min(share);
        left -= room.room;
        count -= 1;
    }
}

/// Takes room away until all fit into `limit` beside what is `fixed`, or nothing more can be taken.
fn fit(rooms: &mut [Room], fixed: usize, limit: usize) {
    let total = |rooms: &[Room]| fixed + rooms.iter().map(|room| room.room).sum::<usize>();
    let cut = rooms.iter().filter(|room| room.is_cut() || room.noticed).count();
    if total(rooms) + notice(cut) <= limit {
        return;
    }
    let mut lacking = (total(rooms) + notice(rooms.len())).saturating_sub(limit);
    const ORDER: [Worth; 6] =
        [Worth::Rest, Worth::Memory, Worth::ChangedFiles, Worth::FirstError, Worth::Task, Worth::Instructions];
    for worth in ORDER {
        for room in rooms.iter_mut().rev() {
            let taken = (room.room - room.floor(worth).min(room.room)).min(lacking);
            if taken > 0 {
                room.room -= taken;
                room.reason = "maxBytes";
                lacking -= taken;
            }
        }
    }
}

/// The room that the notice of `count` omissions takes at the most.
fn notice(count: usize) -> usize {
    if count == 0 { 0 } else { 96 + (NOTICE_LINE_BYTES + 1) * count.min(NOTICE_LINES) + 64 }
}

/// What the bundle takes as it is now rendered: the last word on whether it keeps its limit.
fn over(draft: &Draft<Clean>) -> Option<Finding> {
    let messages = render::render(draft, Mode::Sent);
    let attachments: usize = draft.attachments.iter().map(|item| item.bytes as usize).sum();
    let total = messages.iter().map(|message| message.text.len()).sum::<usize>() + attachments;
    let limit = draft.limits.max_bytes;
    let detail = || format!("{total} bytes of {limit} after all that can be cut is cut");
    (total > limit as usize).then(|| Finding::new(Code::BundleTooLarge, "draft", detail()))
}

fn shorten(source: &mut Source<Clean>, room: &Room) {
    let space = if room.is_cut() { room.room.saturating_sub(room.frame) } else { usize::MAX };
    // An upload may have been cut when it came, and a marker that was put in after the first cut makes a text longer.
    let earlier = |what: &str| {
        let before = source.omissions.iter().find(|omission| omission.what == what);
        before.map(|one| Missing { bytes: one.bytes as usize, items: one.items as usize })
    };
    let lines = earlier("lines");
    if room.class == LimitClass::Log {
        let excerpt = excerpt::again(&source.text, lines, source.first_error, space, Measure::Rendered);
        source.first_error = excerpt.first_error;
        if room.is_cut() {
            source.text = excerpt.text;
            record(source, "lines", excerpt.missing.unwrap_or_default(), room.reason);
        }
        return;
    }
    if !room.is_cut() {
        return;
    }
    let hunks = if room.class == LimitClass::Diff { diff::cut(&source.text, space, Measure::Rendered) } else { None };
    if let Some(cut) = hunks {
        let missing = cut.missing.and(earlier("hunks").unwrap_or_default());
        source.text = cut.text;
        record(source, "hunks", missing, room.reason);
    } else if let Some((text, missing)) =
        cut::again(&source.text, lines.unwrap_or_default(), space, Shape::Head, Measure::Rendered)
    {
        source.text = text;
        record(source, "lines", missing, room.reason);
    }
}

/// Notes what was left out of a source, in all. The limit that was first to cut it stays the reason.
fn record(source: &mut Source<Clean>, what: &str, missing: Missing, reason: &str) {
    let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let (bytes, items) = (clamp(missing.bytes), clamp(missing.items));
    if let Some(omission) = source.omissions.iter_mut().find(|omission| omission.what == what) {
        (omission.bytes, omission.items) = (bytes, items);
        return;
    }
    let (part, reason) = (format!("sources/{}", source.name), reason.to_owned());
    source.omissions.push(Omission { part, what: what.to_owned(), reason, bytes, items });
}
