//! Progress of the first analysis of a project, as the editor shows it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::json;

use crate::analyzer::ProgressStep;

/// The name of the only progress that the server reports.
const TOKEN: &str = "pytrope-first-analysis";

/// Reports are sent for each part of so many.
const PARTS: usize = 20;

/// A progress that has been announced and has to be ended.
pub(crate) struct AnalysisProgress<'a> {
    connection: &'a Connection,
}

impl<'a> AnalysisProgress<'a> {
    /// Announces the progress; the step is to be called for each analysed file, from any thread.
    pub fn begin(connection: &'a Connection) -> (Self, ProgressStep) {
        let create = Request::new(
            RequestId::from(TOKEN.to_owned()),
            "window/workDoneProgress/create".to_owned(),
            json!({"token": TOKEN}),
        );
        // An editor that has gone is noticed by the loop.
        let _ = connection.sender.send(Message::Request(create));
        let begin = json!({"kind": "begin", "title": "Pytrope: analysing the project", "percentage": 0});
        let _ = connection.sender.send(report_of(&begin));
        let (sender, last) = (connection.sender.clone(), AtomicUsize::new(0));
        let step = move |done: usize, total: usize| {
            let part = done * PARTS / total.max(1);
            if last.fetch_max(part, Ordering::Relaxed) < part {
                let percentage = part * 100 / PARTS;
                let message = format!("{done} of {total} files");
                let report = json!({"kind": "report", "percentage": percentage, "message": message});
                let _ = sender.send(report_of(&report));
            }
        };
        (Self { connection }, Arc::new(step))
    }
}

impl Drop for AnalysisProgress<'_> {
    fn drop(&mut self) {
        let _ = self.connection.sender.send(report_of(&json!({"kind": "end"})));
    }
}

fn report_of(value: &serde_json::Value) -> Message {
    Message::Notification(Notification::new("$/progress".to_owned(), json!({"token": TOKEN, "value": value})))
}
