#include "run/audits/nvcc_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "core/compile.hpp"
#include "core/compile/child.hpp"
#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/paths.hpp"
#include "ptx/module.hpp"
#include "run/execute.hpp"

namespace dojo::run {
namespace {

constexpr int nvcc_limit_s = 120;

fs::path nvcc_path() {
  const fs::path nvcc = cuda_root() / "bin" / "nvcc";
  std::error_code ec;
  return fs::exists(nvcc, ec) ? nvcc : fs::path();
}

std::string operation_name(const ptx::SassInstruction& i) {
  std::string name = ptx::sass_name(i);
  if (ptx::sass_access(i).memory() && i.width) name += "." + std::to_string(8 * i.width);
  return name;
}

/// Names by which memory and other threads are reached. (A load from constant memory is where the two ways
/// keep their parameters, not an access of the program.)
bool is_access(const std::string& name) {
  constexpr const char* starts[] = {"LDG",  "STG",  "LDS",  "STS",   "LDL",  "STL",  "LD.",    "ST.",
                                    "ATOM", "RED",  "BAR",  "SHFL",  "LDSM", "STSM", "LDGSTS", "MEMBAR",
                                    "HMMA", "IMMA", "DMMA", "HGMMA", "UTMA", "UBLK", "SYNCS"};
  return std::any_of(std::begin(starts), std::end(starts),
                     [&](const char* s) { return name.starts_with(s); });
}

std::map<std::string, int> accesses(const MachineCode& c) {
  std::map<std::string, int> out;
  for (const auto& [name, n] : c.operations)
    if (is_access(name)) out[name] = n;
  return out;
}

/// The machine code that the driver makes of a step's reference, with the names of its kernels as people
/// write them.
ptx::Cubin made_here(const Step& step, const std::string& file, const std::string& source,
                     std::map<std::string, std::string>& names) {
  DeviceInfo gpu;
  gpu.kind = DeviceKind::cuda;
  gpu.cc_major = 9, gpu.cc_minor = 0;
  Job j;
  j.step = &step;
  j.who = "reference";
  j.shown_file = file;
  j.source = source;
  const Compiled compiled = compile_job(j, gpu);
  if (!compiled.ok) throw Error("NVRTC does not compile it");
  const auto whole = ptx::parse(compiled.ptx, file);
  for (const ptx::Function& f : whole->functions)
    if (f.kernel) names[f.name] = f.demangled;
  if (names.empty()) throw Error("it has no kernel");
  const Assembled a = assemble(ptx::strip_host(*whole), whole->target.ends_with('a') ? "sm_90a" : "sm_90");
  if (!a.ok) throw Error(a.message);
  return ptx::read_cubin(a.cubin);
}

ptx::Cubin made_by_nvcc(const Catalog& catalog, const Step& step, const fs::path& file) {
  const ScratchFolder folder;
  if (folder.path.empty()) throw Error("no temporary folder can be made");
  const std::string out = folder.path + "/out.cubin";
  std::string log;
  const std::string arch = step.gpu_arch.ends_with('a') ? "sm_90a" : "sm_90";
  const int status = run_child({nvcc_path().string(), "-O3", "-std=c++17", "-arch=" + arch, "-cubin", "-w",
                                "-I", (catalog.root / "labs" / "include").string(), file.string(), "-o", out},
                               folder.path, nvcc_limit_s, &log);
  if (status != 0) throw Error("nvcc does not compile it: " + log.substr(0, log.find('\n')));
  const std::string bytes = read_or_empty(out);
  return ptx::read_cubin(std::as_bytes(std::span(bytes)));
}

}  // namespace

MachineCode machine_code(const ptx::SassFunction& f) {
  MachineCode out;
  out.registers = f.registers;
  size_t end = f.code.size();
  while (end > 0 && f.code[end - 1].op() == ptx::sass::nop) --end;
  if (end > 0 && f.code[end - 1].op() == ptx::sass::bra &&
      f.code[end - 1].target == int64_t(f.code[end - 1].address))
    --end;
  for (size_t i = 0; i < end; ++i) {
    if (f.code[i].op() == ptx::sass::nop) continue;
    out.sequence.push_back(operation_name(f.code[i]));
    ++out.operations[out.sequence.back()];
  }
  out.instructions = int(out.sequence.size());
  return out;
}

bool ComparedCode::same_accesses() const { return accesses(here) == accesses(nvcc); }

std::string ComparedCode::difference() const {
  struct One {
    std::string name;
    int here, nvcc;
  };
  std::vector<One> list;
  std::set<std::string> names;
  for (const auto* c : {&here, &nvcc})
    for (const auto& [name, n] : c->operations) names.insert(name);
  const bool memory = !same_accesses();
  for (const std::string& name : names) {
    if (memory != is_access(name)) continue;
    const auto h = here.operations.find(name), n = nvcc.operations.find(name);
    const One one{name, h == here.operations.end() ? 0 : h->second,
                  n == nvcc.operations.end() ? 0 : n->second};
    if (one.here != one.nvcc) list.push_back(one);
  }
  if (list.empty()) return here.sequence == nvcc.sequence ? "" : "the same operations in another order";
  std::stable_sort(list.begin(), list.end(), [](const One& a, const One& b) {
    return std::abs(a.here - a.nvcc) > std::abs(b.here - b.nvcc);
  });
  if (!memory && list.size() > 3) list.resize(3);
  std::string out;
  for (const One& o : list)
    out += fmt::format("{}{} {}, nvcc {}", out.empty() ? "" : "; ", o.name, o.here, o.nvcc);
  return out;
}

std::vector<ComparedCode> compare_with_nvcc(const Catalog& catalog, const std::vector<const Step*>& steps,
                                            const std::function<void(const std::string&)>& say) {
  if (nvcc_path().empty()) throw Error("no nvcc found in the CUDA Toolkit: there is nothing to compare with");
  std::vector<ComparedCode> out;
  for (const Step* step : steps) {
    const fs::path file = catalog.reference_file(*step);
    try {
      std::map<std::string, std::string> names;
      const ptx::Cubin here = made_here(*step, file.filename().string(), read_or_empty(file), names);
      const ptx::Cubin nvcc = made_by_nvcc(catalog, *step, file);
      for (const auto& [mangled, name] : names) {
        const ptx::SassFunction *a = here.find(mangled), *b = nvcc.find(mangled);
        if (!a || !b) {
          say(step->id() + ": " + name + " is not in " + (a ? "nvcc's" : "the driver's") + " machine code");
          continue;
        }
        out.push_back({step->id(), name, machine_code(*a), machine_code(*b)});
      }
    } catch (const Error& e) {
      say(step->id() + ": " + e.what());
    }
  }
  if (out.empty()) throw Error("no kernel could be compared with nvcc's");
  return out;
}

std::string nvcc_version() {
  if (nvcc_path().empty()) return {};
  std::string text;
  if (run_child({nvcc_path().string(), "--version"}, "/tmp", nvcc_limit_s, &text) != 0) return {};
  const size_t at = text.find("release ");
  return at == std::string::npos ? "" : text.substr(at + 8, text.find(',', at) - at - 8);
}

std::string nvcc_markdown(const std::vector<ComparedCode>& all, const std::string& version,
                          const std::string& date, const std::string& commit) {
  size_t same = 0, accesses = 0, registers = 0, near = 0;
  for (const ComparedCode& c : all) {
    same += c.same(), accesses += c.same_accesses(), registers += c.here.registers == c.nvcc.registers;
    near += std::abs(c.here.instructions - c.nvcc.instructions) * 20 <= c.nvcc.instructions;
  }
  std::string s = fmt::format(
      "# Against nvcc\n\n"
      "Made by `warpdojo bench nvcc` on {} at commit {}. The references' kernels, machine code for sm_90: "
      "\"here\" is NVRTC's "
      "PTX (compute_75, or what the "
      "step says) through ptxas, as the driver's compiler makes it; \"nvcc\" is `nvcc -O3 -arch=sm_90` {} of "
      "the same file. No-operations "
      "are not counted.\n\n"
      "Of {} kernels {} are the same instruction by instruction; {} have the same accesses (loads, stores, "
      "atomics, shuffles, barriers, "
      "tensor operations, each with its width), {} the same registers, and {} as many instructions within 5 "
      "%.\n\n"
      "The others:\n\n"
      "| kernel | registers | nvcc | instructions | nvcc | accesses | what differs most |\n"
      "| --- | ---: | ---: | ---: | ---: | --- | --- |\n",
      date, commit, version, all.size(), same, accesses, registers, near);
  for (const ComparedCode& c : all)
    if (!c.same())
      s += fmt::format("| {} `{}` | {} | {} | {} | {} | {} | {} |\n", c.step, c.kernel, c.here.registers,
                       c.nvcc.registers, c.here.instructions, c.nvcc.instructions,
                       c.same_accesses() ? "same" : "**differ**", c.difference());
  return s;
}

}  // namespace dojo::run
