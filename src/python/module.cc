// SPDX-License-Identifier: Apache-2.0
// The extension module strobe._strobe: the public functions of the library for strobe/*.py, which is what users see.
#include <nanobind/nanobind.h>

#include <strobe/version.h>

#include "python/error.h"
#include "python/functions.h"
#include "python/keywords.h"

NB_MODULE(_strobe, m) {
  using namespace strobe::python;
  translate_errors();
  m.attr("version") = strobe::version();
  m.attr("error_codes") = error_words();
  m.attr("keywords") = keyword_tables();
  add_record(m);
  add_callables(m);
  add_batches(m);
  add_studies(m);
}
