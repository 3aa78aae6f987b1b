#include "workload/builtin.h"

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "workload/callable.h"

namespace strobe {

std::unique_ptr<Workload> make_builtin(std::string_view text, Device& device) {
  const std::size_t eq = text.find('=');
  const std::string_view kind = text.substr(0, eq);
  if (kind == "null" && eq == std::string_view::npos) return std::make_unique<Callable>([] {}, device.stream(), 1);
  if (eq != std::string_view::npos && (kind == "spin" || kind == "sleep")) {
    const nanoseconds length = parse_time(text.substr(eq + 1), fmt::format("work:{}", kind));
    Clock& clock = device.clock();
    if (kind == "sleep")
      return std::make_unique<Callable>([&clock, length] { clock.sleep(length); }, device.stream(), 1);
    const auto spin = [&clock, length] {
      const nanoseconds end = clock.now() + length;
      while (clock.now() < end) {
      }
    };
    return std::make_unique<Callable>(spin, device.stream(), 1);
  }
  throw Error(ErrorCode::usage, fmt::format("unknown work 'work:{}'", text.substr(0, 40)), {},
              "Take work:null, work:spin=100us or work:sleep=1ms.");
}

}  // namespace strobe
