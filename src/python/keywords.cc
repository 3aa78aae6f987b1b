// SPDX-License-Identifier: Apache-2.0
#include "python/keywords.h"

#include <array>

namespace strobe::python {
namespace {

template <auto Member>
struct Bound;

template <class T, class M, M T::* Member>
struct Bound<Member> {
  using Struct = T;
  static void read_member(nb::handle value, const char* name, T& to) { read(value, name, to.*Member); }
};

template <auto Member>
constexpr Keyword<typename Bound<Member>::Struct> keyword(const char* name) {
  return {name, Bound<Member>::read_member};
}

constexpr std::array kModel{keyword<&Model::model>("model"),
                            keyword<&Model::device>("device"),
                            keyword<&Model::runtime>("runtime"),
                            keyword<&Model::batch>("batch"),
                            keyword<&Model::shape>("shape"),
                            keyword<&Model::input>("input"),
                            keyword<&Model::input_range>("input_range"),
                            keyword<&Model::input_sets>("input_sets"),
                            keyword<&Model::threads>("threads"),
                            keyword<&Model::dtype>("dtype"),
                            keyword<&Model::layout>("layout"),
                            keyword<&Model::no_optimize>("no_optimize"),
                            keyword<&Model::set>("set"),
                            keyword<&Model::pin>("pin"),
                            keyword<&Model::stream>("stream"),
                            keyword<&Model::lock_clocks>("lock_clocks"),
                            keyword<&Model::seed>("seed")};

constexpr std::array kOptions{keyword<&Options::name>("name"),           keyword<&Options::effort>("effort"),
                              keyword<&Options::margin>("margin"),       keyword<&Options::min_time>("min_time"),
                              keyword<&Options::max_time>("max_time"),   keyword<&Options::warmup>("warmup"),
                              keyword<&Options::requests>("requests"),   keyword<&Options::launches>("launches"),
                              keyword<&Options::pass>("pass_"),          keyword<&Options::percentiles>("percentiles"),
                              keyword<&Options::in_flight>("in_flight"), keyword<&Options::graph>("graph"),
                              keyword<&Options::copies>("copies"),       keyword<&Options::io>("io"),
                              keyword<&Options::cache>("cache"),         keyword<&Options::idle>("idle"),
                              keyword<&Options::energy>("energy"),       keyword<&Options::flops>("flops"),
                              keyword<&Options::items>("items"),         keyword<&Options::device>("device"),
                              keyword<&Options::stream>("stream"),       keyword<&Options::pin>("pin"),
                              keyword<&Options::samples>("samples")};

constexpr std::array kMethods{
    keyword<&MethodsOptions::methods>("methods"),   keyword<&MethodsOptions::method>("method"),
    keyword<&MethodsOptions::like>("like"),         keyword<&MethodsOptions::warmup>("warmup"),
    keyword<&MethodsOptions::requests>("requests"), keyword<&MethodsOptions::idle>("idle"),
    keyword<&MethodsOptions::launches>("launches"), keyword<&MethodsOptions::max_time>("max_time")};

constexpr std::array kThroughput{
    keyword<&ThroughputOptions::batches>("batches"),         keyword<&ThroughputOptions::streams>("streams"),
    keyword<&ThroughputOptions::in_flight>("in_flight"),     keyword<&ThroughputOptions::copies>("copies"),
    keyword<&ThroughputOptions::max_latency>("max_latency"), keyword<&ThroughputOptions::percentile>("percentile"),
    keyword<&ThroughputOptions::effort>("effort"),           keyword<&ThroughputOptions::launches>("launches"),
    keyword<&ThroughputOptions::memory>("memory"),           keyword<&ThroughputOptions::soak>("soak"),
    keyword<&ThroughputOptions::no_largest>("no_largest"),   keyword<&ThroughputOptions::metric>("metric"),
    keyword<&ThroughputOptions::max_time>("max_time")};

constexpr std::array kProfile{
    keyword<&ProfileOptions::requests>("requests"), keyword<&ProfileOptions::launches>("launches"),
    keyword<&ProfileOptions::max_time>("max_time"), keyword<&ProfileOptions::save_trace>("save_trace")};

constexpr std::array kMemory{keyword<&MemoryOptions::requests>("requests"), keyword<&MemoryOptions::graph>("graph"),
                             keyword<&MemoryOptions::limit>("limit"), keyword<&MemoryOptions::launches>("launches"),
                             keyword<&MemoryOptions::max_time>("max_time")};

constexpr std::array kCandidate{keyword<&Candidate::in_flight>("in_flight"),
                                keyword<&Candidate::graph>("graph"),
                                keyword<&Candidate::copies>("copies"),
                                keyword<&Candidate::cache>("cache"),
                                keyword<&Candidate::device>("device"),
                                keyword<&Candidate::stream>("stream"),
                                keyword<&Candidate::pin>("pin"),
                                keyword<&Candidate::items>("items")};

constexpr std::array kCompare{
    keyword<&CompareOptions::effort>("effort"),           keyword<&CompareOptions::pairs>("pairs"),
    keyword<&CompareOptions::margin>("margin"),           keyword<&CompareOptions::fail_on>("fail_on"),
    keyword<&CompareOptions::noise_floor>("noise_floor"), keyword<&CompareOptions::metric>("metric"),
    keyword<&CompareOptions::max_time>("max_time")};

constexpr std::array kCompareRecords{
    keyword<&CompareRecordsOptions::margin>("margin"), keyword<&CompareRecordsOptions::force>("force"),
    keyword<&CompareRecordsOptions::allow>("allow"), keyword<&CompareRecordsOptions::fail_on>("fail_on")};

constexpr std::array kPipeline{
    keyword<&PipelineOptions::name>("name"),           keyword<&PipelineOptions::device>("device"),
    keyword<&PipelineOptions::rounds>("rounds"),       keyword<&PipelineOptions::iterations>("iterations"),
    keyword<&PipelineOptions::in_flight>("in_flight"), keyword<&PipelineOptions::max_time>("max_time")};

constexpr std::array kStep{keyword<&PipelineStep::host>("host"), keyword<&PipelineStep::stream>("stream"),
                           keyword<&PipelineStep::after>("after"), keyword<&PipelineStep::repeat>("repeat")};

constexpr std::array kAudit{keyword<&AuditOptions::unit>("unit"), keyword<&AuditOptions::column>("column"),
                            keyword<&AuditOptions::decimal>("decimal"), keyword<&AuditOptions::name>("name")};

template <class T>
nb::tuple names_of(std::span<const Keyword<T>> keywords) {
  nb::list names;
  for (const Keyword<T>& k : keywords) names.append(k.name);
  return nb::tuple(names);
}

}  // namespace

std::span<const Keyword<Model>> keywords_of(const Model&) {
  return kModel;
}
std::span<const Keyword<Options>> keywords_of(const Options&) {
  return kOptions;
}
std::span<const Keyword<MethodsOptions>> keywords_of(const MethodsOptions&) {
  return kMethods;
}
std::span<const Keyword<ThroughputOptions>> keywords_of(const ThroughputOptions&) {
  return kThroughput;
}
std::span<const Keyword<ProfileOptions>> keywords_of(const ProfileOptions&) {
  return kProfile;
}
std::span<const Keyword<MemoryOptions>> keywords_of(const MemoryOptions&) {
  return kMemory;
}
std::span<const Keyword<Candidate>> keywords_of(const Candidate&) {
  return kCandidate;
}
std::span<const Keyword<CompareOptions>> keywords_of(const CompareOptions&) {
  return kCompare;
}
std::span<const Keyword<PipelineOptions>> keywords_of(const PipelineOptions&) {
  return kPipeline;
}
std::span<const Keyword<PipelineStep>> keywords_of(const PipelineStep&) {
  return kStep;
}
std::span<const Keyword<CompareRecordsOptions>> keywords_of(const CompareRecordsOptions&) {
  return kCompareRecords;
}
std::span<const Keyword<AuditOptions>> keywords_of(const AuditOptions&) {
  return kAudit;
}

nb::dict keyword_tables() {
  nb::dict tables;
  tables["model"] = names_of(keywords_of(Model{}));
  tables["options"] = names_of(keywords_of(Options{}));
  tables["methods"] = names_of(keywords_of(MethodsOptions{}));
  tables["throughput"] = names_of(keywords_of(ThroughputOptions{}));
  tables["profile"] = names_of(keywords_of(ProfileOptions{}));
  tables["memory"] = names_of(keywords_of(MemoryOptions{}));
  tables["candidate"] = names_of(keywords_of(Candidate{}));
  tables["compare"] = names_of(keywords_of(CompareOptions{}));
  tables["compare_records"] = names_of(keywords_of(CompareRecordsOptions{}));
  tables["pipeline"] = names_of(keywords_of(PipelineOptions{}));
  tables["step"] = names_of(keywords_of(PipelineStep{}));
  tables["audit"] = names_of(keywords_of(AuditOptions{}));
  return tables;
}

}  // namespace strobe::python
