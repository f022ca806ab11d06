use std::os::unix::fs::symlink;

use super::*;

fn reference(kind: ObjectKind, namespace: &str, name: &str, key: Option<&str>) -> ObjectRef {
    ObjectRef { kind, namespace: namespace.to_owned(), name: name.to_owned(), key: key.map(str::to_owned) }
}

/// A mount as the kubelet makes it.
fn mount(root: &Path, object: &str, data: &[(&str, &str)]) {
    let dir = root.join(object);
    let dated = dir.join("..2026_01_01");
    fs::create_dir_all(&dated).unwrap();
    symlink("..2026_01_01", dir.join("..data")).unwrap();
    for (key, value) in data {
        fs::write(dated.join(key), value).unwrap();
        symlink(format!("..data/{key}"), dir.join(key)).unwrap();
    }
}

async fn names(secrets: &MountedSecrets, reference: ObjectRef) -> Vec<String> {
    let found = secrets.values(vec![reference]).await.unwrap();
    found.values.iter().map(|value| value.name().to_owned()).collect()
}

#[tokio::test]
async fn values_are_found_through_the_links_of_a_mount() {
    let dir = tempfile::tempdir().unwrap();
    mount(dir.path(), "secrets/prod/db", &[("password", "one-value\n"), ("user", "another")]);
    mount(dir.path(), "configmaps/prod/db", &[("host", "db.internal")]);
    let secrets = MountedSecrets::new(Some(dir.path().to_owned()));
    let all = names(&secrets, reference(ObjectKind::Secret, "prod", "db", None)).await;
    assert_eq!(all, ["prod/db/password", "prod/db/user"]);
    assert_eq!(names(&secrets, reference(ObjectKind::Secret, "", "db", Some("user"))).await, ["prod/db/user"]);
    assert_eq!(names(&secrets, reference(ObjectKind::ConfigMap, "prod", "db", None)).await, ["prod/db/host"]);
}

#[test]
fn one_final_newline_is_not_of_the_value() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    for (text, value) in [("abcdef\n", "abcdef"), ("abcdef", "abcdef"), ("abcdef\n\n", "abcdef\n")] {
        fs::write(root.join("k"), text).unwrap();
        assert_eq!(read_value(&root, &root.join("k")).unwrap().unwrap(), value.as_bytes());
    }
    fs::write(root.join("k"), "\n").unwrap();
    assert!(read_value(&root, &root.join("k")).unwrap().is_none());
}

#[tokio::test]
async fn nobody_waits_for_what_is_no_file() {
    let dir = tempfile::tempdir().unwrap();
    mount(dir.path(), "secrets/prod/db", &[("password", "one-value")]);
    let fifo = dir.path().join("secrets/prod/db/fifo");
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mknodat(rustix::fs::CWD, fifo, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let secrets = MountedSecrets::new(Some(dir.path().to_owned()));
    let found = names(&secrets, reference(ObjectKind::Secret, "prod", "db", None));
    let found = tokio::time::timeout(std::time::Duration::from_secs(20), found).await;
    assert_eq!(found.expect("an answer"), ["prod/db/password"]);
}

#[tokio::test]
async fn what_is_not_there_is_missing() {
    let wanted = reference(ObjectKind::Secret, "prod", "db", None);
    for root in [None, Some("/nowhere/at/all".into())] {
        let found = MountedSecrets::new(root).values(vec![wanted.clone()]).await.unwrap();
        assert_eq!((found.values.len(), found.missing.len()), (0, 1));
    }
}

#[tokio::test]
async fn no_path_leads_out() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("outside"), "outside-value").unwrap();
    let root = dir.path().join("mounted");
    let object = root.join("secrets/prod/db");
    fs::create_dir_all(&object).unwrap();
    symlink("../../../../outside", object.join("link")).unwrap();
    let secrets = MountedSecrets::new(Some(root));
    for (namespace, name, key) in
        [("..", "..", "outside"), ("prod", "db", "../../../../outside"), ("prod/db", "x", "y"), ("prod", ".", "db")]
    {
        let wanted = reference(ObjectKind::Secret, namespace, name, Some(key));
        assert_eq!(secrets.values(vec![wanted]).await.unwrap().missing.len(), 1, "{namespace} {name} {key}");
    }
    // A link that leads out is there and cannot be denied: the request is refused.
    let link = reference(ObjectKind::Secret, "prod", "db", Some("link"));
    assert_eq!(secrets.values(vec![link]).await.err().map(|error| error.reason()), Some("DENY_VALUE_UNREADABLE"));
}

#[tokio::test]
async fn what_is_too_large_refuses() {
    let dir = tempfile::tempdir().unwrap();
    let object = dir.path().join("secrets/prod/db");
    fs::create_dir_all(&object).unwrap();
    fs::write(object.join("large"), vec![b'x'; MAX_VALUE as usize + 1]).unwrap();
    let secrets = MountedSecrets::new(Some(dir.path().to_owned()));
    let one = || reference(ObjectKind::Secret, "prod", "db", Some("large"));
    assert!(secrets.values(vec![one()]).await.is_err());
    fs::write(object.join("large"), vec![b'x'; MAX_VALUE as usize]).unwrap();
    assert_eq!(secrets.values(vec![one()]).await.unwrap().values.len(), 1);
    assert!(secrets.values((0..17).map(|_| one()).collect()).await.is_err());
}
