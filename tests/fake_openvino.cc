// SPDX-License-Identifier: Apache-2.0
// A stand-in for libopenvino_c, compiled against the real header: devices that no test machine has, requests that end
// in another order than they began, and faults. Its only model is y = relu(x), whatever file is read.
//
//     FAKE_OPENVINO_DEVICES="CPU GPU.0"   devices that it lists; CPU alone by default
//     FAKE_OPENVINO_FAULT=WORD            start: no request can be started; infer: each fails once it runs
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <future>
#include <iterator>
#include <map>
#include <openvino/c/openvino.h>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

struct ov_core {};
struct ov_model {
  std::int64_t batch = -1;
};
struct ov_output_const_port {
  bool output = false;
  std::int64_t batch = -1;
};
struct ov_compiled_model {
  std::int64_t batch = 1;
  std::map<std::string, std::string> properties;
};
struct ov_tensor {
  std::vector<std::int64_t> dims;
  float* data = nullptr;
};
struct ov_infer_request {
  ~ov_infer_request() {
    if (running.valid()) running.wait();
  }
  ov_tensor x, y;
  int number = 0;
  const ov_callback_t* callback = nullptr;
  std::future<ov_status_e> running;
};

namespace {

constexpr std::int64_t kWidth = 4;
std::atomic<const char*> last_error = "";

std::string from_environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value ? value : otherwise;
}

ov_status_e refuse(const char* why) {
  last_error = why;
  return GENERAL_ERROR;
}

bool has_fault(const char* word) {
  return from_environment("FAKE_OPENVINO_FAULT", "") == word;
}

std::vector<std::string> devices() {
  std::istringstream words(from_environment("FAKE_OPENVINO_DEVICES", "CPU"));
  return {std::istream_iterator<std::string>(words), {}};
}

char* copy_of(const std::string& text) {
  return strdup(text.c_str());
}

ov_status_e compute(const ov_infer_request& r) {
  if (has_fault("infer")) return refuse("Exception from src/fake.cpp:1:\nthe fake fails");
  const std::int64_t count = r.x.dims[0] * kWidth;
  for (std::int64_t i = 0; i < count; ++i) r.y.data[i] = std::max(0.0F, r.x.data[i]);
  return OK;
}

// The first request is slow, so that those behind it end before.
std::chrono::milliseconds time_of(const ov_infer_request& r) {
  return std::chrono::milliseconds(r.number == 0 ? 20 : 4);
}

ov_output_const_port* new_port(bool output, std::int64_t batch) {
  return new ov_output_const_port{output, batch};
}

}  // namespace

extern "C" {

ov_status_e ov_get_openvino_version(ov_version_t* v) {
  v->buildNumber = "2026.4.1-fake";
  v->description = "fake";
  return OK;
}
void ov_version_free(ov_version_t*) {}
const char* ov_get_error_info(ov_status_e) {
  return "general error";
}
const char* ov_get_last_err_msg() {
  return last_error;
}
void ov_free(const char* text) {
  std::free(const_cast<char*>(text));
}

ov_status_e ov_core_create(ov_core_t** core) {
  *core = new ov_core;
  return OK;
}
void ov_core_free(ov_core_t* core) {
  delete core;
}
ov_status_e ov_core_get_available_devices(const ov_core_t*, ov_available_devices_t* list) {
  const auto names = devices();
  list->size = names.size();
  list->devices = new char*[names.size()];
  for (std::size_t i = 0; i < names.size(); ++i) list->devices[i] = copy_of(names[i]);
  return OK;
}
void ov_available_devices_free(ov_available_devices_t* list) {
  for (std::size_t i = 0; i < list->size; ++i) std::free(list->devices[i]);
  delete[] list->devices;
}
ov_status_e ov_core_get_property(const ov_core_t*, const char* device, const char* key, char** value) {
  if (key == std::string("FULL_DEVICE_NAME")) {
    *value = copy_of("Fake " + std::string(device));
    return OK;
  }
  *value = copy_of("PERFORMANCE_HINT NUM_STREAMS INFERENCE_NUM_THREADS INFERENCE_PRECISION_HINT PERF_COUNT");
  return OK;
}
ov_status_e ov_core_read_model(const ov_core_t*, const char*, const char*, ov_model_t** model) {
  *model = new ov_model;
  return OK;
}
ov_status_e ov_core_compile_model(const ov_core_t*, const ov_model_t* model, const char* device,
                                  const std::size_t strings, ov_compiled_model_t** compiled, ...) {
  const auto known = devices();
  if (std::find(known.begin(), known.end(), device) == known.end()) return refuse("the fake has no such device");
  auto* made = new ov_compiled_model{model->batch, {}};
  va_list rest;
  va_start(rest, compiled);
  for (std::size_t i = 0; i + 1 < strings; i += 2) {
    const std::string key = va_arg(rest, const char*);
    made->properties[key] = va_arg(rest, const char*);
  }
  va_end(rest);
  made->properties["EXECUTION_DEVICES"] = device;
  made->properties["INFERENCE_PRECISION_HINT"] = "f32";
  made->properties.try_emplace("NUM_STREAMS", made->properties["PERFORMANCE_HINT"] == "THROUGHPUT" ? "2" : "1");
  made->properties["OPTIMAL_NUMBER_OF_INFER_REQUESTS"] = std::to_string(2 * std::stoi(made->properties["NUM_STREAMS"]));
  *compiled = made;
  return OK;
}

ov_status_e ov_model_inputs_size(const ov_model_t*, std::size_t* n) {
  *n = 1;
  return OK;
}
ov_status_e ov_model_outputs_size(const ov_model_t*, std::size_t* n) {
  *n = 1;
  return OK;
}
ov_status_e ov_model_const_input_by_index(const ov_model_t* m, const std::size_t, ov_output_const_port_t** port) {
  *port = new_port(false, m->batch);
  return OK;
}
ov_status_e ov_model_const_output_by_index(const ov_model_t* m, const std::size_t, ov_output_const_port_t** port) {
  *port = new_port(true, m->batch);
  return OK;
}
ov_status_e ov_model_reshape(const ov_model_t* m, const char**, const ov_partial_shape_t* shapes, std::size_t) {
  const_cast<ov_model_t*>(m)->batch = shapes[0].dims[0].max;
  return OK;
}
void ov_model_free(ov_model_t* m) {
  delete m;
}

ov_status_e ov_port_get_any_name(const ov_output_const_port_t* port, char** name) {
  *name = copy_of(port->output ? "y" : "x");
  return OK;
}
ov_status_e ov_port_get_element_type(const ov_output_const_port_t*, ov_element_type_e* type) {
  *type = F32;
  return OK;
}
ov_status_e ov_port_get_partial_shape(const ov_output_const_port_t* port, ov_partial_shape_t* shape) {
  shape->rank = {2, 2};
  shape->dims = new ov_dimension_t[2]{{port->batch, port->batch}, {kWidth, kWidth}};
  if (port->batch < 0) shape->dims[0] = {0, -1};
  return OK;
}
void ov_output_const_port_free(ov_output_const_port_t* port) {
  delete port;
}
ov_status_e ov_partial_shape_create_static(const std::int64_t rank, const std::int64_t* dims,
                                           ov_partial_shape_t* shape) {
  shape->rank = {rank, rank};
  shape->dims = new ov_dimension_t[static_cast<std::size_t>(rank)];
  for (std::int64_t i = 0; i < rank; ++i) shape->dims[i] = {dims[i], dims[i]};
  return OK;
}
void ov_partial_shape_free(ov_partial_shape_t* shape) {
  delete[] shape->dims;
}
ov_status_e ov_shape_create(const std::int64_t rank, const std::int64_t* dims, ov_shape_t* shape) {
  shape->rank = rank;
  shape->dims = new std::int64_t[static_cast<std::size_t>(rank)];
  std::copy_n(dims, rank, shape->dims);
  return OK;
}
ov_status_e ov_shape_free(ov_shape_t* shape) {
  delete[] shape->dims;
  return OK;
}

ov_status_e ov_compiled_model_outputs_size(const ov_compiled_model_t*, std::size_t* n) {
  *n = 1;
  return OK;
}
ov_status_e ov_compiled_model_output_by_index(const ov_compiled_model_t* c, const std::size_t,
                                              ov_output_const_port_t** port) {
  *port = new_port(true, c->batch);
  return OK;
}
ov_status_e ov_compiled_model_get_property(const ov_compiled_model_t* c, const char* key, char** value) {
  const auto it = c->properties.find(key);
  if (it == c->properties.end()) return refuse("the fake has no such property");
  *value = copy_of(it->second);
  return OK;
}
ov_status_e ov_compiled_model_create_infer_request(const ov_compiled_model_t*, ov_infer_request_t** request) {
  static int made = 0;
  *request = new ov_infer_request;
  (*request)->number = made++;
  return OK;
}
void ov_compiled_model_free(ov_compiled_model_t* c) {
  delete c;
}

ov_status_e ov_infer_request_set_input_tensor_by_index(ov_infer_request_t* r, std::size_t, const ov_tensor_t* t) {
  r->x = *t;
  return OK;
}
ov_status_e ov_infer_request_set_output_tensor_by_index(ov_infer_request_t* r, std::size_t, const ov_tensor_t* t) {
  r->y = *t;
  return OK;
}
ov_status_e ov_infer_request_get_output_tensor_by_index(const ov_infer_request_t* r, std::size_t, ov_tensor_t** t) {
  *t = new ov_tensor(r->y);
  return OK;
}
ov_status_e ov_infer_request_infer(ov_infer_request_t* r) {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return compute(*r);
}
ov_status_e ov_infer_request_set_callback(ov_infer_request_t* r, const ov_callback_t* callback) {
  r->callback = callback;
  return OK;
}
// One that is still running is refused, as the library does.
ov_status_e ov_infer_request_start_async(ov_infer_request_t* r) {
  if (has_fault("start")) return refuse("the fake starts nothing");
  if (r->running.valid()) return refuse("Infer Request is busy");
  r->running = std::async(std::launch::async, [r] {
    std::this_thread::sleep_for(time_of(*r));
    const ov_status_e status = compute(*r);
    if (r->callback) r->callback->callback_func(r->callback->args);
    return status;
  });
  return OK;
}
ov_status_e ov_infer_request_wait(ov_infer_request_t* r) {
  return r->running.valid() ? r->running.get() : OK;
}
ov_status_e ov_infer_request_get_profiling_info(const ov_infer_request_t*, ov_profiling_info_list_t* list) {
  using Info = ov_profiling_info_t;
  list->size = 2;
  list->profiling_infos = new Info[2]{{Info::EXECUTED, 7, 6, "r", "jit_avx2_f32", "ReLU"},
                                      {Info::OPTIMIZED_OUT, 0, 0, "y/sink", "undef", "Result"}};
  return OK;
}
void ov_profiling_info_list_free(ov_profiling_info_list_t* list) {
  delete[] list->profiling_infos;
}
void ov_infer_request_free(ov_infer_request_t* r) {
  delete r;
}

ov_status_e ov_tensor_create_from_host_ptr(const ov_element_type_e, const ov_shape_t shape, void* data,
                                           ov_tensor_t** t) {
  *t = new ov_tensor{{shape.dims, shape.dims + shape.rank}, static_cast<float*>(data)};
  return OK;
}
void ov_tensor_free(ov_tensor_t* t) {
  delete t;
}
ov_status_e ov_tensor_data(const ov_tensor_t* t, void** data) {
  *data = t->data;
  return OK;
}
ov_status_e ov_tensor_get_byte_size(const ov_tensor_t* t, std::size_t* bytes) {
  *bytes = static_cast<std::size_t>(t->dims[0] * kWidth) * sizeof(float);
  return OK;
}
ov_status_e ov_tensor_get_element_type(const ov_tensor_t*, ov_element_type_e* type) {
  *type = F32;
  return OK;
}
ov_status_e ov_tensor_get_shape(const ov_tensor_t* t, ov_shape_t* shape) {
  return ov_shape_create(2, t->dims.data(), shape);
}

}  // extern "C"
