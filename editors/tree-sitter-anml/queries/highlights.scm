; Names as captures of Neovim and the command line have them.
(comment) @comment
(doc_comment) @comment.documentation
(string) @string
(escape) @string.escape
(number) @number
(quantity (unit) @type.builtin)
(address) @string.special
(boolean) @boolean
(self) @variable.builtin

["edition" "import" "as" "pub"] @keyword.import
["schema" "enum" "profile" "process" "function" "component" "model" "experiment" "graph" "table" "state" "let"]
  @keyword.type
["router" "switch" "host" "endpoint" "link" "workload" "label"] @keyword.type
["for" "while"] @keyword.repeat
["if" "then" "else"] @keyword.conditional
["tunable" "random" "override" "extra"] @keyword.modifier
["yield" "in" "on" "require" "matching" "like" "run" "addressing" "routing" "route" "to" "via" "at" "every" "from" "ramp" "report" "by"]
  @keyword

["--" "->" ".." "..<" "=" "==" "!=" "<" "<=" ">" ">=" "&&" "||" "!" "+" "-" "*" "/" "%" "±" "+/-" "?"] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ":" "."] @punctuation.delimiter

(import module: (dotted_name) @module)
(import name: (identifier) @module)
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
(attribute_declaration name: (identifier) @property)
(attribute name: (identifier) @property)
(named_argument name: (identifier) @variable.parameter)
(call function: (identifier) @function.call)
(call function: (member name: (identifier) @function.call))
(member name: (identifier) @property)
(trait . (identifier) @keyword.type)
(trait name: (identifier) @property)
(annotation "@" @attribute name: (identifier) @attribute)
