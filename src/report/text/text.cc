// SPDX-License-Identifier: Apache-2.0
#include "report/text/text.h"

#include "record/printable_record.h"
#include "report/study_view.h"
#include "report/text/painter.h"

namespace strobe {

std::string render_text(const Record& record, const RenderOptions& o) {
  const Record r = printable(record);  // names and messages from outside must not forge lines of ours
  return study_view(r).text(r, o, Painter(o.color));
}

std::string text(const Record& r) {
  return render_text(r, {});
}

}  // namespace strobe
