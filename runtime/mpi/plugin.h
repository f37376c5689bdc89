/* What an emulator loads for runs on several processes, libanml_mpi.so: the few calls of MPI that it needs, so that it
   needs no MPI itself, and any that the plugin was built with. C alone crosses this border. */
#ifndef ANML_MPI_PLUGIN_H
#define ANML_MPI_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#define ANML_MPI_PLUGIN_VERSION 1
#define ANML_MPI_PLUGIN_SYMBOL "anml_mpi_plugin"

typedef struct AnmlMpiPlugin {
    uint32_t version; /* ANML_MPI_PLUGIN_VERSION: first in every version */
    /* Joins the other processes; messages are at most `most` bytes long. 0, or else problem() says why. `here`:
       processes on this machine, this one too. */
    int (*join)(size_t most, int* rank, int* size, int* here);
    /* 1: sent; 0: not now, as long as nothing is received; -1: problem(). Copies the message. */
    int (*send)(int to, const void* message, size_t bytes);
    /* Bytes of the next message, which is there until the next call; -1: there is none; -2: problem(). */
    long (*receive)(int* from, const void** message);
    /* Waits until what was sent has left, and leaves: 0, or problem(). */
    int (*leave)(void);
    /* Ends all processes at once. */
    void (*abort)(int status);
    const char* (*problem)(void);
} AnmlMpiPlugin;

#endif
