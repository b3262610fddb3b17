#pragma once
// What a source calls the parameters of its functions, its arrays and the members of its structures.
// Optimised PTX has none of these names; they are read from the tokens and travel behind the PTX text as
// comments.
//
// Example: of `__global__ void scale(const float* data, int n) { __shared__ float tile[4][32]; }` come the
// function scale with `const float *` data and `int` n, and the array tile with the extents 4 and 32.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dojo {

struct SourceNames {
  struct Variable {
    std::string type, name;         ///< "const float *", "data"; a parameter without a name: empty
    std::vector<uint64_t> extents;  ///< of an array, outermost first; 0: not known here
    bool operator==(const Variable&) const = default;
  };
  struct Function {
    std::string file, name;
    int line = 0;
    std::vector<Variable> params;
    bool operator==(const Function&) const = default;
  };
  struct Structure {
    std::string name;
    std::vector<Variable> members;  ///< in memory order, as far as they can be read
    bool operator==(const Structure&) const = default;
  };
  std::vector<Function> functions;    ///< that have a body
  std::vector<Variable> arrays;       ///< __shared__, __device__, __constant__ and __managed__ variables
  std::vector<Structure> structures;  ///< whose members are all plain data
  bool operator==(const SourceNames&) const = default;

  /// The function of this name with so many parameters; of several, the last that begins at or above `line`.
  const Function* function(std::string_view name, size_t parameters, int line) const;
  const Structure* structure(std::string_view name) const;
  /// Takes another file's names as well.
  void add(const SourceNames&);
};

/// Never fails: what it cannot read it leaves out.
SourceNames read_source_names(std::string_view source, const std::string& file);

/// The PTX with the names behind it, as comments.
std::string with_source_names(std::string ptx, const SourceNames&);
/// The names behind a PTX text.
SourceNames source_names_of(std::string_view ptx);
/// The PTX text without them.
std::string_view without_source_names(std::string_view ptx);

/// Bytes of a type that CUDA or C++ defines, as a demangled symbol or a source writes it; 0: any other.
uint32_t known_type_bytes(std::string_view type);
/// What a pointer type points to ("const float *" gives "float"); empty: it is no pointer.
std::string pointee_of(std::string type);

}  // namespace dojo
