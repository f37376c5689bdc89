// The words of the language. Syntax only: no embedded code.
//
// The lexer reads bytes, so that token offsets are byte offsets; bytes above 7F may stand in comments and strings only,
// but for the plus-minus sign.
// White space separates words and means nothing else, with two exceptions, both applied outside this file
// (compiler/syntax/lexer/lexical.cpp, statements in tree_builder_statements.cpp): a number and the word after it on the
// same line are one quantity, and a line's end separates attributes and statements.
lexer grammar AnmlLexer;

channels { COMMENTS }

// Keywords. Types (int, time, rate, size ...) are ordinary names.
EDITION    : 'edition' ;
IMPORT     : 'import' ;
AS         : 'as' ;
SCHEMA     : 'schema' ;
ENUM       : 'enum' ;
PROFILE    : 'profile' ;
YIELD      : 'yield' ;
FUNCTION   : 'function' ;
COMPONENT  : 'component' ;
MODEL      : 'model' ;
EXPERIMENT : 'experiment' ;
GRAPH      : 'graph' ;
TABLE      : 'table' ;  // up to `from` these are names where they mean nothing else: see syntax/lexer/lexical.cpp
EXTRA      : 'extra' ;
PUB        : 'pub' ;
LABEL      : 'label' ;
REPORT     : 'report' ;
PROCESS    : 'process' ;
STATE      : 'state' ;
AT_TIME    : 'at' ;
EVERY      : 'every' ;
FROM       : 'from' ;
TUNABLE    : 'tunable' ;
RANDOM     : 'random' ;
ROUTER     : 'router' ;
SWITCH     : 'switch' ;
HOST       : 'host' ;
ENDPOINT   : 'endpoint' ;
LINK       : 'link' ;
LET        : 'let' ;
FOR        : 'for' ;
WHILE      : 'while' ;
IN         : 'in' ;
IF         : 'if' ;
ELSE       : 'else' ;
THEN       : 'then' ;
WORKLOAD   : 'workload' ;
ON         : 'on' ;
REQUIRE    : 'require' ;
OVERRIDE   : 'override' ;
MATCHING   : 'matching' ;
RUN        : 'run' ;
ADDRESSING : 'addressing' ;
ROUTING    : 'routing' ;
ROUTE      : 'route' ;
RAMP       : 'ramp' ;
SELF       : 'self' ;
TRUE       : 'true' ;
FALSE      : 'false' ;

// Punctuation
LBRACE    : '{' ;
RBRACE    : '}' ;
LPAREN    : '(' ;
RPAREN    : ')' ;
LBRACK    : '[' ;
RBRACK    : ']' ;
DUPLEX    : '--' ;
DIRECTED  : '->' ;
RANGE     : '..' ;
HALF_OPEN : '..<' ;
EQUAL     : '==' ;
NOT_EQUAL : '!=' ;
AT_MOST   : '<=' ;
AT_LEAST  : '>=' ;
AND       : '&&' ;
OR        : '||' ;
COMMA     : ',' ;
COLON     : ':' ;
DOT       : '.' ;
ASSIGN    : '=' ;
QUESTION  : '?' ;
AT        : '@' ;
PLUS      : '+' ;
TOLERANCE : '\u00C2\u00B1' | '+/-' ;   // plus-minus in UTF-8
MINUS     : '-' ;
STAR      : '*' ;
SLASH     : '/' ;
PERCENT   : '%' ;
LESS      : '<' ;
GREATER   : '>' ;
NOT       : '!' ;

// Literals. A quantity's unit is any word here: the closed table of units, and what to say about other words, are with
// the checker. Two cases are decided after lexing: a keyword after a number is no unit (`3 then`), and `%` after a number
// is one unless an operand follows it on the same line (`7 % 2`).
INTEGER  : DIGIT+ ;
NUMBER   : DIGIT+ '.' DIGIT+ EXPONENT? | DIGIT+ EXPONENT ;
QUANTITY : DIGIT+ ('.' DIGIT+)? EXPONENT? [ \t]* (WORD | [kKMGT]? 'bit/s') ;
ADDRESS  : DIGIT+ '.' DIGIT+ ('.' DIGIT+)+ ;
PREFIX   : DIGIT+ '.' DIGIT+ ('.' DIGIT+)+ '/' DIGIT+ ;
// Of IPv6, two colons at least; what is none says the checker.
ADDRESS6 : IPV6 -> type(ADDRESS) ;
PREFIX6  : IPV6 '/' DIGIT+ -> type(PREFIX) ;
STRING   : '"' (~["\\\r\n] | '\\' ~[\r\n])* '"' ;

IDENTIFIER : WORD ;

// Between backquotes stands what is no word: how the elements of an expanded model are called, `net[3].client`. Such a
// name is what stands between the quotes.
QUOTED_NAME : '`' [A-Za-z_] [A-Za-z_0-9.#-]* ('[' ~[.[\]`\u0000-\u001F\u007F]+ ']' [A-Za-z_0-9.#-]*)* '`' -> type(IDENTIFIER) ;

DOC_COMMENT   : '///' (~[/\r\n] ~[\r\n]*)? -> channel(COMMENTS) ;
LINE_COMMENT  : '//' ~[\r\n]*              -> channel(COMMENTS) ;
BLOCK_COMMENT : '/*' .*? '*/'              -> channel(COMMENTS) ;
BLANK         : [ \t\r\n]+                 -> skip ;

// What no word begins with. Each is one error.
OPEN_STRING  : '"' (~["\\\r\n] | '\\' ~[\r\n])* '\\'? ;
OPEN_COMMENT : '/*' -> channel(COMMENTS) ;   // the rest of the file is in it
QUOTED       : '\'' ~['\r\n]* '\'' ;
BACKQUOTED   : '`' ~[`\r\n]* '`' ;   // and no name
FOREIGN      : [\u0080-\u00FF]+ ;
STRAY        : . ;

fragment HEX      : [0-9a-fA-F] ;
fragment IPV6     : HEX* ':' HEX* ':' (HEX | ':')* ('.' DIGIT+)* ;
fragment DIGIT    : [0-9] ;
fragment EXPONENT : [eE] [+-]? DIGIT+ ;
fragment WORD     : [A-Za-z_] [A-Za-z_0-9]* ;
