// SPDX-License-Identifier: Apache-2.0
// The words with which a record says how something ended: nothing else spells them. Lists that are enumerations in C++
// are in record/names.h.
#pragma once

namespace strobe {

// Of a trial of a search.
namespace trial_word {
inline constexpr char fits[] = "fits";
inline constexpr char out_of_memory[] = "out-of-memory";
inline constexpr char unsupported[] = "unsupported";
inline constexpr char crashed[] = "crashed";
inline constexpr char hung[] = "hung";
inline constexpr char wrong_output[] = "wrong-output";
}  // namespace trial_word

// Of a bound on the latency: of one trial, and of the whole search.
namespace bound_word {
inline constexpr char met[] = "met";
inline constexpr char not_met[] = "not-met";
inline constexpr char cannot_tell[] = "cannot-tell";
}  // namespace bound_word

// Of a comparison: times and rates are faster or slower, amounts smaller or larger.
namespace change_word {
inline constexpr char faster[] = "faster";
inline constexpr char slower[] = "slower";
inline constexpr char smaller[] = "smaller";
inline constexpr char larger[] = "larger";
inline constexpr char equivalent[] = "equivalent";
inline constexpr char cannot_tell[] = "cannot-tell";
}  // namespace change_word

// Of a condition on a comparison (--fail-on).
namespace condition_word {
inline constexpr char passed[] = "passed";
inline constexpr char failed[] = "failed";
inline constexpr char cannot_tell[] = "cannot-tell";
}  // namespace condition_word

// What marks cost a pipeline.
namespace marks_word {
inline constexpr char cheap[] = "cheap";
inline constexpr char dear[] = "dear";
inline constexpr char cannot_tell[] = "cannot-tell";
}  // namespace marks_word

// What takes longer of a stage.
namespace stage_word {
inline constexpr char host[] = "host";
inline constexpr char device[] = "device";
}  // namespace stage_word

// What bounds iterations that overlap: a lane that is full, or how many may be in flight.
namespace overlap_word {
inline constexpr char lane[] = "lane";
inline constexpr char in_flight[] = "in-flight";
}  // namespace overlap_word

// Memory from request to request.
namespace growth_word {
inline constexpr char grows[] = "grows";
inline constexpr char steady[] = "steady";
inline constexpr char cannot_tell[] = "cannot-tell";
}  // namespace growth_word

// Against what `--limit` allows.
namespace fit_word {
inline constexpr char fits[] = "fits";
inline constexpr char does_not_fit[] = "does-not-fit";
inline constexpr char cannot_tell[] = "cannot-tell";
}  // namespace fit_word

}  // namespace strobe
