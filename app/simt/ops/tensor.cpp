// Matrices to and from the registers of a warp: wmma.load and .store, ldmatrix, stmatrix, movmatrix. How wmma
// spreads a matrix over lanes is the machine's own choice.
#include <fmt/format.h>

#include <array>

#include "simt/checks/shadow.hpp"
#include "simt/ops/lanes.hpp"
#include "simt/ops/tensor.hpp"
#include "simt/state/access.hpp"
#include "simt/state/alignment.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/spins.hpp"
#include "simt/state/splits.hpp"

namespace dojo::simt {
namespace {

using namespace tensor;
using ptx::Space;
using ptx::Type;

/// Where the bytes of one access of each active lane are; faults, counts and checks it.
void touch(Exec& x, const Inst* p, const uint64_t* address, uint32_t mask, uint32_t bytes, bool write,
           bool count, std::byte** out) {
  AccessCount& c = x.access[p->access];
  alignas(32) uint64_t local[32];
  uint32_t shared = 0;
  DOJO_FOR_LANES(l, mask) {
    local[l] = address[l];
    if (p->space == Space::shared)
      shared |= 1u << l;
    else if (p->space == Space::none && window::in(local[l], window::shared))
      local[l] -= window::shared, shared |= 1u << l;
    const bool s = shared >> l & 1;
    out[l] = s ? shared_bytes(x, local[l], local[l] + bytes)
               : global_bytes(x, c, local[l], local[l] + bytes, write);
    if (!out[l] || (local[l] & (bytes - 1)))
      bad_access(x, p, local[l], bytes, l, write, s ? Space::shared : Space::global);
  }
  auto part = [&](uint32_t m, bool is_shared) {
    if (!m) return;
    Span s;
    find_span(s, local, m);
    if (is_shared) {
      if (count) count_shared(x, p, c, s);
      if (x.checks) check_shared(x, p, s, bytes, write, false);
    } else {
      if (count) count_global(x, p, c, s, write ? LineAccess::store : LineAccess::load);
      if (x.checks) check_global(x, p, c, s, bytes, write, false);
    }
  };
  part(mask & shared, true);
  part(mask & ~shared, false);
}

/// Counts one machine access of a fragment: `width` bytes a lane.
void count_piece(Exec& x, const Inst* p, const uint64_t* address, uint32_t width, bool store) {
  AccessCount& c = x.access[p->access];
  const uint32_t first = uint32_t(std::countr_zero(x.mask));
  const bool shared =
      p->space == Space::shared || (p->space == Space::none && window::in(address[first], window::shared));
  alignas(32) uint64_t plain[32];
  DOJO_FOR_LANES(l, x.mask) plain[l] = address[l] - (shared && p->space == Space::none ? window::shared : 0);
  Span s;
  find_span(s, plain, x.mask);
  count_new_shape(p, c, s, shared ? AccessCount::of_shared : uint32_t(s.base & 127), width);
  if (shared) {
    x.block->summary.shared_wavefronts += c.wavefronts;
  } else {
    ++x.block->summary.global_requests;
    x.block->summary.global_sectors += c.sectors;
  }
  note_access(x, p, c, !shared && !store && x.warp->trace ? l1_wavefronts(s, width, c.lines) : 0);
  if (!shared && x.want_log) log_lines(x, p, s, width, store ? LineAccess::store : LineAccess::load);
}

/// The 16-byte rows of 8 x 8 matrices that a fragment of A by rows or of B by columns consists of, 32 at a
/// time (LDSM). 16 rows, as of 16 x 16 bytes, are one LDSM.64.
template <class Address>
void count_matrix_rows(Exec& x, const Inst* p, uint32_t lines, uint32_t depth, uint32_t size, bool column,
                       const Address& at) {
  const uint32_t per_row = 16 / size, chunks = lines * depth / per_row, lanes = chunks < 32 ? 2 : 1;
  alignas(32) uint64_t address[32];
  for (uint32_t first = 0; first < chunks; first += 32 / lanes) {
    for (uint32_t l = 0; l < 32; ++l) {
      const uint32_t chunk = first + l / lanes, line = chunk % lines;
      const uint32_t along = chunk / lines * per_row + l % lanes * per_row / 2;
      address[l] = column ? at(l, along, line) : at(l, line, along);
    }
    count_piece(x, p, address, 16 / lanes, false);
  }
}

/// Bytes of A by columns or of B by rows: of the four that a lane needs for each 8 lines one at a time
/// (LDS.U8).
template <class Address>
void count_bytes(Exec& x, const Inst* p, uint32_t lines, uint32_t depth, bool column, const Address& at) {
  alignas(32) uint64_t address[32];
  for (uint32_t line = 0; line < lines; line += 8)
    for (uint32_t along = 0; along < depth; along += 16)
      for (uint32_t i = 0; i < 4; ++i) {
        for (uint32_t l = 0; l < 32; ++l) {
          const uint32_t k = along + 4 * (l % 4) + i, n = line + l / 4;
          address[l] = column ? at(l, n, k) : at(l, k, n);
        }
        count_piece(x, p, address, 1, false);
      }
}

/// How an H100 brings a fragment (counted on one: docs/counters.md). Sums: two neighbours of a row at a time,
/// in the layout of mma. Factors in shared memory: rows of 16 bytes, or single bytes across their rows.
/// Halves of A by rows and of B by columns in global memory: two neighbours at a time, in four loads of 8
/// times 16 bytes (of cusync/12-pdl an H100 counts 160 loads and 1536 sectors a block). Others: not known,
/// false.
template <class Address>
bool count_fragment(Exec& x, const Inst* p, Type t, uint32_t rows, uint32_t cols, bool column, bool store,
                    const Address& at) {
  const uint32_t size = uint32_t(bytes_of(t));
  alignas(32) uint64_t address[32];
  if (p->sub == 2 && (t == Type::f32 || t == Type::f16 || t == Type::s32)) {
    for (uint32_t col = 0; col < cols; col += 8)
      for (uint32_t row = 0; row < rows; row += 8)
        for (uint32_t k = 0; k < (column ? 2u : 1u); ++k) {
          for (uint32_t l = 0; l < 32; ++l) address[l] = at(l, row + l / 4, col + 2 * (l % 4) + k);
          count_piece(x, p, address, column ? size : 2 * size, store);
        }
    return true;
  }
  const uint64_t any = at(uint32_t(std::countr_zero(x.mask)), 0, 0);
  const bool shared =
      p->space == Space::shared || (p->space == Space::none && window::in(any, window::shared));
  const bool halves = t == Type::f16 || t == Type::bf16, bytes = t == Type::s8 || t == Type::u8;
  if (p->sub == 2 || !(halves || bytes)) return false;
  const bool along_memory = column == (p->sub == 1);  // what is multiplied and added lies side by side
  if (!shared) {
    if (!halves || rows != 16 || cols != 16 || !along_memory) return false;
    for (uint32_t along = 0; along < 16; along += 8)
      for (uint32_t line = 0; line < 16; line += 8) {
        for (uint32_t l = 0; l < 32; ++l) {
          const uint32_t k = along + 2 * (l % 4), n = line + l / 4;
          address[l] = column ? at(l, k, n) : at(l, n, k);
        }
        count_piece(x, p, address, 4, store);
      }
    return true;
  }
  if (bytes && !along_memory)
    count_bytes(x, p, p->sub == 1 ? cols : rows, p->sub == 1 ? rows : cols, p->sub == 0, at);
  else
    count_matrix_rows(x, p, column ? cols : rows, column ? rows : cols, size, column, at);
  return true;
}

/// PTX ISA, "Matrix fragments for WMMA": the address is a multiple of the fragment's bytes per lane. Rows
/// too, but the CUDA C++ guide takes a leading dimension of any multiple of 16 bytes, as an H100 does.
void check_fragment(Exec& x, const Inst* p, uint32_t per_lane, uint32_t size) {
  const bool store = p->flags & 2;
  const uint32_t rows = std::min(per_lane, 16u);
  DOJO_FOR_LANES(l, x.mask) {
    const uint64_t address =
        with_offset(lane_address(x, p->a, p->wide & 1, l), uint64_t(int64_t(int32_t(p->c))), p->wide & 1);
    const uint64_t ld = x.slot<u32a>(p->b)[l];
    if (address & (per_lane - 1)) [[unlikely]] {
      const bool in_window = p->space == Space::none && window::in(address, window::shared);
      const bool shared = p->space == Space::shared || in_window;
      misaligned(
          x, p, in_window ? address - window::shared : address, l, shared ? Space::shared : Space::global,
          {fmt::format("{} {} a fragment {}", subject(x, l), store ? "stores" : "loads",
                       store ? "to" : "from"),
           per_lane,
           fmt::format("{} needs that of a matrix of this type and shape. Begin fragments at multiples of "
                       "{} elements{}.",
                       store ? "wmma.store" : "wmma.load", per_lane / size,
                       shared ? fmt::format(" in an array that is alignas({})", per_lane) : ""),
           size});
    }
    if (ld * size & (rows - 1)) [[unlikely]]
      stop(x,
           finding(x, p, FindingKind::misaligned,
                   fmt::format("{} {} a fragment with a leading dimension of {} elements, {} bytes. {} needs "
                               "a multiple of {} bytes: pad to {} elements.",
                               subject(x, l), store ? "stores" : "loads", ld, ld * size,
                               store ? "wmma.store" : "wmma.load", rows,
                               (ld * size + rows - 1) / rows * rows / size),
                   int(l)));
  }
}

/// a: address, b: leading dimension. sub: 0 A, 1 B, 2 C; flags: 1 column-major, 2 store.
const Inst* fragment(const Inst* p, Exec& x) {
  if (!gather_lanes(p, x, ~0u)) return nullptr;
  const auto& regs = x.frame->code->lists[size_t(p->target)];
  const Shape s = shape_of(p->imm);
  const Type t = p->type;
  const uint32_t n = elements(regs, t), rows = p->sub == 1 ? s.k : s.m, cols = p->sub == 0 ? s.k : s.n;
  const uint32_t size = uint32_t(t == Type::tf32 ? 4 : bytes_of(t));
  const bool column = p->flags & 1, store = p->flags & 2;
  alignas(32) uint64_t address[32];
  std::byte* where[32];
  const auto at = [&](uint32_t l, uint32_t row, uint32_t col) {
    const uint64_t base = lane_address(x, p->a, p->wide & 1, l);
    const uint64_t ld = x.slot<u32a>(p->b)[l];
    return with_offset(base, uint64_t(int64_t(int32_t(p->c))), p->wide & 1) +
           size * (column ? col * ld + row : row * ld + col);
  };
  check_fragment(x, p, uint32_t(regs.size()) * (t == Type::f64 ? 8 : 4), size);
  const bool counted = count_fragment(x, p, t, rows, cols, column, store, at);
  for (uint32_t i = 0; i < n; ++i) {
    for (uint32_t l = 0; l < 32; ++l) {
      const Place e = wmma_place(rows, cols, n, l, i);
      address[l] = at(l, e.row, e.col);
    }
    touch(x, p, address, x.mask, size, store, i == 0 && !counted, where);
    DOJO_FOR_LANES(l, x.mask) {
      uint64_t v = 0;
      if (store) {
        v = get_element(x, regs, l, i, t);
        std::memcpy(where[l], &v, size);
      } else {
        std::memcpy(&v, where[l], size);
        put_element(x, regs, l, i, t, v);
      }
    }
  }
  return p + 1;
}

/// count: matrices; flags: 1 transposed, 2 store.
const Inst* matrices(const Inst* p, Exec& x) {
  if (!gather_lanes(p, x, ~0u)) return nullptr;
  const auto& regs = x.frame->code->lists[size_t(p->target)];
  const bool trans = p->flags & 1, store = p->flags & 2;
  alignas(32) uint64_t address[32];
  std::byte* where[32];
  const uint32_t rows = 8u * p->count, mask = rows == 32 ? ~0u : (1u << rows) - 1;
  DOJO_FOR_LANES(l, mask)
  address[l] = lane_address(x, p->a, p->wide & 1, l, p->imm);
  touch(x, p, address, mask, 16, store, true, where);
  for (uint32_t k = 0; k < p->count; ++k) {
    u32a* r = x.slot<u32a>(regs[k]);
    for (uint32_t l = 0; l < 32; ++l)
      for (uint32_t h = 0; h < 2; ++h) {
        const uint32_t row = trans ? 2 * (l & 3) + h : l >> 2, col = trans ? l >> 2 : 2 * (l & 3) + h;
        std::byte* at = where[8 * k + row] + 2 * col;
        uint16_t v;
        if (store) {
          v = uint16_t(r[l] >> (16 * h));
          std::memcpy(at, &v, 2);
        } else {
          std::memcpy(&v, at, 2);
          r[l] = h ? (r[l] & 0xffff) | uint32_t(v) << 16 : (r[l] & 0xffff0000u) | v;
        }
      }
  }
  return p + 1;
}

// ---- decoding -------------------------------------------------------------------------------------------
void wmma(Decoder& d) {
  if (d.host) d.refuse("tensor instructions in host code");
  const std::string& what = d.ins->parts.at(1);
  if (what == "mma") return decode_multiply(d, 0);
  const Shape s = parse_shape(d);
  const bool store = what == "store";
  const std::string& which = d.ins->parts.at(2);
  const uint8_t sub = which == "a" ? 0 : which == "b" ? 1 : 2;
  const Type t = d.type();
  const ptx::Operand& where = d.op(store ? 0 : 1);
  const ptx::Operand& data = d.op(store ? 1 : 0);
  const auto regs = registers(d, data, t, !store);
  const bool column = d.has("col");
  if (!s.m || !s.n || !s.k || s.m > 32 || s.n > 32 || s.k > 32 || d.has("b1") || d.has("s4") || d.has("u4"))
    d.refuse("this shape or type");
  const uint32_t rows = sub == 1 ? s.k : s.m, cols = sub == 0 ? s.k : s.n;
  const uint32_t all = elements(regs, t) * 32;
  if (all < rows * cols || all % (rows * cols)) d.refuse("this number of registers");
  uint32_t ld = d.operands() > 2 ? d.src(2, Type::b32) : d.constant(column ? rows : cols, false);
  bool wide;
  uint64_t imm;
  uint32_t a = d.address(where, &wide, &imm);
  Inst& i = d.emit(fragment, 0, a, ld, uint32_t(imm));
  i.kind = Kind::memory;
  i.imm = pack(s, t, t, t, t);
  i.target = int32_t(d.list(regs));
  i.sub = sub;
  i.type = t;
  i.width = uint8_t(std::min<uint32_t>(16, elements(regs, t) * uint32_t(bytes_of(t))));
  i.flags = uint8_t((column ? 1 : 0) | (store ? 2 : 0));
  i.wide = wide;
  i.space = d.space();
  i.access = d.access();
}
void mma(Decoder& d) {
  if (d.host) d.refuse("tensor instructions in host code");
  decode_multiply(d, 1);
}
void ldmatrix(Decoder& d) {
  if (d.host || !d.has("m8n8") || d.type() != Type::b16) d.refuse("this form");
  const bool store = d.ins->meaning.stores();
  const auto regs = registers(d, d.op(store ? 1 : 0), Type::b32, !store);
  const uint32_t count = d.has("x4") ? 4 : d.has("x2") ? 2 : 1;
  if (regs.size() != count) d.refuse("this number of registers");
  bool wide;
  uint64_t imm;
  uint32_t a = d.address(d.op(store ? 0 : 1), &wide, &imm);
  Inst& i = d.emit(matrices, 0, a);
  i.kind = Kind::memory;
  i.imm = imm;
  i.target = int32_t(d.list(regs));
  i.count = uint8_t(regs.size());
  i.width = uint8_t(16 / regs.size());
  i.flags = uint8_t((d.has("trans") ? 1 : 0) | (store ? 2 : 0));
  i.wide = wide;
  i.space = Space::shared;
  i.access = d.access();
}

/// movmatrix: the transpose of an 8x8 matrix of 16-bit elements that a warp holds.
const Inst* transpose(const Inst* p, Exec& x) {
  if (!gather_lanes(p, x, ~0u)) return nullptr;
  uint32_t from[32];
  std::memcpy(from, x.slot<u32a>(p->a), sizeof from);
  u32a* d = x.slot<u32a>(p->d);
  auto element = [&](uint32_t row, uint32_t col) {
    return from[row * 4 + col / 2] >> (16 * (col & 1)) & 0xffff;
  };
  DOJO_FOR_LANES(l, x.mask) {
    const uint32_t row = l >> 2, col = 2 * (l & 3);
    d[l] = element(col, row) | element(col + 1, row) << 16;
  }
  return p + 1;
}
void movmatrix(Decoder& d) {
  if (d.host || !d.has("m8n8") || !d.has("trans")) d.refuse("this form");
  const uint32_t a = d.src(1, Type::b32);
  d.emit(transpose, d.dst(0, Type::b32), a).kind = Kind::sync;
}

constexpr Family kTensorFamilies[] = {{"wmma", c_any, wmma},
                                      {"mma", c_any, mma},
                                      {"ldmatrix", c_any, ldmatrix},
                                      {"stmatrix", c_any, ldmatrix},
                                      {"movmatrix", c_any, movmatrix}};

}  // namespace

std::span<const Family> tensor_families() { return kTensorFamilies; }

}  // namespace dojo::simt
