// SPDX-License-Identifier: Apache-2.0
#include "cli/nsys_export.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <sqlite3.h>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "base/format.h"
#include "base/printable.h"
#include "host/file.h"
#include "host/nvtx.h"
#include "report/text/table.h"

namespace strobe::cli {
namespace {

namespace fs = std::filesystem;
constexpr const char* kOwnFormat = ".nsys-rep";
constexpr const char* kAdvice = "Export it again: nsys export --type sqlite.";

// Nsight's numbers for kinds of events in NVTX_EVENTS.
constexpr int kPushPopRange = 59, kDomainCreated = 75;

class Query {
 public:
  Query(sqlite3* db, const std::string& sql) {
    sqlite3_stmt* prepared = nullptr;
    if (sqlite3_prepare_v2(db, sql.c_str(), -1, &prepared, nullptr) != SQLITE_OK)
      throw Error(ErrorCode::bad_input, "cannot read what nsys exported", sqlite3_errmsg(db), kAdvice);
    statement_.reset(prepared);
  }
  bool next() { return sqlite3_step(statement_.get()) == SQLITE_ROW; }
  std::int64_t number(int column) const { return sqlite3_column_int64(statement_.get(), column); }
  std::string text(int column) const {
    const auto* found = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
    return found ? found : "";
  }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* s) const { sqlite3_finalize(s); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  explicit Database(const fs::path& file) {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(file.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
    db_.reset(opened);
    if (code != SQLITE_OK)
      throw Error(ErrorCode::not_found, fmt::format("cannot open '{}'", file.string()), sqlite3_errmsg(opened));
  }
  Query query(const std::string& sql) const { return {db_.get(), sql}; }
  // nsys makes a table, and a column, only where it has something to write.
  bool has(const std::string& table) const {
    return query(fmt::format("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '{}'", table)).next();
  }
  bool has(const std::string& table, const std::string& column) const {
    return query(fmt::format("SELECT 1 FROM pragma_table_info('{}') WHERE name = '{}'", table, column)).next();
  }

 private:
  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
  };
  std::unique_ptr<sqlite3, Close> db_;
};

void sort_by_time(std::vector<NsysRow>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const NsysRow& a, const NsysRow& b) { return a.time > b.time; });
}

std::vector<NsysRow> kernels_of(const Database& db) {
  std::vector<NsysRow> rows;
  Query q = db.query(
      "SELECT s.value, COUNT(*), SUM(k.\"end\" - k.start) FROM CUPTI_ACTIVITY_KIND_KERNEL k "
      "JOIN StringIds s ON s.id = k.demangledName GROUP BY s.value ORDER BY s.value");
  while (q.next()) rows.push_back({q.text(0), static_cast<std::uint64_t>(q.number(1)), nanoseconds(q.number(2))});
  sort_by_time(rows);
  return rows;
}

struct HostRange {
  std::string name;
  std::int64_t begin = 0, end = 0;
};

// Of our domain, by the thread that made them, in the order in which they begin.
std::map<std::int64_t, std::vector<HostRange>> ranges_of(const Database& db) {
  std::map<std::int64_t, std::vector<HostRange>> ranges;
  Query q = db.query(fmt::format(
      "SELECT e.globalTid, COALESCE(e.text, s.value), e.start, e.\"end\" FROM NVTX_EVENTS e "
      "LEFT JOIN StringIds s ON s.id = e.textId WHERE e.eventType = {} AND e.\"end\" IS NOT NULL AND e.domainId IN "
      "(SELECT d.domainId FROM NVTX_EVENTS d LEFT JOIN StringIds n ON n.id = d.textId WHERE d.eventType = {} AND "
      "COALESCE(d.text, n.value) = '{}') ORDER BY e.start, e.\"end\" DESC",
      kPushPopRange, kDomainCreated, nvtx::kDomain));
  while (q.next()) ranges[q.number(0)].push_back({q.text(1), q.number(2), q.number(3)});
  return ranges;
}

// Those that are open at the time, the innermost last. Times must not go back.
class OpenRanges {
 public:
  explicit OpenRanges(const std::vector<HostRange>& all) : all_(all) {}
  const HostRange* at(std::int64_t time) {
    for (; next_ < all_.size() && all_[next_].begin <= time; ++next_) open_.push_back(&all_[next_]);
    std::erase_if(open_, [&](const HostRange* r) { return r->end < time; });
    return open_.empty() ? nullptr : open_.back();
  }

 private:
  const std::vector<HostRange>& all_;
  std::vector<const HostRange*> open_;
  std::size_t next_ = 0;
};

// A kernel has the correlation of the call that handed it over; the call has a thread and a time.
std::vector<NsysRow> kernels_by_range(const Database& db,
                                      const std::map<std::int64_t, std::vector<HostRange>>& ranges) {
  std::map<std::int64_t, OpenRanges> open;
  for (const auto& [thread, of_thread] : ranges) open.emplace(thread, of_thread);
  std::map<std::string, NsysRow> rows;
  Query q = db.query(
      "SELECT r.globalTid, r.start, k.\"end\" - k.start FROM CUPTI_ACTIVITY_KIND_KERNEL k "
      "JOIN CUPTI_ACTIVITY_KIND_RUNTIME r ON r.correlationId = k.correlationId ORDER BY r.start");
  while (q.next()) {
    const auto thread = open.find(q.number(0));
    const HostRange* range = thread == open.end() ? nullptr : thread->second.at(q.number(1));
    if (!range) continue;
    NsysRow& row = rows[range->name];
    row.name = range->name;
    ++row.calls;
    row.time += nanoseconds(q.number(2));
  }
  std::vector<NsysRow> sorted;
  for (auto& [name, row] : rows) sorted.push_back(std::move(row));
  sort_by_time(sorted);
  return sorted;
}

NsysExport read_database(const fs::path& file) {
  const Database db(file);
  NsysExport e;
  if (db.has("CUPTI_ACTIVITY_KIND_KERNEL") && db.has("StringIds")) e.kernels = kernels_of(db);
  if (e.kernels.empty()) return e;
  if (!db.has("NVTX_EVENTS") || !db.has("NVTX_EVENTS", "textId") || !db.has("CUPTI_ACTIVITY_KIND_RUNTIME")) return e;
  const auto ranges = ranges_of(db);
  for (const auto& [thread, of_thread] : ranges)
    e.requests += static_cast<std::uint64_t>(std::count_if(
        of_thread.begin(), of_thread.end(), [](const HostRange& r) { return r.name == nvtx::name::kRequest; }));
  e.ranges = kernels_by_range(db, ranges);
  return e;
}

std::string table_of(const std::vector<NsysRow>& rows, const char* what) {
  nanoseconds whole{};
  for (const NsysRow& r : rows) whole += r.time;
  Table table("rrrl");
  table.add({"share", "time", "calls", what});
  for (const NsysRow& r : rows)
    table.add({format_percent(to_double(r.time) / std::max(1.0, to_double(whole))), format_time(to_double(r.time)),
               format_count(r.calls), printable(r.name)});
  return table.render();
}

}  // namespace

bool is_nsys_export(const fs::path& file) {
  if (file.extension() == ".sqlite" || file.extension() == kOwnFormat) return true;
  if (file.extension() != ".json") return false;
  const std::string text = read_file(file);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] == '[';
}

NsysExport read_nsys_stats(std::string_view text) {
  NsysExport e;
  const auto rows = nlohmann::json::parse(text, nullptr, false);
  for (const auto& row : rows.is_array() ? rows : nlohmann::json::array()) {
    if (!row.is_object() || !row.contains("Name") || !row.contains("Total Time (ns)")) continue;
    e.kernels.push_back({row.value("Name", ""), row.value("Instances", std::uint64_t{0}),
                         nanoseconds(row.value("Total Time (ns)", std::int64_t{0}))});
  }
  sort_by_time(e.kernels);
  return e;
}

NsysExport read_nsys_export(const fs::path& file) {
  if (file.extension() == kOwnFormat)
    throw Error(ErrorCode::bad_input, fmt::format("cannot read '{}'", file.string()),
                "only Nsight Systems knows its format",
                "Type 'nsys export --type sqlite FILE', and report what that makes.");
  const NsysExport e = file.extension() == ".sqlite" ? read_database(file) : read_nsys_stats(read_file(file));
  if (e.kernels.empty())
    throw Error(ErrorCode::bad_input, fmt::format("cannot read kernels of '{}'", file.string()),
                "none was recorded in it", "Record them with --trace=cuda, as 'strobe profile MODEL --nsys' does.");
  return e;
}

std::string text_of(const NsysExport& e) {
  std::string text = table_of(e.kernels, "kernel");
  if (!e.ranges.empty()) text += "\n" + table_of(e.ranges, "handed over within");
  if (e.requests > 0) text += fmt::format("\n{} requests\n", e.requests);
  return text;
}

}  // namespace strobe::cli
