#pragma once
// The small vocabulary that every room uses: extents, places in a source file, findings.
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/findings/finding_kinds.hpp"

namespace dojo {

/// An extent or an index in three dimensions, as CUDA's dim3.
struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
  /// The index (x fastest) that a linear number has inside this extent.
  Dim3 at(uint64_t linear) const {
    return {uint32_t(linear % x), uint32_t(linear / x % y), uint32_t(linear / x / y)};
  }
  bool operator==(const Dim3&) const = default;
};

/// A place in a source file. line and column start at 1; 0 means not known.
struct SourceLoc {
  std::string file;
  int line = 0, column = 0;
  bool operator==(const SourceLoc&) const = default;
};

/// The size of a problem: named extents, such as {"n", 4194304} or {"rows", 4096}, {"cols", 1024}.
using Size = std::map<std::string, int64_t>;
/// "cols=1024,rows=4096": as --size takes it.
std::string size_argument(const Size&);

enum class Severity { note, warning, error };

/// Another place that belongs to a diagnostic: the other side of a race, where memory was allocated.
struct Related {
  SourceLoc where;
  std::string message;
  std::optional<Dim3> block, thread;
};

/// Memory that was never freed.
struct LeakedMemory {
  static constexpr int most_listed = 20;  ///< per run; further allocations are not told
  uint64_t bytes = 0;
  std::string owner;     ///< "device memory"
  std::string name;      ///< of the allocation
  std::string freed_by;  ///< the call that would have freed it
};

/// What a check knows of its finding, for rules that join, drop or reword findings.
struct Facts {
  bool read = false, write = false;  ///< of a race: what the two sides do
  bool shared = false;               ///< an access to the shared memory of the thread's own block
  bool variable = false;             ///< an access to a variable in a register, whose name is not known
  std::string array;                 ///< of shared memory: the array, without an index
  std::string who;                   ///< of a variable: the subject of the message
  std::optional<LeakedMemory> leak;
};

/// Something wrong with a program: a compile error, a finding of a check, a runtime error.
struct Diagnostic {
  Severity severity = Severity::error;
  FindingKind kind = FindingKind::none;
  SourceLoc where;
  std::string message;  ///< one sentence: what happened; the next says what to do
  std::string kernel;   ///< demangled base name, or empty for host code
  std::optional<Dim3> block, thread;
  std::vector<Related> related;
  Facts facts;  ///< known in the process that ran the program; not in its report
};
/// The first whose severity is error, or null.
const Diagnostic* first_error(const std::vector<Diagnostic>&);
inline bool has_errors(const std::vector<Diagnostic>& all) { return first_error(all) != nullptr; }

/// Scalar element types of buffers that cross the host/device border.
enum class Elem : uint8_t { f32, f64, f16, bf16, i32, u32, i64, i8, u8 };
/// Bytes of one element.
size_t size_of(Elem);

/// IEEE half conversions (round to nearest even), for problems that keep halves.
float half_to_float(uint16_t);
uint16_t float_to_half(float);
float bf16_to_float(uint16_t);
uint16_t float_to_bf16(float);

}  // namespace dojo
