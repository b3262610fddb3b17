#pragma once
// A call of the student's host code to a function that it does not define, and the tables of such functions.
// Each table is a topic: calls_*.cpp.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "core/bytes.hpp"
#include "core/device.hpp"
#include "ptx/module.hpp"

namespace dojo::host {

class Runtime;

/// One call in progress: typed access to the callee's parameter block, and its result.
struct Call {
  Runtime& rt;
  const ptx::Function& callee;
  std::span<const std::byte> args;
  std::span<std::byte> result;
  const SourceLoc& where;

  size_t count() const { return callee.params.size(); }
  /// The function as the program calls it, for messages.
  std::string name() const;
  /// Parameter i as a T; zero when the student declared the function with fewer or shorter parameters.
  template <class T>
  T arg(size_t i) const {
    T v{};
    if (i < callee.params.size()) {
      const auto& p = callee.params[i];
      const size_t n = std::min<size_t>(sizeof(T), p.bytes);
      if (p.offset + n <= args.size()) std::memcpy(&v, args.data() + p.offset, n);
    }
    return v;
  }
  uint64_t ptr(size_t i) const { return arg<uint64_t>(i); }
  int32_t i32(size_t i) const { return arg<int32_t>(i); }
  Dim3 dim3(size_t i) const { return arg<Dim3>(i); }

  template <class T>
  void ret(T v) {
    copy_bytes(result.data(), &v, std::min(sizeof(T), result.size()));
  }
  /// The device's handle of the stream that parameter i names. False: it names no live stream, and the call
  /// has returned cudaErrorInvalidResourceHandle.
  bool stream(size_t i, uint64_t* device_handle);
  /// Returns a CUDA status and remembers an error for cudaGetLastError.
  void status(int code);
  void status(CudaStatus s) { status(s.code); }
  /// Is the status that the call has returned cudaSuccess?
  bool succeeded() const {
    int32_t code = 0;
    copy_bytes(&code, result.data(), std::min(sizeof code, result.size()));
    return code == 0;
  }

  /// Host memory behind a program's address; ends the run with a finding when host code may not touch it.
  std::byte* read(uint64_t address, uint64_t bytes) const;
  std::byte* write(uint64_t address, uint64_t bytes) const;
  template <class T>
  void store(uint64_t address, T v) const {
    std::memcpy(write(address, sizeof v), &v, sizeof v);
  }
  template <class T>
  T load(uint64_t address) const {
    T v;
    std::memcpy(&v, read(address, sizeof v), sizeof v);
    return v;
  }
  /// A C string, or its first `most` characters: those after them need not be there.
  std::string text(uint64_t address, uint64_t most = ~uint64_t(0)) const;
};

/// Answers a call: reads its arguments and sets its result.
using Handler = void (*)(Call&);
/// A function of a table, by its name in PTX.
struct Entry {
  const char* name;
  Handler run;
};

/// The tables, by topic.
std::span<const Entry> memory_calls();
std::span<const Entry> array_calls();
std::span<const Entry> array_copy_calls();
std::span<const Entry> mipmap_calls();
std::span<const Entry> launch_calls();
std::span<const Entry> occupancy_calls();
std::span<const Entry> stream_calls();
std::span<const Entry> stream_attribute_calls();
std::span<const Entry> pool_calls();
std::span<const Entry> graph_calls();
std::span<const Entry> graph_node_calls();
std::span<const Entry> device_calls();
std::span<const Entry> string_calls();
std::span<const Entry> library_calls();
std::span<const Entry> print_calls();
std::span<const Entry> file_calls();
/// All of them. No two have an entry of one name.
std::span<const std::span<const Entry>> call_tables();

}  // namespace dojo::host
