// The keys of a server that has none of its own.
#pragma once

#include <openssl/ssl.h>

#include "tls/surroundings.h"

namespace anml::rt::tls {

// An Ed25519 key, whose signatures are all of one length, and one of P-256 for clients that do not know that, browsers;
// each with a certificate that it has signed itself, for the name "anml".
bool use_made_up(SSL_CTX* context, Stream& stream);

}  // namespace anml::rt::tls
