#include "study/new_record.h"

#include "base/build_info.h"
#include "host/facts.h"

namespace strobe {

Record new_record(std::string verb) {
  Record r;
  r.verb = std::move(verb);
  r.strobe = {kVersion, kCommit, kBuildType, kCompiler};
  r.command = command_line();
  r.started_at = utc_now();
  r.host = host_facts();
  return r;
}

}  // namespace strobe
