;;; Run by Emacs itself, without a screen: eglot starts the server as docs/how-to/editors.md says, opens main.py, and shows what
;;; it makes of the answers.  Prints one line for each check; ends with 1 if one fails.

(require 'eglot)
(require 'flymake)

(defvar pytrope-failed nil)

(defun pytrope-check (what ok seen)
  (message "%s: %s%s" (if ok "ok" "FAILED") what (if ok "" (format " %S" seen)))
  (unless ok (setq pytrope-failed t)))

(defun pytrope-wait (condition)
  "Handle what the server sends until CONDITION holds, for 20 seconds at most."
  (with-timeout (20 nil)
    (while (not (funcall condition)) (accept-process-output nil 0.05))
    t))

(add-to-list 'eglot-server-programs `((python-mode python-ts-mode) . (,(getenv "PYTROPE_BIN") "server")))
(setq eglot-sync-connect 20 eglot-autoshutdown t flymake-no-changes-timeout 0.1 eglot-send-changes-idle-time 0.05)
;; The project is the folder.
(add-hook 'project-find-functions (lambda (_) (cons 'transient default-directory)))

(find-file "main.py")
(python-mode)
(apply #'eglot (eglot--guess-contact))
(flymake-mode 1)

(defun pytrope-diagnostics ()
  (flymake-start)
  (flymake-diagnostics))

(pytrope-wait (lambda () (pytrope-diagnostics)))
(let ((found (car (pytrope-diagnostics))))
  (pytrope-check "the finding is at the product"
                 (and found (= (line-number-at-pos (flymake-diagnostic-beg found)) 5)
                      (string-match-p "matrix product" (flymake-diagnostic-text found)))
                 (pytrope-diagnostics)))
(goto-char (point-min))
(forward-line 2)
(let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
  (pytrope-check "hover shows the shape" (string-match-p "ndarray\\[3, 4\\]" (format "%S" hover)) hover))
(forward-line 1)
(search-forward "5")
(replace-match "4")
(eglot--signal-textDocument/didChange)
(pytrope-wait (lambda () (null (pytrope-diagnostics))))
(pytrope-check "the finding goes with the edit" (null (pytrope-diagnostics)) (pytrope-diagnostics))
(eglot-shutdown (eglot-current-server))
(set-buffer-modified-p nil)
(kill-emacs (if pytrope-failed 1 0))
