// What the C library's heap keeps of memory that is no longer used: next to nothing, once the client pauses.
#pragma once

namespace anml::lsp {

// Once, before anything is read: blocks of megabytes are mapped for themselves, and unmapped when they are freed.
void map_large_blocks();

// Pages in which nothing is used are given back. It takes a millisecond or two, and they are zeroed when they are
// needed again: 3 ms for the next key in 10 000 lines.
void give_back_free_pages();

}  // namespace anml::lsp
