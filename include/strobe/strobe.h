// SPDX-License-Identifier: Apache-2.0
// All of Strobe: measure a piece of code or a model, and get a judged record.
//
//     strobe::Record r = strobe::measure([&] { f(x); }, {.effort = strobe::quick});
//     strobe::Record m = strobe::run("resnet18.onnx");
//     std::cout << strobe::text(r) << strobe::text(m);
#pragma once

#include <strobe/answers.h>
#include <strobe/error.h>
#include <strobe/measure.h>
#include <strobe/metric.h>
#include <strobe/model.h>
#include <strobe/record.h>
#include <strobe/study.h>
#include <strobe/version.h>
#include <strobe/words.h>
#include <strobe/workload.h>
