#include "simt/state/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simt/state/access.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {

namespace {
/// The instruction, or the one before it that has a line: a compiler gives none to steps of its own, such as
/// a 64-bit division that it does in 32 bits where that is enough.
const ptx::Instruction& with_line(const ptx::Module& m, const ptx::Function& f, uint32_t ptx) {
  uint32_t at = ptx;
  const auto has_line = [&](const ptx::Instruction& i) {
    return i.line >= 0 && size_t(i.line) < m.lines.size() && m.lines[size_t(i.line)].line > 0;
  };
  while (at > 0 && !has_line(f.code[at])) --at;
  return has_line(f.code[at]) ? f.code[at] : f.code[ptx];
}
}  // namespace

SourceLoc place_of(const Program& p, uint32_t function, uint32_t ptx) {
  const ptx::Module& m = p.module();
  if (function >= m.functions.size() || ptx >= m.functions[function].code.size()) return {};
  return m.place(with_line(m, m.functions[function], ptx));
}

namespace {
/// Our headers, and NVRTC's own, in which the calls of a launch stand.
bool of_our_side(const SourceLoc& at) {
  return at.file.starts_with("labs/include/") || at.file == "__nv_nvrtc_builtin_header.h";
}

/// The student's own lines behind an instruction: the innermost, then the calls that were inlined.
std::vector<SourceLoc> way_to(const Program& p, uint32_t function, uint32_t ptx) {
  const ptx::Module& m = p.module();
  if (function >= m.functions.size() || ptx >= m.functions[function].code.size()) return {};
  return m.places(with_line(m, m.functions[function], ptx));
}
}  // namespace

SourceLoc host_place(const Exec& x, const Inst* p) {
  SourceLoc at = place_of(*x.program, x.frame->code->index, p->ptx);
  for (const Frame* f = x.frame; f->call && f->parent && (!at.line || of_our_side(at)); f = f->parent)
    at = place_of(*x.program, f->parent->code->index, f->call->ptx);
  return at;
}

Dim3 thread_of(const Exec& x, uint32_t linear) { return x.grid ? x.grid->block.at(linear) : Dim3{0, 0, 0}; }

bool in_library(const Exec& x, const Inst* p) {
  const ptx::Module& m = x.program->module();
  const int line = x.frame->code->fn->code[p->ptx].line;
  if (line < 0) return false;
  const uint32_t file = m.lines[size_t(line)].file;
  if (file >= m.files.size()) return false;
  for (const char* part : {"/cub/", "/cccl/", "/thrust/", "/cuda/std/", "/cuda/__", "cooperative_groups"})
    if (m.files[file].find(part) != std::string::npos) return true;
  return false;
}

Diagnostic finding(const Exec& x, const Inst* p, FindingKind kind, std::string message, int lane) {
  Diagnostic d;
  d.kind = kind;
  d.message = std::move(message);
  std::vector<SourceLoc> way = way_to(*x.program, x.frame->code->index, p->ptx);
  // Code of a header: the nearest caller in the student's file. And who called, as far as that helps.
  for (Frame* f = x.frame; f && f->call && f->parent && way.size() < 4; f = f->parent)
    for (SourceLoc& at : way_to(*x.program, f->parent->code->index, f->call->ptx))
      way.push_back(std::move(at));
  d.where = way.empty() ? place_of(*x.program, x.frame->code->index, p->ptx) : way[0];
  if (!x.host)
    for (size_t i = 1; i < way.size() && i < 4; ++i)
      if (way[i].line != way[i - 1].line) d.related.push_back({way[i], "called from here", {}, {}});
  if (!x.host && x.grid) {
    d.kernel = x.grid->code->fn->demangled;
    if (x.block) {
      d.block = x.block->index;
      if (lane >= 0) d.thread = thread_of(x, thread_index(x, lane));
    }
  }
  return d;
}

void emit(Exec& x, Diagnostic d) {
  if (x.machine) x.machine->report(x, std::move(d));
}

void stop(Exec&, Diagnostic d) { throw RunStopped(Status::finding, std::move(d)); }

namespace {

/// An access that must not be: says why, by the kind of memory, and ends the run.
class BadAccess {
 public:
  BadAccess(Exec& x, const Inst* p, uint64_t address, uint32_t bytes, uint32_t lane, bool write)
      : x_(x),
        p_(p),
        address_(address),
        bytes_(bytes),
        lane_(x.host ? -1 : int(lane)),
        write_(write),
        verb_(write ? "writes" : "reads"),
        who_(subject(x, lane)),
        n_(fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s")) {}

  [[noreturn]] void shared() const;
  [[noreturn]] void local() const;
  [[noreturn]] void param() const {
    fail(FindingKind::out_of_bounds, fmt::format("{} {} {} at kernel parameter + {}, outside the parameters.",
                                                 who_, verb_, n_, address_));
  }
  /// Global memory, and host memory for host code.
  [[noreturn]] void global() const;

 private:
  [[noreturn]] void fail(FindingKind kind, std::string text) const {
    throw RunStopped(Status::finding, found(kind, std::move(text)));
  }
  Diagnostic found(FindingKind kind, std::string text) const {
    return finding(x_, p_, kind, std::move(text), lane_);
  }
  bool aligned() const { return !(address_ & (bytes_ - 1)); }
  [[noreturn]] void freed(const Region&) const;
  /// Of a place (rank + 1) << cta_shift | offset. Comes back where the cluster has that rank.
  void check_rank(uint64_t place) const;
  /// Of an allocation that has these bytes. Comes back where only the way they were reached is wrong.
  void inside(const Region&) const;
  [[noreturn]] void outside(const Region*) const;

  Exec& x_;
  const Inst* p_;
  uint64_t address_;
  uint32_t bytes_;
  int lane_;  ///< -1: host code
  bool write_;
  const char* verb_;
  std::string who_, n_;
};

void BadAccess::shared() const {
  const uint32_t size = x_.block ? x_.block->shared_bytes : 0;
  const uint64_t rank = address_ >> window::cta_shift;
  const bool of_cluster = x_.block && x_.block->cluster && rank && rank <= x_.block->cluster->blocks.size();
  if (of_cluster && !x_.block->cluster->blocks[rank - 1])
    fail(FindingKind::race,
         fmt::format("{} {} the shared memory of block {} of its cluster, which has ended. "
                     "End the kernel with cluster.sync().",
                     who_, verb_, rank - 1));
  if (rank && x_.block) check_rank(address_);
  const uint64_t offset = of_cluster ? offset_in_cta(address_) : address_;
  if (offset + bytes_ > size || offset + bytes_ < offset)
    fail(FindingKind::out_of_bounds,
         fmt::format("{} {} {}", who_, verb_, shared_overrun(x_, p_, offset, bytes_)));
  fail(FindingKind::misaligned, fmt::format("{} {} {} at shared memory + {}, which is not a multiple of {}.",
                                            who_, verb_, n_, address_, bytes_));
}

void BadAccess::check_rank(uint64_t place) const {
  const uint64_t blocks = x_.block->cluster ? x_.block->cluster->blocks.size() : 1;
  // 32 bits: map_shared_rank() takes an unsigned rank, and a student's rank - 1 of 0 wraps.
  const uint64_t rank = cta_of(place) - 1;
  if (rank < blocks || rank > UINT32_MAX || offset_in_cta(place) >= x_.block->shared_bytes) return;
  // mapa keeps at most 254 in a 32-bit address (ops/cluster.cpp): the rank itself is not known then.
  const bool known = address_ >> 32 || rank < 254;
  const std::string ranks = blocks == 1 ? "rank 0" : fmt::format("a rank from 0 to {}", blocks - 1);
  fail(FindingKind::out_of_bounds,
       fmt::format("{} {} the shared memory of {} of its cluster, which has {} block{}. "
                   "Pass map_shared_rank() {}.",
                   who_, verb_, known ? fmt::format("rank {}", int32_t(rank)) : "a rank outside", blocks,
                   blocks == 1 ? "" : "s", ranks));
}

void BadAccess::local() const {
  if (!aligned())
    fail(FindingKind::misaligned, fmt::format("{} {} {} at local memory + {}, which is not a multiple of {}.",
                                              who_, verb_, n_, address_, bytes_));
  if (const LocalElement local = local_element(x_, p_, address_); !local.element.empty())
    fail(FindingKind::out_of_bounds, fmt::format("{} {} {}; {}.", who_, verb_, local.element, local.extent));
  fail(FindingKind::out_of_bounds,
       fmt::format("{} {} {} at local memory + {}, outside its local variables: an index outside a local "
                   "array?",
                   who_, verb_, n_, address_));
}

void BadAccess::global() const {
  const Region* r = x_.memory->find(address_);
  if (r && r->freed) freed(*r);
  if (r && r->contains(address_, bytes_)) inside(*r);
  if (r && !aligned())
    fail(FindingKind::misaligned, fmt::format("{} {} {} at {}: the address is not a multiple of {}.", who_,
                                              verb_, n_, byte_name(x_, p_, address_), bytes_));
  outside(r);
}

void BadAccess::freed(const Region& r) const {
  const std::string where = element_name(x_, p_, address_, bytes_);
  Diagnostic d =
      found(FindingKind::use_after_free, where.find(" + ") == where.npos
                                             ? fmt::format("{} {} {}, which was freed.", who_, verb_, where)
                                             : fmt::format("{} {} {} at {}.", who_, verb_, n_, where));
  if (r.released.line) d.related.push_back({r.released, "freed here", {}, {}});
  if (r.allocated.line) d.related.push_back({r.allocated, "allocated here", {}, {}});
  stop(x_, std::move(d));
}

void BadAccess::inside(const Region& r) const {
  const std::string where = element_name(x_, p_, address_, bytes_);
  if (x_.host && !host_can_access(r.owner))
    fail(FindingKind::wrong_space, fmt::format("Host code {} {}, which is {}. Copy it with cudaMemcpy first.",
                                               verb_, where, to_string(r.owner)));
  if (!x_.host && r.on_device() && !r.reached(address_, bytes_).size)
    fail(FindingKind::out_of_bounds,
         fmt::format("{} {} {}, outside of what cudaHostRegister was given of {}. Register "
                     "all that kernels use.",
                     who_, verb_, where, r.name.empty() ? to_string(r.owner) : r.name));
  if (!x_.host && !r.on_device())
    fail(FindingKind::wrong_space, fmt::format("{} {} {}, which is {}. Give the kernel device memory.", who_,
                                               verb_, where, to_string(r.owner)));
  if (write_ && (r.read_only || r.owner == Owner::constant))
    fail(FindingKind::const_write, fmt::format("{} writes {}, which is a const input.", who_, where));
  if (!aligned())
    fail(FindingKind::misaligned,
         fmt::format("{} {} {} at {}: the address 0x{:x} is not a multiple of {}.", who_, verb_, n_,
                     byte_name(x_, p_, address_), address_, bytes_));
}

void BadAccess::outside(const Region* r) const {
  if (!r && !x_.host)
    if (const LocalElement local = local_element(x_, p_, address_ - window::local); !local.element.empty())
      fail(FindingKind::out_of_bounds,
           fmt::format("{} {} {}; {}.", who_, verb_, local.element, local.extent));
  const Overrun over = overrun(x_, p_, address_, bytes_);
  if (!r && over.element.empty() && x_.block && x_.block->cluster && address_ > window::shared)
    check_rank(address_ - window::shared);
  const std::string place = byte_name(x_, p_, address_);
  if (!r && !x_.host && place.find("host memory that CUDA") != place.npos)
    fail(FindingKind::wrong_space,
         fmt::format("{} {} {} at {}. Give the kernel device memory.", who_, verb_, n_, place));
  Diagnostic d =
      found(FindingKind::out_of_bounds,
            over.element.empty() ? fmt::format("{} {} {} at {}.", who_, verb_, n_, place)
                                 : fmt::format("{} {} {}; {}.", who_, verb_, over.element, over.extent));
  constexpr uint64_t far_below = uint64_t(1) << 30;  // no index that is off by a few reaches so far
  if (over.region && address_ < over.region->base && over.region->base - address_ > far_below)
    d.message += " An int that overflows becomes negative: compute the index in size_t.";
  const Region* near = over.region ? over.region : x_.memory->nearest(address_);
  const bool known = over.region || (place.find("no allocation") == place.npos && address_ >= 4096);
  if (near && near->allocated.line && known) d.related.push_back({near->allocated, "allocated here", {}, {}});
  if (const AddressSpace::Refused& no = x_.memory->refused(); address_ < 4096 && no.bytes) {
    d.message += fmt::format(
        " An allocation of {:.1f} GiB failed, and its pointer stayed null: the modelled GPU's memory is on "
        "this computer, with {:.1f} GiB free. Ask for less, and check what cudaMalloc returns.",
        double(no.bytes) / (1 << 30), double(x_.memory->free_bytes()) / (1 << 30));
    if (no.where.line) d.related.push_back({no.where, "this allocation failed", {}, {}});
  }
  stop(x_, std::move(d));
}

}  // namespace

void bad_access(Exec& x, const Inst* p, uint64_t address, uint32_t bytes, uint32_t lane, bool write,
                ptx::Space space) {
  const BadAccess bad(x, p, address, bytes, lane, write);
  if (space == ptx::Space::shared) bad.shared();
  if (space == ptx::Space::local) bad.local();
  if (space == ptx::Space::param) bad.param();
  bad.global();
}

}  // namespace dojo::simt
