// Syntax errors in our own words.
#pragma once

#include "syntax/parser/chunk_parser.h"

namespace anml {

// Reports where and why the parse stopped. An error at a word that was reported already is left out, and one that an
// unclosed bracket explains is reported at that bracket, once.
void report_failure(const SourceSet& sources, const TokenList& tokens, FileTokens& file, const ParseFailure& failure,
                    Diagnostics& diagnostics);

// Brackets that no failure led to.
void report_open_brackets(const SourceSet& sources, const TokenList& tokens, FileTokens& file,
                          Diagnostics& diagnostics);

}  // namespace anml
