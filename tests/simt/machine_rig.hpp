#pragma once
// Compiles a piece of CUDA, decodes it, and runs its kernels on the machine alone: no device, no time model.
#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/compile.hpp"
#include "core/memory.hpp"
#include "ptx/module.hpp"
#include "simt/machine/machine.hpp"

namespace dojo::test {

class Rig : public simt::HostCalls {
 public:
  void poll() override {}
  AddressSpace memory;
  std::shared_ptr<const ptx::Module> module;
  std::shared_ptr<const simt::Program> program;
  simt::SymbolTable symbols;
  simt::MachineConfig config;
  std::vector<Diagnostic> findings;
  std::string printed;
  std::vector<simt::LaunchNode> nodes;

  explicit Rig(const std::string& source, const std::string& arch = "compute_90", bool debug = false) {
    CompileRequest request;
    request.file = "test.cu";
    request.source = source;
    request.arch = arch;
    request.debug = debug;
    Compiled c = compile(request);
    for (const Diagnostic& d : c.diagnostics)
      if (d.severity == Severity::error) MESSAGE(d.where.line << ": " << d.message);
    REQUIRE(c.ok);
    load(c.ptx);
  }
  struct FromPtx {
    std::string text;
  };
  explicit Rig(FromPtx p) { load(p.text); }

  void load(const std::string& text) {
    module = ptx::parse(text, "test.cu");
    for (const ptx::Variable& v : module->variables) {
      if (v.space != ptx::Space::global && v.space != ptx::Space::constant) continue;
      Region* r = memory.allocate(
          v.bytes, v.space == ptx::Space::constant ? Owner::constant : Owner::device_global, v.name);
      std::memset(r->data, 0, v.bytes);
      std::copy(v.init.begin(), v.init.end(), r->data);
      r->initialized = true;
      symbols[v.name] = r->base;
    }
    for (const ptx::Variable& v : module->variables)
      for (const auto& reloc : v.relocs)
        if (symbols.count(reloc.symbol)) {
          uint64_t a = symbols[reloc.symbol] + uint64_t(reloc.addend);
          std::memcpy(memory.at(symbols[v.name] + reloc.at, 8), &a, 8);
        }
    program = simt::decode(module, symbols);
    config.sms = 4;
    config.control.threads = 1;
    config.print = [this](std::string_view s) { printed += s; };
    config.finding = [this](Diagnostic d) { findings.push_back(std::move(d)); };
  }

  void call(const ptx::Function&, std::span<const std::byte>, std::span<std::byte>,
            const SourceLoc&) override {}

  template <class T>
  uint64_t buffer(const std::vector<T>& content, const char* name = "buffer") {
    Region* r = memory.allocate(content.size() * sizeof(T), Owner::device, name);
    std::memcpy(r->data, content.data(), content.size() * sizeof(T));
    r->initialized = true;
    return r->base;
  }
  uint64_t blank(uint64_t bytes, const char* name = "blank") {
    return memory.allocate(bytes, Owner::device, name)->base;
  }
  template <class T>
  std::vector<T> read(uint64_t address, size_t n) {
    std::vector<T> v(n);
    std::byte* at = memory.at(address, n * sizeof(T));
    REQUIRE(at);
    std::memcpy(v.data(), at, n * sizeof(T));
    return v;
  }

  /// Queues a launch; arguments are laid out as the kernel's parameters.
  template <class... A>
  simt::LaunchNode& launch(const std::string& kernel, Dim3 grid, Dim3 block, uint32_t smem, A... args) {
    const ptx::Function* f = module->find_base(kernel, true);
    REQUIRE(f);
    simt::LaunchNode n;
    n.function = uint32_t(f - module->functions.data());
    n.spec.kernel = f->name;
    n.spec.grid = grid;
    n.spec.block = block;
    n.spec.dynamic_smem = smem;
    n.spec.params.resize(f->param_bytes);
    size_t i = 0;
    [[maybe_unused]] const auto put = [&](const auto& a) {
      REQUIRE(i < f->params.size());
      std::memcpy(n.spec.params.data() + f->params[i++].offset, &a, sizeof a);
    };
    (put(args), ...);
    n.blocks_per_sm = 8;
    nodes.push_back(n);
    return nodes.back();
  }
  std::vector<simt::LaunchTrace> run() {
    auto queued = std::move(nodes);
    nodes.clear();
    return simt::execute(*program, queued, memory, config);
  }
  /// The kinds of what was found, "kind:line", in order; a stop's too.
  std::string found() {
    try {
      run();
    } catch (const RunStopped& s) {
      findings.push_back(s.why);
    }
    std::string text;
    for (const Diagnostic& d : findings)
      text += std::string(text.empty() ? "" : " ") + to_string(d.kind) + ":" + std::to_string(d.where.line);
    return text;
  }
};

/// Runs kernel k(float* a, float* b, int n) on blocks x threads and says what was found.
inline std::string found(const char* source, uint32_t blocks, uint32_t threads, uint32_t smem = 0,
                         int n = 64) {
  Rig rig(source);
  std::vector<float> data(1024);
  for (size_t i = 0; i < data.size(); ++i) data[i] = float(i);
  uint64_t a = rig.buffer(data, "a"), b = rig.blank(4096, "b");
  rig.launch("k", {blocks, 1, 1}, {threads, 1, 1}, smem, a, b, n);
  return rig.found();
}

}  // namespace dojo::test
