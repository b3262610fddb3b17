// The cubin's ELF container: sections, symbols, code; the line table is read in sass_lines.cpp.
#include <algorithm>
#include <cstring>
#include <map>

#include "ptx/lines/sass_lines.hpp"
#include "ptx/sass.hpp"

namespace dojo::ptx {
namespace {

struct Section {
  std::string_view name;
  uint32_t type = 0, link = 0, info = 0;
  std::span<const std::byte> bytes;
};

template <class T>
bool get(std::span<const std::byte> b, uint64_t at, T& out) {
  if (at > b.size() || b.size() - at < sizeof(T)) return false;
  std::memcpy(&out, b.data() + at, sizeof(T));
  return true;
}

std::string_view text_at(std::span<const std::byte> b, uint64_t at) {
  if (at >= b.size()) return {};
  auto* p = reinterpret_cast<const char*>(b.data() + at);
  return {p, strnlen(p, b.size() - at)};
}

std::vector<Section> sections_of(std::span<const std::byte> elf) {
  uint32_t magic;
  uint8_t bits64;
  uint64_t table;
  uint16_t entry, count, names;
  if (!get(elf, 0, magic) || magic != 0x464C457F || !get(elf, 4, bits64) || bits64 != 2) return {};
  if (!get(elf, 40, table) || !get(elf, 58, entry) || !get(elf, 60, count) || !get(elf, 62, names)) return {};
  std::vector<Section> list;
  std::vector<uint32_t> name_at;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t at = table + i * entry, offset = 0, size = 0;
    uint32_t name = 0;
    Section s;
    if (!get(elf, at, name) || !get(elf, at + 4, s.type) || !get(elf, at + 24, offset) ||
        !get(elf, at + 32, size) || !get(elf, at + 40, s.link) || !get(elf, at + 44, s.info))
      return {};
    constexpr uint32_t no_bits = 8;
    if (s.type != no_bits && offset <= elf.size() && size <= elf.size() - offset)
      s.bytes = elf.subspan(offset, size);
    list.push_back(s);
    name_at.push_back(name);
  }
  if (names >= list.size()) return {};
  for (size_t i = 0; i < list.size(); ++i) list[i].name = text_at(list[names].bytes, name_at[i]);
  return list;
}

/// Registers it reads: the first operand's number is in bits 24 to 31, the second's in 32 to 39 where it is a
/// register (form 1), the third's in 64 to 71, or the second's, where the third is a constant. Reuse flags
/// are bits 122 to 124 (all seen in what ptxas writes, and by changing them: tests/microbench/registers.cu).
void read_operands(SassInstruction& i, uint64_t low, uint64_t high) {
  const bool second_is_register = (i.opcode >> 9 & 7) == 1;
  for (char operand : sass_operands(i.op())) {
    if (operand == 'a' || operand == 'A') i.sources[0] = uint8_t(low >> 24 & 0xFF), i.pair = operand == 'A';
    if (operand == 'b' && second_is_register) i.sources[1] = uint8_t(low >> 32 & 0xFF);
    if (operand == 'c') i.sources[2] = uint8_t(high & 0xFF);
  }
  i.reuse = uint8_t(high >> (122 - 64) & 7);
}

SassInstruction decode(uint64_t low, uint64_t high, uint32_t address, int sm) {
  SassInstruction i;
  i.address = address;
  i.opcode = uint16_t(low & 0xFFF);
  i.guard = uint8_t(low >> 12 & 7);
  i.guard_negated = low >> 15 & 1;
  uint32_t control = uint32_t(high >> (105 - 64));
  i.stall = uint8_t(control & 15);
  i.yield = !(control >> 4 & 1);  // the bit says: don't yield
  i.write_barrier = uint8_t(control >> 5 & 7);
  i.read_barrier = uint8_t(control >> 8 & 7);
  i.wait_mask = uint8_t(control >> 11 & 63);
  read_operands(i, low, high);
  switch (i.op()) {
    case sass::bra:
    case sass::bssy:
    case sass::call: {
      // Offset from the next instruction in units of 4 bytes, signed, from bit 34; since sm_90 those are the
      // upper bits of a branch's or call's and bits 16 to 23 its low 8. BSSY names the instruction after its
      // BSYNC.
      int64_t offset = int64_t(low >> 34) | int64_t((high & 0x3FFFF) << 30);
      offset = int64_t(uint64_t(offset) << 16) >> 16;  // 48 bits
      if (sm >= 90 && i.op() != sass::bssy) offset = offset * 256 + int64_t(low >> 16 & 0xFF);
      i.target = int64_t(address) + 16 + offset * 4;
      i.conditional = !i.always();
      if (i.op() != sass::bra) break;
      unsigned mode = low >> 32 & 3;
      constexpr unsigned second_predicate_always = 7;
      i.when_divergent = mode == 2;
      i.when_converged = mode == 3;
      i.conditional =
          !i.always() || (i.opcode >> 9) == 2 || (high >> (87 - 64) & 15) % 16 != second_predicate_always;
      break;
    }
    default:
      break;
  }
  if (auto a = sass_access(i); a.memory()) {
    constexpr uint8_t widths[8] = {1, 1, 2, 2, 4, 8, 16, 16};  // U8 S8 U16 S16 32 64 128
    i.width = widths[high >> (73 - 64) & 7];
    if (a.atomic) i.width = (high >> (73 - 64) & 7) == 2 ? 8 : 4;
    if (i.op() == sass::ldsm) i.width = uint8_t(4u << std::min<uint64_t>(high >> (72 - 64) & 3, 2));
  }
  return i;
}

/// Registers a thread by symbol: entries of .nv.info are a format byte, an attribute byte, and 16 bits of
/// value or of size.
std::map<uint32_t, int> registers_of(std::span<const Section> sections) {
  constexpr uint8_t sized = 4, register_count = 0x2f;
  std::map<uint32_t, int> out;
  for (const Section& s : sections) {
    if (s.name != ".nv.info") continue;
    for (uint64_t at = 0; at + 4 <= s.bytes.size();) {
      uint8_t format = 0, attribute = 0;
      uint16_t size = 0;
      get(s.bytes, at, format), get(s.bytes, at + 1, attribute), get(s.bytes, at + 2, size);
      at += 4;
      if (format != sized) continue;
      uint32_t symbol = 0, count = 0;
      if (attribute == register_count && get(s.bytes, at, symbol) && get(s.bytes, at + 4, count))
        out[symbol] = int(count & 0xFFFF);
      at += size;
    }
  }
  return out;
}

}  // namespace

const SassFunction* Cubin::find(const std::string& name) const {
  for (auto& f : functions)
    if (f.name == name) return &f;
  return nullptr;
}

Cubin read_cubin(std::span<const std::byte> elf) {
  Cubin cubin;
  auto sections = sections_of(elf);
  uint32_t flags = 0;
  if (sections.empty() || !get(elf, 48, flags)) return cubin;
  cubin.sm = int(flags & 0xFF);
  if (int wide = int(flags >> 8 & 0xFF); cubin.sm == 0 || wide >= 75) cubin.sm = wide;

  // Symbols: functions lie in .text.NAME, one each as ptxas writes them, device functions as a part of
  // theirs.
  std::vector<LineSymbol> symbols;
  for (auto& s : sections) {
    constexpr uint32_t symbol_table = 2;
    if (s.type != symbol_table || s.link >= sections.size()) continue;
    for (uint64_t at = 0; at + 24 <= s.bytes.size(); at += 24) {
      uint32_t name = 0;
      uint16_t section = 0;
      LineSymbol y;
      get(s.bytes, at, name), get(s.bytes, at + 6, section), get(s.bytes, at + 8, y.value),
          get(s.bytes, at + 16, y.size);
      y.name = text_at(sections[s.link].bytes, name);
      y.section = section;
      uint8_t info = 0;
      get(s.bytes, at + 4, info);
      y.is_function = (info & 15) == 2;
      symbols.push_back(y);
    }
    break;
  }
  const auto registers = registers_of(sections);
  for (uint32_t n = 0; n < sections.size(); ++n) {
    auto& s = sections[n];
    if (!s.name.starts_with(".text.")) continue;
    SassFunction f;
    f.name = s.name.substr(6);
    for (const auto& [symbol, count] : registers)
      if (symbol < symbols.size() && symbols[symbol].name == f.name) f.registers = count;
    for (uint64_t at = 0; at + 16 <= s.bytes.size(); at += 16) {
      uint64_t low = 0, high = 0;
      get(s.bytes, at, low), get(s.bytes, at + 8, high);
      f.code.push_back(decode(low, high, uint32_t(at), cubin.sm));
    }
    for (size_t t = 0; t < sections.size(); ++t) {
      if (sections[t].name != ".nv_debug_line_sass") continue;
      // Which line table entries speak of this section follows from the relocations of their addresses.
      std::vector<LineRelocation> relocations;
      for (auto& r : sections) {
        constexpr uint32_t rela = 4, rel = 9;
        if ((r.type != rela && r.type != rel) || r.info != t) continue;
        uint64_t step = r.type == rela ? 24 : 16;
        for (uint64_t at = 0; at + step <= r.bytes.size(); at += step) {
          LineRelocation x;
          uint64_t info = 0;
          get(r.bytes, at, x.at), get(r.bytes, at + 8, info);
          if (r.type == rela) get(r.bytes, at + 16, x.addend);
          x.symbol = uint32_t(info >> 32);
          x.in_place = r.type == rel;
          relocations.push_back(x);
        }
      }
      read_lines(sections[t].bytes, relocations, symbols, n, f);
    }
    // Device functions lie behind the kernel that calls them, as "$kernel$function".
    for (auto& y : symbols) {
      size_t last = y.name.rfind('$');
      if (!y.is_function || y.section != n || !y.name.starts_with('$') || last == 0) continue;
      std::string name(y.name.substr(last + 1));
      if (cubin.find(name)) continue;
      SassFunction inner;
      inner.name = name;
      inner.has_lines = f.has_lines;
      for (auto& i : f.code)
        if (i.address >= y.value && i.address < y.value + y.size) inner.code.push_back(i);
      cubin.functions.push_back(std::move(inner));
    }
    cubin.functions.push_back(std::move(f));
  }
  return cubin;
}

}  // namespace dojo::ptx
