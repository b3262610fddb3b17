#include "simt/machine/const_inputs.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace dojo::simt {
namespace {

/// Which parameters are pointers to const, by the mangled name: "k(float const*, int*)". Empty when
/// unreadable.
std::vector<bool> const_pointers(const std::string& mangled) {
  int status = 0;
  char* text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  if (!text) return {};
  std::string s = text;
  std::free(text);
  const size_t end = s.rfind(')');
  if (end == std::string::npos) return {};
  std::vector<bool> out;
  size_t stop = end;
  int depth = 0;
  auto add = [&](size_t from, size_t to) {
    std::string p = s.substr(from, to - from);
    if (const size_t r = p.find(" __restrict"); r != std::string::npos) p.resize(r);
    out.push_back(p.ends_with(" const*"));
  };
  for (size_t i = end; i-- > 0;) {
    const char c = s[i];
    if (c == ')' || c == '>' || c == ']') ++depth;
    if ((c == '(' || c == '<' || c == '[') && depth-- == 0) {
      add(i + 1, stop);
      std::reverse(out.begin(), out.end());
      return out;
    }
    if (c == ',' && depth == 0) {
      add(i + 1, stop);
      stop = i;
    }
  }
  return {};
}

}  // namespace

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
