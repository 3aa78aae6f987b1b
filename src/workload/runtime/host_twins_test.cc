// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/host_twins.h"

#include <array>

#include <gtest/gtest.h>

#include "device/inline_device.h"

namespace strobe {
namespace {

// The CPU's stream, which remembers where the last copy went.
class RememberingStream final : public Stream {
 public:
  Device& device() const override { return cpu_; }
  void reserve(std::size_t marks) override { stream_->reserve(marks); }
  Mark mark() override { return stream_->mark(); }
  void wait(Mark m) override { stream_->wait(m); }
  bool reached(Mark m) override { return stream_->reached(m); }
  void after(const Stream& s, Mark m) override { stream_->after(s, m); }
  void synchronize() override { stream_->synchronize(); }
  void copy(std::span<std::byte> to, std::span<const std::byte> from) override {
    ++copies;
    last = to;
    stream_->copy(to, from);
  }
  nanoseconds between(Mark a, Mark b) override { return stream_->between(a, b); }
  void* native() const override { return nullptr; }

  int copies = 0;
  std::span<std::byte> last;

 private:
  mutable InlineDevice cpu_;
  std::unique_ptr<Stream> stream_ = cpu_.stream();
};

using Values = std::array<std::byte, 4>;
constexpr Values kOnes{std::byte{1}, std::byte{1}, std::byte{1}, std::byte{1}};

TEST(HostTwins, GoInAsTheDeviceHeldThemWhenTheyWereMade) {
  RememberingStream stream;
  HostTwins twins;
  Values a = kOnes, b{};
  const std::array<std::span<std::byte>, 2> inputs{a, b};
  EXPECT_EQ(twins.copy_in(inputs, stream, HostMemory::pinned), 8u);
  EXPECT_EQ(stream.copies, 4);  // two to make them
  a.fill(std::byte{7});
  EXPECT_EQ(twins.copy_in(inputs, stream, HostMemory::pinned), 8u);
  EXPECT_EQ(stream.copies, 6);
  EXPECT_EQ(a, kOnes);
  a.fill(std::byte{7});
  twins.copy_in(inputs, stream, HostMemory::pageable);  // has twins of its own, made now
  EXPECT_EQ(a[0], std::byte{7});
}

TEST(HostTwins, TakeOutputsIntoTheSameMemoryUntilOneGrows) {
  RememberingStream stream;
  HostTwins twins;
  std::vector<std::byte> out(4, std::byte{3});
  const auto copy = [&](HostMemory memory) {
    const std::array<OutputView, 1> outputs{{{TensorType::u8, out}}};
    EXPECT_EQ(twins.copy_out(outputs, stream, memory), out.size());
    EXPECT_TRUE(std::equal(out.begin(), out.end(), stream.last.begin(), stream.last.end()));
    return stream.last.data();
  };
  const std::byte* pinned = copy(HostMemory::pinned);
  EXPECT_NE(copy(HostMemory::pageable), pinned);
  out.resize(3);
  EXPECT_EQ(copy(HostMemory::pinned), pinned);
  out.resize(1000, std::byte{5});
  copy(HostMemory::pinned);
}

TEST(HostTwins, MoveNothingWhereThereIsNothing) {
  RememberingStream stream;
  EXPECT_EQ(HostTwins().copy_in({}, stream, HostMemory::pinned), 0u);
  EXPECT_EQ(HostTwins().copy_out({}, stream, HostMemory::pinned), 0u);
}

}  // namespace
}  // namespace strobe
