// Each key makes all that is known of a text anew: of 10 000 lines tens of megabytes, a few blocks of which are large
// and the rest small. Left to itself, glibc maps large blocks only until the first of them is freed: from then on they
// lie in the heap, too, among small ones, and what is free there stays (mallopt(3), M_MMAP_THRESHOLD). Then the words
// of a long text with an error, 8 MB for the parser, fit into no gap some day, and the heap is larger for good.
#include "lsp/memory.h"

#include <malloc.h>

namespace anml::lsp {

void map_large_blocks()
{
#ifdef __GLIBC__
    // They stay as they are once they are set. At 4 MiB a key in 10 000 lines takes as long as without, at 1 MiB 3 ms
    // more, at 256 KiB 7 ms.
    ::mallopt(M_MMAP_THRESHOLD, 4 << 20);
    ::mallopt(M_TRIM_THRESHOLD, 8 << 20);
    ::mallopt(M_ARENA_MAX, 1);  // snapshots are made by a thread of their own, and freed by another
#endif
}

void give_back_free_pages()
{
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
}

}  // namespace anml::lsp
