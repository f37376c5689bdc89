// hash.h by OpenSSL 3.0.
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <memory>
#include <new>

#include "tls/hash.h"

namespace anml::rt::tls {

namespace {

struct FreeContext {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

// Looked up once: what a context begins with is then a few words.
const EVP_MD* sha256()
{
    static EVP_MD* const found = [] {
        // What stands in some machine's openssl.cnf is no part of a model.
        OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
        return EVP_MD_fetch(nullptr, "SHA2-256", nullptr);
    }();
    return found;
}

class OpenHash final : public Hash {
  public:
    OpenHash() : context_(EVP_MD_CTX_new())
    {
        if (!context_ || !sha256()) throw std::bad_alloc();
    }

    void begin() override { EVP_DigestInit_ex2(context_.get(), sha256(), nullptr); }
    void add(std::span<const std::uint8_t> bytes) override
    {
        EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
    }
    std::array<std::uint8_t, 32> end() override
    {
        std::array<std::uint8_t, 32> result{};
        EVP_DigestFinal_ex(context_.get(), result.data(), nullptr);
        return result;
    }

  private:
    std::unique_ptr<EVP_MD_CTX, FreeContext> context_;
};

}  // namespace

}  // namespace anml::rt::tls

anml::rt::tls::Hash* anml_new_sha256() { return new anml::rt::tls::OpenHash; }
