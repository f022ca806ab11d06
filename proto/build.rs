//! Generates the API's types from the .proto files. No `protoc` is needed.

use std::path::{Path, PathBuf};
use std::{env, error::Error, fs};

use prost::Message;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=dossier");
    println!("cargo:rerun-if-changed=third_party");
    let mut files: Vec<PathBuf> = fs::read_dir(Path::new("dossier").join("v1"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    let descriptors = protox::compile(&files, [".", "third_party"])?;
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("dossier.v1.bin"), descriptors.encode_to_vec())?;

    let mut config = tonic_prost_build::Config::new();
    config.enable_type_names();
    // Chunks are handed on without a copy.
    config.bytes([".dossier.v1.BlobChunk", ".dossier.v1.AttachmentChunk", ".dossier.v1.RedactResponse"]);
    // Maps in one order: a request's encoding tells it apart from another.
    config.btree_map(["."]);
    // Requests hold raw text: no type of the wire can be printed by accident.
    config.skip_debug(["."]);
    tonic_prost_build::configure().compile_fds_with_config(descriptors, config)?;
    Ok(())
}
