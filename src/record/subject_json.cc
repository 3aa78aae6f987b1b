// SPDX-License-Identifier: Apache-2.0
// What was run, and on what: of the record, and of each candidate of a comparison.
#include "record/json_fields.h"

namespace strobe::record_json {
namespace {

Json write(const std::vector<TensorInfo>& tensors) {
  Json list = Json::array();
  for (const TensorInfo& t : tensors) {
    Json j{{"name", t.name}, {"type", t.type}, {"shape", t.shape}};
    if (!t.source.empty()) j["source"] = t.source;
    list.push_back(std::move(j));
  }
  return list;
}

void read(const Reader& r, const char* key, std::vector<TensorInfo>& tensors) {
  r.each(key, [&](const Json& x, const std::string& p) {
    const Reader t(x, p);
    TensorInfo& info = tensors.emplace_back();
    t.get("name", info.name);
    t.get("type", info.type);
    t.get("shape", info.shape);
    t.get("source", info.source);
  });
}

Json write(const std::vector<ModelFile>& files) {
  Json list = Json::array();
  for (const ModelFile& f : files) {
    Writer w;
    w.put("name", f.name);
    w.put("sha256", f.sha256);
    list.push_back(w.json);
  }
  return list;
}

void read(const Reader& r, const char* key, std::vector<ModelFile>& files) {
  r.each(key, [&](const Json& x, const std::string& p) {
    const Reader f(x, p);
    ModelFile& file = files.emplace_back();
    f.get("name", file.name);
    f.get("sha256", file.sha256);
  });
}

}  // namespace

Json write(const ModelInfo& m) {
  Writer w;
  w.put("path", m.path);
  w.put("name", m.name);
  w.put("sha256", m.sha256);
  w.put("runtime", m.runtime);
  w.put("runtime_version", m.runtime_version);
  w.put("inputs", write(m.inputs));
  w.put("outputs", write(m.outputs));
  w.put("parameters", m.parameters);
  w.put("facts", write(m.facts));
  w.put("files", write(m.files));
  return w.json;
}

void read(const Json& j, const std::string& path, ModelInfo& m) {
  const Reader r(j, path);
  r.get("path", m.path);
  r.get("name", m.name);
  r.get("sha256", m.sha256);
  r.get("runtime", m.runtime);
  r.get("runtime_version", m.runtime_version);
  read(r, "inputs", m.inputs);
  read(r, "outputs", m.outputs);
  r.get("parameters", m.parameters);
  r.with("facts", [&](const Json& x, const std::string& p) { read(x, p, m.facts); });
  read(r, "files", m.files);
}

Json write(const DeviceInfo& d) {
  Writer w;
  w.put("kind", d.kind);
  w.put("name", d.name);
  w.put("asynchronous", d.asynchronous);
  w.put("facts", write(d.facts));
  w.put("calibration", write(d.calibration));
  return w.json;
}

void read(const Json& j, const std::string& path, DeviceInfo& d) {
  const Reader r(j, path);
  r.get("kind", d.kind);
  r.get("name", d.name);
  r.get("asynchronous", d.asynchronous);
  r.with("facts", [&](const Json& x, const std::string& p) { read(x, p, d.facts); });
  r.with("calibration", [&](const Json& x, const std::string& p) { read(x, p, d.calibration); });
}

}  // namespace strobe::record_json
