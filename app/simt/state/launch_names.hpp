#pragma once
// What a kernel calls the memory that one launch gave it: its parameters that are pointers, and the pointers
// in structures that it takes by value, with the names of the source (core/compile/source_names.hpp).
//
// Example: of `scale<<<1, 64>>>(in + 512, 8)` with `__global__ void scale(float* data, int n)` comes one
// pointer, data, and in[514] of the host is data[2] there.
#include <optional>
#include <string>
#include <vector>

#include "core/compile/source_names.hpp"
#include "ptx/lines/source_variables.hpp"
#include "simt/state/exec.hpp"

namespace dojo::simt {

struct LaunchPointer {
  std::string name;     ///< "data", "grid.cells"; empty: the source does not tell
  std::string pointee;  ///< "float"; empty: not known
  uint64_t at = 0;      ///< offset in the parameter block
  uint64_t value = 0;
};

class LaunchNames {
 public:
  LaunchNames(const ptx::Module&, const Grid&, AddressSpace&);

  const SourceNames& source() const { return source_; }
  const std::vector<LaunchPointer>& pointers() const { return pointers_; }
  /// Those that point into a region, or just behind it.
  std::vector<const LaunchPointer*> into(const Region&) const;
  /// The one pointer that an access's address is computed from, through calls too; null: none, or several.
  const LaunchPointer* origin(const Exec&, const Inst*) const;
  /// The parameter of 8 bytes that holds this handle of a texture or surface; empty: there is none.
  std::string handle(uint64_t) const;

  /// Bytes of a type of CUDA, C++ or the source; 0: not known.
  uint32_t bytes_of(const std::string& type) const;
  /// ".y", ".points[2].x": the member at an offset of a type; empty: it has no members, or none begins there.
  std::string member(const std::string& type, uint64_t offset) const;

 private:
  struct Layout {
    uint32_t bytes = 0, align = 1;  ///< bytes 0: not known
  };
  Layout layout(const std::string& type, int depth = 0) const;
  template <class Take>
  void members(const SourceNames::Structure&, const Take&, int depth) const;
  void pointers_in(const std::string& type, const std::string& name, uint64_t at, int depth);

  const Grid& grid_;
  SourceNames source_;
  std::vector<LaunchPointer> pointers_;
  std::vector<std::string> names_;  ///< of the parameters; empty: not known
};

/// Of the launch that runs; nothing for host code.
std::optional<LaunchNames> names_here(const Exec&);

/// The array of device code that the source declares with this name and so many bytes. Nothing: there is
/// none, or there are several of different shape.
std::optional<ptx::SourceVariable> declared_array(const LaunchNames&, const std::string& name,
                                                  uint64_t bytes);
/// "1,000,000 elements", "4 × 8 elements".
std::string extents_text(const ptx::SourceVariable&);
/// "tile[3][4]", or "tile[4] to tile[7]"; empty: these bytes are no whole elements.
std::string declared_element(const ptx::SourceVariable&, int64_t at, uint32_t bytes);

}  // namespace dojo::simt
