#include "simt/machine/const_inputs.hpp"

#include <cstring>

namespace dojo::simt {

std::vector<bool> const_pointers(const std::string& symbol) {
  std::vector<bool> out;
  for (std::string type : ptx::parameter_types(symbol)) {
    if (const size_t r = type.find(" __restrict"); r != std::string::npos) type.resize(r);
    out.push_back(type.ends_with(" const*"));
  }
  return out;
}

/// Regions that the stores of a launch reach though only pointers to const lead there.
std::vector<Region*> promised_const(AddressSpace& memory, const Grid& g) {
  std::vector<Region*> out;
  if (!g.writes_known) return out;
  const ptx::Function& f = *g.code->fn;
  const auto& params = g.node->spec.params;
  for (Region* r : g.writes) {
    if (r->read_only || r->owner != Owner::device) continue;
    const std::vector<bool> is_const = const_pointers(f.name);
    if (is_const.size() != f.params.size()) return out;
    bool some = false, all = true;
    for (uint64_t o = 0; o + 8 <= params.size(); o += 8) {
      uint64_t address = 0;
      std::memcpy(&address, params.data() + o, 8);
      if (memory.find(address) != r) continue;
      bool here = false;
      for (size_t i = 0; i < f.params.size(); ++i) here |= f.params[i].offset == o && is_const[i];
      some |= here;
      all &= here;
    }
    if (some && all) out.push_back(r);
  }
  return out;
}

}  // namespace dojo::simt
