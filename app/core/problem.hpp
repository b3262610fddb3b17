#pragma once
// A lab's problem.cpp makes inputs from a seed and a size, the expected result in double precision, the
// tolerance, and the work that must be done. It registers itself with DOJO_PROBLEM.
#include <cstring>
#include <functional>
#include <memory>
#include <span>

#include "core/labs/lab.hpp"
#include "core/report.hpp"
#include "core/types.hpp"

namespace dojo {

enum class Role : uint8_t {
  in,     ///< the device copy must be unchanged after the run (unless the step mutates_input)
  out,    ///< poisoned before each run
  inout,  ///< given and checked
};

/// A buffer that is passed to the entry function as a pointer: in device memory, or in host memory when
/// `host`.
struct Buffer {
  std::string name;
  Elem elem = Elem::f32;
  std::vector<int64_t> shape;  ///< in elements, slowest first
  Role role = Role::in;
  bool host = false;            ///< ordinary (pageable) host memory: the entry copies it to the device itself
  bool pinned = false;          ///< the same in page-locked memory, as of cudaMallocHost
  std::vector<std::byte> data;  ///< initial content for in and inout; sized shape x elem
  std::vector<double> expected;   ///< golden, for out and inout; empty: checked by Problem::check
  std::vector<double> tolerance;  ///< absolute, per element, or one value for all
  int64_t count() const {
    int64_t n = 1;
    for (int64_t s : shape) n *= s;
    return n;
  }
  template <class T>
  std::span<T> as() {
    return {reinterpret_cast<T*>(data.data()), data.size() / sizeof(T)};
  }
  template <class T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(data.data()), data.size() / sizeof(T)};
  }
};

/// One argument of the entry function: a buffer, or a scalar's bytes.
struct Arg {
  int buffer = -1;               ///< index into Instance::buffers, or -1
  std::vector<std::byte> value;  ///< scalar, little endian, C layout
  template <class T>
  static Arg scalar(T v) {
    Arg a;
    a.value.resize(sizeof(T));
    std::memcpy(a.value.data(), &v, sizeof(T));
    return a;
  }
  static Arg buf(int i) { return Arg{i, {}}; }
};

/// A problem of one size and seed, ready to run.
struct Instance {
  std::vector<Buffer> buffers;
  std::vector<Arg> args;                     ///< of the entry function, in order
  double ideal_bytes = 0;                    ///< that must move to and from DRAM
  double flops = 0;                          ///< operations that must be done
  std::map<std::string, double> quantities;  ///< names for gates ("n", "rows", ...)
  std::string tolerance_note;  ///< e.g. "n·2^-24·sum|x|: worst case of n float additions in any order"
  // For entries that return a scalar or print:
  bool has_return = false;
  Elem return_elem = Elem::f32;
  double return_expected = 0, return_tolerance = 0;
  std::string printed_expected;  ///< exact text, when print_checked
  bool print_checked = false;
};

struct Outputs {
  std::vector<std::vector<std::byte>> buffers;  ///< as Instance::buffers, read back after the run
  std::vector<std::byte> returned;
  std::string printed;
};

class Problem {
 public:
  virtual ~Problem() = default;
  /// Throws Error when the size is not usable (too large, negative, a missing name).
  virtual Instance make(const Step&, const Size&, uint64_t seed) const = 0;
  /// The default compares every buffer that has `expected`, the return value and the printed text.
  virtual CheckReport check(const Step&, const Instance&, const Outputs&) const;
};

/// Comparison that the default check uses: NaN equals NaN, infinities equal themselves.
void compare(CheckReport&, const Buffer& golden, std::span<const std::byte> got);

/// The problem registered under a lab's name. Throws Error when there is none.
const Problem& problem_for(const std::string& name);
bool register_problem(const std::string& name, std::unique_ptr<Problem>);

#define DOJO_PROBLEM(name, Class) \
  static const bool registered_##Class = ::dojo::register_problem(name, std::make_unique<Class>())

/// A small counter-based generator: the same stream on every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ull + 0x632BE59BD9B4E019ull) {}
  uint64_t next();
  float uniform(float lo, float hi);  ///< in [lo, hi)
  int64_t below(int64_t n);           ///< in [0, n)

 private:
  uint64_t state_;
};

}  // namespace dojo
