// What machine opcodes are: name, pipe, memory access.
#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include "ptx/sass.hpp"

namespace dojo::ptx {
namespace {

struct Coded {
  uint16_t op;
  std::string_view name;
  Pipe pipe;
  uint8_t turns = 1;            // of the pipe
  std::string_view reads = {};  // sass_operands
};

// Ordered by opcode class.
constexpr std::array ops = {
    Coded{0x000, "?0", Pipe::alu},
    Coded{0x002, "MOV", Pipe::alu, 1, "b"},
    Coded{0x003, "P2R", Pipe::alu},
    Coded{0x004, "R2P", Pipe::alu},
    Coded{0x005, "CS2R", Pipe::alu},
    Coded{0x006, "VOTE", Pipe::alu},
    Coded{0x007, "SEL", Pipe::alu, 1, "ab"},
    Coded{0x008, "FSEL", Pipe::alu, 1, "ab"},
    Coded{0x009, "FMNMX", Pipe::alu, 1, "ab"},
    Coded{0x00a, "FSET", Pipe::alu, 1, "ab"},
    Coded{0x00b, "FSETP", Pipe::alu, 1, "ab"},
    Coded{0x00c, "ISETP", Pipe::alu, 1, "ab"},
    Coded{0x010, "IADD3", Pipe::alu, 1, "abc"},
    Coded{0x011, "LEA", Pipe::alu, 1, "abc"},
    Coded{0x012, "LOP3", Pipe::alu, 1, "abc"},
    Coded{0x013, "IABS", Pipe::alu, 1, "b"},
    Coded{0x014, "FLO/IMNMX", Pipe::alu, 1, "ab"},
    Coded{0x016, "PRMT", Pipe::alu, 1, "abc"},
    Coded{0x017, "IMNMX", Pipe::alu, 1, "ab"},
    Coded{0x019, "SHF", Pipe::alu, 1, "abc"},
    Coded{0x01a, "SGXT", Pipe::alu, 1, "ab"},
    Coded{0x01b, "BMSK", Pipe::alu, 1, "ab"},
    Coded{0x01c, "PLOP3", Pipe::alu},
    Coded{0x020, "FMUL", Pipe::fma, 1, "ab"},
    Coded{0x021, "FADD", Pipe::fma, 1, "ab"},
    Coded{0x022, "FSWZADD", Pipe::fma},
    Coded{0x023, "FFMA", Pipe::fma, 1, "abc"},
    Coded{0x024, "IMAD", Pipe::fmaheavy, 1, "abc"},
    Coded{0x025, "IMAD.WIDE", Pipe::fmaheavy, 2, "abc"},
    Coded{0x026, "IDP", Pipe::fmaheavy, 1, "abc"},
    Coded{0x027, "IMAD.HI", Pipe::fmaheavy, 2, "abc"},
    Coded{0x028, "DMUL", Pipe::fp64},
    Coded{0x029, "DADD", Pipe::fp64},
    Coded{0x02a, "DSETP", Pipe::fp64},
    Coded{0x02b, "DFMA", Pipe::fp64},
    Coded{0x02d, "PREEXIT", Pipe::control},
    Coded{0x02e, "ACQBULK", Pipe::control},
    Coded{0x030, "HADD2", Pipe::fma, 1, "ab"},
    Coded{0x031, "HFMA2", Pipe::fma, 1, "abc"},
    Coded{0x032, "HMUL2", Pipe::fma, 1, "ab"},
    Coded{0x033, "HSET2", Pipe::fma, 1, "ab"},
    Coded{0x034, "HSETP2", Pipe::fma, 1, "ab"},
    Coded{0x035, "HFMA2", Pipe::fma, 1, "abc"},
    Coded{0x036, "VIADD", Pipe::fmaheavy, 1, "ab"},
    Coded{0x037, "IMMA", Pipe::tensor},
    Coded{0x038, "I2I", Pipe::xu, 1, "b"},
    Coded{0x03b, "LDSM", Pipe::lsu},
    Coded{0x03c, "HMMA", Pipe::tensor},
    Coded{0x03d, "BMMA", Pipe::tensor},
    Coded{0x03e, "F2FP", Pipe::alu, 1, "ab"},
    Coded{0x03f, "DMMA", Pipe::tensor},
    Coded{0x040, "HMNMX2", Pipe::alu, 1, "ab"},
    Coded{0x044, "STSM", Pipe::lsu},
    Coded{0x045, "I2FP", Pipe::alu, 1, "b"},
    Coded{0x046, "VIADDMNMX", Pipe::alu, 1, "abc"},
    Coded{0x047, "VHMNMX", Pipe::alu, 1, "abc"},
    Coded{0x048, "VIMNMX", Pipe::alu, 1, "ab"},
    Coded{0x082, "UMOV", Pipe::uniform},
    Coded{0x086, "VOTEU", Pipe::alu},
    Coded{0x087, "USEL", Pipe::uniform},
    Coded{0x08c, "UISETP", Pipe::uniform},
    Coded{0x090, "UIADD3", Pipe::uniform},
    Coded{0x091, "ULEA", Pipe::uniform},
    Coded{0x092, "ULOP3", Pipe::uniform},
    Coded{0x099, "USHF", Pipe::uniform},
    Coded{0x0a4, "UIMAD", Pipe::uniform},
    Coded{0x0a5, "UIMAD.WIDE", Pipe::uniform},
    Coded{0x0b9, "ULDC", Pipe::uniform},
    Coded{0x0bb, "ULDC", Pipe::uniform},
    Coded{0x0bd, "UFLO", Pipe::uniform},
    Coded{0x0c2, "R2UR", Pipe::alu, 1, "a"},
    Coded{0x0ca, "R2UR", Pipe::alu, 1, "a"},
    Coded{0x100, "FLO", Pipe::xu, 1, "b"},
    Coded{0x101, "BREV", Pipe::xu, 1, "b"},
    Coded{0x102, "FCHK", Pipe::xu},
    Coded{0x104, "F2F", Pipe::xu, 1, "b"},
    Coded{0x105, "F2I", Pipe::xu, 1, "b"},
    Coded{0x106, "I2F", Pipe::xu, 1, "b"},
    Coded{0x107, "FRND", Pipe::xu, 1, "b"},
    Coded{0x108, "MUFU", Pipe::xu, 1, "b"},
    Coded{0x109, "POPC", Pipe::xu, 1, "b"},
    Coded{0x110, "F2F.64", Pipe::xu},
    Coded{0x111, "F2I.64", Pipe::xu},
    Coded{0x112, "I2F.64", Pipe::xu},
    Coded{0x113, "FRND.64", Pipe::xu},
    Coded{0x118, "NOP", Pipe::control},
    Coded{0x119, "S2R", Pipe::xu},
    Coded{0x11a, "DEPBAR", Pipe::control},
    Coded{0x11b, "ENDCOLLECTIVE", Pipe::control},
    Coded{0x11d, "BAR", Pipe::barrier},
    Coded{0x141, "BSYNC", Pipe::branch, 4},
    Coded{0x142, "BREAK", Pipe::branch},
    Coded{0x143, "CALL.ABS", Pipe::branch},
    Coded{0x144, "CALL", Pipe::branch},
    Coded{0x145, "BSSY", Pipe::branch, 3},
    Coded{0x146, "YIELD", Pipe::control},
    Coded{0x147, "BRA", Pipe::branch},
    Coded{0x148, "WARPSYNC", Pipe::branch},
    Coded{0x149, "BRX", Pipe::branch},
    Coded{0x14a, "JMP", Pipe::branch},
    Coded{0x14c, "JMX", Pipe::branch},
    Coded{0x14d, "EXIT", Pipe::branch},
    Coded{0x14e, "LEPC", Pipe::alu},
    Coded{0x14f, "RTT", Pipe::branch},
    Coded{0x150, "RET", Pipe::branch},
    Coded{0x153, "RPCMOV", Pipe::alu},
    Coded{0x155, "BMOV", Pipe::branch},
    Coded{0x156, "BMOV", Pipe::branch},
    Coded{0x15b, "KILL", Pipe::branch},
    Coded{0x15c, "BPT", Pipe::control},
    Coded{0x15d, "NANOSLEEP", Pipe::control},
    Coded{0x160, "TEX", Pipe::tex},
    Coded{0x161, "TEX", Pipe::tex},
    Coded{0x163, "TLD4", Pipe::tex},
    Coded{0x164, "TLD4", Pipe::tex},
    Coded{0x166, "TLD", Pipe::tex},
    Coded{0x167, "TLD", Pipe::tex},
    Coded{0x16c, "TXD", Pipe::tex},
    Coded{0x16d, "TXD", Pipe::tex},
    Coded{0x180, "LD", Pipe::lsu, 1, "A"},
    Coded{0x181, "LDG", Pipe::lsu, 1, "A"},
    Coded{0x182, "LDC", Pipe::constant, 1, "a"},
    Coded{0x183, "LDL", Pipe::lsu, 1, "a"},
    Coded{0x184, "LDS", Pipe::lsu, 1, "a"},
    Coded{0x185, "ST", Pipe::lsu, 1, "A"},
    Coded{0x186, "STG", Pipe::lsu, 1, "A"},
    Coded{0x187, "STL", Pipe::lsu, 1, "a"},
    Coded{0x188, "STS", Pipe::lsu, 1, "a"},
    Coded{0x189, "SHFL", Pipe::lsu, 1, "a"},
    Coded{0x18a, "ATOM", Pipe::lsu, 1, "A"},
    Coded{0x18b, "ATOM.CAS", Pipe::lsu, 1, "A"},
    Coded{0x18c, "ATOMS", Pipe::lsu, 1, "a"},
    Coded{0x18d, "ATOMS.CAS", Pipe::lsu, 1, "a"},
    Coded{0x18e, "RED", Pipe::lsu, 1, "A"},
    Coded{0x18f, "CCTL", Pipe::lsu},
    Coded{0x190, "QSPC", Pipe::lsu},
    Coded{0x191, "ERRBAR", Pipe::control},
    Coded{0x192, "MEMBAR", Pipe::lsu},
    Coded{0x198, "CCTLL", Pipe::lsu},
    Coded{0x199, "SULD", Pipe::tex},
    Coded{0x19a, "SULD", Pipe::tex},
    Coded{0x19d, "SUST", Pipe::tex},
    Coded{0x19e, "SUST", Pipe::tex},
    Coded{0x1a1, "MATCH", Pipe::xu},
    Coded{0x1a2, "ATOM.F", Pipe::lsu, 1, "A"},
    Coded{0x1a3, "ATOMG.F", Pipe::lsu, 1, "A"},
    Coded{0x1a6, "REDG.F", Pipe::lsu, 1, "A"},
    Coded{0x1a8, "ATOMG", Pipe::lsu, 1, "A"},
    Coded{0x1a9, "ATOMG.CAS", Pipe::lsu, 1, "A"},
    Coded{0x1aa, "QSPC", Pipe::lsu},
    Coded{0x1ab, "ERRBAR", Pipe::control},
    Coded{0x1ae, "LDGSTS", Pipe::lsu},
    Coded{0x1af, "LDGDEPBAR", Pipe::lsu},
    Coded{0x1b0, "ARRIVES", Pipe::lsu},
    Coded{0x1c3, "S2UR", Pipe::xu},
    Coded{0x1c4, "REDUX", Pipe::xu},
    Coded{0x1c5, "VOTEU", Pipe::alu},
    Coded{0x1c7, "UCGABAR", Pipe::control},
    Coded{0x1b2, "SYNCS", Pipe::lsu},
    Coded{0x1ba, "UBLKCP", Pipe::lsu},
    Coded{0x1bd, "STAS", Pipe::lsu},
    Coded{0x1be, "REDAS", Pipe::lsu},
};

const Coded* find(uint16_t op) {
  for (auto& o : ops)
    if (o.op == op) return &o;
  return nullptr;
}

}  // namespace

Pipe sass_pipe(const SassInstruction& i) {
  if (i.opcode == sass::cluster_wait) return Pipe::barrier;
  if (auto* o = find(i.op())) return o->pipe;
  if (i.op() >= 0x080 && i.op() < 0x0c0) return Pipe::uniform;
  return Pipe::alu;
}

uint8_t sass_turns(const SassInstruction& i) {
  const Coded* o = find(i.op());
  return o ? o->turns : 1;
}

std::string_view sass_operands(uint16_t op) {
  const Coded* o = find(op);
  return o ? o->reads : std::string_view{};
}

RegisterReads sass_reads(const SassInstruction& i, const SassInstruction* before) {
  RegisterReads r;
  std::array<uint8_t, 4> seen{};
  size_t count = 0;
  const auto read = [&](uint8_t reg, bool kept) {
    if (reg == SassInstruction::no_register ||
        std::find(seen.begin(), seen.begin() + count, reg) != seen.begin() + count)
      return;
    seen[count++] = reg;
    ++r.all[reg % 2];
    r.kept[reg % 2] += kept;
  };
  for (size_t k = 0; k < 3; ++k) {
    read(i.sources[k], before && (before->reuse >> k & 1) && before->sources[k] == i.sources[k]);
    if (k == 0 && i.pair && i.sources[0] != SassInstruction::no_register)
      read(uint8_t(i.sources[0] + 1), false);
  }
  return r;
}

std::string sass_name(const SassInstruction& i) {
  if (auto* o = find(i.op())) return std::string(o->name);
  char text[32];
  std::snprintf(text, sizeof text, "op 0x%03x", unsigned(i.op()));
  return text;
}

SassAccess sass_access(const SassInstruction& i) {
  switch (i.op()) {
    case sass::ldg:
      return {true, false, false, Space::global};
    case sass::stg:
      return {false, true, false, Space::global};
    case 0x160:
    case 0x161:
    case 0x163:
    case 0x164:
    case 0x166:
    case 0x167:
    case 0x16c:
    case 0x16d:
    case 0x199:
    case 0x19a:
      return {true, false, false, Space::global};  // texture units, sass_pipe says
    case 0x19d:
    case 0x19e:
      return {false, true, false, Space::global};
    case sass::lds:
    case sass::ldsm:
      return {true, false, false, Space::shared};
    case sass::sts:
    case sass::stas:
    case 0x044:
      return {false, true, false, Space::shared};
    case sass::ldl:
      return {true, false, false, Space::local};
    case sass::stl:
      return {false, true, false, Space::local};
    case sass::ld:
      return {true, false, false, Space::none};
    case sass::st:
      return {false, true, false, Space::none};
    case sass::ldgsts:
      return {true, false, false, Space::global};
    case sass::atom:
    case sass::atom_cas:
    case sass::atom_float:
      return {false, false, true, Space::none};
    case sass::atoms:
    case sass::atoms_cas:
    case sass::redas:
      return {false, false, true, Space::shared};
    case sass::red:
    case sass::atomg:
    case sass::atomg_cas:
    case sass::atomg_float:
    case sass::red_float:
      return {false, false, true, Space::global};
    default:
      return {};
  }
}

}  // namespace dojo::ptx
