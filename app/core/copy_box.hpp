#pragma once
// A copy of rows: `slices` times `rows` rows of `width` bytes, at any distance from each other on either
// side. A plain copy is a box of one row.
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace dojo {

struct CopyBox {
  struct Side {
    uint64_t base = 0;            ///< address of the first byte
    uint64_t row = 0, slice = 0;  ///< bytes from one row, and from one slice, to the next
    bool array = false;           ///< texels of a CUDA array
  };
  Side to, from;
  uint64_t width = 0, rows = 1, slices = 1;

  static CopyBox line(uint64_t dst, uint64_t src, uint64_t bytes) {
    return {{dst, bytes, bytes}, {src, bytes, bytes}, bytes, 1, 1};
  }
  bool empty() const { return width == 0 || rows == 0 || slices == 0; }
  uint64_t bytes() const { return width * rows * slices; }
  /// Bytes from the first to the last of a side; UINT64_MAX where that is no number of 64 bits.
  uint64_t span(const Side& s) const {
    unsigned __int128 n = width;
    n += static_cast<unsigned __int128>(s.row) * (rows - 1);
    n += static_cast<unsigned __int128>(s.slice) * (slices - 1);
    return n > UINT64_MAX ? UINT64_MAX : uint64_t(n);
  }
  /// The same bytes in as few rows as they make: rows without gaps on both sides are one.
  CopyBox joined() const {
    CopyBox b = *this;
    if (b.rows == 1) b.to.row = b.from.row = b.width;
    if (b.to.row != b.width || b.from.row != b.width) return b;
    b.width *= b.rows, b.rows = 1;
    b.to.row = b.from.row = b.width;
    if (b.slices > 1 && (b.to.slice != b.width || b.from.slice != b.width)) {
      b.rows = b.slices, b.to.row = b.to.slice, b.from.row = b.from.slice;  // one row per slice
    } else {
      b.width *= b.slices;
    }
    b.slices = 1;
    return b;
  }
  /// Calls row(destination, source) for each row, in order, while it returns true.
  template <class F>
  void each_row(F row) const {
    for (uint64_t z = 0; z < slices; ++z)
      for (uint64_t y = 0; y < rows; ++y)
        if (!row(to.base + z * to.slice + y * to.row, from.base + z * from.slice + y * from.row)) return;
  }
};

/// What a fill writes: rows of `width` bytes, `row` bytes from one to the next. The low 8 * `element` bits of
/// its value are repeated; an element has 1, 2 or 4 bytes.
struct FillBox {
  uint64_t dst = 0, row = 0, width = 0, rows = 1;
  uint32_t element = 1;

  static FillBox line(uint64_t dst, uint64_t bytes) { return {dst, bytes, bytes, 1}; }
  bool empty() const { return width == 0 || rows == 0; }
  uint64_t bytes() const { return width * rows; }
  /// Bytes from the first to the last; UINT64_MAX where that is no number of 64 bits.
  uint64_t span() const { return CopyBox{{dst, row}, {}, width, rows, 1}.span({dst, row}); }
  /// Rows without gaps are one.
  FillBox joined() const {
    return rows == 1 || row == width ? FillBox{dst, bytes(), bytes(), 1, element} : *this;
  }
  /// Fills memory that begins with the box.
  void fill(std::byte* to, uint32_t value) const {
    for (uint64_t y = 0; y < rows; ++y, to += row)
      if (element == 1)
        std::memset(to, int(value & 0xff), width);
      else
        for (uint64_t x = 0; x < width; ++x) to[x] = std::byte(value >> 8 * (x % element));
  }
};

}  // namespace dojo
