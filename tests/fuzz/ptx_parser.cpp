// libFuzzer target: any text must be parsed or refused with an Error; what is parsed must survive all that is
// made of it. Build and run by tests/fuzz/run.sh.
#include <cstdint>

#include "core/error.hpp"
#include "ptx/executed.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace dojo;
  try {
    auto module = ptx::parse(std::string(reinterpret_cast<const char*>(data), size), "step.cu");
    std::string stripped = ptx::strip_host(*module);
    if (stripped.size() != size) __builtin_trap();
    for (auto& f : module->functions) {
      auto shape = ptx::estimate_shape(*module, f);
      std::vector<ptx::Visited> visited(f.code.size(), ptx::Visited{3, 70, 1});
      if (f.defined) ptx::count_executed(shape, f, visited);
      for (auto& i : f.code) module->place(i);
    }
  } catch (const Error&) {
  }
  return 0;
}
