//! Writing a file so that a reader sees the old one or the new one, never a part.

use std::io::{self, Write};
use std::path::Path;

/// Write to a temporary file beside the target, then rename it there. Permissions stay; a symbolic link stays one and its target is written;
/// a device or a pipe is written to as it is.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = match path.canonicalize() {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_path_buf(),
        Err(error) => return Err(error),
    };
    if target.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        // `/dev/null`, a pipe: renaming a file there would put a file in its place.
        return std::fs::OpenOptions::new().write(true).open(&target)?.write_all(bytes);
    }
    let folder = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut temporary =
        tempfile::Builder::new().prefix(".pytrope-").tempfile_in(folder).map_err(|error| without_path(&error))?;
    temporary.write_all(bytes)?;
    match target.metadata() {
        Ok(metadata) => temporary.as_file().set_permissions(metadata.permissions())?,
        Err(_) => ordinary_permissions(temporary.as_file())?,
    }
    temporary.as_file().sync_all()?;
    temporary.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// The error without the name of the temporary file, which says nothing to anyone.
fn without_path(error: &io::Error) -> io::Error {
    match error.get_ref().and_then(|inner| inner.source()).and_then(|source| source.downcast_ref::<io::Error>()) {
        Some(inner) => match inner.raw_os_error() {
            Some(code) => io::Error::from_raw_os_error(code),
            None => io::Error::from(inner.kind()),
        },
        None => io::Error::from(error.kind()),
    }
}

/// A new file is readable as files usually are; temporary ones are private.
#[cfg(unix)]
fn ordinary_permissions(file: &std::fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn ordinary_permissions(_: &std::fs::File) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::fs::FileTypeExt;
    use std::path::Path;

    /// The device that is always full says so, and is still there afterwards.
    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        let device = Path::new("/dev/full");
        let error = super::write_atomic(device, b"text").expect_err("the device is full");
        assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
        assert!(device.metadata().expect("it is there").file_type().is_char_device());
    }
}
