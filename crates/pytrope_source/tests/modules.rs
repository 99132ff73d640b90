//! Modules are found as Python finds them, without starting Python.

use std::fs;
use std::path::{Path, PathBuf};

use pytrope_source::modules::site_packages;
use pytrope_source::{ModuleKind, ModuleResolver};

struct Folder(tempfile::TempDir);

impl Folder {
    fn with(files: &[&str]) -> Self {
        let folder = Self(tempfile::tempdir().expect("a folder"));
        for file in files {
            folder.write(file, "");
        }
        folder
    }

    fn path(&self, below: &str) -> PathBuf {
        self.0.path().join(below)
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().expect("has one")).expect("creates");
        fs::write(path, text).expect("writes");
    }
}

#[test]
fn packages_modules_namespaces_and_src_layouts() {
    let folder = Folder::with(&["src/pkg/__init__.py", "src/pkg/a.py", "src/space/b.py", "script.py", "src/stub.pyi"]);
    let resolver = ModuleResolver::for_project(&folder.path(""));
    let kind = |name: &str| resolver.resolve(name).map(|found| found.kind);
    assert_eq!(kind("pkg"), Some(ModuleKind::Package));
    assert_eq!(kind("pkg.a"), Some(ModuleKind::Module));
    assert_eq!(kind("space"), Some(ModuleKind::Namespace));
    assert_eq!(kind("space.b"), Some(ModuleKind::Module));
    assert_eq!(kind("script"), Some(ModuleKind::Module));
    assert_eq!(kind("stub"), None);
    assert_eq!(kind("nothing"), None);
    assert_eq!(kind("pkg..a"), None);
    assert_eq!(resolver.name_of(&folder.path("src/pkg/a.py")), "pkg.a");
    assert_eq!(resolver.name_of(&folder.path("src/pkg/__init__.py")), "pkg");
    assert_eq!(resolver.name_of(&folder.path("script.py")), "script");
    assert_eq!(resolver.name_of(Path::new("/elsewhere/tool.py")), "tool");
}

#[test]
fn relative_imports_climb() {
    let absolute = ModuleResolver::absolute;
    assert_eq!(absolute("pkg.a", false, 1, Some("b")), Some("pkg.b".into()));
    assert_eq!(absolute("pkg", true, 1, Some("b")), Some("pkg.b".into()));
    assert_eq!(absolute("pkg.sub.a", false, 2, None), Some("pkg".into()));
    assert_eq!(absolute("pkg.a", false, 3, Some("b")), None);
    assert_eq!(absolute("pkg.a", false, 0, Some("os.path")), Some("os.path".into()));
}

#[cfg(unix)]
#[test]
fn environments_are_read_from_their_files() {
    use std::os::unix::fs::symlink;
    let base = Folder::with(&[
        "usr/bin/python3.11",
        "usr/lib/python3/dist-packages/torch/__init__.py",
        "usr/lib/python3.11/os.py",
    ]);
    symlink(base.path("usr/bin/python3.11"), base.path("usr/bin/python3")).expect("links");
    let debian = site_packages(&base.path("usr/bin/python3")).expect("found");
    assert_eq!(debian, [base.path("usr/lib/python3/dist-packages")]);

    let venv = Folder::with(&["lib/python3.11/site-packages/numpy/__init__.py"]);
    fs::create_dir_all(venv.path("bin")).expect("creates");
    symlink(base.path("usr/bin/python3"), venv.path("bin/python")).expect("links");
    let config = |system: bool| {
        format!(
            "home = {}\nversion = 3.11.2\ninclude-system-site-packages = {system}\n",
            base.path("usr/bin").display()
        )
    };
    venv.write("pyvenv.cfg", &config(false));
    let own = venv.path("lib/python3.11/site-packages");
    assert_eq!(site_packages(&venv.path("bin/python")), Ok(vec![own.clone()]));
    assert_eq!(site_packages(&venv.path("")), Ok(vec![own.clone()]));
    assert_eq!(site_packages(&own), Ok(vec![own.clone()]));
    venv.write("pyvenv.cfg", &config(true));
    let both = site_packages(&venv.path("bin/python")).expect("found");
    assert_eq!(both, [own.clone(), base.path("usr/lib/python3/dist-packages")]);

    // An editable installation names the folder of its sources.
    let sources = Folder::with(&["src/project/__init__.py"]);
    let lines = format!("# sources\nimport project_hook\n\n{}\n/nowhere/at/all\n", sources.path("src").display());
    venv.write("pyvenv.cfg", &config(false));
    venv.write("lib/python3.11/site-packages/__editable__.project.pth", &lines);
    assert_eq!(site_packages(&venv.path("bin/python")), Ok(vec![own, sources.path("src")]));

    let pyenv = Folder::with(&[
        "shims/python3",
        "versions/3.11.9/bin/python",
        "versions/3.11.9/lib/python3.11/site-packages/x.py",
        "versions/3.11.10/bin/python",
        "versions/3.11.10/lib/python3.11/site-packages/x.py",
    ]);
    pyenv.write("version", "3.11\n");
    assert_eq!(
        site_packages(&pyenv.path("shims/python3")),
        Ok(vec![pyenv.path("versions/3.11.10/lib/python3.11/site-packages")])
    );

    assert!(site_packages(Path::new("/nowhere/python")).is_err());
    let resolver = ModuleResolver::with_roots(vec![]).with_packages(debian);
    assert!(resolver.resolve("torch").is_some_and(|found| found.external));
}
