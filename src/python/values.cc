// SPDX-License-Identifier: Apache-2.0
#include "python/values.h"

#include <cmath>

#include <nanobind/stl/string.h>

#include <strobe/error.h>
#include <strobe/words.h>

namespace strobe::python {
namespace {

using std::chrono::nanoseconds;

[[noreturn]] void refuse_value(std::string what, std::string advice) {
  throw Error(ErrorCode::usage, std::move(what), {}, std::move(advice));
}

std::string quoted(nb::handle value) {
  return nb::cast<std::string>(nb::repr(value));
}

bool is_text(nb::handle value) {
  return nb::isinstance<nb::str>(value);
}

// numpy's numbers are none of Python's, but become one.
bool is_number(nb::handle value) {
  return PyNumber_Check(value.ptr()) != 0 && !nb::isinstance<nb::bool_>(value);
}

double number(nb::handle value) {
  const nb::object as_float = nb::steal(PyNumber_Float(value.ptr()));
  if (!as_float.is_valid()) throw nb::python_error();
  return nb::cast<double>(as_float);
}

std::string word(nb::handle value, const char* name) {
  if (!is_text(value)) refuse_type(value, name, "a word");
  return nb::cast<std::string>(value);
}

nanoseconds in_nanoseconds(double ns, nb::handle value, const char* name) {
  constexpr double kLongest = 9e18;  // about 285 years: what 64 bits hold
  if (!std::isfinite(ns) || std::abs(ns) > kLongest)
    refuse_value("cannot use " + quoted(value) + " as " + name, "A time is finite.");
  return nanoseconds(static_cast<std::int64_t>(std::llround(ns)));
}

// "1x3x224x224" or (1, 3, 224, 224)
std::string setting_text(nb::handle value, const char* name) {
  std::string text;
  if (!nb::isinstance<nb::tuple>(value) && !nb::isinstance<nb::list>(value)) {
    read(value, name, text);
    return text;
  }
  for (const nb::handle item : nb::borrow<nb::sequence>(value))
    text += (text.empty() ? "" : "x") + std::to_string(read_integer(item, name, 0, INT64_MAX));
  return text;
}

nb::dict dict_of(nb::handle value, const char* name) {
  if (!nb::isinstance<nb::dict>(value)) refuse_type(value, name, "a dictionary");
  return nb::borrow<nb::dict>(value);
}

std::string key_of(nb::handle key, const char* name) {
  if (!is_text(key)) refuse_type(key, name, "a dictionary whose keys are names");
  return nb::cast<std::string>(key);
}

}  // namespace

void refuse_type(nb::handle value, const char* name, const char* wanted) {
  const std::string type = nb::cast<std::string>(nb::str(value.type().attr("__name__")));
  throw nb::type_error((std::string(name) + " must be " + wanted + ", not " + type).c_str());
}

std::int64_t read_integer(nb::handle value, const char* name, std::int64_t least, std::int64_t most) {
  if (nb::isinstance<nb::bool_>(value) || PyIndex_Check(value.ptr()) == 0) refuse_type(value, name, "a whole number");
  const nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index.is_valid()) throw nb::python_error();
  int overflow = 0;
  const long long n = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow == 0 && PyErr_Occurred()) throw nb::python_error();
  if (overflow != 0 || n < least || n > most)
    refuse_value("cannot use " + quoted(value) + " as " + name,
                 n < least && overflow <= 0 && least == 0 ? "It cannot be negative." : "It is too large.");
  return n;
}

void read(nb::handle value, const char* name, bool& to) {
  if (!nb::isinstance<nb::bool_>(value)) refuse_type(value, name, "True or False");
  to = value.ptr() == Py_True;
}

void read(nb::handle value, const char* name, double& to) {
  if (!is_number(value)) refuse_type(value, name, "a number");
  to = number(value);
}

void read(nb::handle value, const char* name, std::string& to) {
  nb::object text = nb::borrow(value);
  if (nb::hasattr(value, "__fspath__")) text = value.attr("__fspath__")();
  if (nb::isinstance<nb::int_>(value) && !nb::isinstance<nb::bool_>(value)) text = nb::str(value);
  if (!is_text(text)) refuse_type(value, name, "a string");
  to = nb::cast<std::string>(text);
}

void read(nb::handle value, const char* name, nanoseconds& to) {
  if (is_text(value)) {
    to = parse_time(nb::cast<std::string>(value), name);
  } else if (nb::hasattr(value, "total_seconds")) {
    to = in_nanoseconds(nb::cast<double>(value.attr("total_seconds")()) * 1e9, value, name);
  } else if (is_number(value)) {
    to = in_nanoseconds(number(value) * 1e9, value, name);
  } else {
    refuse_type(value, name, "a time: \"10ms\", a number of seconds or a timedelta");
  }
}

// torch's streams have `cuda_stream`, cupy's `ptr`. Their 0 is CUDA's legacy default stream, which as a handle is 1: no
// stream at all is None.
void read(nb::handle value, const char* name, void*& to) {
  nb::object address = nb::borrow(value);
  for (const char* attribute : {"cuda_stream", "ptr"}) {
    if (!nb::hasattr(value, attribute)) continue;
    address = value.attr(attribute);
    break;
  }
  if (value.is_none()) {
    to = nullptr;
    return;
  }
  if (!nb::isinstance<nb::int_>(address)) refuse_type(value, name, "a stream, or its address as an integer");
  to = PyLong_AsVoidPtr(address.ptr());
  if (to) return;
  if (PyErr_Occurred()) throw nb::python_error();
  to = reinterpret_cast<void*>(std::uintptr_t{1});
}

void read(nb::handle value, const char* name, Effort& to) {
  to = parse_effort(word(value, name), name);
}

void read(nb::handle value, const char* name, Cache& to) {
  to = parse_cache(word(value, name), name);
}

void read(nb::handle value, const char* name, Io& to) {
  to = parse_io(word(value, name), name);
}

void read(nb::handle value, const char* name, Copies& to) {
  to = parse_copies(word(value, name), name);
}

// "10ms", or "poisson:1s" where their lengths are random.
void read(nb::handle value, const char* name, IdlePause& to) {
  to = {};
  if (is_text(value))
    to = parse_pause(nb::cast<std::string>(value), name);
  else
    read(value, name, to.length);
}

void read(nb::handle value, const char* name, InputSets& to) {
  if (is_text(value) && nb::cast<std::string>(value) == "cache")
    to = beyond_cache;
  else if (is_text(value))
    refuse_value("unknown " + std::string(name) + " " + quoted(value), "Take a number, or \"cache\".");
  else
    to = InputSets(static_cast<std::size_t>(read_integer(value, name, 0, INT64_MAX)));
}

void read(nb::handle value, const char* name, std::map<std::string, std::string>& to) {
  to.clear();
  for (const auto [key, item] : dict_of(value, name)) to[key_of(key, name)] = setting_text(item, name);
}

void read(nb::handle value, const char* name, std::map<std::string, ValueRange>& to) {
  to.clear();
  for (const auto [key, item] : dict_of(value, name)) {
    if (!nb::isinstance<nb::sequence>(item) || nb::len(item) != 2)
      refuse_type(item, name, "a dictionary of pairs (low, high)");
    ValueRange& range = to[key_of(key, name)];
    read(item[0], name, range.low);
    read(item[1], name, range.high);
  }
}

}  // namespace strobe::python
