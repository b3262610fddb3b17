// libFuzzer target: modules that run. The bytes choose instructions (of the truth table's texts, and of a few
// more that branch, wait and touch memory), their order, and where a character is changed; the module must be
// refused with an Error, or run to its end, a finding or a limit, and never harm the machine.
#include <cstdint>
#include <cstring>

#include "core/error.hpp"
#include "core/memory.hpp"
#include "instructions.hpp"
#include "ptx/module.hpp"
#include "simt/machine/machine.hpp"

namespace {

using namespace dojo;

/// What stands between instructions: control flow, barriers, memory in every space.
const char* const more[] = {
    "bar.sync 0;",
    "bar.warp.sync 0xffffffff;",
    "@%p bra L0;",
    "@!%p bra L1;",
    "L0:",
    "L1:",
    "setp.lt.u32 %p, %x, 17;",
    "setp.ne.u32 %q, %x, 3;",
    "@%q add.u32 %x, %x, 1;",
    "mov.u32 %x, %laneid;",
    "mov.u64 %t, room;",
    "mad.wide.u32 %t, %x, 8, %t;",
    "st.shared.u64 [%t], %w;",
    "ld.shared.v2.u32 {%x, %y}, [%t];",
    "ld.global.u64 %w, [%i+8];",
    "st.global.u32 [%o], %x;",
    "atom.global.add.u32 %x, [%o], %y;",
    "red.shared.max.u32 [%t], %x;",
    "st.local.u32 [frame+4], %x;",
    "ld.local.u32 %y, [frame+4];",
    "call (), helper, ();",
    "ret;",
    "@%q exit;",
    "membar.gl;",
    "vote.sync.ballot.b32 %y, %p, 0xffffffff;",
    "shfl.sync.bfly.b32 %y, %x, 1, 31, 0xffffffff;",
    "cp.async.ca.shared.global [%t], [%i], 8;",
    "mbarrier.init.shared.b64 [%t], 4;",
    "mbarrier.arrive.shared.b64 %w, [%t];",
    "cvta.shared.u64 %t, %t;",
    "ld.u32 %x, [%t];",
    "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%x, %y, %x, %y, %x, %y, %x, %y}, [%t];",
    "brx.idx %x, table;",
    "add.u64 %t, %t, %w;",
    "alloca.u64 %w, 64;",
};

struct Bytes {
  const uint8_t* data;
  size_t size;
  uint32_t next() {
    if (!size) return 0;
    --size;
    return *data++;
  }
};

std::string statement(const truth::Op& op, Bytes& in) {
  std::string line = op.text;
  if (line.find('$') == line.npos) {
    line += " $r";
    for (size_t i = 0; i < op.sources.size(); ++i) line += std::string(", $") + char('a' + i);
    line += ";";
  }
  // Registers of the right width, by type.
  auto name = [&](const std::string& type) -> std::string {
    if (type == "pred") return "%p";
    if (type == "f32") return "%f" + std::to_string(in.next() % 2);
    if (type == "f64") return "%d";
    if (type.ends_with("64")) return in.next() % 2 ? "%w" : "%v";
    if (type.ends_with("32") || type.ends_with("x2")) return in.next() % 2 ? "%x" : "%y";
    return "%h";
  };
  std::string out;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '$' || i + 1 == line.size()) {
      out += line[i];
      continue;
    }
    const char c = line[++i];
    const size_t source = size_t(c - 'a');
    out += c == 'r' || source >= op.sources.size() ? name(op.result) : name(op.sources[source]);
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes in{data, size};
  const uint32_t shape = in.next();
  std::string body;
  for (int n = 0; n < 40 && in.size; ++n) {
    const uint32_t kind = in.next();
    std::string line;
    if (kind % 2) {
      line = more[in.next() % std::size(more)];
    } else {
      const auto& ops = truth::instructions(kind % 3 ? 2 : 1);
      line = statement(ops[(in.next() << 8 | in.next()) % ops.size()], in);
    }
    if (kind >= 250 && !line.empty()) line[in.next() % line.size()] = char(' ' + in.next() % 95);
    body += line + "\n";
  }
  const std::string text =
      ".version 8.6\n.target sm_90a\n.address_size 64\n"
      ".func helper() { .reg .b32 %x; mov.u32 %x, %tid.x; ret; }\n"
      ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
      ".reg .pred %p, %q;\n.reg .b16 %h;\n.reg .b32 %x, %y;\n.reg .f32 %f<2>;\n.reg .b64 %w, %v, %i, %o, "
      "%t;\n.reg .f64 "
      "%d;\n.shared .align 16 .b8 room[2048];\n.local .align 8 .b8 frame[16];\n"
      "table: .branchtargets L0, L1;\n"
      "ld.param.u64 %i, [in];\nld.param.u64 %o, [out];\nmov.u32 %x, %tid.x;\nmul.wide.u32 %t, %x, "
      "8;\nadd.u64 %o, %o, "
      "%t;\n" +
      body + (body.find("L0:") == body.npos ? "L0:\n" : "") + (body.find("L1:") == body.npos ? "L1:\n" : "") +
      "ret;\n}\n";
  try {
    AddressSpace memory;
    auto module = ptx::parse(text, "k.cu");
    auto program = simt::decode(module, {});
    simt::unsupported(*program);
    Region *from = memory.allocate(16384, Owner::device, "in"),
           *to = memory.allocate(4096, Owner::device, "out");
    if (!from || !to) return 0;
    for (size_t i = 0; i < 16384; ++i) from->data[i] = std::byte(i * 37 + shape);
    from->initialized = true;
    simt::LaunchNode node;
    const ptx::Function* f = module->find("k");
    if (!f) return 0;
    node.function = uint32_t(f - module->functions.data());
    node.spec.kernel = "k";
    node.spec.grid = {1 + (shape & 1) * 2, 1, 1};
    node.spec.block = {shape & 2 ? 32u : shape & 4 ? 70u : 128u, 1, 1};
    node.spec.params.resize(f->param_bytes);
    if (f->param_bytes >= 16) {
      std::memcpy(node.spec.params.data(), &from->base, 8);
      std::memcpy(node.spec.params.data() + 8, &to->base, 8);
    }
    node.blocks_per_sm = 2;
    simt::MachineConfig config;
    config.sms = 2;
    config.control.threads = 1;
    config.control.checks = shape & 8;
    config.control.max_warp_instructions = 10000;  // a product of matrices takes a sanitizer up to 200 us
    simt::execute(*program, std::span(&node, 1), memory, config);
  } catch (const Error&) {
  } catch (const RunStopped&) {
  }
  return 0;
}
