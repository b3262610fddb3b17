#include "host/state/unawaited.hpp"

#include <algorithm>

#include "host/runtime.hpp"
#include "host/state/pinned_memory.hpp"
#include "host/state/streams.hpp"
#include "simt/checks/host_view.hpp"
#include "simt/device/executed.hpp"
#include "simt/machine/const_inputs.hpp"

namespace dojo::host {
namespace {

/// PTX names of the managed variables that a function's code uses.
std::vector<std::string> managed_names(const ptx::Module& m, const ptx::Function& f) {
  std::vector<std::string> out;
  for (const ptx::Instruction& i : f.code)
    for (const ptx::Operand& o : i.operands)
      if (auto v = m.variable_by_name.find(o.name); !o.name.empty() && v != m.variable_by_name.end())
        if (m.variables[v->second].is_managed && std::find(out.begin(), out.end(), o.name) == out.end())
          out.push_back(o.name);
  return out;
}

}  // namespace

bool Unawaited::unordered(const simt::InFlight& f, uint64_t stream) const {
  if (f.stream == stream) return false;
  const auto waited = last_wait_.find(stream);
  if (waited != last_wait_.end() && waited->second >= f.order) return false;
  // The legacy default stream waits for all streams but non-blocking ones, and they for it.
  return f.stream && stream ? true : rt_.streams().non_blocking.count(f.stream ? f.stream : stream) > 0;
}

void Unawaited::note(Region& r, simt::InFlight f) {
  simt::note_in_flight(r, std::move(f));
  if (std::find(regions_.begin(), regions_.end(), r.base) == regions_.end()) regions_.push_back(r.base);
}

void Unawaited::clear() {
  for (uint64_t a : regions_)
    if (Region* r = rt_.memory().find(a)) simt::clear_in_flight(*r);
  regions_.clear();
}

void Unawaited::device_failed() {
  failed_ = true;
  clear();
}

Unawaited::Work Unawaited::take_work_before(uint64_t stream) {
  Work taken;
  for (uint64_t a : regions_) {
    Region* const r = rt_.memory().find(a);
    if (!r) continue;
    const std::span<const simt::InFlight> all = simt::in_flight(*r);
    std::vector<simt::InFlight> left(all.begin(), all.end());
    const auto ordered = std::stable_partition(left.begin(), left.end(),
                                               [&](const simt::InFlight& f) { return unordered(f, stream); });
    if (ordered == left.end()) continue;
    for (auto f = ordered; f != left.end(); ++f) taken.emplace_back(a, std::move(*f));
    left.erase(ordered, left.end());
    simt::clear_in_flight(*r);
    for (simt::InFlight& f : left) simt::note_in_flight(*r, std::move(f));
  }
  return taken;
}

void Unawaited::put_back(Work work) {
  for (auto& [base, f] : work)
    if (Region* r = rt_.memory().find(base); r && !r->freed) note(*r, std::move(f));
}

void Unawaited::note_result(uint64_t address) {
  Region* r = rt_.memory().find(address);
  if (failed_ || !r || r->freed || !r->data || simt::kernels_run(rt_.device())) return;  // see note_copy()
  for (const simt::InFlight& f : simt::in_flight(*r)) {
    const bool at_once = !r->on_device() || r->on_both();
    if (!f.writes || !(at_once || unordered(f, 0))) continue;
    Diagnostic d;
    d.severity = Severity::error;
    d.kind = FindingKind::race;
    d.where = f.where;
    d.message = "Race: " + f.what + " may still write " + r->name +
                " when the call returns, and its caller reads " +
                (at_once ? "it at once."
                         : "it by a copy in the default stream, which does not wait for this stream.") +
                " Wait for the stream before the end: cudaStreamSynchronize().";
    rt_.findings.push_back(std::move(d));
    return;
  }
}

void Unawaited::note_launch(const Call& c, const ptx::Function& kernel, const LaunchSpec& spec) {
  if (failed_) return;
  std::vector<Region*> regions;
  auto add = [&](Region* r) {
    if (!r || r->freed || !r->data || !r->on_device()) return;
    if (!r->on_both() && rt_.streams().live.empty()) return;  // one stream: its work is ordered
    if (std::find(regions.begin(), regions.end(), r) == regions.end()) regions.push_back(r);
  };
  const std::vector<bool> is_const = simt::const_pointers(kernel.name);
  const auto const_at = [&](size_t offset) {
    for (size_t i = 0; i < kernel.params.size() && i < is_const.size(); ++i)
      if (kernel.params[i].offset == offset) return bool(is_const[i]);
    return false;
  };
  std::vector<uint64_t> starts;    // by region: offset of the pointer that the kernel was given
  std::vector<Region*> not_const;  // some pointer that leads there lets the kernel write
  for (size_t o = 0; o + 8 <= spec.params.size(); o += 8) {
    uint64_t address = 0;
    std::memcpy(&address, spec.params.data() + o, 8);
    if (address < AddressSpace::host_base) continue;
    const size_t before = regions.size();
    Region* r = rt_.memory().find(address);
    add(r);
    if (regions.size() > before) starts.push_back(address - r->base);
    if (!const_at(o)) not_const.push_back(r);
  }
  const size_t by_pointer = regions.size();
  for (const std::string& name : managed_names(rt_.module(), kernel))
    add(rt_.memory().find(rt_.device().symbol(name)));
  if (regions.empty()) return;
  // See note_copy(): a kernel that waits for native code has nothing in flight that could be followed.
  if (rt_.native() &&
      std::any_of(regions.begin(), regions.end(), [](const Region* r) { return r->on_both(); }) &&
      simt::may_wait(rt_.device(), kernel))
    return;
  std::vector<Region*> written;
  const bool known = rt_.program() && simt::launch_writes(rt_.memory(), *rt_.program(), spec, &written);
  const uint64_t order = ++order_;
  const bool handshake = simt::kernels_run(rt_.device());  // see note_copy()
  starts.resize(regions.size());
  for (size_t i = 0; i < regions.size(); ++i) {
    Region* r = regions[i];
    // Where its code doesn't tell what a kernel writes, its signature does.
    const std::vector<Region*>& may_write = known ? written : not_const;
    const bool writes =
        std::find(may_write.begin(), may_write.end(), r) != may_write.end() || (!known && i >= by_pointer);
    for (const simt::InFlight& f : simt::in_flight(*r))
      if (!handshake && f.copy && f.offset == starts[i] && unordered(f, spec.stream) &&
          (f.writes || (known && writes))) {
        rt_.report(c, Severity::error, FindingKind::race,
                   "Race: " + kernel.demangled + " may use " + r->name + " while " + f.what + " of line " +
                       std::to_string(f.where.line) +
                       " in another stream is still at it. Order the streams with an event "
                       "and cudaStreamWaitEvent().");
        break;
      }
    note(*r, {"the kernel " + kernel.demangled, spec.where, spec.stream, order, starts[i],
              r->size - std::min(r->size, starts[i]), writes, false});
  }
}

void Unawaited::note_copy(const Call& c, const CopyBox& whole, uint64_t stream, bool blocking) {
  if (failed_) return;
  const uint64_t order = ++order_;
  // Beside a kernel that waits for the host: flags in memory order the two, which nothing here follows.
  const bool handshake = simt::kernels_run(rt_.device());
  const CopyBox box = whole.joined();
  for (const bool write : {true, false}) {
    const CopyBox::Side& side = write ? box.to : box.from;
    Region* r = rt_.memory().find(side.base);
    if (!r || r->freed || !r->data) continue;
    simt::InFlight mine{"the asynchronous copy", c.where,        stream, order,
                        side.base - r->base,     box.span(side), write,  true};
    if (box.slices == 1) mine.width = box.width, mine.row = side.row;
    for (const simt::InFlight& f : simt::in_flight(*r))
      // How far a kernel goes from its pointer isn't known. Streams often work on parts of one array, so only
      // an equal start counts as a meeting.
      if (!handshake && (write || f.writes) && unordered(f, stream) &&
          (f.copy ? simt::meet(f, mine) : mine.offset == f.offset)) {
        rt_.report(
            c, Severity::error, FindingKind::race,
            "Race: this copy " + std::string(write ? "writes " : "reads ") + r->name + " while " + f.what +
                " of line " + std::to_string(f.where.line) + " in another stream may still " +
                (f.writes ? "write" : "read") +
                " it. Wait for that stream first, or order the two with an event and cudaStreamWaitEvent().");
        break;
      }
    const bool pinned = rt_.pinned().holds(side.base, mine.bytes);
    if (!blocking &&
        (pinned || (device_can_access(r->owner) && (r->on_both() || !rt_.streams().live.empty()))))
      note(*r, std::move(mine));
  }
}

}  // namespace dojo::host
