// tls.h by OpenSSL 3.0. Its sessions read and write through BIOs of ours: what has come lies where TCP has it, what goes
// out in one buffer of the thread.
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tls/certificate.h"
#include "tls/surroundings.h"
#include "tls/tls.h"

namespace anml::rt::tls {

namespace {

constexpr std::size_t kRecord = SSL3_RT_MAX_PLAIN_LENGTH;

struct FreeSsl {
    void operator()(SSL* ssl) const { SSL_free(ssl); }
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
    void operator()(SSL_SESSION* session) const { SSL_SESSION_free(session); }
};

// What this thread's session at work has to send, and whose it is.
struct Outgoing {
    std::vector<std::uint8_t> bytes;
    const void* owner = nullptr;
};
thread_local Outgoing outgoing;
thread_local std::uint8_t plain_room[kRecord];

class OpenTicket final : public Ticket {
  public:
    explicit OpenTicket(SSL_SESSION* session) : session_(session) {}
    SSL_SESSION* session() const { return session_.get(); }

  private:
    std::unique_ptr<SSL_SESSION, FreeSsl> session_;
};

class OpenSession final : public Session {
  public:
    OpenSession(SSL_CTX* context, std::uint64_t seed) : stream_{.seed = seed}, ssl_(SSL_new(context)) {}

    // Once, before anything else.
    bool begin(bool client, const ClientSettings* settings, const Ticket* resumed);

    State state() const override { return state_; }
    void take(std::span<const std::uint8_t> records) override
    {
        incoming_ = records;
        shake();
    }
    std::span<const std::uint8_t> plain() override;
    void write(std::span<const std::uint8_t> plain) override;
    void close() override;
    std::span<const std::uint8_t> records() override
    {
        if (outgoing.owner != this) return {};
        outgoing.owner = nullptr;
        return outgoing.bytes;
    }
    bool resumed() const override { return SSL_session_reused(ssl_.get()) == 1; }
    std::string_view protocol() const override
    {
        const unsigned char* name = nullptr;
        unsigned length = 0;
        SSL_get0_alpn_selected(ssl_.get(), &name, &length);
        return {reinterpret_cast<const char*>(name), length};
    }
    const char* why() const override { return why_; }
    std::unique_ptr<Ticket> ticket() override { return std::move(ticket_); }

    int read(char* out, int count)
    {
        const std::size_t some = std::min(incoming_.size(), static_cast<std::size_t>(std::max(count, 0)));
        if (some != 0) std::memcpy(out, incoming_.data(), some);
        incoming_ = incoming_.subspan(some);
        return static_cast<int>(some);
    }
    void send(const char* bytes, int count)
    {
        if (outgoing.owner != this) outgoing.bytes.clear();
        outgoing.owner = this;
        outgoing.bytes.insert(outgoing.bytes.end(), bytes, bytes + count);
    }
    void keep(SSL_SESSION* session) { ticket_ = std::make_unique<OpenTicket>(session); }

  private:
    void shake();
    // What a call that did not succeed came to.
    void note_failure(int result);

    Stream stream_;
    std::unique_ptr<SSL, FreeSsl> ssl_;
    std::span<const std::uint8_t> incoming_;
    std::unique_ptr<Ticket> ticket_;
    const char* why_ = "";
    State state_ = State::handshake;
};

OpenSession& session_of(BIO* bio) { return *static_cast<OpenSession*>(BIO_get_data(bio)); }

int bio_read(BIO* bio, char* out, int count)
{
    BIO_clear_retry_flags(bio);
    const int some = session_of(bio).read(out, count);
    if (some > 0) return some;
    BIO_set_retry_read(bio);
    return -1;
}

int bio_write(BIO* bio, const char* bytes, int count)
{
    session_of(bio).send(bytes, count);
    return count;
}

long bio_control(BIO*, int what, long, void*) { return what == BIO_CTRL_FLUSH ? 1 : 0; }

int bio_create(BIO* bio)
{
    BIO_set_init(bio, 1);
    return 1;
}

BIO* make_bio(OpenSession* session)
{
    static BIO_METHOD* const method = [] {
        BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "anml");
        BIO_meth_set_read(made, bio_read);
        BIO_meth_set_write(made, bio_write);
        BIO_meth_set_ctrl(made, bio_control);
        BIO_meth_set_create(made, bio_create);
        return made;
    }();
    BIO* const bio = BIO_new(method);
    if (bio) BIO_set_data(bio, session);
    return bio;
}

bool is_address(const std::string& name)
{
    ASN1_OCTET_STRING* const address = a2i_IPADDRESS(name.c_str());
    ASN1_OCTET_STRING_free(address);
    return address != nullptr;
}

// SNI is of names (RFC 6066, 3); certificates are for names, or addresses.
bool tell_name(SSL* ssl, const std::string& name)
{
    if (name.empty()) return true;
    if (is_address(name)) return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), name.c_str()) == 1;
    return SSL_set_tlsext_host_name(ssl, name.c_str()) == 1 && SSL_set1_host(ssl, name.c_str()) == 1;
}

bool OpenSession::begin(bool client, const ClientSettings* settings, const Ticket* resumed)
{
    const Drawing drawing(stream_);
    BIO* const bio = ssl_ ? make_bio(this) : nullptr;
    if (!bio) return false;
    SSL* const ssl = ssl_.get();
    SSL_set_bio(ssl, bio, bio);
    SSL_set_app_data(ssl, this);
    if (!client) {
        SSL_set_accept_state(ssl);
        return true;
    }
    SSL_set_connect_state(ssl);
    if (!tell_name(ssl, settings->name)) return false;
    if (resumed) SSL_set_session(ssl, static_cast<const OpenTicket*>(resumed)->session());
    shake();
    return true;
}

void OpenSession::note_failure(int result)
{
    switch (SSL_get_error(ssl_.get(), result)) {
        case SSL_ERROR_WANT_READ:
            return;
        case SSL_ERROR_ZERO_RETURN:
            state_ = State::ended;
            return;
        default:
            break;
    }
    state_ = State::failed;
    const long verified = SSL_get_verify_result(ssl_.get());
    const char* const text = ERR_reason_error_string(ERR_peek_error());
    why_ = verified != X509_V_OK && SSL_get_verify_mode(ssl_.get()) != SSL_VERIFY_NONE
               ? X509_verify_cert_error_string(verified)
           : text ? text
                  : "protocol error";
}

void OpenSession::shake()
{
    if (state_ != State::handshake) return;
    const Drawing drawing(stream_);
    ERR_clear_error();
    const int result = SSL_do_handshake(ssl_.get());
    if (result == 1)
        state_ = State::open;
    else
        note_failure(result);
}

std::span<const std::uint8_t> OpenSession::plain()
{
    if (state_ != State::open) return {};
    const Drawing drawing(stream_);
    ERR_clear_error();
    const int count = SSL_read(ssl_.get(), plain_room, sizeof plain_room);
    if (count > 0) return {plain_room, static_cast<std::size_t>(count)};
    note_failure(count);
    return {};
}

void OpenSession::write(std::span<const std::uint8_t> plain)
{
    const Drawing drawing(stream_);
    while (!plain.empty() && state_ != State::failed) {
        const std::size_t some = std::min(plain.size(), kRecord);
        ERR_clear_error();
        const int result = SSL_write(ssl_.get(), plain.data(), static_cast<int>(some));
        if (result <= 0) {
            note_failure(result);
            return;
        }
        plain = plain.subspan(static_cast<std::size_t>(result));
    }
}

void OpenSession::close()
{
    if (state_ != State::open && state_ != State::ended) return;
    const Drawing drawing(stream_);
    ERR_clear_error();
    SSL_shutdown(ssl_.get());
}

// As ALPN has them: each behind its length (RFC 7301, 3.1).
std::vector<unsigned char> protocol_list(std::string_view names)
{
    std::vector<unsigned char> list;
    while (!names.empty()) {
        const std::string_view name = names.substr(0, names.find(','));
        list.push_back(static_cast<unsigned char>(name.size()));
        list.insert(list.end(), name.begin(), name.end());
        names.remove_prefix(std::min(name.size() + 1, names.size()));
    }
    return list;
}

class OpenContext final : public Context {
  public:
    std::unique_ptr<Session> open(std::uint64_t seed, const Ticket* resumed) override
    {
        auto session = std::make_unique<OpenSession>(context_.get(), seed);
        if (!session->begin(is_client_, &client_, resumed)) return nullptr;
        return session;
    }
    bool make_client(const ClientSettings& settings);
    bool make_server(const ServerSettings& settings);

  private:
    bool make(const SSL_METHOD* method, Version version);
    bool limit(Version version);
    static int ticket_came(SSL* ssl, SSL_SESSION* session);
    static int choose(SSL* ssl, const unsigned char** out, unsigned char* length, const unsigned char* offered,
                      unsigned count, void* context);

    std::unique_ptr<SSL_CTX, FreeSsl> context_;
    bool is_client_ = false;
    ClientSettings client_;
    std::vector<unsigned char> protocols_;
};

bool OpenContext::limit(Version version)
{
    const int least = version == Version::tls13 ? TLS1_3_VERSION : TLS1_2_VERSION;
    const int most = version == Version::tls12 ? TLS1_2_VERSION : TLS1_3_VERSION;
    return SSL_CTX_set_min_proto_version(context_.get(), least) == 1 &&
           SSL_CTX_set_max_proto_version(context_.get(), most) == 1;
}

bool OpenContext::make(const SSL_METHOD* method, Version version)
{
    context_.reset(SSL_CTX_new(method));
    SSL_CTX* const c = context_.get();
    if (!c || !limit(version)) return false;
    SSL_CTX_set_security_level(c, 1);  // peers are what a test needs, not what is safe
    SSL_CTX_set_options(c, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_mode(c, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    return SSL_CTX_set1_groups_list(c, "X25519:P-256:P-384:P-521") == 1;
}

int OpenContext::ticket_came(SSL* ssl, SSL_SESSION* session)
{
    static_cast<OpenSession*>(SSL_get_app_data(ssl))->keep(session);
    return 1;  // it is ours
}

bool OpenContext::make_client(const ClientSettings& settings)
{
    is_client_ = true;
    client_ = settings;
    if (!make(TLS_client_method(), settings.version)) return false;
    SSL_CTX* const c = context_.get();
    if (settings.resumption) {
        SSL_CTX_set_session_cache_mode(c, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
        SSL_CTX_sess_set_new_cb(c, ticket_came);
    } else {
        SSL_CTX_set_session_cache_mode(c, SSL_SESS_CACHE_OFF);
        SSL_CTX_set_options(c, SSL_OP_NO_TICKET);
    }
    protocols_ = protocol_list(settings.protocols);
    if (!protocols_.empty() &&
        SSL_CTX_set_alpn_protos(c, protocols_.data(), static_cast<unsigned>(protocols_.size())) != 0)
        return false;
    if (settings.trust_anchors.empty()) return true;
    SSL_CTX_set_verify(c, SSL_VERIFY_PEER, nullptr);
    if (!settings.dated) X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(c), X509_V_FLAG_NO_CHECK_TIME);
    return SSL_CTX_load_verify_file(c, settings.trust_anchors.c_str()) == 1;
}

int OpenContext::choose(SSL*, const unsigned char** out, unsigned char* length, const unsigned char* offered,
                        unsigned count, void* context)
{
    const auto& own = static_cast<const OpenContext*>(context)->protocols_;
    unsigned char* chosen = nullptr;
    if (SSL_select_next_proto(&chosen, length, own.data(), static_cast<unsigned>(own.size()), offered, count) !=
        OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_ALERT_FATAL;
    *out = chosen;
    return SSL_TLSEXT_ERR_OK;
}

bool OpenContext::make_server(const ServerSettings& settings)
{
    Stream stream{.seed = settings.seed};
    if (!make(TLS_server_method(), settings.version)) return false;
    SSL_CTX* const c = context_.get();
    SSL_CTX_set_session_cache_mode(c, SSL_SESS_CACHE_OFF);  // what is to be resumed lies in tickets alone
    if (settings.resumption) {
        std::uint64_t keys[10];
        for (std::uint64_t& word : keys) word = stream.next();
        if (SSL_CTX_set_tlsext_ticket_keys(c, keys, sizeof keys) != 1) return false;
    } else {
        SSL_CTX_set_options(c, SSL_OP_NO_TICKET);
        SSL_CTX_set_num_tickets(c, 0);
    }
    protocols_ = protocol_list(settings.protocols);
    if (!protocols_.empty()) SSL_CTX_set_alpn_select_cb(c, choose, this);
    if (!settings.certificate.empty())
        return SSL_CTX_use_certificate_chain_file(c, settings.certificate.c_str()) == 1 &&
               SSL_CTX_use_PrivateKey_file(c, settings.certificate.c_str(), SSL_FILETYPE_PEM) == 1;
    // Ed25519 wherever it is known.
    SSL_CTX_set_options(c, SSL_OP_CIPHER_SERVER_PREFERENCE);
    return SSL_CTX_set1_sigalgs_list(c, "ed25519:ECDSA+SHA256") == 1 && use_made_up(c, stream);
}

std::string last_error()
{
    char text[256];
    ERR_error_string_n(ERR_peek_last_error(), text, sizeof text);
    return text;
}

class OpenLibrary final : public Library {
  public:
    OpenLibrary()
    {
        take_over();
        // What stands in some machine's openssl.cnf is no part of a model.
        OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
    }
    std::unique_ptr<Context> client(const ClientSettings& settings, std::string& error) const override
    {
        auto context = std::make_unique<OpenContext>();
        if (settings.name.size() > TLSEXT_MAXLEN_host_name) {
            error = "the server's name is too long";
            return nullptr;
        }
        if (context->make_client(settings)) return context;
        error = last_error();
        return nullptr;
    }
    std::unique_ptr<Context> server(const ServerSettings& settings, std::string& error) const override
    {
        auto context = std::make_unique<OpenContext>();
        if (context->make_server(settings)) return context;
        error = last_error();
        return nullptr;
    }
    void set_time(std::int64_t seconds) const override { tls::set_time(seconds); }
};

}  // namespace

}  // namespace anml::rt::tls

const anml::rt::tls::Library* anml_tls_library()
{
    static const anml::rt::tls::OpenLibrary library;
    return &library;
}
