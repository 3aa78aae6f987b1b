// SPDX-License-Identifier: Apache-2.0
#include "host/counters.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(Counters, ReadTheTimeOfAQuotaInBothVersionsOfCgroups) {
  EXPECT_EQ(parse_throttled("usage_usec 5\nnr_periods 7\nnr_throttled 3\nthrottled_usec 1500\n"), 1500us);
  EXPECT_EQ(parse_throttled("nr_periods 7\nnr_throttled 3\nthrottled_time 1500\n"), 1500ns);
  EXPECT_EQ(parse_throttled("core_sched.not_throttled_usec 9\n"), std::nullopt);
  EXPECT_EQ(parse_throttled("throttled_usec"), std::nullopt);
  EXPECT_EQ(parse_throttled(""), std::nullopt);
}

TEST(Counters, ReadTheTimeAThreadWaitedForACpu) {
  EXPECT_EQ(parse_waited("123 456 7\n"), 456ns);
  EXPECT_EQ(parse_waited("123"), std::nullopt);
  EXPECT_EQ(parse_waited(""), std::nullopt);
}

TEST(Counters, SeeALibraryThatIsLoadedAndItsName) {
  constexpr const char* kLibrary = "libutil.so.1";  // part of the C library, and used by nobody any more
  const HostCounters before = read_counters();
  EXPECT_EQ(read_counters().loads, before.loads);
  void* handle = ::dlopen(kLibrary, RTLD_NOW);
  if (!handle) GTEST_SKIP() << "there is no " << kLibrary;
  EXPECT_EQ(read_counters().loads, before.loads + 1);
  const auto names = loaded_libraries();
  EXPECT_TRUE(std::any_of(names.begin(), names.end(), [&](const std::string& n) { return n.ends_with(kLibrary); }));
  ::dlclose(handle);
}

// A file that is read through memory, after the kernel was asked to forget it.
TEST(Counters, SeePagesThatComeFromADisk) {
  constexpr std::size_t kBytes = std::size_t{8} << 20;
  std::string name = (std::filesystem::temp_directory_path() / "strobe-pages-XXXXXX").string();
  const int file = ::mkstemp(name.data());
  ASSERT_GE(file, 0);
  ::unlink(name.c_str());
  const std::vector<char> ones(kBytes, 1);
  ASSERT_EQ(::write(file, ones.data(), kBytes), static_cast<ssize_t>(kBytes));
  ::fsync(file);
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  auto* pages = static_cast<volatile char*>(::mmap(nullptr, kBytes, PROT_READ, MAP_SHARED, file, 0));
  ASSERT_NE(pages, MAP_FAILED);
  ::madvise(const_cast<char*>(pages), kBytes, MADV_RANDOM);
  const HostCounters before = read_counters();
  int sum = 0;
  for (std::size_t i = 0; i < kBytes; i += 4096) sum += pages[i];
  const HostCounters after = read_counters();
  ::munmap(const_cast<char*>(pages), kBytes);
  ::close(file);
  EXPECT_EQ(sum, static_cast<int>(kBytes / 4096));
  if (after.major_faults == before.major_faults) GTEST_SKIP() << "the file was still in memory";
  EXPECT_GT(after.major_faults - before.major_faults, 100u);
}

// More threads than CPUs that all want to run: the kernel takes them off in turns, and this one waits.
TEST(Counters, SeeAThreadThatIsTakenOffItsCpu) {
  std::atomic<bool> done{false};
  std::vector<std::thread> others;
  for (unsigned i = 0; i < 2 * std::thread::hardware_concurrency(); ++i)
    others.emplace_back([&] {
      while (!done) {
      }
    });
  const HostCounters before = read_counters();
  const auto end = std::chrono::steady_clock::now() + 400ms;
  while (std::chrono::steady_clock::now() < end) {
  }
  const HostCounters after = read_counters();
  done = true;
  for (std::thread& t : others) t.join();
  EXPECT_GT(after.preemptions, before.preemptions);
  EXPECT_GE(after.switches - before.switches, after.preemptions - before.preemptions);
  if (before.waited) {
    EXPECT_GT(*after.waited - *before.waited, 50ms);
  }
}

}  // namespace
}  // namespace strobe
