#include "run/list_code.hpp"

#include <algorithm>

#include "core/compile/disassemble.hpp"
#include "ptx/sass.hpp"

namespace dojo::run {
namespace {

/// Where the lines of a text begin.
std::vector<size_t> line_starts(const std::string& text) {
  std::vector<size_t> at{0};
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') at.push_back(i + 1);
  return at;
}

/// The instruction that begins on a line of the PTX, up to its semicolon, as one line.
std::string instruction_text(const std::string& ptx, const std::vector<size_t>& starts, int line) {
  if (line < 1 || size_t(line) > starts.size()) return {};
  std::string out;
  for (size_t i = starts[size_t(line) - 1]; i < ptx.size() && ptx[i] != ';'; ++i) {
    const bool space = ptx[i] == ' ' || ptx[i] == '\t' || ptx[i] == '\n';
    if (!space)
      out += ptx[i];
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return out;
}

/// "@!P0 BRA 0x1a0", "LDG.128": what our own reader knows of an instruction, without operands.
std::string plain_name(const ptx::SassInstruction& i) {
  std::string out;
  if (!i.always())
    out = i.never() ? "@!PT " : std::string(i.guard_negated ? "@!P" : "@P") + std::to_string(i.guard) + " ";
  out += ptx::sass_name(i);
  if (ptx::sass_access(i).memory() && i.width) out += "." + std::to_string(8 * i.width);
  if (i.target >= 0) {
    char text[32];
    std::snprintf(text, sizeof text, " 0x%llx", static_cast<unsigned long long>(i.target));
    out += text;
  }
  return out;
}

void set_place(const ptx::Module& m, const ptx::Instruction& from, CodeListing::Instruction& to) {
  const SourceLoc at = m.place(from);
  if (at.line == 0) return;
  if (m.of_student(at))
    to.line = at.line;
  else
    to.other = at.file + ":" + std::to_string(at.line);
}

CodeListing::Function list_function(const ptx::Module& m, const ptx::Function& f,
                                    const std::vector<size_t>& starts) {
  CodeListing::Function out;
  out.name = f.demangled;
  out.mangled = f.name;
  out.kernel = f.kernel;
  std::map<uint32_t, std::string> labels;
  for (const auto& [name, at] : f.labels) labels[at] = name;
  for (uint32_t k = 0; k < f.code.size(); ++k) {
    const ptx::Instruction& i = f.code[k];
    CodeListing::Instruction one;
    one.at = k;
    // A ret that the reader added is in no text.
    one.text = i.ptx_line > 0 ? instruction_text(m.text, starts, i.ptx_line) : "";
    if (one.text.empty()) one.text = i.opcode;
    if (auto it = labels.find(k); it != labels.end()) one.label = it->second;
    if (one.text.starts_with(one.label + ":") && !one.label.empty())
      one.text = one.text.substr(one.label.size() + 1);
    if (const size_t a = one.text.find_first_not_of(' '); a != std::string::npos)
      one.text = one.text.substr(a);
    set_place(m, i, one);
    out.ptx.push_back(std::move(one));
  }
  return out;
}

void add_machine_code(const ptx::Module& m, const ptx::Function& f, const ptx::SassFunction& from,
                      const std::map<uint32_t, std::string>* texts, CodeListing::Function& to) {
  std::map<int, int> by_ptx_line;
  for (size_t k = 0; k < f.code.size(); ++k)
    if (f.code[k].ptx_line > 0) by_ptx_line.emplace(f.code[k].ptx_line, int(k));
  for (const ptx::SassInstruction& i : from.code) {
    CodeListing::Instruction one;
    one.at = i.address;
    if (texts) {
      if (auto it = texts->find(i.address); it != texts->end()) one.text = it->second;
    }
    if (one.text.empty()) one.text = plain_name(i);
    if (auto it = by_ptx_line.find(i.ptx_line); it != by_ptx_line.end()) {
      one.ptx = it->second;
      set_place(m, f.code[size_t(it->second)], one);
    }
    to.sass.push_back(std::move(one));
  }
}

}  // namespace

void add_counts(const std::map<std::string, std::vector<uint64_t>>& counts, CodeListing& c) {
  for (CodeListing::Function& f : c.functions) {
    auto it = counts.find(f.mangled);
    if (it == counts.end() || it->second.size() != f.ptx.size()) continue;
    for (size_t k = 0; k < f.ptx.size(); ++k) f.ptx[k].executed = int64_t(it->second[k]);
    c.ran = true;
  }
}

CodeListing list_compiled(const Compiled& c, const std::string& file, const DeviceInfo& device) {
  CodeListing out;
  out.file = file;
  out.diagnostics = c.diagnostics;
  if (!c.ok) return out;
  const auto whole = ptx::parse(c.ptx, file);
  out.target = whole->target;
  out.machine = "sm_" + std::to_string(device.cc_major) + std::to_string(device.cc_minor);
  if (whole->target == out.machine + "a") out.machine += "a";
  const std::string kernels = ptx::strip_host(*whole);
  const auto module = ptx::parse(kernels, file);
  const std::vector<size_t> starts = line_starts(module->text);
  std::vector<const ptx::Function*> listed;
  for (const ptx::Function& f : module->functions)
    if (f.defined && !f.code.empty()) {
      listed.push_back(&f);
      out.functions.push_back(list_function(*module, f, starts));
    }
  if (listed.empty()) {
    out.no_machine_code = "the file has no kernel";
    return out;
  }
  const std::string asked = out.machine;
  const Assembled assembled = assemble(kernels, asked);
  if (!assembled.ok) {
    out.no_machine_code = assembled.message;
    return out;
  }
  const ptx::Cubin cubin = ptx::read_cubin(assembled.cubin);
  if (cubin.sm) out.machine = "sm_" + std::to_string(cubin.sm) + (out.machine.ends_with('a') ? "a" : "");
  const auto spills = spills_of(kernels, asked);
  const Disassembly words = disassemble(assembled.cubin);
  out.disassembler = words.tool;
  out.no_disassembler = words.message;
  for (size_t k = 0; k < listed.size(); ++k) {
    CodeListing::Function& f = out.functions[k];
    if (auto it = assembled.kernels.find(f.mangled); it != assembled.kernels.end()) f.resources = it->second;
    if (auto it = spills.find(f.mangled); it != spills.end()) f.spills = it->second;
    const ptx::SassFunction* machine = cubin.find(f.mangled);
    if (!machine) continue;
    auto text = words.functions.find(f.mangled);
    add_machine_code(*module, *listed[k], *machine, text == words.functions.end() ? nullptr : &text->second,
                     f);
  }
  return out;
}

}  // namespace dojo::run
