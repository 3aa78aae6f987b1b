// SPDX-License-Identifier: Apache-2.0
#include "cli/nsys_export.h"

#include <sqlite3.h>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "host/file.h"

namespace strobe::cli {
namespace {

// Tables as nsys makes them, with the columns that are read.
constexpr const char* kSchema = R"sql(
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, streamId INT, correlationId INT, globalPid INT,
  demangledName INT, shortName INT, mangledName INT);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INT, end INT, eventClass INT, globalTid INT, correlationId INT,
  nameId INT, returnValue INT);
CREATE TABLE NVTX_EVENTS (start INT, end INT, eventType INT, rangeId INT, category INT, color INT, text TEXT,
  globalTid INT, endGlobalTid INT, textId INT, domainId INT, uint64Value INT);
INSERT INTO StringIds VALUES (1, 'gemm(float*)'), (2, 'add(float*)'), (3, 'request'), (4, 'conv2d'), (5, 'theirs');
)sql";

// Two requests on thread 7; in each conv2d hands over a gemm, the request itself an add. Another library has a range
// of its own around everything, and another thread hands over an add outside any.
constexpr const char* kRows = R"sql(
INSERT INTO NVTX_EVENTS (eventType, text, domainId) VALUES (75, 'strobe', 1), (75, 'other', 2);
INSERT INTO NVTX_EVENTS (start, end, eventType, globalTid, textId, domainId) VALUES
  (0, 1000, 59, 7, 5, 2), (100, 200, 59, 7, 3, 1), (110, 150, 59, 7, 4, 1), (300, 400, 59, 7, 3, 1), (310, 350, 59, 7, 4, 1);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, globalTid, correlationId) VALUES
  (120, 125, 7, 1), (160, 165, 7, 2), (320, 325, 7, 3), (360, 365, 7, 4), (370, 375, 8, 5);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId, demangledName) VALUES
  (500, 800, 1, 1), (800, 850, 2, 2), (900, 1200, 3, 1), (1200, 1260, 4, 2), (1300, 1307, 5, 2);
)sql";

std::filesystem::path database(const TemporaryFolder& folder, const std::string& sql) {
  const std::filesystem::path file = folder.path() / "x.sqlite";
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
  char* error = nullptr;
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
  sqlite3_close(db);
  return file;
}

TEST(NsysExport, HasKernelsByNameAndByTheRangeThatHandedThemOver) {
  const TemporaryFolder folder;
  const NsysExport e = read_nsys_export(database(folder, std::string(kSchema) + kRows));
  EXPECT_EQ(e.kernels, (std::vector<NsysRow>{{"gemm(float*)", 2, 600ns}, {"add(float*)", 3, 117ns}}));
  EXPECT_EQ(e.ranges, (std::vector<NsysRow>{{"conv2d", 2, 600ns}, {"request", 2, 110ns}}));
  EXPECT_EQ(e.requests, 2u);
}

TEST(NsysExport, WithoutRangesHasItsKernels) {
  const TemporaryFolder folder;
  const NsysExport e = read_nsys_export(
      database(folder, std::string(kSchema) +
                           "DROP TABLE NVTX_EVENTS;"
                           "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, demangledName) VALUES (5, 9, 2);"));
  EXPECT_EQ(e.kernels, (std::vector<NsysRow>{{"add(float*)", 1, 4ns}}));
  EXPECT_TRUE(e.ranges.empty());
}

TEST(NsysExport, WithoutKernelsIsRefusedAndSoIsWhatIsNoDatabase) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_nsys_export(database(folder, kSchema)), Error);
  write_file(folder.path() / "text.sqlite", "no database at all, but long enough to be taken for the head of one");
  EXPECT_THROW(read_nsys_export(folder.path() / "text.sqlite"), Error);
  EXPECT_THROW(read_nsys_export(folder.path() / "missing.sqlite"), Error);
}

TEST(NsysStats, HasKernelsByName) {
  constexpr const char* kJson = R"json([{"Time (%)": 20.0, "Total Time (ns)": 20, "Instances": 2, "Name": "add"},
                                    {"Time (%)": 80.0, "Total Time (ns)": 80, "Instances": 1, "Name": "gemm"}])json";
  EXPECT_EQ(read_nsys_stats(kJson).kernels, (std::vector<NsysRow>{{"gemm", 1, 80ns}, {"add", 2, 20ns}}));
  EXPECT_TRUE(read_nsys_stats("{}").kernels.empty());
}

TEST(NsysText, AddsSharesUpToTheWholeAndObeysNoName) {
  const NsysExport e{{{"gemm", 2, 600us}, {"a\x1b[31mdd", 3, 200us}}, {}, 2};
  const std::string text = text_of(e);
  EXPECT_NE(text.find(" 75 %  600 µs      2  gemm\n"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("\n2 requests\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace strobe::cli
