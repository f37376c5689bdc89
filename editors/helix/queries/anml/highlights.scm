; Those of editors/tree-sitter-anml/queries, by Helix's names of captures; tests/editors/test_grammars.py holds them against each other.
(comment) @comment
(doc_comment) @comment.line.documentation
(string) @string
(escape) @constant.character.escape
(number) @constant.numeric
(quantity (unit) @type.builtin)
(address) @string.special
(boolean) @constant.builtin.boolean
(self) @variable.builtin

["edition" "import" "as" "pub"] @keyword.control.import
["schema" "enum" "profile" "process" "function" "component" "model" "experiment" "graph" "table" "state" "let"]
  @keyword.storage.type
["router" "switch" "host" "endpoint" "link" "workload" "label"] @keyword.storage.type
["for" "while"] @keyword.control.repeat
["if" "then" "else"] @keyword.control.conditional
["tunable" "random" "override" "extra"] @keyword.storage.modifier
["yield" "in" "on" "require" "matching" "like" "run" "addressing" "routing" "route" "to" "via" "at" "every" "from" "ramp" "report" "by"]
  @keyword

["--" "->" ".." "..<" "=" "==" "!=" "<" "<=" ">" ">=" "&&" "||" "!" "+" "-" "*" "/" "%" "±" "+/-" "?"] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ":" "."] @punctuation.delimiter

(import module: (dotted_name) @namespace)
(import name: (identifier) @namespace)
(schema name: (identifier) @type)
(enum name: (identifier) @type)
(enum value: (identifier) @constant)
(component name: (identifier) @type)
(graph name: (identifier) @type)
(table name: (identifier) @type)
(profile name: (identifier) @constant)
(process name: (identifier) @constant)
(function name: (identifier) @function)
(schema base: (dotted_name) @type)
(base (dotted_name) @type)
(type (dotted_name) @type)
(profile type: (dotted_name) @type)
(process type: (dotted_name) @type)
(table type: (dotted_name) @type)
(workload type: (dotted_name) @type)
(instance type: (dotted_name) @type)
(node name: (identifier) @variable)
(instance name: (identifier) @variable)
(workload name: (identifier) @variable)
(link name: (identifier) @variable)
(let name: (identifier) @variable)
(for variable: (identifier) @variable)
(parameter name: (identifier) @variable.parameter)
(attribute_declaration name: (identifier) @variable.other.member)
(attribute name: (identifier) @variable.other.member)
(named_argument name: (identifier) @variable.parameter)
(call function: (identifier) @function)
(call function: (member name: (identifier) @function))
(member name: (identifier) @variable.other.member)
(trait . (identifier) @keyword.storage.type)
(trait name: (identifier) @variable.other.member)
(annotation "@" @attribute name: (identifier) @attribute)
