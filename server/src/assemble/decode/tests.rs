use super::*;
use crate::assemble::context;

/// The fields that are refused of a draft.
fn refused(draft: v1::BundleDraft) -> Vec<String> {
    let run: RunPath = "orgs/acme/runs/run-1".parse().unwrap();
    match decode(draft, &run, &Config::default(), context::redactor().unwrap(), &[]) {
        Err(ApiError::InvalidArgument(violations)) => violations.into_iter().map(|one| one.field).collect(),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it was taken"),
    }
}

fn draft() -> v1::BundleDraft {
    v1::BundleDraft { project: "shop".to_owned(), route: "runs".to_owned(), ..v1::BundleDraft::default() }
}

/// Adds entries of which each is malformed to a list.
type Fill = fn(&mut v1::BundleDraft, usize);

const LISTS: [(&str, Fill); 10] = [
    ("draft.skills", |draft, count| draft.skills = vec![v1::Skill::default(); count]),
    ("draft.labels", |draft, count| draft.labels = vec![v1::LabelReference::default(); count]),
    ("draft.sources", |draft, count| draft.sources = vec![v1::Source::default(); count]),
    ("draft.tools", |draft, count| draft.tools = vec![v1::Tool::default(); count]),
    ("draft.attachments", |draft, count| draft.attachments = vec![v1::Attachment::default(); count]),
    ("draft.trigger.fields", |draft, count| {
        let field = |number| (format!("not a name {number}"), v1::TemplateField::default());
        draft.trigger.get_or_insert_default().fields = (0..count).map(field).collect();
    }),
    ("draft.permission_review.granted_tools", |draft, count| {
        draft.permission_review.get_or_insert_default().granted_tools = vec![String::new(); count];
    }),
    ("draft.permission_review.granted_permissions", |draft, count| {
        draft.permission_review.get_or_insert_default().granted_permissions = vec![String::new(); count];
    }),
    ("draft.pins.labels", |draft, count| {
        draft.pins.get_or_insert_default().labels = vec![v1::LabelReference::default(); count];
    }),
    ("draft.pins.commits", |draft, count| {
        draft.pins.get_or_insert_default().commits = vec![v1::CommitPin::default(); count];
    }),
];

#[test]
fn of_what_is_far_too_many_only_the_number_is_told() {
    for (list, fill) in LISTS {
        let mut sent = draft();
        fill(&mut sent, FAR_TOO_MANY + 1);
        // Whatever else there is, each of it malformed, is not looked at either.
        sent.skills.resize(sent.skills.len().max(3), v1::Skill::default());
        assert_eq!(refused(sent), [list]);
    }
}

#[test]
fn of_what_is_too_many_the_entries_are_told_too() {
    for (list, fill) in LISTS.into_iter().filter(|(list, _)| !list.contains("pins")) {
        let mut sent = draft();
        fill(&mut sent, FAR_TOO_MANY);
        let fields = refused(sent);
        let number = usize::from(list != "draft.attachments");
        assert_eq!(fields.iter().filter(|field| *field == list).count().min(1), number, "{list}");
        assert!(fields.len() > 100, "{list}: {fields:?}");
    }
}

#[test]
fn far_too_many_denied_objects_are_not_read() {
    let mut sent = draft();
    // The context has refused them before.
    sent.permission_review.get_or_insert_default().denied = vec![v1::ObjectReference::default(); FAR_TOO_MANY + 1];
    sent.skills.push(v1::Skill::default());
    assert_eq!(refused(sent), [""; 0]);
}
