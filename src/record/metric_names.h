// SPDX-License-Identifier: Apache-2.0
// The names of Strobe's own metrics, as records and options spell them; what each is, is in `record/metric_info.h`.
#pragma once

namespace strobe::metric {

inline constexpr char latency[] = "latency";
inline constexpr char submit[] = "submit";
inline constexpr char span[] = "span";
inline constexpr char device_time[] = "device_time";
inline constexpr char replay_time[] = "replay_time";
inline constexpr char replay_latency[] = "replay_latency";
inline constexpr char replay_throughput[] = "replay_throughput";
inline constexpr char period[] = "period";
inline constexpr char throughput[] = "throughput";
inline constexpr char latency_loaded[] = "latency_loaded";
inline constexpr char copy_in[] = "copy_in";
inline constexpr char copy_in_pageable[] = "copy_in_pageable";
inline constexpr char copy_out[] = "copy_out";
inline constexpr char copy_out_pageable[] = "copy_out_pageable";
inline constexpr char end_to_end[] = "end_to_end";
inline constexpr char union_time[] = "union_time";
inline constexpr char busy[] = "busy";
inline constexpr char inter_kernel[] = "inter_kernel";
inline constexpr char waiting[] = "waiting";
inline constexpr char first_request[] = "first_request";
inline constexpr char reading[] = "reading";
inline constexpr char memory[] = "memory";
inline constexpr char energy[] = "energy";
inline constexpr char energy_net[] = "energy_net";
inline constexpr char items_per_joule[] = "items_per_joule";
inline constexpr char power[] = "power";
inline constexpr char idle_power[] = "idle_power";

}  // namespace strobe::metric
