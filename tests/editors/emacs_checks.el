;; emacs -Q --batch -L editors/emacs -l emacs_checks.el FILE...: what anml-mode makes of models that `anmlc fmt' wrote.
(require 'seq)
(require 'anml-mode)

(defun check (what is should)
  (unless (equal is should)
    (princ (format "%s: %S, and not %S\n" what is should))
    (kill-emacs 1)))

;; Lines of FILE that the mode would indent otherwise.
(defun others (file)
  (with-temp-buffer
    (insert-file-contents file)
    (anml-mode)
    (let ((before (split-string (buffer-string) "\n")) (inhibit-message t))
      (indent-region (point-min) (point-max))
      (seq-count #'identity (seq-mapn (lambda (a b) (not (string= a b))) before (split-string (buffer-string) "\n"))))))

(defun face-of (text word)
  (with-temp-buffer
    (insert text)
    (anml-mode)
    (font-lock-ensure)
    (goto-char (point-min))
    (search-forward word)
    (get-text-property (match-beginning 0) 'face)))

(check "model" (face-of "model Net {\n}" "model") 'font-lock-keyword-face)
(check "its name" (face-of "model Net {\n}" "Net") 'font-lock-type-face)
(check "a unit" (face-of "  let x = 5 ms" "ms") 'font-lock-builtin-face)
(check "an attribute" (face-of "link a -- b { delay = 5 ms }" "delay") 'font-lock-variable-name-face)
(check "a call" (face-of "queue = droptail(5 KB)" "droptail") 'font-lock-function-name-face)
(check "a comment" (face-of "host a // host b" "host b") 'font-lock-comment-face)
(check "a string" (face-of "require x else \"host\"" "host") 'font-lock-string-face)
(check "a name that is a keyword elsewhere" (face-of "link a -- b : table" "table") nil)
(dolist (line '("label mark { name = \"a\" }" "label a," "label [a, b] {" "report by name" "pub model M {"))
  (check line (face-of (concat "  " line "\n") (car (split-string line))) 'font-lock-keyword-face))
(dolist (line '("label mark" "label few[2](3, 4)" "report by" "report region" "pub"))
  (check line (face-of (concat "  " line "\n  host x\n") (car (split-string line))) nil))

(with-temp-buffer
  (insert "model Net {\nhost a\nlink a -- b {\ndelay = 1 ms\n}\n}\n")
  (anml-mode)
  (let ((inhibit-message t)) (indent-region (point-min) (point-max)))
  (check "indentation" (buffer-string) "model Net {\n  host a\n  link a -- b {\n    delay = 1 ms\n  }\n}\n")
  (goto-char (point-min))
  (comment-region (point-min) (line-end-position))
  (check "a comment's" (buffer-substring (point-min) (line-end-position)) "// model Net {"))

(let ((files 0) (apart 0))
  (dolist (file command-line-args-left)
    (setq files (1+ files))
    (when (> (others file) 0) (setq apart (1+ apart))))
  (setq command-line-args-left nil)
  (princ (format "%d of %d\n" apart files)))
