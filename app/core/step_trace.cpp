#include "core/step_trace.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "core/error.hpp"
#include "core/text/escape.hpp"

namespace dojo {
namespace {

/// Both ends are of one program: plain bytes will do.
struct Writer {
  std::string out;
  template <class T>
  void put(const T& v) {
    if constexpr (std::is_same_v<T, std::string>) {
      put(uint64_t(v.size()));
      out.append(v);
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      out.append(reinterpret_cast<const char*>(&v), sizeof v);
    }
  }
  template <class T>
  void put(const std::vector<T>& v) {
    put(uint64_t(v.size()));
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (!v.empty()) out.append(reinterpret_cast<const char*>(v.data()), v.size() * sizeof(T));
    }
  }
};

struct Reader {
  const std::string& in;
  size_t at = 0;
  void need(uint64_t n) {
    if (n > in.size() - at) throw Error("this trace is cut off");
  }
  template <class T>
  void get(T& v) {
    if constexpr (std::is_same_v<T, std::string>) {
      uint64_t n = 0;
      get(n);
      need(n);
      v.assign(in, at, n);
      at += n;
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      need(sizeof v);
      std::memcpy(static_cast<void*>(&v), in.data() + at, sizeof v);
      at += sizeof v;
    }
  }
  uint64_t count(size_t least_each) {
    uint64_t n = 0;
    get(n);
    if (n > (in.size() - at) / least_each) throw Error("this trace is cut off");
    return n;
  }
  template <class T>
  void get(std::vector<T>& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    v.resize(count(sizeof(T)));
    if (!v.empty()) std::memcpy(static_cast<void*>(v.data()), in.data() + at, v.size() * sizeof(T));
    at += v.size() * sizeof(T);
  }
};

/// What is read must only refer to what is there.
void check(const StepTrace& t) {
  auto bad = [] { throw Error("this trace contradicts itself"); };
  for (auto& s : t.steps)
    if (s.code >= t.code.size() || uint64_t(s.first_write) + s.writes > t.writes.size() ||
        (s.access ? uint64_t(s.access - 1) + s.access_count : s.access_count) > t.accesses.size() ||
        uint64_t(s.first_shared) + s.shared > t.shared_writes.size() || s.warp >= t.warps)
      bad();
  for (auto& w : t.writes)
    if (w.reg >= t.registers.size() || w.words < 1 || w.words > 2 ||
        uint64_t(w.first) + uint64_t(w.uniform ? 1 : std::popcount(w.mask)) * w.words > t.values.size())
      bad();
  for (auto& a : t.accesses)
    if (uint64_t(a.first) + uint64_t(std::popcount(a.mask)) > t.addresses.size()) bad();
  for (auto& c : t.code)
    for (auto* list : {&c.reads, &c.writes})
      for (uint32_t r : *list)
        if (r >= t.registers.size()) bad();
  for (auto& n : t.notes)
    if (n.step > t.steps.size()) bad();
}

}  // namespace

std::string encode_trace(const StepTrace& t) {
  Writer w;
  w.put(t.launch), w.put(t.block), w.put(t.most), w.put(t.skip);
  w.put(t.reached), w.put(t.ended), w.put(t.executed), w.put(t.kernel);
  w.put(t.grid), w.put(t.threads), w.put(t.index), w.put(t.warps), w.put(t.shared_bytes),
      w.put(t.shared_static);
  w.put(uint64_t(t.code.size()));
  for (auto& c : t.code) {
    w.put(c.text), w.put(c.file), w.put(c.function), w.put(c.line);
    w.put(c.reads), w.put(c.writes), w.put(c.branch), w.put(c.barrier);
  }
  w.put(uint64_t(t.registers.size()));
  for (auto& r : t.registers) w.put(r.name), w.put(r.shown), w.put(r.variable);
  w.put(t.steps), w.put(t.writes), w.put(t.values), w.put(t.accesses), w.put(t.addresses),
      w.put(t.shared_writes);
  w.put(uint64_t(t.notes.size()));
  for (auto& n : t.notes)
    w.put(n.step), w.put(n.line), w.put(n.warp), w.put(n.executed), w.put(std::string(to_string(n.kind))),
        w.put(n.text);
  w.put(uint64_t(t.regions.size()));
  for (auto& r : t.regions) w.put(r.base), w.put(r.bytes), w.put(r.name);
  return to_base64(w.out);
}

StepTrace decode_trace(const std::string& text) {
  const std::string bytes = from_base64(text);
  Reader r{bytes};
  StepTrace t;
  r.get(t.launch), r.get(t.block), r.get(t.most), r.get(t.skip);
  r.get(t.reached), r.get(t.ended), r.get(t.executed), r.get(t.kernel);
  r.get(t.grid), r.get(t.threads), r.get(t.index), r.get(t.warps), r.get(t.shared_bytes),
      r.get(t.shared_static);
  t.code.resize(r.count(40));
  for (auto& c : t.code) {
    r.get(c.text), r.get(c.file), r.get(c.function), r.get(c.line);
    r.get(c.reads), r.get(c.writes), r.get(c.branch), r.get(c.barrier);
  }
  t.registers.resize(r.count(17));
  for (auto& x : t.registers) r.get(x.name), r.get(x.shown), r.get(x.variable);
  r.get(t.steps), r.get(t.writes), r.get(t.values), r.get(t.accesses), r.get(t.addresses),
      r.get(t.shared_writes);
  t.notes.resize(r.count(34));
  for (auto& n : t.notes) {
    std::string kind;
    r.get(n.step), r.get(n.line), r.get(n.warp), r.get(n.executed), r.get(kind), r.get(n.text);
    n.kind = finding_kind(kind);
  }
  t.regions.resize(r.count(24));
  for (auto& x : t.regions) r.get(x.base), r.get(x.bytes), r.get(x.name);
  check(t);
  return t;
}

uint64_t value_of(const StepTrace& t, const StepTrace::Write& w, uint32_t lane) {
  const uint32_t k = w.uniform ? 0 : uint32_t(std::popcount(w.mask & ((1u << lane) - 1)));
  const size_t at = size_t(w.first) + size_t(k) * w.words;
  return w.words == 2 ? uint64_t(t.values[at + 1]) << 32 | t.values[at] : t.values[at];
}

uint64_t address_of(const StepTrace& t, const StepTrace::Access& a, uint32_t lane) {
  return t.addresses[a.first + uint32_t(std::popcount(a.mask & ((1u << lane) - 1)))];
}

std::string value_text(StepTrace::Shown shown, uint64_t bits) {
  auto real = [](double v, int digits) {
    if (std::isnan(v)) return std::string("nan");
    if (std::isinf(v)) return std::string(v > 0 ? "inf" : "-inf");
    return fmt::format("{:.{}g}", v, digits);
  };
  switch (shown) {
    case StepTrace::Shown::predicate:
      return bits ? "true" : "false";
    case StepTrace::Shown::float32:
      return real(std::bit_cast<float>(uint32_t(bits)), 6);
    case StepTrace::Shown::float64:
      return real(std::bit_cast<double>(bits), 8);
    case StepTrace::Shown::half:
      return real(half_to_float(uint16_t(bits)), 4);
    case StepTrace::Shown::wide: {
      const int64_t v = int64_t(bits);
      return v > -1000000000 && v < 1000000000 ? std::to_string(v) : fmt::format("{:#x}", bits);
    }
    default:
      return std::to_string(int32_t(uint32_t(bits)));
  }
}

std::string trace_to_json(const StepTrace& t) {
  using Json = nlohmann::ordered_json;
  static const char* spaces[] = {"shared", "global", "local", "constant", "parameter"};
  auto dim = [](const Dim3& d) { return Json::array({d.x, d.y, d.z}); };
  Json j = {{"schema", "warpdojo/trace/1"},
            {"kernel", t.kernel},
            {"launch", t.launch},
            {"grid", dim(t.grid)},
            {"threads", dim(t.threads)},
            {"block", dim(t.index)},
            {"warps", t.warps},
            {"shared_bytes", t.shared_bytes},
            {"skipped", t.skip},
            {"executed", t.executed},
            {"ended", t.ended}};
  Json steps = Json::array();
  for (auto& s : t.steps) {
    const auto& c = t.code[s.code];
    Json o = {{"warp", s.warp},
              {"file", c.file},
              {"line", c.line},
              {"ptx", c.text},
              {"mask", fmt::format("{:08x}", s.mask)}};
    if (s.waiting) o["waiting"] = fmt::format("{:08x}", s.waiting);
    if (s.flags & StepTrace::at_barrier) o["barrier"] = s.barrier;
    if (s.flags & StepTrace::diverged) o["diverged"] = true;
    for (uint32_t k = 0; k < s.writes; ++k) {
      const auto& w = t.writes[s.first_write + k];
      Json values = Json::array();
      for (uint32_t l = 0; l < 32; ++l)
        if (w.mask >> l & 1) values.push_back(value_text(t.registers[w.reg].shown, value_of(t, w, l)));
      o["writes"][t.registers[w.reg].name] = values;
    }
    for (uint32_t k = 0; k < s.access_count; ++k) {
      const auto& a = t.accesses[s.access - 1 + k];
      Json addresses = Json::array();
      for (uint32_t l = 0; l < 32; ++l)
        if (a.mask >> l & 1) addresses.push_back(address_of(t, a, l));
      o["accesses"].push_back({{"space", spaces[int(a.space)]},
                               {"store", bool(a.store)},
                               {"bytes", a.bytes},
                               {"wavefronts", a.wavefronts},
                               {"sectors", a.sectors},
                               {"addresses", addresses}});
    }
    steps.push_back(std::move(o));
  }
  j["steps"] = std::move(steps);
  j["variables"] = Json::object();
  for (auto& r : t.registers)
    if (!r.variable.empty()) j["variables"][r.name] = r.variable;
  j["findings"] = Json::array();
  for (auto& n : t.notes)
    j["findings"].push_back({{"step", n.step},
                             {"warp", n.warp},
                             {"line", n.line},
                             {"kind", to_string(n.kind)},
                             {"message", n.text}});
  return j.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace dojo
