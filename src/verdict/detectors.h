// SPDX-License-Identifier: Apache-2.0
// The detectors, one function each: a record in, a finding or nothing out, or one for each metric that has it.
// docs/findings.md has a section for each; the table is in judge.cc.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <strobe/record.h>

namespace strobe {

// A warning only when the estimated effect on a metric exceeds what that metric's own interval admits anyway, and 1 %.
// Without a name it is the headline.
Severity by_effect(double effect, const Record&, std::string_view metric = {});
double tolerance(const Record&, std::string_view metric = {});
Severity by_effect(double effect, const Metric&);  // of a reading of a case
// Of what the host did, by the steadiest of what it takes part in: the noise of one metric hides nothing in another.
Severity by_effect_on_host(double effect, const Record&);

// How many samples there are, and what they can carry (sample_detectors.cc).
std::optional<Finding> no_sample(const Record&);
std::optional<Finding> one_sample(const Record&);
std::optional<Finding> too_few_samples(const Record&);
std::optional<Finding> not_converged(const Record&);
std::optional<Finding> autocorrelated(const Record&);
std::optional<Finding> timer_resolution(const Record&);
std::optional<Finding> outliers(const Record&);

// What changes over time (time_detectors.cc): of each metric that carries the result.
std::vector<Finding> no_warm_up(const Record&);
std::vector<Finding> drift(const Record&);
std::vector<Finding> level_shift(const Record&);
std::vector<Finding> bimodal(const Record&);
std::vector<Finding> pass_coupling(const Record&);

// How the clock was used (method_detectors.cc).
std::optional<Finding> one_pass(const Record&);
std::optional<Finding> gate_unsafe(const Record&);
std::optional<Finding> gate_leak(const Record&);
std::optional<Finding> work_escaped(const Record&);
std::optional<Finding> marks_cost(const Record&);

// What was run (workload_detectors.cc).
std::optional<Finding> empty_callable(const Record&);
std::optional<Finding> same_input(const Record&);
std::optional<Finding> low_entropy_input(const Record&);
std::optional<Finding> small_integers(const Record&);
std::optional<Finding> odd_values(const Record&);
std::optional<Finding> output_mismatch(const Record&);
std::optional<Finding> equal_outputs(const Record&);
std::optional<Finding> wrong_output(const Record&);
std::optional<Finding> host_bound(const Record&);
std::optional<Finding> slow_stream(const Record&);
std::optional<Finding> slow_after_pause(const Record&);

// What the operating system did in the window (window_detectors.cc).
std::optional<Finding> loads_inside_timing(const Record&);
std::optional<Finding> page_faults(const Record&);
std::optional<Finding> preempted(const Record&);
std::optional<Finding> cpu_limited(const Record&);

// On what (machine_detectors.cc).
std::optional<Finding> noisy_host(const Record&);
std::optional<Finding> one_launch(const Record&);
std::optional<Finding> debug_build(const Record&);
std::optional<Finding> governor(const Record&);
std::optional<Finding> load(const Record&);
std::optional<Finding> cgroup_quota(const Record&);
std::optional<Finding> virtual_machine(const Record&);
std::optional<Finding> smt(const Record&);

// Memory (memory_detectors.cc).
std::optional<Finding> memory_grows(const Record&);
std::optional<Finding> swapped_out(const Record&);
std::optional<Finding> small_shared_memory(const Record&);
std::optional<Finding> huge_pages(const Record&);

// What the device was doing (device_detectors.cc).
std::optional<Finding> throttled(const Record&);
std::optional<Finding> power_capped(const Record&);
std::optional<Finding> clock_not_held(const Record&);
std::optional<Finding> clocks_differ(const Record&);
std::optional<Finding> other_process(const Record&);
std::optional<Finding> shared_gpu(const Record&);
std::optional<Finding> profiler_attached(const Record&);
std::optional<Finding> numa_remote(const Record&);
std::optional<Finding> allocates_inside_timing(const Record&);
std::optional<Finding> reduced_math(const Record&);
std::optional<Finding> cpu_fallback(const Record&);
std::optional<Finding> pageable_copy(const Record&);
std::optional<Finding> impossible(const Record&);
std::optional<Finding> power_limit(const Record&);
std::optional<Finding> persistence(const Record&);
std::optional<Finding> other_device(const Record&);
std::optional<Finding> persisting_cache(const Record&);

// How energy was read, and what else is in it (energy_detectors.cc).
std::optional<Finding> energy_windows(const Record&);
std::optional<Finding> energy_shared(const Record&);
std::optional<Finding> energy_baseline(const Record&);
// What a tracer saw of a device (trace_detectors.cc).
std::optional<Finding> lost_records(const Record&);
std::optional<Finding> another_profiler(const Record&);
std::optional<Finding> kernel_list_differs(const Record&);

// What Python saw of a callable (callable_detectors.cc).
std::optional<Finding> training_mode(const Record&);
std::optional<Finding> autograd_on(const Record&);
std::optional<Finding> compiled_meanwhile(const Record&);
std::optional<Finding> allocator_retries(const Record&);
std::optional<Finding> cudnn_benchmark(const Record&);
std::optional<Finding> other_threads(const Record&);

// What the parts of somebody else's time say about it (foreign_detectors.cc).
std::optional<Finding> copies_inside_reading(const Record&);
std::optional<Finding> submit_fills_span(const Record&);

// What repeats within a search say (search_detectors.cc).
std::optional<Finding> trials_disagree(const Record&);

// What timing did to a pipeline (pipeline_detectors.cc).
std::optional<Finding> disturbed(const Record&);
std::optional<Finding> stage_waits(const Record&);

// Of one way to time, against the references in the same record (method_detectors.cc).
std::optional<Finding> unsynchronized(const Record&, const Case&);
std::optional<Finding> queue_full(const Record&, const Case&);
std::optional<Finding> no_warm_up(const Record&, const Case&);
std::optional<Finding> copy_inside_timing(const Record&, const Case&);
std::optional<Finding> kernel_launch_gaps(const Record&, const Case&);
std::optional<Finding> cache_hot(const Record&, const Case&);
std::optional<Finding> same_input(const Record&, const Case&);

}  // namespace strobe
