#pragma once
// Forwards a C function of the CUDA runtime to the table of calls in app/host, which the host interpreter
// uses too. The arguments are packed as that table reads them.
#include <cstring>
#include <mutex>
#include <string>
#include <type_traits>

#include "exec/process.hpp"

namespace dojo::exec {

/// One function's declaration as the table reads it: arguments one after the other, each at a multiple of 8
/// bytes.
struct Signature {
  ptx::Function function;
  size_t bytes = 0;
};
template <class... A>
Signature signature(const char* entry, const char* shown) {
  Signature s;
  s.function.name = entry;
  s.function.demangled = shown;
  [[maybe_unused]] const auto add = [&](size_t bytes) {
    ptx::Variable v;
    v.space = ptx::Space::param;
    v.offset = s.bytes;
    v.bytes = bytes;
    s.function.params.push_back(v);
    s.bytes += (bytes + 7) / 8 * 8;
  };
  (add(sizeof(A)), ...);
  s.function.param_bytes = s.bytes;
  return s;
}

/// Runs a call of the table under the process's lock. Returns its result: 8 bytes, of which a status uses the
/// low four.
uint64_t run_call(const Signature&, const void* return_address, std::span<const std::byte> args);
/// The next call of this thread is of a program that was built with --default-stream per-thread.
void next_call_is_per_thread();
/// Behaves like a call that failed: remembers the error for cudaGetLastError.
int failed(int code);
/// In a handler: the CUDA error that the call `name` returns for the exception, which is a finding of the
/// run, an error of the call, or told on standard error. None may leave a C function.
int failed_with_exception(const char* name);
/// What `f` returns, under the process's lock; its exceptions become errors.
template <class F>
int run_locked(const char* name, F f) {
  std::scoped_lock lock(Process::get().mutex);
  try {
    return int(f());
  } catch (...) {
    return failed_with_exception(name);
  }
}

template <class... A>
uint64_t enter(const Signature& s, const void* return_address, A... args) {
  static_assert((std::is_trivially_copyable_v<A> && ...));
  std::byte block[sizeof...(A) * 16 + 8] = {};
  size_t i = 0;
  ((std::memcpy(block + s.function.params[i].offset, &args, sizeof args), ++i), ...);
  return run_call(s, return_address, std::span<const std::byte>(block, s.bytes));
}

}  // namespace dojo::exec

/// Calls the table's entry ENTRY. Messages name it SHOWN, at the program's line that `returns_to` returns to.
#define WARPDOJO_ENTER(ENTRY, SHOWN, ...)                                                       \
  [&](auto... args) {                                                                           \
    static const ::dojo::exec::Signature& known =                                               \
        *new ::dojo::exec::Signature(::dojo::exec::signature<decltype(args)...>(ENTRY, SHOWN)); \
    return ::dojo::exec::enter(known, returns_to, args...);                                     \
  }(__VA_ARGS__)
/// A whole function body that does only that. A semicolon follows, as behind a statement.
#define WARPDOJO_CALL(ENTRY, SHOWN, ...)                           \
  {                                                                \
    const void* returns_to = __builtin_return_address(0);          \
    return cudaError_t(WARPDOJO_ENTER(ENTRY, SHOWN, __VA_ARGS__)); \
  }                                                                \
  static_assert(true)
