;;; anml-mode.el --- Major mode for ANML, a language for IP networks  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Colours, comments and indentation.  With Eglot (part of Emacs 29, a package before) `M-x eglot' starts the language
;; server, `anmlc lsp'; `anml-compiler' says where the compiler is.
;;
;;     (add-to-list 'load-path "/path/to/anml/editors/emacs")
;;     (require 'anml-mode)
;;     (add-hook 'anml-mode-hook #'eglot-ensure)

;;; Code:

(defgroup anml nil "Networks written in ANML." :group 'languages)
(defcustom anml-compiler "anmlc" "The compiler: a name on the path, or a path." :type 'string)
(defcustom anml-indent 2 "Columns by which a block is indented." :type 'integer :safe #'integerp)

(defconst anml-declarations
  '("model" "component" "experiment" "schema" "profile" "enum" "process" "function" "graph" "table"))
(defconst anml-nodes '("router" "switch" "host" "endpoint" "link" "workload"))
(defconst anml-keywords
  '("import" "edition" "as" "let" "state" "require" "run" "addressing" "routing" "route" "tunable" "random" "override"
    "matching" "on" "at" "every" "from" "ramp" "in" "for" "while" "if" "then" "else" "yield"))
;; Keywords at the beginning of a line, with what follows them there; names elsewhere.
(defconst anml-sometimes
  '("\\(table\\|extra\\|pub\\)[ \t]+[A-Za-z_`]" "\\(label\\)[ \t]+[A-Za-z_`[].*\\(?:{\\|,[ \t]*$\\)"
    "\\(report\\)[ \t]+by[ \t]+[A-Za-z_`]"))

(defconst anml--word "[A-Za-z_][A-Za-z_0-9]*")
(defconst anml--number "[0-9]+\\(?:\\.[0-9]+\\)?\\(?:[eE][+-]?[0-9]+\\)?")

(defvar anml-font-lock-keywords
  (let ((declares (concat "\\_<" (regexp-opt anml-declarations t) "[ \t]+\\(" anml--word "\\)"))
        (all (append (remove "table" anml-declarations) anml-nodes anml-keywords)))
    `((,declares (1 font-lock-keyword-face) (2 font-lock-type-face))
      (,(regexp-opt all 'symbols) . font-lock-keyword-face)
      ,@(mapcar (lambda (word) `(,(concat "^[ \t]*" word) (1 font-lock-keyword-face))) anml-sometimes)
      (,(regexp-opt '("true" "false" "self") 'symbols) . font-lock-constant-face)
      (,(concat "\\_<" anml--number "[ \t]*\\([A-Za-z_][A-Za-z_0-9]*\\(?:/s\\)?\\|%\\)") (1 font-lock-builtin-face))
      (,(concat "@[ \t]*" anml--word) . font-lock-preprocessor-face)
      ("\\_<[A-Z][A-Za-z_0-9]*[a-z][A-Za-z_0-9]*\\_>" . font-lock-type-face)
      (,(concat "\\_<\\(" anml--word "\\)[ \t]*=\\(?:[^=]\\|$\\)") (1 font-lock-variable-name-face))
      (,(concat "\\_<\\(" anml--word "\\)[ \t]*(") (1 font-lock-function-name-face))))
  "What `anml-mode' colours.")

(defvar anml-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?` "\"" table)
    (modify-syntax-entry ?' "." table)
    (dolist (sign '(?- ?+ ?% ?= ?< ?> ?& ?| ?! ?? ?@ ?: ?, ?.)) (modify-syntax-entry sign "." table))
    table)
  "Words, comments and strings of ANML.")

;; What a line ends with or begins with that goes on with the statement of the line before.
(defconst anml--open-end "\\(?:[=+*/<>&|]\\|[ \t]-\\|--\\|->\\|\\_<\\(?:then\\|else\\|in\\)\\)[ \t]*$")
(defconst anml--going-on "&&\\|||\\|[-+*/<>=!]\\|\\_<\\(?:then\\|else\\)\\_>")

(defun anml--goes-on-p (open)
  "Whether the line at point goes on with a statement within the bracket at OPEN."
  (save-excursion
    (back-to-indentation)
    (or (and (looking-at anml--going-on) (not (looking-at "//\\|/\\*")) (not (bobp)))
        (and (progn (forward-comment (- (point))) (eq (nth 1 (syntax-ppss)) open))
             (progn (setq open (point)) (beginning-of-line) (re-search-forward anml--open-end open t))
             (= (point) open)))))

(defun anml-indent-line ()
  "Indent the line by the brackets that are open where it begins."
  (interactive)
  (let* ((target
          (save-excursion
            (back-to-indentation)
            (let* ((state (syntax-ppss)) (open (nth 1 state)) (closes (looking-at "[])}]"))
                   (more (if (and (not closes) (anml--goes-on-p open)) (* 2 anml-indent) 0)))
              (cond ((nth 8 state) (current-indentation))  ; in a comment or a string
                    ((null open) more)
                    (t (goto-char open)
                       (+ (current-indentation) (if closes 0 anml-indent) more))))))
         (behind (- (current-column) (current-indentation))))
    (indent-line-to target)
    (when (> behind 0) (forward-char behind))))

;;;###autoload
(define-derived-mode anml-mode prog-mode "ANML"
  "Major mode for models of networks."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local comment-start-skip "///?[ \t]*\\|/\\*+[ \t]*")
  (setq-local indent-line-function #'anml-indent-line)
  (setq-local indent-tabs-mode nil)
  (setq-local electric-indent-chars (append '(?\} ?\) ?\]) electric-indent-chars))
  (setq-local imenu-generic-expression
              `((nil ,(concat "^[ \t]*\\(?:pub[ \t]+\\)?" (regexp-opt anml-declarations) "[ \t]+\\(" anml--word "\\)") 1)))
  (setq-local font-lock-defaults '(anml-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.anml\\'" . anml-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs (cons 'anml-mode (lambda (&rest _) (list anml-compiler "lsp")))))

(provide 'anml-mode)
;;; anml-mode.el ends here
