// SPDX-License-Identifier: Apache-2.0
#include "measure/host_watch.h"

#include <algorithm>
#include <dlfcn.h>

#include <gtest/gtest.h>

namespace strobe {
namespace {

constexpr const char* kLibrary = "libutil.so.1";  // part of the C library, and used by nobody any more

TEST(HostWatch, TellsNothingFromASingleLook) {
  HostWatch watch;
  EXPECT_FALSE(watch.since(0ns));
  watch.look(0ns);
  EXPECT_FALSE(watch.since(0ns));
  EXPECT_TRUE(watch.loading(0ns).empty());
}

TEST(HostWatch, CountsALibraryInTheWindowAndNotOneBeforeIt) {
  HostWatch watch;
  watch.look(0ms);
  watch.look(100ms);
  void* handle = ::dlopen(kLibrary, RTLD_NOW);
  if (!handle) GTEST_SKIP() << "there is no " << kLibrary;
  watch.look(200ms);
  watch.look(300ms);
  ::dlclose(handle);
  const auto all = watch.since(50ms);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->watched_ns, 2e8);  // from the first look inside
  EXPECT_EQ(all->loads, 1u);
  ASSERT_EQ(all->libraries.size(), 1u);
  EXPECT_TRUE(all->libraries[0].ends_with(kLibrary)) << all->libraries[0];
  ASSERT_EQ(watch.loading(50ms).size(), 1u);
  EXPECT_EQ(watch.loading(50ms)[0], std::pair(nanoseconds(100ms), nanoseconds(200ms)));
  EXPECT_EQ(watch.since(150ms)->loads, 0u);  // in the round that the cut divides: taken for warm-up
  EXPECT_TRUE(watch.since(150ms)->libraries.empty());
  EXPECT_EQ(watch.since(300ms)->watched_ns, 1e8);  // a window within one round: that round
}

}  // namespace
}  // namespace strobe
