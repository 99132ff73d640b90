//! Settings of libraries: modes that a call changes for all that run after it.

use pytrope_eval::{CallArgs, Flow, Interp, Name, Value};

/// `setting(name, default)`: what the program has set, or the default.
#[expect(clippy::unnecessary_wraps, reason = "a primitive")]
pub(super) fn read_setting(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some(name) = args.get(0, "name").and_then(Value::as_str).map(Name::new) else {
        return Ok(super::unknown_because("a setting without a name"));
    };
    let default = args.get(1, "default").cloned().unwrap_or(Value::None);
    Ok(interp.run.state.settings.find_setting(name).cloned().unwrap_or(default))
}

/// `set_setting(name, value, default)`: changes a setting; its default is nothing to be remembered.
#[expect(clippy::unnecessary_wraps, reason = "a primitive")]
pub(super) fn change_setting(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    if let Some(name) = args.get(0, "name").and_then(Value::as_str).map(Name::new)
        && let Some(value) = args.get(1, "value").cloned()
    {
        let is_default = args.get(2, "default") == Some(&value);
        interp.run.state.settings.change_setting(name, (!is_default).then_some(value));
    }
    Ok(Value::None)
}

/// `is_uncalled()`: whether this is the run of a function that the program does not call, so that others decide its settings.
#[expect(clippy::unnecessary_wraps, reason = "a primitive")]
pub(super) fn is_uncalled(interp: &mut Interp<'_>, _: &CallArgs) -> Flow {
    Ok(Value::Bool(interp.analysis.uncalled_entry))
}

/// `is_untracked()`: whether marks that depend on settings are left alone: in functions that the program does not call, and where an
/// entry is the whole program, of which shapes alone are asked.
#[expect(clippy::unnecessary_wraps, reason = "a primitive")]
pub(super) fn is_untracked(interp: &mut Interp<'_>, _: &CallArgs) -> Flow {
    Ok(Value::Bool(interp.analysis.program.closed_world || interp.analysis.uncalled_entry))
}
