// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/python_packages.h"

#include <cstdlib>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "host/file.h"
#include "host/library.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;

// An environment with a runtime and NVIDIA's packages, whose libraries write down that they were loaded. Names are new
// in each test, because what a process has loaded stays.
class Environment {
 public:
  Environment() : number_(++count_) { ::setenv("STROBE_TEST_LOADED", (folder_.path() / "loaded").c_str(), 1); }
  ~Environment() { ::unsetenv("STROBE_TEST_LOADED"); }

  fs::path packages() const { return folder_.path() / "site-packages"; }
  std::string name(std::string_view library) const { return fmt::format("lib{}{}.so.9", library, number_); }

  // In this folder of a package, linked to others that were made before.
  fs::path make(const fs::path& folder, std::string_view library, const std::vector<std::string_view>& needs = {}) {
    std::vector<std::string> names;
    for (const std::string_view need : needs) names.push_back(name(need));
    return make_named(folder, name(library), names);
  }
  fs::path make_named(const fs::path& folder, const std::string& soname, const std::vector<std::string>& needs = {}) {
    const fs::path file = packages() / folder / soname, source = folder_.path() / "source.c";
    fs::create_directories(file.parent_path());
    std::ofstream(source) << fmt::format(kSource, soname);
    std::vector<std::string> linked;
    for (const std::string& need : needs) linked.push_back(files_.at(need).string());
    const std::string command =
        fmt::format("cc -shared -fPIC -o '{}' '{}' -Wl,-soname,{} -Wl,--no-as-needed,--allow-shlib-undefined {}",
                    file.string(), source.string(), soname, fmt::join(linked, " "));
    if (std::system(command.c_str()) != 0) return {};
    files_[soname] = file;
    return file;
  }
  std::vector<std::string> loaded() const {
    std::ifstream in(folder_.path() / "loaded");
    std::vector<std::string> names;
    for (std::string line; std::getline(in, line);) names.push_back(line);
    return names;
  }

 private:
  static constexpr const char* kSource = R"(#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void loaded(void) {{
  FILE* f = fopen(getenv("STROBE_TEST_LOADED"), "a");
  if (!f) return;
  fputs("{}\n", f);
  fclose(f);
}}
)";
  static inline int count_ = 0;
  int number_;
  TemporaryFolder folder_;
  std::map<std::string, fs::path> files_;
};

class NvidiaPackages : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("cc --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no C compiler";
  }
  Environment e;
};

TEST_F(NvidiaPackages, AreOpenedBeforeTheRuntimeThatNeedsThem) {
  e.make("nvidia/cublas/lib", "cublasLt");
  e.make("nvidia/cublas/lib", "cublas", {"cublasLt"});
  e.make("nvidia/cudnn/lib", "cudnn", {"cublas"});
  const fs::path provider = e.make("onnxruntime/capi", "provider", {"cudnn", "cublasLt"});
  ASSERT_FALSE(provider.empty());
  EXPECT_FALSE(Library::open(provider.string()));  // the linker alone does not find them

  const auto files = open_nvidia_packages(provider, {fs::path(), packages_of(provider)});
  const std::vector<std::string> order{e.name("cublasLt"), e.name("cublas"), e.name("cudnn")};
  EXPECT_EQ(e.loaded(), order);
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[2], e.packages() / "nvidia/cudnn/lib" / e.name("cudnn"));
  EXPECT_TRUE(Library::open(provider.string()));
  EXPECT_TRUE(open_nvidia_packages(provider, {packages_of(provider)}).empty());  // they are there
}

TEST_F(NvidiaPackages, AreLeftAloneWhereNothingNeedsThem) {
  e.make("nvidia/cufft/lib", "cufft");
  const fs::path provider = e.make("onnxruntime/capi", "provider");
  EXPECT_TRUE(open_nvidia_packages(provider, {e.packages()}).empty());
  EXPECT_TRUE(open_nvidia_packages(e.packages() / "nothing.so", {e.packages()}).empty());
  EXPECT_TRUE(e.loaded().empty());
}

TEST_F(NvidiaPackages, ComeFromWhereTheUserSays) {
  e.make("nvidia/cudnn/lib", "cudnn");
  const fs::path own = e.make("own", "cudnn");
  const fs::path provider = e.make("onnxruntime/capi", "provider", {"cudnn"});
  ::setenv("LD_LIBRARY_PATH", own.parent_path().c_str(), 1);
  const auto files = open_nvidia_packages(provider, {e.packages()});
  ::unsetenv("LD_LIBRARY_PATH");
  EXPECT_EQ(files, std::vector{own});
}

// A release of CUDA that nobody has.
TEST_F(NvidiaPackages, IncludeWhatIsAskedForLater) {
  e.make_named("nvidia/cuda_runtime/lib", "libcudart.so.999");
  e.make_named("nvidia/cuda_nvrtc/lib", "libnvrtc.so.999");
  e.make_named("nvidia/cuda_nvrtc/lib", "libnvrtc.so.998");
  const fs::path provider = e.make_named("onnxruntime/capi", e.name("provider"), {"libcudart.so.999"});
  open_nvidia_packages(provider, {e.packages()});
  EXPECT_EQ(e.loaded(), (std::vector<std::string>{"libnvrtc.so.999", "libcudart.so.999"}));
}

TEST(PythonPackages, AreBesideAnInstalledLibraryOnly) {
  EXPECT_TRUE(own_packages().empty());  // this one is in a build folder
  EXPECT_TRUE(package_libraries("onnxruntime/capi", "libonnxruntime.so.").empty());
  EXPECT_EQ(packages_of("/env/site-packages/onnxruntime/capi/libonnxruntime.so.1"), fs::path("/env/site-packages"));
}

}  // namespace
}  // namespace strobe
