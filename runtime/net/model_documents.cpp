// The documents of a model. The sizes of a set are drawn once, from a seed of its own: they belong to the model, and a
// real server has to have the same in every run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "net/model.h"
#include "net/samples.h"

namespace anml::rt {

namespace {

std::uint32_t row_of_document(const std::vector<std::uint32_t>& first, std::uint32_t document)
{
    return static_cast<std::uint32_t>(std::upper_bound(first.begin(), first.end(), document) - first.begin() - 1);
}

std::size_t digits(std::uint32_t number)
{
    std::size_t count = 1;
    for (; number >= 10; number /= 10) ++count;
    return count;
}

}  // namespace

void Model::make_documents()
{
    for (std::uint32_t row = 0; row < image_->document_count; ++row) {
        const abi::DocumentRow& documents = image_->documents[row];
        first_documents_.push_back(document_count());
        std::vector<double> state(state_words(documents.size));
        for (std::uint32_t i = 0; i < documents.count; ++i) {
            Draws draws(documents.seed, i, Purpose::document, 0, 0);
            const double size = sample(*this, documents.size, draws, state.data());
            document_sizes_.push_back(static_cast<std::uint64_t>(std::llround(size)));
        }
    }
}

// Number 1234 of a set is /4/3/2/1234 in it: ten entries to a folder, three deep, by the digits from the last one on.
std::string Model::document_path(std::uint32_t document) const
{
    const std::uint32_t row = row_of_document(first_documents_, document);
    const abi::DocumentRow& documents = image_->documents[row];
    if (!documents.set) return std::string(text(documents.path));
    const std::uint32_t number = document - first_documents_[row] + 1;
    return fmt::format("{}/{}/{}/{}/{}", text(documents.path), number % 10, number / 10 % 10, number / 100 % 10,
                       number);
}

std::size_t Model::path_length(std::uint32_t document) const
{
    const std::uint32_t row = row_of_document(first_documents_, document);
    const abi::DocumentRow& documents = image_->documents[row];
    constexpr std::size_t kFolders = 7;  // "/4/3/2/"
    return text(documents.path).size() + (documents.set ? kFolders + digits(document - first_documents_[row] + 1) : 0);
}

}  // namespace anml::rt
