// TLS 1.2 and 1.3 (RFC 5246, 8446) over bytes: what applications see of the library that speaks it. Records go in and
// come out; nothing here knows of connections, clocks or files but those that it is given.
//
// The library behind it is OpenSSL, in an archive of its own, libanmltls.a, which emulators of models that use it are
// linked with (docs/decisions/0049-tls.md); elsewhere anml_tls_library is null.
//
// Nothing is random but by the seeds that it is given, and no time passes but what it is told: the same calls make the
// same records. So keys are as secret as the seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace anml::rt::tls {

enum class Version : std::uint32_t { any, tls12, tls13 };  // any: 1.3 where the peer has it, else 1.2

struct ClientSettings {
    Version version = Version::any;
    bool resumption = true;
    std::string trust_anchors;  // a file of certificates, PEM; "": whoever answers is taken for the server
    bool dated = true;          // they have to be valid at the time
    std::string name;           // the server's: for SNI, and in its certificate; "": not told
    std::string protocols;      // for ALPN, the best first: "h2,http/1.1"; "": not told
};

struct ServerSettings {
    Version version = Version::any;
    bool resumption = true;
    std::string certificate;  // a file with a key and its certificates, PEM; "": one is made up
    std::string protocols;    // as a client's
    std::uint64_t seed = 0;   // of keys that are made up
};

// What a client resumes a session with (RFC 8446, 2.2; RFC 5246, 7.3).
class Ticket {
  public:
    virtual ~Ticket() = default;
};

enum class State : std::uint8_t {
    handshake,
    open,
    ended,   // the peer's close_notify has come
    failed,  // alerts that tell the peer may be among the records
};

// One end of a connection.
class Session {
  public:
    virtual ~Session() = default;

    virtual State state() const = 0;
    // Records from the peer, in pieces of any size. They have to stay until plain() has returned nothing. A handshake
    // goes on by itself.
    virtual void take(std::span<const std::uint8_t> records) = 0;
    // The next plain bytes of what was taken, valid until the next call of any session; empty: there are no more.
    virtual std::span<const std::uint8_t> plain() = 0;
    // Of one that is open. Nothing may be written behind close(), which says close_notify.
    virtual void write(std::span<const std::uint8_t> plain) = 0;
    virtual void close() = 0;
    // Records for the peer, valid until the next call of any session; each is given once.
    virtual std::span<const std::uint8_t> records() = 0;

    virtual bool resumed() const = 0;
    virtual std::string_view protocol() const = 0;  // by ALPN; "": none
    virtual const char* why() const = 0;            // it has failed; text that stays
    // The last that has come; null: none since.
    virtual std::unique_ptr<Ticket> ticket() = 0;
};

// What the sessions of one kind of client, or of one server, have alike.
class Context {
  public:
    virtual ~Context() = default;
    // Both begin their handshakes: a client has records at once. `seed`: of its random numbers.
    virtual std::unique_ptr<Session> open(std::uint64_t seed, const Ticket* resumed) = 0;
};

class Library {
  public:
    // Null: `error` says why.
    virtual std::unique_ptr<Context> client(const ClientSettings& settings, std::string& error) const = 0;
    virtual std::unique_ptr<Context> server(const ServerSettings& settings, std::string& error) const = 0;
    // Of all sessions of this thread from now on: seconds since 1970.
    virtual void set_time(std::int64_t seconds) const = 0;

  protected:
    ~Library() = default;
};

}  // namespace anml::rt::tls

extern "C" [[gnu::weak]] const anml::rt::tls::Library* anml_tls_library();
