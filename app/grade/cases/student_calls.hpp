#pragma once
// What a test case can ask of a student's file, without doctest: part of grade/harness.hpp.
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/counters.hpp"
#include "core/error.hpp"
#include "core/report.hpp"
#include "run/worker/call.hpp"
#include "run/worker/worker.hpp"

namespace dojo::harness {

// ---- Arguments of a call ----

/// An argument: an array in device memory, or a scalar. It must have the type of the parameter: 1000 is an
/// int, 1000u an unsigned, 0.5f a float.
struct Argument {
  std::optional<Buffer> array;
  std::vector<std::byte> scalar;
};

template <class T>
constexpr Elem elem_of() {
  if constexpr (std::is_same_v<T, float>) return Elem::f32;
  if constexpr (std::is_same_v<T, double>) return Elem::f64;
  if constexpr (std::is_integral_v<T> && sizeof(T) == 4) return std::is_signed_v<T> ? Elem::i32 : Elem::u32;
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) return Elem::i64;
  if constexpr (std::is_integral_v<T> && sizeof(T) == 1) return std::is_signed_v<T> ? Elem::i8 : Elem::u8;
  return Elem::u8;  // structures: as bytes
}

template <class T>
Argument array_of(Role role, size_t count, const T* data) {
  static_assert(std::is_trivially_copyable_v<T>, "arrays hold plain values");
  Buffer b;
  b.elem = elem_of<T>();
  b.shape = {int64_t(count * (sizeof(T) / size_of(b.elem)))};
  b.role = role;
  if (data) {
    b.data.resize(count * sizeof(T));
    if (count) std::memcpy(b.data.data(), data, b.data.size());
  }
  return {std::move(b), {}};
}

/// An input: writing to it is a finding.
template <class T>
Argument in(const std::vector<T>& data) {
  return array_of<T>(Role::in, data.size(), data.data());
}
/// `count` elements to write to. Reading one before it is written is a finding.
template <class T>
Argument out(size_t count) {
  return array_of<T>(Role::out, count, nullptr);
}
/// Read and written.
template <class T>
Argument inout(const std::vector<T>& data) {
  return array_of<T>(Role::inout, data.size(), data.data());
}

template <class T>
Argument argument(const T& value) {
  if constexpr (std::is_same_v<T, Argument>) {
    return value;
  } else {
    static_assert(std::is_arithmetic_v<T> || std::is_class_v<T>,
                  "an argument is in(…), out<T>(…), inout(…) or a scalar");
    static_assert(std::is_trivially_copyable_v<T>, "an argument is in(…), out<T>(…), inout(…) or a scalar");
    Argument a;
    a.scalar.resize(sizeof(T));
    std::memcpy(a.scalar.data(), &value, sizeof(T));
    return a;
  }
}

// ---- What a call did ----

class Run {
 public:
  /// `refused`: why nothing ran; then there is no report.
  Run(RunReport report, run::CallOutputs outputs, std::vector<int> buffer_of, std::string refused = {})
      : report_(std::move(report)),
        outputs_(std::move(outputs)),
        buffer_of_(std::move(buffer_of)),
        refused_(std::move(refused)) {}

  /// It was handed in, compiles, ended by itself, and has no finding.
  bool ok() const { return refused_.empty() && report_.status == Status::pass; }
  /// Why it is not ok, in a line; empty when it is.
  std::string why() const;
  bool compiles() const { return refused_.empty() && report_.status != Status::compile_error; }
  /// The array given as argument `index` (from 0), as the call left it. Throws Error when there is none.
  template <class T>
  std::vector<T> array(size_t index) const {
    const std::vector<std::byte>& bytes = array_bytes(index);
    if (bytes.size() % sizeof(T)) throw Error("array<T>(): the array's bytes are no whole number of T");
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  /// What the host function returned. Throws Error when that is no T.
  template <class T>
  T returned() const {
    if (outputs_.returned.size() != sizeof(T)) throw Error("returned<T>(): the function returned no T");
    T value;
    std::memcpy(&value, outputs_.returned.data(), sizeof(T));
    return value;
  }
  const std::string& printed() const { return report_.printed; }
  /// Errors only: races, accesses out of bounds, leaks. `kind` is one of docs/findings.md; empty: all.
  std::vector<Diagnostic> findings(const std::string& kind = {}) const;
  /// A counter by Nsight Compute's name or its short name (docs/counters.md), over all launches. Throws Error
  /// for a name that is none.
  double counter(const std::string& name) const;
  /// Modelled, from the start of the first launch to the end of the last, in µs.
  double time_us() const { return report_.time_us.value; }
  const std::vector<LaunchReport>& launches() const { return report_.launches; }
  const RunReport& report() const { return report_; }

 private:
  const std::vector<std::byte>& array_bytes(size_t index) const;
  RunReport report_;
  run::CallOutputs outputs_;
  std::vector<int> buffer_of_;  ///< by argument; -1: a scalar
  std::string refused_;
};

// ---- The student's file ----

/// How a kernel is launched.
struct Launch {
  Dim3 grid, block;
  uint32_t dynamic_smem = 0;  ///< bytes
};

class File {
 public:
  explicit File(std::string name) { request_.file = std::move(name); }
  /// On another device than the course's ("simt:a100"), and with another limit of warp instructions.
  File& on(std::string device);
  File& most_instructions(uint64_t warp_instructions);

  /// Calls a host function of the file, which launches kernels itself.
  template <class... A>
  Run call(const std::string& function, const A&... arguments) const {
    return made(function, nullptr, {argument(arguments)...});
  }
  /// Launches a kernel of the file: launch("scale", {.grid = {4}, .block = {256}}, inout(x), 2.0f).
  template <class... A>
  Run launch(const std::string& kernel, const Launch& how, const A&... arguments) const {
    return made(kernel, &how, {argument(arguments)...});
  }

 private:
  Run made(const std::string& name, const Launch*, std::vector<Argument>) const;
  run::CallRequest request_;
};

/// The student's file of a step ("reduce/5", "reduce/5-sequential"), or one under its path in the submission
/// ("hw1.cu"). One that was not handed in gives runs that are not ok().
File submitted(const std::string& step_or_path);

// ---- Between the test cases and the program that runs them ----

struct TestCase {
  std::string name;
  double points = 1;
};
/// Hears of the test cases in the order of the file.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void found(const std::vector<TestCase>&) = 0;
  virtual void ended(size_t index, bool passed, const std::vector<std::string>& messages) = 0;
};
/// Answers a call. Its event is a report with outputs, `died`, or `failed` with the reason as text.
using Answer = std::function<run::WorkerEvent(const run::CallRequest&)>;
/// Where calls of this process go.
void answer_calls_with(Answer);

/// Points by file and line of the test case.
double& points_at(const std::string& file, unsigned line);

}  // namespace dojo::harness
