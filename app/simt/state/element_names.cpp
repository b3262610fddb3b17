#include "simt/state/element_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "core/text/numbers.hpp"
#include "ptx/lines/source_variables.hpp"
#include "simt/state/launch_names.hpp"

namespace dojo::simt {
namespace {

std::string index_text(const Dim3& extent, const Dim3& at) {
  return extent.y == 1 && extent.z == 1 ? fmt::format("{}", at.x)
                                        : fmt::format("({},{},{})", at.x, at.y, at.z);
}

/// Bytes of one element where an access is made; 0: not known. Host code loads and stores element by element.
uint32_t element_bytes(const Exec& x, const Inst* p) {
  if (!p) return 0;
  if (x.host) return p->width;
  if (!x.grid) return 0;
  std::set<uint32_t> sizes;
  for (const std::string& type : ptx::parameter_types(x.grid->code->fn->name))
    if (const std::string to = pointee_of(type); !to.empty())
      sizes.insert(to.back() == '*' ? 8 : known_type_bytes(to));
  const uint32_t all = uint32_t(p->width) * p->count;
  if (sizes.size() == 1) return *sizes.begin();
  if (sizes.empty() || sizes.count(0)) return 0;
  return sizes.count(all) ? all : sizes.count(p->width) ? p->width : 0;
}

bool is_plain(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '.' || c == ':' || c == '[' || c == ']';
  });
}

std::string region_name(const Region& r) {
  if (r.name.empty()) return to_string(r.owner);
  return r.owner == Owner::device_global || r.owner == Owner::constant ? plain_name(r.name) : r.name;
}

std::string indexed(const std::string& name, bool flat, int64_t first, int64_t last,
                    const std::string& member = {}) {
  if (flat)
    return first == last ? fmt::format("{}[{}]{}", name, first, member)
                         : fmt::format("{}[{}] to {}[{}]", name, first, name, last);
  return first == last ? fmt::format("element {} of {}", first, name)
                       : fmt::format("elements {} to {} of {}", first, last, name);
}

/// What an address is counted from: a pointer of the launch, or the allocation itself.
struct Holder {
  std::string name, pointee, other;  ///< other: a second parameter with the same address
  uint64_t start = 0;
  bool of_launch = false;
};

Holder holder_of(const Exec& x, const Inst* p, const LaunchNames* names, const Region& r) {
  Holder whole{region_name(r), {}, {}, r.base, false};
  if (!names) return whole;
  std::vector<const LaunchPointer*> all = names->into(r);
  std::erase_if(all, [](const LaunchPointer* q) { return q->name.empty(); });
  const LaunchPointer* from = p ? names->origin(x, p) : nullptr;
  if (from && std::find(all.begin(), all.end(), from) == all.end()) from = nullptr;
  if (!from && !all.empty() &&
      std::all_of(all.begin(), all.end(), [&](auto* q) { return q->value == all[0]->value; }))
    from = all[0];
  if (!from) return whole;
  Holder out{from->name, from->pointee, {}, from->value, true};
  if (p && !names->origin(x, p))
    for (const LaunchPointer* q : all)
      if (q != from && out.other.empty()) out.other = q->name;
  return out;
}

/// "data[2]", with what the host calls it where that differs: "data[2] (the host's in[514])".
std::string relative(const Exec& x, const Inst* p, const Region& r, uint64_t address, uint32_t bytes,
                     bool beside = true) {
  const auto names = names_here(x);
  const Holder h = holder_of(x, p, names ? &*names : nullptr, r);
  if (names && !h.of_launch)
    if (const auto d = declared_array(*names, h.name, r.size))
      if (std::string text = declared_element(*d, int64_t(address - r.base), bytes); !text.empty())
        return text;
  const bool variable = r.owner == Owner::device_global || r.owner == Owner::constant;
  if (!h.of_launch && variable && r.size <= bytes) return h.name;
  int64_t size = names && h.of_launch ? names->bytes_of(h.pointee) : 0;
  const bool own_type = size && !known_type_bytes(h.pointee) && h.pointee.back() != '*';
  if (!size) size = element_bytes(x, p);
  const int64_t offset = int64_t(address - h.start);
  if (!size) return {};
  const int64_t first = (offset >= 0 ? offset : offset - size + 1) / size, rest = offset - first * size;
  std::string member;
  if (own_type) {
    member = names->member(h.pointee, uint64_t(rest));
    if (rest && member.empty()) return {};
  } else if (rest) {
    return {};
  }
  const int64_t last = own_type ? first : first + std::max<int64_t>(1, int64_t(bytes) / size) - 1;
  // A variable of the module may have several dimensions, which its symbol does not tell.
  const bool flat = is_plain(h.name) && (h.of_launch || !variable);
  std::string text = indexed(h.name, flat, first, last, member);
  const std::string host = region_name(r);
  if (beside && !h.other.empty()) text += " (also " + indexed(h.other, true, first, last, member) + ")";
  const int64_t moved = int64_t(h.start - r.base);
  if (beside && h.of_launch && is_plain(host) && !r.name.empty() && (host != h.name || moved) &&
      moved % size == 0)
    text += fmt::format(" ({}{})", variable ? "" : "the host's ",
                        indexed(host, true, first + moved / size, last + moved / size, member));
  return text;
}

/// The allocation behind the parameter that an address is computed from, or null.
Region* region_behind(const Exec& x, const Inst* p) {
  const auto names = names_here(x);
  const LaunchPointer* from = names && p ? names->origin(x, p) : nullptr;
  return from ? x.memory->find(from->value) : nullptr;
}

/// Of an address that is computed from a parameter that is null: "x[3]" and "x is a null pointer".
bool name_null(const Exec& x, const Inst* p, uint64_t address, Overrun& out) {
  const auto names = names_here(x);
  const LaunchPointer* from = names && p ? names->origin(x, p) : nullptr;
  if (!from || from->value != 0 || from->name.empty()) return false;
  const uint32_t known = names->bytes_of(from->pointee), size = known ? known : element_bytes(x, p);
  if (!size || address % size) return false;
  out.element = fmt::format("{}[{}]", from->name, int64_t(address) / int64_t(size));
  out.extent = from->name + " is a null pointer";
  return true;
}

}  // namespace

std::string plain_name(std::string_view symbol) {
  std::string name = ptx::demangled(std::string(symbol));
  if (const size_t at = name.rfind("::"); at != std::string::npos) name.erase(0, at + 2);
  return name;
}

std::string thread_name(const Dim3& block, const Dim3& thread) {
  return "thread " + index_text(block, thread);
}
std::string block_name(const Dim3& grid, const Dim3& block) { return "block " + index_text(grid, block); }

std::string lane_name(const Exec& x, uint32_t lane) {
  const Grid& g = *x.grid;
  const std::string thread = thread_name(g.block, g.block.at(thread_index(x, int(lane))));
  return g.grid.count() == 1 ? thread : thread + " of " + block_name(g.grid, x.block->index);
}

std::string subject(const Exec& x, uint32_t lane) {
  if (x.host || !x.grid || !x.block) return "Host code";
  std::string text = lane_name(x, lane);
  text[0] = 'T';
  return text;
}

std::string element_name(const Exec& x, const Inst* p, uint64_t address, uint32_t bytes) {
  const Region* r = x.memory->find(address);
  const std::string element = r ? relative(x, p, *r, address, bytes) : std::string();
  return element.empty() ? byte_name(x, p, address) : element;
}

std::string byte_name(const Exec& x, const Inst* p, uint64_t address) {
  std::string text = x.memory->describe(address);
  const Region* r = region_behind(x, p);
  if (!r) r = x.memory->nearest(address);
  const auto names = names_here(x);
  if (!r || !names) return text;
  const std::string host = r->name.empty() ? to_string(r->owner) : r->name;
  const Holder h = holder_of(x, p, &*names, *r);
  if (!h.of_launch || h.start != r->base || h.name == host || !text.starts_with(host + " ")) return text;
  const bool named = !r->name.empty() && is_plain(host);
  return h.name + text.substr(host.size()) + (named ? "; " + h.name + " is the host's " + host : "");
}

std::string watched_name(const Exec& x, const Inst* p, uint64_t address, uint32_t bytes) {
  if (window::in(address, window::shared)) {
    Inst like = *p;
    like.width = uint8_t(bytes), like.count = 1;
    return shared_name(x, &like, address - window::shared, bytes);
  }
  const Region* r = x.memory->find(address);
  if (!r || r->name.empty() || !bytes || (address - r->base) % bytes) return x.memory->describe(address);
  const std::string element = relative(x, nullptr, *r, address, bytes);
  if (!element.empty()) return element;
  const std::string name = region_name(*r);
  return r->size <= bytes ? name : fmt::format("{}[{}]", name, (address - r->base) / bytes);
}

std::string handle_name(const Exec& x, uint64_t handle, const std::string& host) {
  const auto names = names_here(x);
  const std::string name = names ? names->handle(handle) : std::string();
  if (name.empty() || name == host) return host;
  return is_plain(host) ? fmt::format("{} (the host's {})", name, host) : name;
}

std::vector<NamedPart> named_parts(const Exec& x, const Region& r) {
  std::vector<NamedPart> parts = {{r.base, r.size, region_name(r)}};
  const auto names = names_here(x);
  if (!names) return parts;
  std::vector<const LaunchPointer*> all = names->into(r);
  std::erase_if(all, [&](auto* q) { return q->name.empty() || q->value == r.base + r.size; });
  std::stable_sort(all.begin(), all.end(), [](auto* a, auto* b) { return a->value < b->value; });
  bool first = true;
  for (const LaunchPointer* q : all) {
    if (q->value != parts.back().base)
      parts.push_back({q->value, r.base + r.size - q->value, q->name});
    else
      parts.back().name = parts.size() == 1 && first ? q->name : parts.back().name + ", " + q->name;
    first = false;
  }
  return parts;
}

Overrun overrun(const Exec& x, const Inst* p, uint64_t address, uint32_t bytes) {
  Overrun out;
  const Region* r = region_behind(x, p);
  if (!r && name_null(x, p, address, out)) return out;
  if (!r) {
    // Without it, a neighbour more than a megabyte away would mislead more than it explains.
    constexpr int64_t near = 1 << 20;
    r = x.memory->nearest(address);
    if (!r) return out;
    const int64_t before = int64_t(r->base - address), behind = int64_t(address - (r->base + r->size));
    if (before > near || behind > near) return out;
  }
  if (r->freed || r->contains(address, bytes)) return out;
  out.element = relative(x, p, *r, address, bytes, false);
  if (out.element.empty()) return out;
  const auto names = names_here(x);
  const Holder h = holder_of(x, p, names ? &*names : nullptr, *r);
  const std::string host = region_name(*r);
  const auto d = names && !h.of_launch ? declared_array(*names, h.name, r->size) : std::nullopt;
  uint32_t size = names && h.of_launch ? names->bytes_of(h.pointee) : 0;
  if (!size) size = d ? uint32_t(d->element_bytes) : element_bytes(x, p);
  const uint64_t n = size ? r->size / size : 0;
  const std::string count =
      d ? extents_text(*d) : fmt::format("{} element{}", grouped(double(n)), n == 1 ? "" : "s");
  const bool named = !r->name.empty() && is_plain(host), at_start = h.start == r->base;
  if (!h.of_launch || (at_start && (!named || host == h.name)))
    out.extent = fmt::format("{} has {}", h.name, count);
  else if (at_start)
    out.extent = fmt::format("{} is the host's {} and has {}", h.name, host, count);
  else
    out.extent = fmt::format("{} points to element {} of {}{}", h.name, size ? (h.start - r->base) / size : 0,
                             named ? "the host's " + host + ", which has " : "an allocation of ", count);
  out.region = r;
  return out;
}

}  // namespace dojo::simt
