// The sentences of the language. Syntax only: no embedded code. One token of lookahead decides everywhere, so that the
// first token that does not fit is also the one that an error points at.
//
// How line ends count: they separate the attributes of a block (a comma does it too, and may also stand last, and so
// does the end of a direction's block), and the
// statements of one. No statement or attribute begins with an operator or a bracket, so an expression may go on in the
// next line without being taken for two. Statements that begin with a keyword may share a line; an instance
// (`Subnet net[4]`) has to begin one, or follow a brace. tree_builder checks this; the rules below do not see line ends.
//
// Each file is parsed declaration by declaration, and the body of a component or model a few statements at a time
// (compiler/syntax/parser/parse.cpp): `whole_declaration`, `body_head` and `body_part` are where that begins. `value` is what -D gives a parameter.
parser grammar AnmlParser;

options { tokenVocab = AnmlLexer; }

// With `pub` the module exports it.
whole_declaration : PUB? declaration EOF ;
body_head         : PUB? (COMPONENT | MODEL | EXPERIMENT) identifier parameter_list? base? LBRACE EOF ;
body_part         : statement* EOF ;
value             : expression EOF ;

declaration
  : edition_decl | import_decl | schema_decl | enum_decl | profile_decl | process_decl | function_decl
  | component_decl | graph_decl | table_decl ;

edition_decl   : EDITION INTEGER ;
import_decl    : IMPORT dotted_name (AS identifier)? ;
schema_decl    : SCHEMA identifier (COLON dotted_name)? LBRACE (schema_item COMMA?)* RBRACE ;
schema_item    : annotation? attribute_decl | require_stmt | EXTRA ;
// With `=` the first word is `trait`, which is no keyword: what other stages must know of values of the schema.
attribute_decl : identifier (COLON RANDOM? type_name list_mark? QUESTION? matching? (IN range)? (ASSIGN expression)? | identifier ASSIGN expression) ;
enum_decl      : ENUM identifier LBRACE (identifier COMMA?)* RBRACE ;
// Of a schema, or of another profile, which may take arguments.
profile_decl   : PROFILE identifier parameter_list? COLON dotted_name argument_list? attribute_block ;
// A random process. The first value of a variable ends at `then`.
process_decl   : PROCESS identifier parameter_list? COLON dotted_name LBRACE process_item* RBRACE ;
process_item   : state_decl | yield_stmt ;
state_decl     : STATE identifier COLON dotted_name ASSIGN expression THEN expression ;
yield_stmt     : YIELD expression ;
function_decl  : FUNCTION identifier parameter_list COLON RANDOM? type_name like? (LBRACK RBRACK)? ASSIGN expression ;
component_decl : (COMPONENT | MODEL | EXPERIMENT) identifier parameter_list? base? block ;
base           : COLON dotted_name argument_list? ;
graph_decl     : GRAPH identifier LPAREN STRING RPAREN attribute_block? ;
// With the attribute that is the key of each row, behind `by`, which is a name elsewhere.
table_decl     : TABLE identifier LPAREN STRING RPAREN COLON dotted_name (identifier identifier)? ;
parameter_list : LPAREN (parameter (COMMA parameter)* COMMA?)? RPAREN ;
parameter      : TUNABLE? identifier COLON RANDOM? type_name like? list_mark? matching? (IN range)? (ASSIGN expression)? ;
// A component stands as a type in brackets only, where it begins no declaration.
type_name      : COMPONENT? dotted_name | ROUTER | SWITCH | HOST | ENDPOINT | LINK | WORKLOAD ;
// The word before is `like`, which is no keyword; this is the parameter whose dimension it has.
like      : identifier ;
// With a number or a range: how many elements the list has.
list_mark      : LBRACK (expression ((RANGE | HALF_OPEN) expression)?)? RBRACK ;
matching       : MATCHING STRING ;

block : LBRACE statement* RBRACE ;

statement
  : annotation? (node_decl | instance_decl)
  | link_decl | let_stmt | for_stmt | if_stmt | workload_decl | require_stmt | run_decl | addressing_decl
  | routing_decl | route_stmt | at_stmt | every_stmt | from_stmt | ramp_stmt | profile_decl | override_stmt
  | label_stmt | report_stmt ;

annotation      : AT identifier LPAREN (note (COMMA note)* COMMA?)? RPAREN ;
note            : RAMP | argument ;

node_decl       : (ROUTER | SWITCH | HOST | ENDPOINT) identifier brackets? attribute_block? ;
// With `=` the first word is `port`, which is no keyword: the name that a component gives a node for the outside. With `in`
// it is `vary` or `search`: a factor of an experiment.
instance_decl   : dotted_name identifier (ASSIGN expression | IN factor | brackets? argument_list? override_block?) ;
factor          : expression ((RANGE | HALF_OPEN) expression)? ;
override_block  : LBRACE override_stmt* RBRACE ;
override_stmt   : OVERRIDE (dotted_name | RUN | ADDRESSING | ROUTING) (COLON expression)? attribute_block? ;
// How many elements an array has; in a loop, which one it is.
brackets        : (LBRACK expression RBRACK)+ ;
// Before a colon the first expression is the link's name, with its indices; otherwise it is the left end.
link_decl       : LINK expression (COLON expression)? (DUPLEX | DIRECTED) expression (COLON expression)? attribute_block? ;
let_stmt        : LET identifier ASSIGN expression ;
// What is named, then its labels. The words `label` and `report by` are names elsewhere.
label_stmt      : LABEL label_subjects attribute_block ;
label_subjects  : expression (COMMA expression)* ;
report_stmt     : REPORT identifier identifier (COMMA identifier)* ;
// Before a comma the number of the element that the second name is.
for_stmt        : FOR identifier (COMMA identifier)? IN expression ((RANGE | HALF_OPEN) expression)? (WHILE expression)? block ;
if_stmt         : IF expression block (ELSE (if_stmt | block))? ;
workload_decl   : WORKLOAD identifier brackets? COLON dotted_name ON expression attribute_block? ;
require_stmt    : REQUIRE expression (ELSE expression)? ;
run_decl        : RUN attribute_block ;
addressing_decl : ADDRESSING attribute_block ;
// With a name: of a region, which is the nodes behind `on`.
routing_decl    : ROUTING (identifier ON expression)? attribute_block ;

// `to`, `via`, `up`, `down` and `off` are words here and names elsewhere: tree_builder checks them.
// With a block the third expression is a list of segments, and the block what else is said of it.
route_stmt     : ROUTE expression identifier expression identifier expression attribute_block? ;
at_stmt        : AT_TIME expression timeline_block ;
// Behind `as` the number of the time, from 0.
every_stmt     : EVERY expression (FROM expression)? (identifier expression)? every_number? timeline_block ;
every_number   : AS identifier ;
from_stmt      : FROM expression identifier expression timeline_block ;
ramp_stmt      : RAMP FROM expression identifier expression (EVERY expression)? ramp_block ;
timeline_block : LBRACE (timeline_item COMMA?)* RBRACE ;
timeline_item  : require_stmt | subject (DUPLEX subject)? (attribute_block | identifier | ON) ;
ramp_block     : LBRACE (ramp_item COMMA?)* RBRACE ;
ramp_item      : subject (DUPLEX subject)? ramp_values ;
// What is changed. No expression: these may begin with a bracket, which behind one would look like its next part.
subject        : identifier # subject_name | subject DOT identifier # subject_member | subject LBRACK index RBRACK # subject_element ;
ramp_values    : LBRACE (ramp_attribute COMMA?)* RBRACE ;
ramp_attribute : identifier (ASSIGN range | ramp_values) ;

attribute_block : LBRACE (attribute COMMA?)* RBRACE ;
// With a block: the attributes of one direction of a link.
attribute       : identifier (ASSIGN expression | attribute_block) ;

identifier  : IDENTIFIER ;
dotted_name : identifier (DOT identifier)* ;
range       : expression (RANGE | HALF_OPEN) expression ;

expression
  : literal                                                                 # literal_value
  | identifier                                                              # name_value
  | SELF                                                                    # self_value
  | LPAREN expression RPAREN                                                # nested
  | LBRACK (expression (for_clause+ | (COMMA expression)* COMMA?))? RBRACK  # list
  | expression DOT identifier                                               # member
  | expression LBRACK index RBRACK                                          # subscript
  | expression argument_list                                                # call
  | (MINUS | NOT) expression                                                # unary
  | expression (STAR | SLASH | PERCENT) expression                          # binary
  | expression (PLUS | MINUS | TOLERANCE) expression                        # binary
  | expression (LESS | AT_MOST | GREATER | AT_LEAST) expression             # binary
  | expression (EQUAL | NOT_EQUAL) expression                               # binary
  | expression AND expression                                               # binary
  | expression OR expression                                                # binary
  | IF expression THEN expression ELSE expression                           # conditional
  ;

// Of a comprehension, `[x * 2 for x in list if x > 1]`. With two names the first is the element's number.
for_clause : FOR identifier (COMMA identifier)? IN expression ((RANGE | HALF_OPEN) expression)? (IF expression)? ;

literal : INTEGER | NUMBER | QUANTITY | STRING | TRUE | FALSE | ADDRESS | PREFIX ;
index   : STAR | expression ((RANGE | HALF_OPEN) expression)? ;

argument_list : LPAREN (argument (COMMA argument)* COMMA?)? RPAREN ;
// Before `=` the first expression is the parameter's name. With a block a profile with other attributes.
argument      : expression (attribute_block | ASSIGN expression attribute_block?)? ;
