#include "simt/decode/program.hpp"

#include <algorithm>

#include "simt/decode/decoder.hpp"

namespace dojo::simt {

Program::Program(std::shared_ptr<const ptx::Module> m, const SymbolTable& symbols,
                 const InstructionSet& instructions)
    : module_(std::move(m)),
      instructions_(instructions),
      symbols_(symbols),
      device_(module_->functions.size()),
      host_(module_->functions.size()) {
  accesses_.push_back({});  // 0: of no instruction
}

uint32_t Program::new_access(uint32_t function, uint32_t ptx) const {
  accesses_.push_back({function, ptx});
  return uint32_t(accesses_.size() - 1);
}

const Code& Program::code(uint32_t function, bool host) const {
  auto& slot = (host ? host_ : device_)[function];
  if (const Code* c = slot.load(std::memory_order_acquire)) return *c;
  std::lock_guard guard(lock_);
  if (const Code* c = slot.load(std::memory_order_acquire)) return *c;
  auto code = std::make_unique<Code>();
  Decoder(*this, *module_, module_->functions[function], function, host, *code).run();
  const Code& result = *code;
  owned_.push_back(std::move(code));
  slot.store(&result, std::memory_order_release);
  return result;
}

std::vector<const Code*> Program::closure(uint32_t kernel) const {
  std::vector<const Code*> all;
  std::vector<uint8_t> seen(module_->functions.size(), 0);
  std::vector<uint32_t> work{kernel};
  seen[kernel] = 1;
  bool pointers = false;
  auto add = [&](uint32_t f) {
    if (!seen[f] && module_->functions[f].defined && !module_->functions[f].kernel)
      seen[f] = 1, work.push_back(f);
  };
  while (!work.empty()) {
    const uint32_t f = work.back();
    work.pop_back();
    const Code& c = code(f, false);
    all.push_back(&c);
    bool indirect = false;
    for (const CallSite& s : c.calls)
      if (s.function >= 0)
        add(uint32_t(s.function));
      else
        indirect = true;
    if (indirect && !pointers) {
      // Any function whose address is taken somewhere: in code or in a variable's initial value.
      pointers = true;
      for (const ptx::Function& fn : module_->functions)
        for (const ptx::Instruction& i : fn.code) {
          if (i.meaning.op == ptx::Op::call) continue;
          for (const ptx::Operand& o : i.operands)
            if (o.symbol == ptx::SymbolKind::function) add(uint32_t(o.target));
        }
      for (const ptx::Variable& v : module_->variables)
        for (const auto& r : v.relocs)
          if (auto it = module_->function_by_name.find(r.symbol); it != module_->function_by_name.end())
            add(it->second);
    }
  }
  // The grain of shadow state: the smallest access.
  return all;
}

bool compiled_as_written(const ptx::Module& m) {
  // NVRTC and clang mark it: ".target sm_75, debug".
  const std::string_view head = std::string_view(m.text).substr(0, 1024);
  const size_t target = head.find("\n.target ");
  return target != head.npos && head.substr(target, 40).find(", debug") != head.npos;
}

const ptx::Module& module_of(const Program& p) { return p.module(); }

std::vector<Diagnostic> unsupported(const Program& p) {
  std::vector<Diagnostic> out;
  const ptx::Module& m = p.module();
  for (uint32_t f = 0; f < m.functions.size(); ++f) {
    if (!m.functions[f].kernel || !m.functions[f].defined) continue;
    for (const Code* c : p.closure(f)) {
      size_t note = 0;
      for (const Inst& i : c->insts) {
        if (note >= c->notes.size()) break;
        if (i.fn[0] != p.instructions().run_unsupported) continue;
        const ptx::Instruction& ins = c->fn->code[i.ptx];
        Diagnostic d;
        d.kind = FindingKind::unsupported;
        d.where = m.place(ins);
        d.kernel = m.functions[f].demangled;
        d.message = "The instruction " + ins.opcode + " is not supported by the SIMT machine" +
                    (c->notes[size_t(i.target)].empty() ? "." : " (" + c->notes[size_t(i.target)] + ").");
        if (std::none_of(out.begin(), out.end(),
                         [&](const Diagnostic& o) { return o.where == d.where && o.message == d.message; }))
          out.push_back(std::move(d));
      }
    }
  }
  return out;
}

const ptx::Function* function_at(const Program& p, uint64_t a) {
  if (a < window::code || (a & 15)) return nullptr;
  const uint64_t n = (a - window::code) / 16;
  return n >= 1 && n <= p.module().functions.size() ? &p.module().functions[n - 1] : nullptr;
}

uint64_t code_address(const Program& p, const std::string& mangled) {
  auto it = p.module().function_by_name.find(mangled);
  return it == p.module().function_by_name.end() ? 0 : window::code + uint64_t(it->second + 1) * 16;
}

}  // namespace dojo::simt
