// SPDX-License-Identifier: Apache-2.0
// What the sessions of all runtimes have in common: planned inputs and their values in every input set, copies between
// host and device, checks of the outputs, the description. A runtime derives its session from this. Its constructor
// loads the model and ends with prepare(); the virtual functions at the end of the class are the rest of what it
// writes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <strobe/error.h>

#include "workload/runtime/host_twins.h"
#include "workload/runtime/runtime.h"
#include "workload/tensor/input_plan.h"
#include "workload/tensor/output_check.h"

namespace strobe {

class SessionBase : public Session {
 public:
  SessionBase(const SessionBase&) = delete;
  SessionBase& operator=(const SessionBase&) = delete;

  void submit(std::size_t request) final;
  Stream& stream() final { return *stream_; }
  std::size_t items() const final { return items_; }
  std::size_t input_sets() const final { return sets_.size(); }
  std::size_t copy_in(std::size_t request, Stream& on, HostMemory) final;
  std::size_t copy_out(std::size_t request, Stream& on, HostMemory) final;
  std::optional<OutputCheck> check() final;
  void check_again(OutputCheck&) final;
  ModelInfo info() const final;
  std::optional<ValueShares> input_values() const final;
  std::optional<std::uint64_t> input_bytes() const final;
  std::vector<std::vector<std::byte>> outputs(std::size_t set) final { return bytes_of(outputs_of(set)); }

  // Runs an input set and gives what came out.
  Outputs outputs_of(std::size_t set);
  // Of the same requests in another form: `run` gives their outputs.
  using Run = std::function<Outputs(std::size_t set)>;
  OutputCheck check_form(const Run& run) const;
  std::string why_graph_differs(const Run& run);  // empty: it does not
  // Each input set is captured: so many graphs take long, and memory that nobody has counted. Empty: they are few.
  std::string why_too_many_graphs() const;

 protected:
  // Where the tensors of one input set are.
  struct SetMemory {
    std::vector<std::span<std::byte>> inputs;  // in the order of planned()
    std::vector<OutputView> outputs;           // those that every request writes to the same place
  };

  // The runtime outlives its sessions. Without a stream of the runtime's own it is the one of the options, or a new
  // one.
  SessionBase(const Runtime&, const ModelOptions&, Device&, std::unique_ptr<Stream> of_runtime = nullptr);

  // Plans the inputs and makes the input sets. Throws Error, about memory before any is used.
  void prepare(const std::vector<DeclaredInput>&);

  // For bind(). Memory on the device that lives as long as the session; the same with an input's values; values alone.
  std::span<std::byte> new_buffer(std::size_t bytes);
  std::span<std::byte> new_input(const PlannedInput&, std::size_t set);
  void fill(const PlannedInput&, std::span<std::byte> to, std::size_t set);

  // Waits for what was submitted, as every destructor must first; false: the device is lost.
  bool drain() noexcept;

  const Runtime& runtime() const { return runtime_; }
  const ModelOptions& options() const { return options_; }
  Device& device() const { return device_; }
  const std::vector<PlannedInput>& planned() const { return planned_; }
  const SetMemory& memory(std::size_t set) const { return sets_[set].memory; }

  // What a runtime writes. Whatever these throw becomes an Error by error_from.

  virtual Error error_from(const std::exception&, const std::string& what) const = 0;
  // Makes the tensors of an input set, before anything is measured; called once for each, in order.
  virtual SetMemory bind(std::size_t set) = 0;
  // One request of an input set. It neither allocates nor copies what bind() could.
  virtual void run(std::size_t set) = 0;
  // Adds outputs, number of parameters and facts. Before the first request a shape may be unknown (-1).
  virtual void describe(ModelInfo&) const = 0;

  // And what it writes only where the default does not do.

  // Of one input set, as far as they are known before a request.
  virtual std::uint64_t output_bytes() const { return 0; }
  // Adds what is to be copied to the host after a request; the copy follows on that stream. Default: what bind() gave.
  virtual void find_outputs(std::size_t set, Stream& on, std::vector<OutputView>& found);
  // All outputs of the last request, for comparisons. Default: a copy of those that find_outputs() finds.
  virtual Outputs read_outputs(std::size_t set);

 private:
  struct Set {
    SetMemory memory;
    HostTwins twins;
  };
  Bytes bytes_of_a_set() const;
  void check_memory(std::size_t sets) const;
  void touch_outputs();
  void poison(const Set&);
  std::string about(const char* what) const;
  template <class F>
  auto translated(const char* what, F&& f) const;

  const Runtime& runtime_;
  ModelOptions options_;
  Device& device_;
  bool own_memory_;  // the device has, apart from the host's
  std::unique_ptr<Stream> stream_;
  std::vector<Buffer> buffers_;
  std::vector<PlannedInput> planned_;
  std::vector<Set> sets_;
  std::vector<OutputView> found_;  // kept, so that a copy does not allocate
  std::size_t items_ = 1;
  Outputs first_outputs_;  // of the first set, when they were checked
};

}  // namespace strobe
