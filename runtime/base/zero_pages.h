// A fixed array whose elements begin as zero bytes and take memory only once something is written near them: pages that
// nothing touches cost nothing, however large the array is.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace anml::rt {

template <class T>
class ZeroPages {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  public:
    explicit ZeroPages(std::size_t count) : size_(count)
    {
        if (count == 0) return;
        void* pages = ::mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (pages == MAP_FAILED) throw std::bad_alloc();
        data_ = static_cast<T*>(pages);
    }
    ZeroPages(ZeroPages&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0))
    {
    }
    ZeroPages& operator=(ZeroPages&&) = delete;
    ~ZeroPages()
    {
        if (data_) ::munmap(data_, size_ * sizeof(T));
    }

    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return size_; }
    T& operator[](std::size_t index) { return data_[index]; }
    const T& operator[](std::size_t index) const { return data_[index]; }

  private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace anml::rt
