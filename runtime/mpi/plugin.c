/* Messages are sent from a ring of buffers, and received into another one: receives are posted before anything comes,
   and MPI matches them in their order, so that messages of a process stay in theirs. */
#include "plugin.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kSends = 64, kReceives = 64, kTag = 1 };

static size_t most;
static unsigned char *send_room, *receive_room; /* what is not written takes no memory */
static MPI_Request sends[kSends], receives[kReceives];
static unsigned next_send, next_receive;
static int handed_out; /* the message in next_receive's place is being read */
static char text[MPI_MAX_ERROR_STRING + 1];

static int failed(int code)
{
    int length = 0;
    if (code == MPI_SUCCESS) return 0;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) snprintf(text, sizeof text, "error %d", code);
    return 1;
}

static unsigned char* place(unsigned char* room, unsigned index) { return room + (size_t)index * most; }

static int receive_again(unsigned index)
{
    return MPI_Irecv(place(receive_room, index), (int)most, MPI_BYTE, MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD,
                     &receives[index]);
}

static int join(size_t longest, int* rank, int* size, int* here)
{
    int provided = 0;
    MPI_Comm machine;
    if (failed(MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided))) return -1;
    if (failed(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN))) return -1;
    if (failed(MPI_Comm_rank(MPI_COMM_WORLD, rank)) || failed(MPI_Comm_size(MPI_COMM_WORLD, size))) return -1;
    if (failed(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine))) return -1;
    if (failed(MPI_Comm_size(machine, here)) || failed(MPI_Comm_free(&machine))) return -1;
    most = longest;
    send_room = malloc(kSends * most);
    receive_room = malloc(kReceives * most);
    if (!send_room || !receive_room) {
        snprintf(text, sizeof text, "there is no memory for its messages");
        return -1;
    }
    for (unsigned i = 0; i < kSends; ++i) sends[i] = MPI_REQUEST_NULL;
    for (unsigned i = 0; i < kReceives; ++i)
        if (failed(receive_again(i))) return -1;
    return 0;
}

static int send_message(int to, const void* message, size_t bytes)
{
    int done = 1;
    if (failed(MPI_Test(&sends[next_send], &done, MPI_STATUS_IGNORE))) return -1;
    if (!done) return 0;
    memcpy(place(send_room, next_send), message, bytes);
    if (failed(MPI_Isend(place(send_room, next_send), (int)bytes, MPI_BYTE, to, kTag, MPI_COMM_WORLD,
                         &sends[next_send])))
        return -1;
    next_send = (next_send + 1) % kSends;
    return 1;
}

static long receive_message(int* from, const void** message)
{
    MPI_Status status;
    int done = 0, bytes = 0;
    if (handed_out) {
        handed_out = 0;
        if (failed(receive_again(next_receive))) return -2;
        next_receive = (next_receive + 1) % kReceives;
    }
    if (failed(MPI_Test(&receives[next_receive], &done, &status))) return -2;
    if (!done) return -1;
    if (failed(MPI_Get_count(&status, MPI_BYTE, &bytes))) return -2;
    *from = status.MPI_SOURCE;
    *message = place(receive_room, next_receive);
    handed_out = 1;
    return bytes;
}

static int leave(void)
{
    if (failed(MPI_Waitall(kSends, sends, MPI_STATUSES_IGNORE))) return -1;
    if (failed(MPI_Barrier(MPI_COMM_WORLD))) return -1; /* nobody sends any more */
    for (unsigned i = 0; i < kReceives; ++i) {
        if (receives[i] == MPI_REQUEST_NULL) continue;
        if (failed(MPI_Cancel(&receives[i])) || failed(MPI_Wait(&receives[i], MPI_STATUS_IGNORE))) return -1;
    }
    return failed(MPI_Finalize()) ? -1 : 0;
}

static void end_all(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

static const char* problem(void) { return text; }

__attribute__((visibility("default"))) const AnmlMpiPlugin anml_mpi_plugin = {
    ANML_MPI_PLUGIN_VERSION, join, send_message, receive_message, leave, end_all, problem};
