// The PTX of the truth module, its inputs, the run, and the file of recorded outputs.
#include <fmt/format.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "core/device.hpp"
#include "core/error.hpp"
#include "instructions.hpp"
#include "ptx/module.hpp"

namespace dojo::truth {
namespace {

int width(const std::string& type) {
  if (type == "pred") return 1;
  if (type.ends_with("16x2")) return 32;
  if (type.ends_with("64")) return 64;
  if (type.ends_with("32")) return 32;
  if (type.ends_with("16")) return 16;
  return 8;
}

bool is_float(const std::string& type) { return type[0] == 'f' || type.starts_with("bf"); }

// Register class that PTX accepts for a type: halves and packed types are plain bits, bytes live in 16 bits.
std::string register_type(const std::string& type) {
  if (type == "f32" || type == "f64" || type == "pred") return type;
  if (is_float(type) || type[0] == 'b') return "b" + std::to_string(std::max(16, width(type)));
  return type.substr(0, 1) + std::to_string(std::max(16, width(type)));
}

void replace_all(std::string& s, const std::string& what, const std::string& with) {
  for (size_t at = 0; (at = s.find(what, at)) != std::string::npos; at += with.size())
    s.replace(at, what.size(), with);
}

std::string statement(const Op& op) {
  std::string line = op.text;
  if (line.find('$') == std::string::npos) {
    line += " $r";
    for (size_t i = 0; i < op.sources.size(); ++i) line += std::string(", $") + char('a' + i);
    line += ";";
  }
  replace_all(line, "$r", "%dst");
  for (char c = 'a'; c <= 'l'; ++c) replace_all(line, std::string("$") + c, std::string("%s") + c);
  return line;
}

std::string kernel(const Op& op, size_t index, int set) {
  std::string k = fmt::format(
      ".visible .entry op_{}(.param .u64 in, .param .u64 out)\n{{\n"
      "\t.reg .b64 %w, %i, %o, %t;\n\t.reg .b32 %x;\n\t.reg .b16 %h;\n\t.reg .{} %dst;\n",
      index, register_type(op.result));
  for (size_t i = 0; i < op.sources.size(); ++i)
    k += fmt::format("\t.reg .{} %s{};\n", register_type(op.sources[i]), char('a' + i));
  k += fmt::format(
      "\tld.param.u64 %i, [in];\n\tld.param.u64 %o, [out];\n\tcvta.to.global.u64 %i, "
      "%i;\n\tcvta.to.global.u64 %o, %o;\n"
      "\tmov.u32 %x, %tid.x;\n\tmul.wide.u32 %t, %x, {};\n\tadd.u64 %i, %i, %t;\n\tmul.wide.u32 %t, %x, 8;\n"
      "\tadd.u64 %o, %o, %t;\n",
      8 * op.sources.size());
  for (size_t i = 0; i < op.sources.size(); ++i) {
    const std::string& type = op.sources[i];
    const std::string reg = std::string("%s") + char('a' + i);
    k += fmt::format("\tld.global.u64 %w, [%i+{}];\n", 8 * i);
    switch (width(type)) {
      case 64:
        k += fmt::format("\tmov.b64 {}, %w;\n", reg);
        break;
      case 32:
        k += fmt::format("\tcvt.u32.u64 %x, %w;\n\tmov.b32 {}, %x;\n", reg);
        break;
      case 16:
        k += fmt::format("\tcvt.u16.u64 %h, %w;\n\tmov.b16 {}, %h;\n", reg);
        break;
      default:  // a byte, extended as its type says
        k += fmt::format("\tcvt.u16.u64 %h, %w;\n\tcvt.{0}16.{0}8 {1}, %h;\n", type[0], reg);
    }
  }
  k += "\t" + statement(op) + "\n";
  switch (width(op.result)) {
    case 1:
      k += "\tselp.b64 %w, 1, 0, %dst;\n";
      break;
    case 64:
      k += "\tmov.b64 %w, %dst;\n";
      break;
    case 32:
      k += "\tmov.b32 %x, %dst;\n\tcvt.u64.u32 %w, %x;\n";
      break;
    default:
      k += "\tmov.b16 %h, %dst;\n\tcvt.u64.u16 %w, %h;\n";
  }
  k += "\tst.global.u64 [%o], %w;\n";
  // Some of the second set read what they added: that is settled at once where blocks keep an order.
  if (set == 2) k += "\tmembar.gl;\n";
  k += "\tret;\n}\n\n";
  return k;
}

struct Stream {
  uint64_t s;
  uint64_t next() {
    s += 0x9E3779B97F4A7C15ull;
    uint64_t z = s;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
};

uint64_t special(const std::string& type, uint64_t pick) {
  static const uint64_t f32[] = {0,          0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000,
                                 0x7FC00000, 0x7F800001, 0xFFC12345, 1,          0x80000001, 0x007FFFFF,
                                 0x00800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x3F000000, 0x4B000000, 0x4F000000,
                                 0x5F000000, 0x33800000, 0x40490FDB, 0x477FE000, 0x38800000, 0x3F7FFFFF};
  static const uint64_t f64[] = {0,
                                 0x8000000000000000,
                                 0x3FF0000000000000,
                                 0xBFF0000000000000,
                                 0x7FF0000000000000,
                                 0xFFF0000000000000,
                                 0x7FF8000000000000,
                                 0x7FF0000000000001,
                                 1,
                                 0x000FFFFFFFFFFFFF,
                                 0x0010000000000000,
                                 0x7FEFFFFFFFFFFFFF,
                                 0x3FE0000000000000,
                                 0x4330000000000000,
                                 0x41E0000000000000,
                                 0x43E0000000000000,
                                 0x36A0000000000000,
                                 0x380FFFFFFFFFFFFF,
                                 0x47EFFFFFE0000000,
                                 0x40EFFC0000000000};
  static const uint64_t f16[] = {0, 0x8000, 0x3C00, 0xBC00, 0x7C00, 0xFC00, 0x7E00, 0x7C01,
                                 1, 0x8001, 0x03FF, 0x0400, 0x7BFF, 0xFBFF, 0x3800, 0x6400};
  static const uint64_t bf16[] = {0, 0x8000, 0x3F80, 0xBF80, 0x7F80, 0xFF80, 0x7FC0, 0x7F81,
                                  1, 0x8001, 0x007F, 0x0080, 0x7F7F, 0xFF7F, 0x3F00, 0x4B00};
  static const uint64_t ints[] = {0,
                                  1,
                                  2,
                                  31,
                                  32,
                                  33,
                                  63,
                                  64,
                                  0x7F,
                                  0x80,
                                  0xFF,
                                  0x7FFF,
                                  0x8000,
                                  0xFFFF,
                                  0x7FFFFFFF,
                                  0x80000000,
                                  0xFFFFFFFF,
                                  0xFFFFFF80,
                                  0xFFFF8000,
                                  0x7FFFFFFFFFFFFFFF,
                                  0x8000000000000000,
                                  0xFFFFFFFFFFFFFFFF,
                                  3,
                                  16,
                                  0xFFFFFFFFFFFFFF80};
  auto from = [&](const auto& list) { return list[pick % (sizeof list / sizeof list[0])]; };
  if (type == "f32") return from(f32);
  if (type == "f64") return from(f64);
  if (type == "f16") return from(f16);
  if (type == "bf16") return from(bf16);
  if (type == "f16x2") return from(f16) | f16[(pick >> 8) % 16] << 16;
  if (type == "bf16x2") return from(bf16) | bf16[(pick >> 8) % 16] << 16;
  return from(ints);
}

// A value of moderate size: exponents near one, small integers.
uint64_t moderate(const std::string& type, uint64_t bits) {
  if (type == "f32") return (bits & 0x807FFFFF) | (0x7A + (bits >> 40) % 12) << 23;
  if (type == "f64") return (bits & 0x800FFFFFFFFFFFFF) | (0x3FA + (bits >> 53) % 12) << 52;
  if (type == "f16") return (bits & 0x83FF) | (12 + (bits >> 40) % 8) << 10;
  if (type == "bf16") return (bits & 0x807F) | (0x7B + (bits >> 40) % 8) << 7;
  if (type == "f16x2") return moderate("f16", bits) | moderate("f16", bits >> 17) << 16;
  if (type == "bf16x2") return moderate("bf16", bits) | moderate("bf16", bits >> 17) << 16;
  return bits % 129 - (type[0] == 's' ? 64 : 0);
}

// Small integers as values of the type.
uint64_t whole(const std::string& type, uint64_t bits) {
  const int v = int(bits % 13) - 6;
  const uint64_t sign = v < 0, magnitude = uint64_t(std::abs(v));
  if (type.ends_with("16x2")) {
    const std::string half = type.substr(0, type.size() - 2);
    return whole(half, bits) | whole(half, bits >> 16) << 16;
  }
  if (!is_float(type)) return bits;
  const int exponent = v ? int(std::bit_width(magnitude)) - 1 : 0;
  auto made = [&](int total, int mantissa, int bias) -> uint64_t {
    if (!v) return 0;
    return sign << (total - 1) | uint64_t(exponent + bias) << mantissa |
           ((magnitude << (mantissa - exponent)) & ((uint64_t(1) << mantissa) - 1));
  };
  return type == "f64"    ? made(64, 52, 1023)
         : type == "f32"  ? made(32, 23, 127)
         : type == "bf16" ? made(16, 7, 127)
                          : made(16, 10, 15);
}

// Finite values whose exponents differ much.
uint64_t far_apart(const std::string& type, uint64_t bits) {
  if (type == "f32") return (bits & 0x807FFFFF) | (0x6F + (bits >> 40) % 32) << 23;
  if (type == "f64") return (bits & 0x800FFFFFFFFFFFFF) | (0x3E0 + (bits >> 53) % 64) << 52;
  if (type == "f16") return (bits & 0x83FF) | (1 + (bits >> 40) % 28) << 10;
  if (type == "bf16") return (bits & 0x807F) | (0x6F + (bits >> 40) % 32) << 7;
  if (type == "f16x2") return far_apart("f16", bits) | far_apart("f16", bits >> 17) << 16;
  if (type == "bf16x2") return far_apart("bf16", bits) | far_apart("bf16", bits >> 17) << 16;
  return bits;
}

}  // namespace

std::vector<uint64_t> inputs_of(const Op& op, size_t) {
  // Seeded by the instruction's text, so that inputs stay when the table grows.
  uint64_t seed = 1469598103934665603ull;
  for (char c : op.text + op.result + (op.range ? char('0' + op.range) + std::string() : std::string()))
    seed = (seed ^ uint8_t(c)) * 1099511628211ull;
  Stream random{seed};
  const bool bounded =
      op.text.starts_with("sin") || op.text.starts_with("cos") || op.text.starts_with("tanh.approx.f32");
  std::vector<uint64_t> words;
  words.reserve(kInputs * op.sources.size());
  for (int i = 0; i < kInputs; ++i)
    for (const auto& type : op.sources) {
      const uint64_t kind = random.next() % 8, bits = random.next();
      uint64_t v = op.range == Op::whole      ? whole(type, bits)
                   : op.range == Op::wide     ? far_apart(type, bits)
                   : op.range == Op::moderate ? moderate(type, bits)
                   : kind < 3 && !bounded     ? special(type, bits)
                   : kind < 5 && !bounded     ? bits
                                              : moderate(type, bits);
      const int w = width(type);
      if (w < 64) v &= (uint64_t(1) << w) - 1;
      words.push_back(v);
    }
  return words;
}

std::string module_text(int set) {
  std::string text = set == 1 ? ".version 8.0\n.target sm_90\n" : ".version 8.6\n.target sm_90a\n";
  text += ".address_size 64\n\n";
  const auto& ops = instructions(set);
  for (size_t i = 0; i < ops.size(); ++i) text += kernel(ops[i], i, set);
  return text;
}

namespace {

/// A device with the module loaded and buffers for one instruction's inputs and outputs.
struct Bench {
  std::unique_ptr<Device> device;
  uint64_t in = 0, out = 0;
  Region* staging = nullptr;

  Bench(const std::string& name, const std::shared_ptr<const ptx::Module>& module)
      : device(open_device(name)) {
    RunControl control;
    control.timing = false;
    device->set_control(control);
    device->load(module, {});
    device->allocate(&in, kInputs * 8 * 12, Owner::device, "in", {});
    device->allocate(&out, kInputs * 8, Owner::device, "out", {});
    staging = device->memory().allocate(kInputs * 8 * 12, Owner::host_heap, "staging");
  }

  bool run(size_t index, const std::vector<uint64_t>& inputs, uint64_t* outputs) {
    std::memcpy(staging->data, inputs.data(), inputs.size() * 8);
    device->copy(in, staging->base, inputs.size() * 8, 0, true);
    LaunchSpec spec;
    spec.kernel = fmt::format("op_{}", index);
    spec.block = {kInputs, 1, 1};
    spec.params.resize(16);
    std::memcpy(spec.params.data(), &in, 8);
    std::memcpy(spec.params.data() + 8, &out, 8);
    if (!device->launch(spec).ok() || !device->synchronize().ok()) return false;
    device->copy(staging->base, out, kInputs * 8, 0, true);
    std::memcpy(outputs, staging->data, kInputs * 8);
    device->take_launches();
    return true;
  }
};

}  // namespace

std::vector<uint64_t> run_all(const std::string& device, std::vector<std::string>* failed, int set) {
  const auto& ops = instructions(set);
  std::vector<uint64_t> out(ops.size() * kInputs);
  const auto module = ptx::parse(module_text(set), "truth.ptx");
  auto bench = std::make_unique<Bench>(device, module);
  for (size_t i = 0; i < ops.size(); ++i) {
    std::string why;
    try {
      if (bench->run(i, inputs_of(ops[i], i), &out[i * kInputs])) continue;
      why = "the launch failed";
    } catch (const RunStopped& stopped) {
      why = stopped.what();
    }
    if (failed) failed->push_back(ops[i].text + ": " + why);
    bench = std::make_unique<Bench>(device, module);  // a stopped context takes no more work
  }
  return out;
}

const uint64_t* Recording::find(const std::string& name) const {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return &words[i * kInputs];
  return nullptr;
}

Recording load_recording(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error("no recording of instructions at " + path);
  Recording r;
  std::getline(in, r.note);
  std::string line;
  while (std::getline(in, line) && !line.empty()) r.names.push_back(line);
  r.words.resize(r.names.size() * kInputs);
  in.read(reinterpret_cast<char*>(r.words.data()), std::streamsize(r.words.size() * 8));
  if (!in) throw Error("the recording of instructions at " + path + " is cut short");
  return r;
}

void save_recording(const std::string& path, const Recording& r) {
  std::ofstream out(path, std::ios::binary);
  out << r.note << '\n';
  for (const auto& name : r.names) out << name << '\n';
  out << '\n';
  out.write(reinterpret_cast<const char*>(r.words.data()), std::streamsize(r.words.size() * 8));
}

}  // namespace dojo::truth
