// ANML for editors that colour and fold by tree-sitter: Neovim, Helix, Emacs, code hosts. The language's grammar is
// grammar/AnmlParser.g4, which this follows rule by rule; what is wrong in a text says the compiler (`anmlc lsp`).
//
// The scanner (src/scanner.c) decides what is a unit: a word behind a number on the same line that is no keyword, and
// `%` where no operand follows on the line; and where `label` and `report` begin their statements: elsewhere they are
// names.

const list = (rule) => seq(rule, repeat(seq(",", rule)), optional(","));
const items = (rule) => repeat(seq(rule, optional(",")));

const P = {or: 1, and: 2, equal: 3, compare: 4, add: 5, multiply: 6, unary: 7, postfix: 8};

module.exports = grammar({
  name: "anml",
  word: ($) => $.identifier,
  externals: ($) => [$.unit, $._percent, $._label, $._report],
  extras: ($) => [/\s/, $.doc_comment, $.comment],
  supertypes: ($) => [$.declaration, $.statement, $.expression],

  rules: {
    source_file: ($) => repeat(choice($.declaration, $.public)),
    public: ($) => seq("pub", $.declaration),
    declaration: ($) =>
      choice($.edition, $.import, $.schema, $.enum, $.profile, $.process, $.function, $.component, $.graph, $.table),

    edition: ($) => seq("edition", $.number),
    import: ($) => seq("import", field("module", $.dotted_name), optional(seq("as", field("name", $.identifier)))),
    schema: ($) =>
      seq("schema", field("name", $.identifier), optional(seq(":", field("base", $.dotted_name))),
          field("body", $.schema_body)),
    schema_body: ($) => seq("{", items($.schema_item_), "}"),
    schema_item_: ($) => choice(seq(optional($.annotation), choice($.attribute_declaration, $.trait)), $.require, "extra"),
    attribute_declaration: ($) => seq(field("name", choice($.identifier, alias("extra", $.identifier))), $._typed),
    // The first word is `trait`, which is a name elsewhere.
    trait: ($) => seq($.identifier, field("name", $.identifier), "=", field("value", $.expression)),
    _typed: ($) =>
      prec.right(seq(":", optional("random"), field("type", $._type),
          optional($.list_mark), optional("?"), optional(seq("matching", $.string)), optional(seq("in", $.range)),
          optional(seq("=", field("default", $.expression))))),
    enum: ($) => seq("enum", field("name", $.identifier), "{", items(field("value", $.identifier)), "}"),
    profile: ($) =>
      seq("profile", field("name", $.identifier), optional($.parameters), ":", field("type", $.dotted_name),
          optional($.arguments), field("body", $.attributes)),
    process: ($) =>
      seq("process", field("name", $.identifier), optional($.parameters), ":", field("type", $.dotted_name),
          field("body", $.process_body)),
    process_body: ($) => seq("{", repeat(choice($.state, $.yield)), "}"),
    state: ($) =>
      seq("state", field("name", $.identifier), ":", field("type", $.dotted_name), "=", $.expression, "then",
          $.expression),
    yield: ($) => seq("yield", $.expression),
    function: ($) =>
      seq("function", field("name", $.identifier), $.parameters, ":", optional("random"), field("type", $._type),
          optional(seq("[", "]")), "=", field("value", $.expression)),
    component: ($) =>
      seq(choice("component", "model", "experiment"), field("name", $.identifier), optional($.parameters),
          optional($.base), field("body", $.block)),
    base: ($) => seq(":", $.dotted_name, optional($.arguments)),
    graph: ($) => seq("graph", field("name", $.identifier), "(", $.string, ")", optional($.attributes)),
    table: ($) => seq("table", field("name", $.identifier), "(", $.string, ")", ":", field("type", $.dotted_name),
          optional(seq("by", field("key", $.identifier)))),

    parameters: ($) => seq("(", optional(list($.parameter)), ")"),
    parameter: ($) => seq(optional("tunable"), field("name", $.identifier), $._typed),
    _type: ($) => choice($.type, $.like),
    like: ($) => prec.right(seq("like", optional($.identifier))),  // alone it is a name
    type: ($) => choice(seq(optional("component"), $.dotted_name), "router", "switch", "host", "endpoint"),
    list_mark: ($) => seq("[", optional(choice($.expression, $.range)), "]"),

    block: ($) => seq("{", repeat($.statement), "}"),
    statement: ($) =>
      choice($.node, $.instance, $.link, $.let, $.for, $.if, $.workload, $.require, $.run, $.addressing, $.routing,
             $.route, $.at, $.every, $.from, $.ramp, $.profile, $.override, $.label, $.report),

    annotation: ($) => seq("@", field("name", $.identifier), "(", optional(list(choice("ramp", $._argument))), ")"),
    node: ($) =>
      prec.right(seq(optional($.annotation), choice("router", "switch", "host", "endpoint"),
          field("name", $.identifier), repeat($.count), optional(field("body", $.attributes)))),
    instance: ($) =>
      prec.right(seq(optional($.annotation), field("type", $.dotted_name), field("name", $.identifier),
          choice(seq("=", $.expression), seq("in", choice($.expression, $.range)),
                 seq(repeat($.count), optional($.arguments), optional($.overrides))))),
    count: ($) => seq("[", $.expression, "]"),
    overrides: ($) => seq("{", repeat($.override), "}"),
    override: ($) =>
      prec.right(seq("override", field("name", choice($.dotted_name, "run", "addressing", "routing")),
          optional(seq(":", $.expression)), optional($.attributes))),
    link: ($) =>
      prec.right(seq("link", optional(seq(field("name", $.expression), ":")), field("left", $.expression),
          choice("--", "->"), field("right", $.expression), optional(seq(":", field("profile", $.expression))),
          optional(field("body", $.attributes)))),
    let: ($) => seq("let", field("name", $.identifier), "=", field("value", $.expression)),
    label: ($) => seq(alias($._label, "label"), $.expression, repeat(seq(",", $.expression)), $.attributes),
    report: ($) => seq(alias($._report, "report"), "by", $.identifier, repeat(seq(",", $.identifier))),
    for: ($) =>
      seq("for", field("variable", $.identifier), optional(seq(",", field("variable", $.identifier))), "in",
          choice($.expression, $.range), optional(seq("while", $.expression)), field("body", $.block)),
    if: ($) =>
      prec.right(seq("if", field("condition", $.expression), field("then", $.block),
          optional(seq("else", field("else", choice($.if, $.block)))))),
    workload: ($) =>
      prec.right(seq("workload", field("name", $.identifier), repeat($.count), ":", field("type", $.dotted_name), "on",
          field("on", $.expression), optional(field("body", $.attributes)))),
    require: ($) => prec.right(seq("require", $.expression, optional(seq("else", $.expression)))),
    run: ($) => seq("run", field("body", $.attributes)),
    addressing: ($) => seq("addressing", field("body", $.attributes)),
    routing: ($) =>
      seq("routing", optional(seq(field("name", $.identifier), "on", $.expression)), field("body", $.attributes)),
    route: ($) =>
      prec.right(seq("route", $.expression, "to", $.expression, "via", $.expression,
          optional(field("body", $.attributes)))),

    at: ($) => seq("at", $.expression, field("body", $.timeline)),
    every: ($) =>
      seq("every", $.expression, optional(seq("from", $.expression)), optional(seq("to", $.expression)),
          optional(seq("as", $.identifier)), field("body", $.timeline)),
    from: ($) => seq("from", $.expression, "to", $.expression, field("body", $.timeline)),
    ramp: ($) =>
      seq("ramp", "from", $.expression, "to", $.expression, optional(seq("every", $.expression)),
          field("body", $.ramp_body)),
    timeline: ($) => seq("{", items(choice($.require, $.change)), "}"),
    change: ($) => seq($._subjects, choice($.attributes, $.identifier, "on")),
    ramp_body: ($) => seq("{", items($.ramp_change), "}"),
    ramp_change: ($) => seq($._subjects, $.ramp_values),
    ramp_values: ($) => seq("{", items(seq(field("name", $.identifier), choice(seq("=", $.range), $.ramp_values))), "}"),
    _subjects: ($) => seq($.subject, optional(seq("--", $.subject))),
    subject: ($) =>
      choice($.identifier, seq($.subject, ".", $.identifier), seq($.subject, "[", $.index, "]")),

    attributes: ($) => seq("{", items($.attribute), "}"),
    attribute: ($) =>
      seq(field("name", $.identifier), choice(seq("=", field("value", $.expression)), field("value", $.attributes))),

    dotted_name: ($) => seq($.identifier, repeat(seq(".", $.identifier))),
    range: ($) => seq($.expression, choice("..", "..<"), $.expression),

    expression: ($) =>
      choice($.number, $.quantity, $.string, $.boolean, $.address, $.identifier, $.self, $.nested, $.list, $.member,
             $.subscript, $.call, $.unary, $.binary, $.conditional),
    self: (_) => "self",
    boolean: (_) => choice("true", "false"),
    nested: ($) => seq("(", $.expression, ")"),
    list: ($) => seq("[", optional(choice(seq($.expression, repeat1($.comprehension)), list($.expression))), "]"),
    comprehension: ($) =>
      seq("for", $.identifier, optional(seq(",", $.identifier)), "in", choice($.expression, $.range),
          optional(seq("if", $.expression))),
    member: ($) => prec(P.postfix, seq(field("of", $.expression), ".", field("name", $.identifier))),
    subscript: ($) => prec(P.postfix, seq(field("of", $.expression), "[", $.index, "]")),
    call: ($) => prec(P.postfix, seq(field("function", $.expression), $.arguments)),
    unary: ($) => prec(P.unary, seq(choice("-", "!"), $.expression)),
    binary: ($) =>
      choice(...[
        [P.multiply, choice("*", "/", "%")], [P.add, choice("+", "-", "±", "+/-")],
        [P.compare, choice("<", "<=", ">", ">=")], [P.equal, choice("==", "!=")], [P.and, "&&"], [P.or, "||"],
      ].map(([precedence, operator]) => prec.left(precedence, seq($.expression, operator, $.expression)))),
    conditional: ($) =>
      prec.right(seq("if", $.expression, "then", $.expression, "else", $.expression)),
    index: ($) => choice("*", $.expression, $.range),
    arguments: ($) => seq("(", optional(list($._argument)), ")"),
    _argument: ($) => choice($._argument_value, $.named_argument),
    named_argument: ($) => seq(field("name", $.identifier), "=", field("value", $._argument_value)),
    _argument_value: ($) => choice($.expression, $.adapted),
    // A profile with other attributes.
    adapted: ($) => seq(field("profile", $.expression), field("body", $.attributes)),

    quantity: ($) => seq($.number, choice($.unit, alias($._percent, $.unit))),
    number: (_) => /[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/,
    address: (_) =>
      token(choice(
        /[0-9]+\.[0-9]+(\.[0-9]+)+(\/[0-9]+)?/,
        /[0-9a-fA-F]*:[0-9a-fA-F]*:[0-9a-fA-F:]*([0-9]*(\.[0-9]+)+)?(\/[0-9]+)?/)),
    string: ($) => seq('"', repeat(choice(token.immediate(prec(1, /[^"\\\r\n]+/)), $.escape)), token.immediate('"')),
    escape: (_) => token.immediate(/\\[^\r\n]/),
    identifier: (_) => token(choice(/[A-Za-z_][A-Za-z_0-9]*/, /`[A-Za-z_]([A-Za-z_0-9.#\-]|\[[^\[\]`.\r\n]+\])*`/)),
    doc_comment: (_) => token(prec(1, /\/\/\/([^/\r\n][^\r\n]*)?/)),
    comment: (_) => token(choice(/\/\/[^\r\n]*/, /\/\*[^*]*\*+([^/*][^*]*\*+)*\//)),
  },
});
