// SPDX-License-Identifier: Apache-2.0
// OpenVINO's C interface, opened at run time: a table of the functions that are used, its errors as exceptions, and its
// objects as owners. The C++ interface would tie the plugin to one release.
#pragma once

#include <exception>
#include <memory>
#include <openvino/c/openvino.h>
#include <string>

#include <strobe/error.h>

#include "workload/runtime/error_words.h"

namespace strobe::openvino {

// Types are the header's; nothing is linked.
struct Api {
  decltype(&ov_get_openvino_version) get_version;
  decltype(&ov_version_free) version_free;
  decltype(&ov_get_error_info) get_error_info;
  decltype(&ov_get_last_err_msg) get_last_error;
  decltype(&ov_free) free;
  decltype(&ov_core_create) core_create;
  decltype(&ov_core_free) core_free;
  decltype(&ov_core_read_model) core_read_model;
  // Variadic, and it counts strings: two for each property.
  ov_status_e (*core_compile_model)(const ov_core_t*, const ov_model_t*, const char* device, std::size_t strings,
                                    ov_compiled_model_t**, ...);
  decltype(&ov_core_get_property) core_get_property;
  decltype(&ov_core_get_available_devices) core_get_devices;
  decltype(&ov_available_devices_free) devices_free;
  decltype(&ov_model_free) model_free;
  decltype(&ov_model_inputs_size) model_inputs_size;
  decltype(&ov_model_outputs_size) model_outputs_size;
  decltype(&ov_model_const_input_by_index) model_const_input;
  decltype(&ov_model_const_output_by_index) model_const_output;
  decltype(&ov_model_reshape) model_reshape;
  decltype(&ov_port_get_any_name) port_get_any_name;
  decltype(&ov_port_get_element_type) port_get_element_type;
  decltype(&ov_port_get_partial_shape) port_get_partial_shape;
  decltype(&ov_output_const_port_free) port_free;
  decltype(&ov_partial_shape_create_static) partial_shape_create_static;
  decltype(&ov_partial_shape_free) partial_shape_free;
  decltype(&ov_shape_create) shape_create;
  decltype(&ov_shape_free) shape_free;
  decltype(&ov_compiled_model_free) compiled_model_free;
  decltype(&ov_compiled_model_outputs_size) compiled_model_outputs_size;
  decltype(&ov_compiled_model_output_by_index) compiled_model_output;
  decltype(&ov_compiled_model_get_property) compiled_model_get_property;
  decltype(&ov_compiled_model_create_infer_request) create_infer_request;
  decltype(&ov_infer_request_free) infer_request_free;
  decltype(&ov_infer_request_set_input_tensor_by_index) set_input_tensor;
  decltype(&ov_infer_request_set_output_tensor_by_index) set_output_tensor;
  decltype(&ov_infer_request_get_output_tensor_by_index) get_output_tensor;
  decltype(&ov_infer_request_infer) infer;
  decltype(&ov_infer_request_set_callback) set_callback;
  decltype(&ov_infer_request_start_async) start_async;
  decltype(&ov_infer_request_wait) wait;
  decltype(&ov_infer_request_get_profiling_info) get_profiling_info;
  decltype(&ov_profiling_info_list_free) profiling_info_list_free;
  decltype(&ov_tensor_create_from_host_ptr) tensor_create;
  decltype(&ov_tensor_free) tensor_free;
  decltype(&ov_tensor_data) tensor_data;
  decltype(&ov_tensor_get_byte_size) tensor_get_byte_size;
  decltype(&ov_tensor_get_element_type) tensor_get_element_type;
  decltype(&ov_tensor_get_shape) tensor_get_shape;
};

// Of the library that open_library() found.
const Api& api();

// Opens the library (STROBE_OPENVINO names a file or its folder; else the one of the build's Python environment, else
// the system's) and gives its version. Throws Error when there is none, or one older than 2025.4.
std::string open_library();

class Failure final : public std::exception {
 public:
  Failure(ov_status_e status, std::string text) : status_(status), text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }
  ov_status_e status() const { return status_; }

 private:
  ov_status_e status_;
  std::string text_;
};

// Throws Failure with the library's own words.
void check(ov_status_e);

Error error_from(const std::exception&, const std::string& what);

template <class F>
auto guarded(const std::string& what, F&& f) {
  return strobe::guarded(error_from, what, std::forward<F>(f));
}

template <class T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

// A text that the library allocated.
std::string taken(char* text);

}  // namespace strobe::openvino
