//! Reading what a user names: regular files up to a size. Pipes, devices and files without end are errors, never a wait.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use pytrope_source::reading::check_readable;

/// Files over this size are not source code.
pub(crate) const LARGEST: u64 = 256 << 20;

/// Opens a regular file. Some that count as regular (`/proc/kmsg`) make a reader wait, so that waiting is refused.
fn open(path: &Path) -> io::Result<File> {
    check_readable(path)?;
    let mut options = OpenOptions::new();
    options.read(true);
    without_waiting(&mut options);
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file (standard input is `-`)"));
    }
    let file = options.open(path)?;
    // What was a file a moment ago may have been replaced.
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    Ok(file)
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn without_waiting(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt;
    const O_NONBLOCK: i32 = if cfg!(target_os = "linux") { 0o4000 } else { 0x4 };
    options.custom_flags(O_NONBLOCK);
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn without_waiting(_: &mut OpenOptions) {}

/// The bytes of a reader, one more than [`LARGEST`] if there are more.
pub(crate) fn read_limited(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(LARGEST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The bytes of a file, one more than [`LARGEST`] if there are more.
pub(crate) fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    read_limited(open(path)?).map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => io::Error::new(io::ErrorKind::InvalidInput, "reading it would block"),
        _ => error,
    })
}

/// The text of a file that is no source code: a configuration, a baseline, a script of constraints.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read_file(path)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {} MiB", LARGEST >> 20)));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not UTF-8 text"))
}
