// Which PTX instructions the machine runs, and how that is known: docs/instructions.md is made from the
// instruction table, the truth recordings and the opcodes that teaching programs use, and must be current.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "core/files/whole_file.hpp"
#include "core/paths.hpp"
#include "instructions.hpp"
#include "ptx/module.hpp"
#include "simt/decode/vocabulary.hpp"
#include "simt/machine/machine.hpp"

using namespace dojo;

namespace {

std::vector<std::string> split(const std::string& opcode) {
  std::vector<std::string> parts;
  std::stringstream in(opcode);
  for (std::string part; std::getline(in, part, '.');) parts.push_back(part);
  return parts;
}
std::vector<std::string> types_of(const std::vector<std::string>& parts) {
  std::vector<std::string> types;
  for (const auto& p : parts)
    if (ptx::type_from(p) != ptx::Type::none) types.push_back(p);
  return types;
}
std::string reg(const std::string& type) {
  if (type == "pred") return "%p1";
  if (type == "f32") return "%f1";
  if (type == "f64") return "%d1";
  const int n = ptx::bits(ptx::type_from(type));
  return n == 64 ? "%rd1" : n > 16 ? "%r1" : "%h1";
}
std::string list(const std::string& r, int n) {
  std::string s = "{";
  for (int i = 0; i < n; ++i) s += (i ? ", " : "") + r;
  return s + "}";
}
/// Registers of a wmma fragment.
int fragment(const std::string& which, const std::string& shape, const std::string& type) {
  if (type == "f64") return which == "a" || which == "b" ? 1 : 2;
  if (type == "tf32" || type == "bf16") return 4;
  if (which == "c" || which == "d") return type == "f16" ? 4 : 8;
  if (type == "f16") return 8;
  if (shape == "m32n8k16") return which == "a" ? 4 : 1;
  return 2;
}

/// A statement with this opcode and operands that fit it.
std::string statement(const std::string& opcode) {
  const auto parts = split(opcode);
  const std::string& op = parts[0];
  const auto types = types_of(parts);
  auto has = [&](const char* word) {
    for (const auto& p : parts)
      if (p == word || p.starts_with(std::string(word) + "::")) return true;
    return false;
  };
  const std::string last = types.empty() ? "" : reg(types.back()), first = types.empty() ? "" : reg(types[0]);
  const int n = has("v4") ? 4 : has("v2") ? 2 : 1;
  auto call = [&](const std::string& operands) {
    return opcode + (operands.empty() ? "" : " " + operands) + ";";
  };
  if (op == "ld" || op == "ldu")
    return call((n > 1 ? list(last, n) : last) + (has("param") ? ", [in]" : ", [%rd2]"));
  if (op == "st") {
    if (has("param")) return "{ .param .align 8 .b8 param0[16]; " + call("[param0], " + last) + " }";
    return call("[%rd2], " + (n > 1 ? list(last, n) : last));
  }
  if (op == "atom") return call(last + ", [%rd2], " + last + (has("cas") ? ", " + last : ""));
  if (op == "red") return call("[%rd2], " + last);
  if (op == "bra") return "{ " + call("NEXT") + " NEXT: }";
  if (op == "call") return call("helper, ()");
  if (op == "setp") return call("%p1, " + last + ", " + last);
  if (op == "selp") return call(last + ", " + last + ", " + last + ", %p1");
  if (op == "shl" || op == "shr") return call(last + ", " + last + ", %r1");
  if (op == "popc" || op == "clz" || op == "bfind") return call("%r1, " + last);
  if (op == "bfi") return call(last + ", " + last + ", " + last + ", %r1, %r2");
  if (op == "cvt")
    return call(first + ", " + last +
                (ptx::bits(ptx::type_from(types[0])) != 32 || types[0].find("x2") == types[0].npos
                     ? (types[0].starts_with("e") ? ", " + last : "")
                 : types[1] == "f32" ? ", " + last
                                     : ""));
  if (op == "cvta") return call("%rd1, %rd2");
  if (op == "mov" || op == "neg" || op == "abs" || op == "not" || op == "rcp" || op == "sqrt" ||
      op == "rsqrt" || op == "ex2" || op == "lg2" || op == "brev")
    return call(last + ", " + last);
  if (op == "set") return call(first + ", " + last + ", " + last);
  if (op == "mul" || op == "mad") {
    const std::string wide = types.back().ends_with("32") ? "%rd1" : "%r1", to = has("wide") ? wide : last;
    return call(to + ", " + last + ", " + last + (op == "mad" ? ", " + to : ""));
  }
  if (op == "fma") return call(last + ", " + last + ", " + last + ", " + last);
  if (op == "shf") return call("%r1, %r1, %r2, %r3");
  if (op == "shfl") return call("%r1|%p1, %r2, 1, 31, -1");
  if (op == "vote") return call(types.back() == "pred" ? "%p1, %p2, -1" : "%r1, %p1, -1");
  if (op == "match") return call("%r1, " + last + ", -1");
  if (op == "redux") return call("%r1, %r2, -1");
  if (op == "activemask") return call("%r1");
  if (op == "bar" || op == "barrier") return call(has("warp") ? "-1" : "0");
  if (op == "nanosleep") return call("%r1");
  if (op == "mbarrier") {
    if (has("init") || has("expect_tx")) return call("[%rd2], %r1");
    if (has("inval")) return call("[%rd2]");
    if (has("arrive")) return call("%rd1, [%rd2]");
    return call(has("parity") ? "%p1, [%rd2], %r1" : "%p1, [%rd2], %rd1");
  }
  if (op == "cp") {
    if (has("commit_group")) return call("");
    if (has("wait_group")) return call("0");
    if (has("arrive")) return call("[%rd2]");
    return call(has("bulk") ? "[%r1], [%rd2], %r2, [%r3]" : "[%r1], [%rd2], 16");
  }
  if (op == "tex") return call(list("%f1", 4) + ", [%rd1, {%f1, %f2}]");
  if (op == "ldmatrix") return call(list("%r1", has("x4") ? 4 : has("x2") ? 2 : 1) + ", [%rd2]");
  if (op == "mma") {
    const bool half = types[0] == "f16";
    return call(list(half ? "%r1" : "%f1", half ? 2 : 4) + ", " + list("%r1", 4) + ", " + list("%r1", 2) +
                ", " + list(half ? "%r1" : "%f1", half ? 2 : 4));
  }
  if (op == "wmma") {
    std::string shape;
    for (const auto& p : parts)
      if (p[0] == 'm' && p.find('n') != p.npos && p.find('k') != p.npos) shape = p;
    auto regs = [&](const std::string& which, const std::string& type) {
      return list(type == "f64" ? "%d1" : type == "f32" ? "%f1" : "%r1", fragment(which, shape, type));
    };
    if (parts[1] == "load") return call(regs(parts[2], types[0]) + ", [%rd2], %r1");
    if (parts[1] == "store") return call("[%rd2], " + regs(parts[2], types[0]) + ", %r1");
    const bool named = types.size() == 4;
    return call(regs("d", types[0]) + ", " + regs("a", named ? types[1] : "f16") + ", " +
                regs("b", named ? types[2] : "f16") + ", " + regs("c", types.back()));
  }
  if (op == "ret" || op == "trap" || op == "membar" || op == "fence") return call("");
  return call(last + ", " + last + ", " + last);  // two operands
}

std::vector<std::string> teaching_opcodes() {
  std::ifstream in(source_root() / "tests/truth/teaching_opcodes.txt");
  std::vector<std::string> all;
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) all.push_back(line);
  return all;
}

/// The opcodes that an entry of the truth table runs, in its own scaffolding too.
std::set<std::string> opcodes_in(const std::string& text) {
  std::set<std::string> found;
  std::string statement;
  auto take = [&] {
    size_t at = statement.find_first_not_of(" {}\t\n");
    if (at == statement.npos) return statement.clear();
    if (statement[at] == '@') at = statement.find_first_not_of(' ', statement.find(' ', at));
    const std::string word = statement.substr(at, statement.find_first_of(" ;", at) - at);
    if (word[0] >= 'a' && word[0] <= 'z') found.insert(word);
    statement.clear();
  };
  for (char c : text) {
    if (c == ';')
      take();
    else
      statement += c;
  }
  take();
  return found;
}

struct State {
  std::set<std::string> exact, implemented;
  std::map<std::string, int> bounded;
  std::string refused;
};

std::string generated() {
  std::map<std::string, State> table;
  for (const auto& name : simt::instruction_names(false)) table[name];
  for (const auto& name : simt::instruction_names(true)) {
    ptx::Instruction ins;
    ins.opcode = name;
    ins.parts = {name};
    table[name].refused = simt::why_refused(ins);
  }
  for (int set = 1; set <= truth::kSets; ++set) {
    if (!std::filesystem::exists(source_root() / "tests/truth" /
                                 (set == 1 ? "instructions.bin" : "instructions2.bin")))
      continue;
    for (const auto& op : truth::instructions(set))
      for (const auto& opcode : opcodes_in(op.text)) {
        const auto parts = split(opcode);
        const auto types = types_of(parts);
        State& s = table[parts[0]];
        std::string type = types.empty() ? "-" : types.back();
        const bool product = parts[0] == "mma" && types.size() == 4;
        if (product)  // by factors and sum
          type = types[1] + "\u2192" + types[0] +
                 (opcode.find("m8n8k4") != opcode.npos && types[1] == "f16" ? " (m8n8k4)" : "");
        // What only carries values to and from an approximate instruction isn't approximate itself.
        if (op.ulp == 0 || types.empty() ||
            (opcode.find("approx") == opcode.npos && (!product || types[0] == "f64")))
          s.exact.insert(type);
        else
          s.bounded[type] = std::max(s.bounded[type], op.ulp);
      }
  }
  for (const auto& opcode : teaching_opcodes()) {
    const auto parts = split(opcode);
    const auto types = types_of(parts);
    State& s = table[parts[0]];
    const std::string type = types.empty() ? "-" : types.back();
    if (s.refused.empty() && parts[0] != "mma" && !s.exact.count(type) && !s.bounded.count(type))
      s.implemented.insert(type);
  }
  std::string out =
      "# PTX instructions\n\n"
      "Made by a test (`WARPDOJO_WRITE_DOCS=1 test_simt -tc=\"*instruction table*\"` writes it again) from "
      "the machine's instruction "
      "table, the outputs recorded on an H100 (tests/truth) and the 401 opcodes that about 200 public "
      "teaching programs use "
      "(tests/truth/teaching_opcodes.txt: every one of them is run, or refused by name).\n\n"
      "- **exact**: the machine gives an H100's bits on random and special inputs, for operands of these "
      "types;\n"
      "- **bounded**: hardware approximates; the machine is within so many units of the last place "
      "(\"absolute\": within 2^-10, "
      "inputs of moderate size);\n"
      "- **also run**: implemented from the PTX documentation, not compared with recorded bits. A case in "
      "tests/simt tests the instruction's effect, but not with every type;\n"
      "- **refused**: reaching it ends the run with the instruction's name and line.\n\n"
      "A part of an opcode that the machine doesn't know (a new rounding, a hint that changes results) is "
      "refused by name too. "
      "`-` stands for no type. `tex`, `suld` and `sust` are compared with an H100 by a program of their own "
      "(tests/truth/textures.cu).\n\n"
      "| instruction | exact | bounded | also run |\n| --- | --- | --- | --- |\n";
  auto joined = [](const std::set<std::string>& s) {
    std::string text;
    for (const auto& v : s) text += (text.empty() ? "" : " ") + v;
    return text;
  };
  for (const auto& [name, s] : table) {
    if (!s.refused.empty()) continue;
    std::string bounded;
    for (const auto& [type, ulp] : s.bounded)
      bounded +=
          (bounded.empty() ? "" : ", ") + type + (ulp >= 1 << 10 ? " absolute" : fmt::format(" {}", ulp));
    std::string also = joined(s.implemented);
    if (s.exact.empty() && s.bounded.empty() && s.implemented.empty())
      also = "all forms listed in the PTX ISA for sm_90 that the table takes";
    out += fmt::format("| `{}` | {} | {} | {} |\n", name, joined(s.exact), bounded, also);
  }
  out += "\n## Refused\n\n| instruction | why |\n| --- | --- |\n";
  for (const auto& [name, s] : table)
    if (!s.refused.empty()) out += fmt::format("| `{}` | {} |\n", name, s.refused);
  for (const char* line : {"| `cp.async.bulk.tensor`, `cp.reduce.async.bulk`, `.multicast::cluster` | TMA "
                           "copies of tensors, reductions and multicasts are not "
                           "modelled: `cp.async.bulk` in one dimension is |",
                           "| `mma.sp`, `mma` of `b1`, `s4`, `u4`, 6- and 4-bit floats | sparse matrices and "
                           "these types are not modelled |",
                           "| `createpolicy.range`, `createpolicy.cvt` | of cache policies only "
                           "`createpolicy.fractional` is modelled |",
                           "| `vadd`, `vsub`, `vmin`, `vset`, … | video instructions other than `vabsdiff2` "
                           "and `vabsdiff4`: NVRTC 13 emits no others |"})
    out += std::string(line) + "\n";
  return out;
}

}  // namespace

TEST_CASE("every opcode of 200 teaching programs is run by the machine or refused by name") {
  std::string text =
      ".version 8.6\n.target sm_90a\n.address_size 64\n.func helper() { ret; }\n.visible .entry k(.param "
      ".u64 in)\n{\n"
      ".reg .pred %p<4>;\n.reg .b16 %h<4>;\n.reg .b32 %r<4>;\n.reg .f32 %f<4>;\n.reg .b64 %rd<4>;\n.reg .f64 "
      "%d<4>;\n";
  const auto opcodes = teaching_opcodes();
  CHECK(opcodes.size() == 401);
  for (const auto& opcode : opcodes) text += statement(opcode) + "\n";
  const auto module = ptx::parse(text + "ret;\n}\n", "k.cu");
  const auto program = simt::decode(module, {});
  for (const auto& d : simt::unsupported(*program)) FAIL_CHECK(d.message);
}

TEST_CASE("each instruction has a recorded result, or a case that runs it by name") {
  std::set<std::string> recorded;
  for (int set = 1; set <= truth::kSets; ++set)
    for (const auto& op : truth::instructions(set)) {
      std::stringstream words(op.text);
      for (std::string word; words >> word;) recorded.insert(word.substr(0, word.find('.')));
    }
  std::string cases;
  for (const char* folder : {"tests/simt", "tests/truth"})
    for (const auto& e : std::filesystem::recursive_directory_iterator(source_root() / folder))
      // This file and ptx_meaning.cpp name instructions and run none.
      if (e.is_regular_file() && e.path().filename() != "instruction_coverage.cpp" &&
          e.path().filename() != "ptx_meaning.cpp" && e.path().extension() != ".bin")
        cases += read_or_empty(e.path());
  for (const auto& name : simt::instruction_names(false)) {
    if (recorded.count(name)) continue;
    const bool run = std::regex_search(cases, std::regex("[^A-Za-z_]" + name + R"([.; ])"));
    CHECK_MESSAGE(run, name << ": neither a row in tests/truth/instructions.cpp nor a case in "
                               "tests/simt/machine_unrecorded.cpp");
  }
}

TEST_CASE("no instruction of the instruction table is run and refused at once") {
  for (const auto& name : simt::instruction_names(false)) {
    ptx::Instruction ins;
    ins.opcode = name;
    ins.parts = {name};
    CHECK_MESSAGE(simt::why_refused(ins) == "",
                  name << " is run (list.def): remove why it is refused (simt/decode/vocabulary.cpp)");
  }
}

TEST_CASE("the instruction table in docs/instructions.md is current") {
  const auto path = source_root() / "docs/instructions.md";
  const std::string now = generated();
  if (std::getenv("WARPDOJO_WRITE_DOCS")) std::ofstream(path) << now;
  const bool current = read_or_empty(path) == now;  // apart: a failed comparison would print both pages
  CHECK_MESSAGE(current,
                "docs/instructions.md is not current: run WARPDOJO_WRITE_DOCS=1 test_simt "
                "-tc=\"*instruction table*\"");
}
