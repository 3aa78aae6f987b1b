#include <array>

#include "cli/verb.h"

namespace strobe::cli {
namespace {

constexpr std::array kVerbs{
    Verb{"run", "one model: latency, device time, throughput, verdict", declare_run},
    Verb{"zoo", "the models that come along", declare_zoo},
};

}  // namespace

std::span<const Verb> verbs() { return kVerbs; }

}  // namespace strobe::cli
