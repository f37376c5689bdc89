// A device without a kernel: what is sent stays in it.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "io/device/device.h"

namespace anml::test {

class FakeDevice final : public rt::io::Device {
  public:
    using Device::Device;
    std::size_t receive(std::span<rt::io::Frame>) override { return 0; }
    bool stamps() const override { return false; }
    int descriptor() const override { return -1; }
    bool present() override { return true; }
    rt::DeviceReport facts() override { return {"if", std::nullopt}; }
    std::uint64_t kernel_drops() override { return 0; }
    std::deque<std::vector<std::uint8_t>> sent;

  private:
    std::size_t transmit(std::size_t count) override
    {
        for (std::size_t i = 0; i < count; ++i) sent.emplace_back(queued(i).begin(), queued(i).end());
        return 0;
    }
};

}  // namespace anml::test
