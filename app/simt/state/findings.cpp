#include "simt/state/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simt/state/element_names.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {

SourceLoc place_of(const Program& p, uint32_t function, uint32_t ptx) {
  const ptx::Module& m = p.module();
  if (function >= m.functions.size() || ptx >= m.functions[function].code.size()) return {};
  return m.place(m.functions[function].code[ptx]);
}

namespace {
/// The student's own lines behind an instruction: the innermost, then the calls that were inlined.
std::vector<SourceLoc> way_to(const Program& p, uint32_t function, uint32_t ptx) {
  const ptx::Module& m = p.module();
  if (function >= m.functions.size() || ptx >= m.functions[function].code.size()) return {};
  return m.places(m.functions[function].code[ptx]);
}
}  // namespace

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

Diagnostic finding(const Exec& x, const Inst* p, const char* kind, std::string message, int lane) {
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

void stop(Exec& x, Diagnostic d) {
  (void)x;
  throw RunStopped(Status::finding, std::move(d));
}

void bad_access(Exec& x, const Inst* p, uint64_t address, uint32_t bytes, uint32_t lane, bool write,
                ptx::Space space) {
  const char* verb = write ? "writes" : "reads";
  const int lane_or_none = x.host ? -1 : int(lane);
  const std::string who = subject(x, lane);
  const auto fail = [&](const char* kind, std::string text) {
    stop(x, finding(x, p, kind, std::move(text), lane_or_none));
  };
  const std::string n = fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
  if (space == ptx::Space::shared) {
    const uint32_t size = x.block ? x.block->shared_bytes : 0;
    const uint64_t rank = address >> window::cta_shift;
    if (x.block && x.block->cluster && rank && rank <= x.block->cluster->blocks.size() &&
        !x.block->cluster->blocks[rank - 1])
      fail("race", fmt::format("{} {} the shared memory of block {} of its cluster, which has ended. "
                               "End the kernel with cluster.sync().",
                               who, verb, rank - 1));
    if (address + bytes > size || address + bytes < address)
      fail("out_of_bounds", fmt::format("{} {} {}", who, verb, shared_overrun(x, p, address, bytes)));
    fail("misaligned", fmt::format("{} {} {} at shared memory + {}, which is not a multiple of {}.", who,
                                   verb, n, address, bytes));
  }
  if (space == ptx::Space::local) {
    if (address & (bytes - 1))
      fail("misaligned", fmt::format("{} {} {} at local memory + {}, which is not a multiple of {}.", who,
                                     verb, n, address, bytes));
    if (const LocalElement local = local_element(x, p, address); !local.element.empty())
      fail("out_of_bounds", fmt::format("{} {} {}; {}.", who, verb, local.element, local.extent));
    fail("out_of_bounds",
         fmt::format("{} {} {} at local memory + {}, outside its local variables: an index outside a local "
                     "array?",
                     who, verb, n, address));
  }
  if (space == ptx::Space::param)
    fail("out_of_bounds",
         fmt::format("{} {} {} at kernel parameter + {}, outside the parameters.", who, verb, n, address));
  Region* r = x.memory->find(address);
  const bool inside = r && !r->freed && r->contains(address, bytes);
  const std::string where = element_name(x, p, address, bytes);
  if (r && r->freed) {
    Diagnostic d =
        finding(x, p, "use_after_free",
                where.find(" + ") == where.npos ? fmt::format("{} {} {}, which was freed.", who, verb, where)
                                                : fmt::format("{} {} {} at {}.", who, verb, n, where),
                lane_or_none);
    if (r->released.line) d.related.push_back({r->released, "freed here", {}, {}});
    if (r->allocated.line) d.related.push_back({r->allocated, "allocated here", {}, {}});
    stop(x, std::move(d));
  }
  if (inside) {
    if (x.host && !host_can_access(r->owner))
      fail("wrong_space", fmt::format("Host code {} {}, which is {}. Copy it with cudaMemcpy first.", verb,
                                      where, to_string(r->owner)));
    if (!x.host && !device_can_access(r->owner))
      fail("wrong_space", fmt::format("{} {} {}, which is {}. Give the kernel device memory.", who, verb,
                                      where, to_string(r->owner)));
    if (write && (r->read_only || r->owner == Owner::constant))
      fail("const_write", fmt::format("{} writes {}, which is a const input.", who, where));
    if (address & (bytes - 1))
      fail("misaligned", fmt::format("{} {} {} at {}: the address 0x{:x} is not a multiple of {}.", who, verb,
                                     n, byte_name(x, p, address), address, bytes));
  }
  if (address & (bytes - 1) && r)
    fail("misaligned", fmt::format("{} {} {} at {}: the address is not a multiple of {}.", who, verb, n,
                                   byte_name(x, p, address), bytes));
  if (!r && !x.host)
    if (const LocalElement local = local_element(x, p, address - window::local); !local.element.empty())
      fail("out_of_bounds", fmt::format("{} {} {}; {}.", who, verb, local.element, local.extent));
  const Overrun over = overrun(x, p, address, bytes);
  const std::string place = byte_name(x, p, address);
  if (!r && !x.host && place.find("host memory that CUDA") != place.npos)
    fail("wrong_space", fmt::format("{} {} {} at {}. Give the kernel device memory.", who, verb, n, place));
  Diagnostic d =
      finding(x, p, "out_of_bounds",
              over.element.empty() ? fmt::format("{} {} {} at {}.", who, verb, n, place)
                                   : fmt::format("{} {} {}; {}.", who, verb, over.element, over.extent),
              lane_or_none);
  const Region* near = over.region ? over.region : x.memory->nearest(address);
  const bool known = over.region || (place.find("no allocation") == place.npos && address >= 4096);
  if (near && near->allocated.line && known) d.related.push_back({near->allocated, "allocated here", {}, {}});
  if (const AddressSpace::Refused& no = x.memory->refused(); address < 4096 && no.bytes) {
    d.message += fmt::format(
        " An allocation of {:.1f} GiB failed, and its pointer stayed null: the modelled GPU's memory is on "
        "this computer, with {:.1f} GiB free. Ask for less, and check what cudaMalloc returns.",
        double(no.bytes) / (1 << 30), double(x.memory->free_bytes()) / (1 << 30));
    if (no.where.line) d.related.push_back({no.where, "this allocation failed", {}, {}});
  }
  stop(x, std::move(d));
}

}  // namespace dojo::simt
