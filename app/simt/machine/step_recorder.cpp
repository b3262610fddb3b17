#include "simt/machine/step_recorder.hpp"

#include <algorithm>

#include "simt/decode/liveness.hpp"
#include "simt/ops/control.hpp"
#include "simt/state/access.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"

namespace dojo::simt {

namespace {

using ptx::Op;

bool enters(const Inst* p) {
  return p->fn[0] == enter_device || p->fn[0] == enter_nothing || p->fn[0] == run_fall_off;
}

bool may_write_shared(const ptx::Meaning& m) {
  return m.is({Op::st, Op::atom, Op::red, Op::cp, Op::stmatrix, Op::wmma, Op::mbarrier, Op::call});
}

/// Executes this one instruction. Handlers of straight-line code go on to the next by themselves (lanes.hpp):
/// a copy with an end behind it keeps them from that. Those that may suspend keep their place and are run
/// where they are; a branch also enters the block that it goes to.
const Inst* execute_one(const Inst* p, Exec& x, const ptx::Meaning& m) {
  const bool straight =
      p->kind == Kind::plain || (p->kind == Kind::memory && !m.is({Op::ldmatrix, Op::stmatrix, Op::wmma}));
  if (!straight) return p->fn[x.partial](p, x);
  Inst alone[2] = {*p, {}};
  alone[1].fn[0] = alone[1].fn[1] = run_end;
  alone[0].fn[x.partial](alone, x);
  return p + 1;
}

/// Lanes of a warp that wait now, and the barrier if it is one.
uint32_t waiting_lanes(const Warp& w, uint8_t* barrier, uint8_t* flags) {
  uint32_t m = 0;
  for (const Split& s : w.splits) {
    if (s.wait == Wait::ready) continue;
    m |= s.mask;
    if (s.wait == Wait::barrier) *barrier = s.barrier, *flags |= StepTrace::at_barrier;
    if (s.wait == Wait::parked || s.wait == Wait::sleeping) *flags |= StepTrace::parked;
  }
  return m;
}

}  // namespace

StepRecorder::StepRecorder(StepTrace& out, const Program& program, Block& block)
    : out_(out), program_(program), block_(block), shared_(block.shared_bytes), waiting_(block.grid->warps) {
  StepTrace fresh;
  fresh.launch = out.launch, fresh.block = block.linear, fresh.most = out.most, fresh.skip = out.skip;
  fresh.of_kernel = out.of_kernel, fresh.by_index = out.by_index, fresh.wanted = out.wanted;
  out = std::move(fresh);
  const Grid& g = *block.grid;
  out.reached = true;
  out.kernel = g.code->fn->demangled;
  out.grid = g.grid;
  out.threads = g.block;
  out.index = block.index;
  out.warps = g.warps;
  out.shared_bytes = block.shared_bytes;
  out.shared_static = uint32_t(std::min<uint64_t>(block.shared_bytes, g.code->fn->shared_bytes));
  variables_ = ptx::source_variables(program.module());
  const std::string& text = program.module().text;
  lines_.push_back(0);
  for (size_t at = 0; (at = text.find('\n', at)) != text.npos;) lines_.push_back(++at);
}

void StepRecorder::run(const Inst* p, Exec& x) {
  note_releases();  // what others did in between
  while (p) p = one(p, x);
}

void StepRecorder::end() { out_.ended = true; }

const Inst* StepRecorder::one(const Inst* p, Exec& x) {
  if (enters(p)) return p->fn[x.partial](p, x);
  const Code& code = *x.frame->code;
  const ptx::Instruction& ins = code.fn->code[p->ptx];
  std::byte* const frame = x.r;
  Warp& w = *x.warp;
  const uint32_t live = w.live;
  uint32_t before = x.mask;
  const bool keep = wanted();
  StepTrace::Step step;
  const uint32_t first_access = uint32_t(out_.accesses.size());
  const Inst *next, *inst = p;
  // What sets operands up comes with the operation itself: one PTX instruction is one step.
  for (;;) {
    if (inst->fn[0] != run_guard_branch) {
      step.mask = x.mask;
      const Inst* inner = inst;
      if (inst->fn[0] == run_guarded) {
        const uint32_t pm = x.pred(inst->a);
        step.mask &= inst->flags & flag::negated ? ~pm : pm;
        inner = &code.guarded[size_t(inst->target)];
      }
      before = x.mask;
      if (keep && step.mask && inner->kind == Kind::memory && inner->access)
        note_access(inner, x, step.mask, step);
    }
    try {
      next = execute_one(inst, x, ins.meaning);
    } catch (const RunStopped& stop) {
      found(x, stop.why);
      if (keep && step.mask) {
        step.code = code_of(code, p->ptx);
        step.warp = uint16_t(w.index);
        step.live = w.live;
        step.epoch = epoch_;
        step.first_write = uint32_t(out_.writes.size());
        step.first_shared = uint32_t(out_.shared_writes.size());
        out_.steps.push_back(step);
        ++out_.executed;
      }
      throw;
    }
    if (next != inst + 1 || next->ptx != inst->ptx || enters(next)) break;
    inst = next;
  }
  if (!step.mask) return next;
  ++out_.executed;
  if (may_write_shared(ins.meaning)) shared_due_ = true;
  if (!keep) {
    out_.accesses.resize(first_access);
    uint8_t barrier = 0, flags = 0;
    waiting_[w.index] = {waiting_lanes(w, &barrier, &flags), 0, false};
    note_releases();
    return next;
  }
  step.code = code_of(code, p->ptx);
  step.warp = uint16_t(w.index);
  step.live = w.live;
  step.epoch = epoch_;
  step.first_write = uint32_t(out_.writes.size());
  step.waiting = waiting_lanes(w, &step.barrier, &step.flags);
  if (w.live != live)
    step.flags |= StepTrace::ended_lanes;
  else if (next && x.split >= 0 && x.mask != before && (before & x.mask) == x.mask &&
           out_.code[step.code].branch)
    step.flags |= StepTrace::diverged;
  if (next || !(step.waiting & step.mask)) note_writes(code, ins, frame, step.mask, step);
  step.first_shared = uint32_t(out_.shared_writes.size());
  if (shared_due_) note_shared(step);
  if (!next && out_.code[step.code].barrier && !step.waiting) {
    // The last to come lets all go: it was there too.
    step.waiting = step.mask;
    step.until = epoch_ + 1;
    step.flags |= StepTrace::at_barrier;
  }
  out_.steps.push_back(step);
  waiting_[w.index] = {step.until == ~0u ? step.waiting : 0, out_.steps.size() - 1, true};
  note_releases();
  return next;
}

/// Warps whose wait is over since the last look.
void StepRecorder::note_releases() {
  bool any = false;
  for (auto& w : block_.warps) {
    Waiting& was = waiting_[w->index];
    if (!was.mask) continue;
    uint8_t barrier = 0, flags = 0;
    if (waiting_lanes(*w, &barrier, &flags) & was.mask) continue;
    if (!any) ++epoch_, any = true;
    if (was.known) out_.steps[was.step].until = epoch_;
    was.mask = 0;
  }
  // A barrier that its only warp completes at once is a new epoch too.
  if (!any && !out_.steps.empty() && out_.steps.back().until == epoch_ + 1) ++epoch_;
}

void StepRecorder::note_access(const Inst* p, const Exec& x, uint32_t mask, StepTrace::Step& step) {
  const ptx::Instruction& ins = x.frame->code->fn->code[p->ptx];
  const ptx::Meaning& m = ins.meaning;
  auto lanes = [&](uint32_t slot, bool wide, uint64_t offset, uint64_t* to) {
    for (uint32_t l = 0; l < 32; ++l) {
      uint64_t v = 0;
      if (wide) {
        std::memcpy(&v, x.r + slot + l * 8, 8);
      } else {
        uint32_t n;
        std::memcpy(&n, x.r + slot + l * 4, 4);
        v = n;
      }
      to[l] = v + offset;
    }
  };
  alignas(32) uint64_t a[32];
  if (m.op == Op::cp) {
    lanes(p->b, p->wide & 2, p->imm >> 32, a);
    add_access(x, a, mask, p->width, ptx::Space::global, false, false, step);
    lanes(p->a, p->wide & 1, uint32_t(p->imm), a);
    add_access(x, a, mask, p->width, ptx::Space::shared, true, false, step);
  } else if (m.is({Op::ldmatrix, Op::stmatrix})) {
    lanes(p->a, p->wide & 1, p->imm, a);
    const uint32_t rows = std::min<uint32_t>(32, 8u * p->count);
    add_access(x, a, rows == 32 ? mask : mask & ((1u << rows) - 1), 16, ptx::Space::shared, m.stores(), false,
               step);
  } else if (m.is({Op::ld, Op::ldu, Op::st, Op::atom, Op::red})) {
    lanes(p->a, p->wide & 1, p->imm, a);
    add_access(x, a, mask, uint32_t(p->width) * p->count, p->space, m.stores(), m.changes(), step);
  }
}

void StepRecorder::add_access(const Exec& x, const uint64_t* at, uint32_t mask, uint32_t bytes,
                              ptx::Space space, bool store, bool atomic, StepTrace::Step& step) {
  if (!mask) return;
  StepTrace::Access a;
  alignas(32) uint64_t lane[32];
  std::copy(at, at + 32, lane);
  const uint64_t first = lane[std::countr_zero(mask)];
  uint64_t base = 0;
  if (space == ptx::Space::shared || (space == ptx::Space::none && window::in(first, window::shared))) {
    a.space = StepTrace::Space::shared;
    if (first >= window::shared) base = window::shared;
  } else if (space == ptx::Space::local || (space == ptx::Space::none && window::in(first, window::local))) {
    a.space = StepTrace::Space::local;
    if (first >= window::local) base = window::local;
  } else if (space == ptx::Space::param || (space == ptx::Space::none && window::in(first, window::param))) {
    a.space = StepTrace::Space::parameter;
    if (first >= window::param) base = window::param;
  } else if (space == ptx::Space::constant) {
    a.space = StepTrace::Space::constant;
  }
  for (uint64_t& l : lane) l -= base;
  a.store = store;
  a.atomic = atomic;
  a.bytes = uint8_t(std::min<uint32_t>(255, bytes));
  a.mask = mask;
  a.first = uint32_t(out_.addresses.size());
  DOJO_FOR_LANES(l, mask) out_.addresses.push_back(lane[l]);
  Span s;
  find_span(s, lane, mask);
  if (a.space == StepTrace::Space::shared) {
    a.wavefronts = uint16_t(shared_wavefronts(s, bytes));
    a.fewest_wavefronts = bytes <= 4 ? 1 : bytes <= 8 ? 2 : 4;
  } else if (a.space == StepTrace::Space::global) {
    uint32_t sectors = 0, lines = 0;
    global_sectors(s, bytes, &sectors, &lines);
    a.sectors = uint16_t(sectors);
    a.lines = uint16_t(lines);
    if (const Region* r = x.memory->find(first))
      if (std::none_of(out_.regions.begin(), out_.regions.end(), [&](auto& k) { return k.base == r->base; }))
        for (const NamedPart& part : named_parts(x, *r))
          out_.regions.push_back({part.base, part.bytes, part.name});
  }
  if (!step.access) step.access = uint32_t(out_.accesses.size()) + 1;
  ++step.access_count;
  out_.accesses.push_back(a);
}

void StepRecorder::note_writes(const Code& code, const ptx::Instruction& ins, const std::byte* frame,
                               uint32_t mask, StepTrace::Step& step) {
  std::vector<uint32_t> reads, writes;
  reads_and_writes(ins, reads, writes);
  for (uint32_t r : writes) {
    const int bits = ptx::bits(code.fn->registers[r].type);
    if (bits > 64) continue;
    StepTrace::Write w;
    w.reg = register_of(code, r);
    w.mask = mask;
    w.first = uint32_t(out_.values.size());
    w.words = bits == 64 ? 2 : 1;
    uint64_t value[32] = {};
    bool uniform = true;
    const uint32_t first = uint32_t(std::countr_zero(mask));
    DOJO_FOR_LANES(l, mask) {
      if (bits == 1) {
        uint32_t p;
        std::memcpy(&p, frame + code.slots[r], 4);
        value[l] = p >> l & 1;
      } else if (bits == 64) {
        std::memcpy(&value[l], frame + code.slots[r] + l * 8, 8);
      } else {
        uint32_t v;
        std::memcpy(&v, frame + code.slots[r] + l * 4, 4);
        value[l] = v;
      }
      uniform &= value[l] == value[first];
    }
    w.uniform = uniform;
    DOJO_FOR_LANES(l, mask) {
      out_.values.push_back(uint32_t(value[l]));
      if (w.words == 2) out_.values.push_back(uint32_t(value[l] >> 32));
      if (uniform) break;
    }
    out_.writes.push_back(w);
    ++step.writes;
  }
}

void StepRecorder::note_shared(StepTrace::Step& step) {
  shared_due_ = false;
  const size_t bytes = shared_.size() & ~size_t(3);
  for (size_t at = 0; at < bytes; at += 64) {
    const size_t n = std::min<size_t>(64, bytes - at);
    if (!std::memcmp(shared_.data() + at, block_.shared.data() + at, n)) continue;
    for (size_t k = at; k < at + n; k += 4) {
      uint32_t now;
      std::memcpy(&now, block_.shared.data() + k, 4);
      if (!std::memcmp(shared_.data() + k, &now, 4)) continue;
      std::memcpy(shared_.data() + k, &now, 4);
      out_.shared_writes.push_back({uint32_t(k / 4), now});
      ++step.shared;
    }
  }
}

void StepRecorder::found(const Exec& x, const Diagnostic& d) {
  StepTrace::Note n;
  // Checks speak while the instruction runs: it becomes the next step, unless recording is over.
  n.step = uint32_t(out_.steps.size());
  n.line = d.where.line;
  n.warp = uint16_t(x.warp ? x.warp->index : 0);
  n.executed = out_.executed;
  n.kind = d.kind;
  n.text = d.message;
  if (out_.notes.size() < 100) out_.notes.push_back(std::move(n));
}

uint32_t StepRecorder::code_of(const Code& code, uint32_t ptx) {
  auto [it, fresh] = codes_.try_emplace({code.index, ptx}, uint32_t(out_.code.size()));
  if (!fresh) return it->second;
  const ptx::Instruction& ins = code.fn->code[ptx];
  StepTrace::Code c;
  c.text = text_of(ins);
  const SourceLoc where = place_of(program_, code.index, ptx);
  c.file = where.file;
  c.line = where.line;
  c.function = code.fn->demangled;
  std::vector<uint32_t> reads, writes;
  reads_and_writes(ins, reads, writes);
  for (uint32_t r : reads) c.reads.push_back(register_of(code, r));
  for (uint32_t r : writes) c.writes.push_back(register_of(code, r));
  c.branch = ins.meaning.is({Op::bra, Op::brx});
  c.barrier = ins.meaning.is({Op::bar, Op::barrier});
  out_.code.push_back(std::move(c));
  return it->second;
}

uint32_t StepRecorder::register_of(const Code& code, uint32_t reg) {
  auto [it, fresh] = registers_.try_emplace({code.index, reg}, uint32_t(out_.registers.size()));
  if (!fresh) return it->second;
  auto [shown, made] = shown_.try_emplace(code.index);
  if (made) shown->second = shown_registers(*code.fn);
  out_.registers.push_back(
      {code.fn->registers[reg].name, shown->second[reg], variable_of(*code.fn, variables_[code.index], reg)});
  return it->second;
}

std::string StepRecorder::text_of(const ptx::Instruction& ins) {
  if (ins.ptx_line <= 0 || size_t(ins.ptx_line) > lines_.size()) return ins.opcode;
  const std::string& text = program_.module().text;
  const size_t from = lines_[size_t(ins.ptx_line) - 1];
  std::string out;
  for (size_t k = from; k < text.size() && text[k] != '\n' && text[k] != ';'; ++k) {
    const char c = text[k] == '\t' ? ' ' : text[k];
    if (c == ' ' && (out.empty() || out.back() == ' ')) continue;
    out += c;
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out.empty() ? ins.opcode : out;
}

}  // namespace dojo::simt
