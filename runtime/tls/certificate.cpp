#include "tls/certificate.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>

namespace anml::rt::tls {

namespace {

struct Free {
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
    void operator()(X509* certificate) const { X509_free(certificate); }
    void operator()(X509_EXTENSION* extension) const { X509_EXTENSION_free(extension); }
};
using Key = std::unique_ptr<EVP_PKEY, Free>;
using Certificate = std::unique_ptr<X509, Free>;

bool add_extension(X509* certificate, int what, const char* value)
{
    const std::unique_ptr<X509_EXTENSION, Free> extension(X509V3_EXT_conf_nid(nullptr, nullptr, what, value));
    return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

Certificate certify(EVP_PKEY* key, const EVP_MD* digest)
{
    Certificate made(X509_new());
    X509* const c = made.get();
    if (!c) return nullptr;
    X509_NAME* const name = X509_get_subject_name(c);
    const auto* text = reinterpret_cast<const unsigned char*>("anml");
    const bool filled = X509_set_version(c, X509_VERSION_3) && ASN1_INTEGER_set(X509_get_serialNumber(c), 1) &&
                        ASN1_TIME_set_string(X509_getm_notBefore(c), "19700101000000Z") &&
                        ASN1_TIME_set_string(X509_getm_notAfter(c), "99991231235959Z") &&
                        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, text, -1, -1, 0) &&
                        X509_set_issuer_name(c, name) && X509_set_pubkey(c, key) &&
                        add_extension(c, NID_subject_alt_name, "DNS:anml") &&
                        add_extension(c, NID_basic_constraints, "critical,CA:TRUE");
    return filled && X509_sign(c, key, digest) > 0 ? std::move(made) : nullptr;
}

bool use(SSL_CTX* context, const Key& key, const EVP_MD* digest)
{
    if (!key) return false;
    const Certificate certificate = certify(key.get(), digest);
    return certificate && SSL_CTX_use_certificate(context, certificate.get()) == 1 &&
           SSL_CTX_use_PrivateKey(context, key.get()) == 1;
}

}  // namespace

bool use_made_up(SSL_CTX* context, Stream& stream)
{
    const Drawing drawing(stream);
    return use(context, Key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519")), nullptr) &&
           use(context, Key(EVP_EC_gen("P-256")), EVP_sha256());
}

}  // namespace anml::rt::tls
