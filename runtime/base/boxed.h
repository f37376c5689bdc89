// A struct that few have: it lies elsewhere. Who has none reads it as it begins.
#pragma once

#include <memory>
#include <utility>

#include "base/fields.h"

namespace anml::rt {

template <class T>
class Boxed {
  public:
    Boxed() = default;
    Boxed(const Boxed& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
    Boxed(Boxed&& other) noexcept = default;
    ~Boxed() = default;
    Boxed& operator=(Boxed other) noexcept
    {
        value_ = std::move(other.value_);
        return *this;
    }

    const T& operator*() const { return value_ ? *value_ : kAbsent; }
    const T* operator->() const { return &**this; }
    T& make()
    {
        if (!value_) value_ = std::make_unique<T>();
        return *value_;
    }
    void remove(const Boxed& earlier)
    {
        if (earlier.value_) take_off(make(), *earlier.value_);
    }
    template <class Archive>
    void exchange(Archive& archive)
    {
        bool there = value_ != nullptr;
        archive(there);
        if (there)
            archive(make());
        else
            value_.reset();
    }

  private:
    static constexpr T kAbsent{};
    std::unique_ptr<T> value_;
};

}  // namespace anml::rt
