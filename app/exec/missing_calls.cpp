// Calls of the CUDA runtime that nothing here defines: the linker of a program finds every name of the
// toolkit's header, and a call says which one it was. The list is made of that header when the program is
// configured.
#include "exec/process.hpp"

namespace {
int missing_call(const char* name, const void* return_address) {
  dojo::exec::Process& p = dojo::exec::Process::get();
  std::scoped_lock lock(p.mutex);
  p.runtime().last_error = dojo::cuda_error::not_supported;
  p.tell_missing(name, return_address);
  return dojo::cuda_error::not_supported;
}
}  // namespace

// For the stand-ins of CUDA's libraries (app/exec/libraries).
extern "C" __attribute__((visibility("default"))) void __cudaDojoNotSimulated(const char* name,
                                                                              const void* return_address) {
  dojo::exec::Process& p = dojo::exec::Process::get();
  std::scoped_lock lock(p.mutex);
  p.runtime();
  p.tell_not_simulated(name, return_address);
}
extern "C" __attribute__((visibility("default"))) void __cudaDojoMissing(const char* name,
                                                                         const void* return_address) {
  dojo::exec::Process& p = dojo::exec::Process::get();
  std::scoped_lock lock(p.mutex);
  p.runtime();
  p.tell_missing(name, return_address);
}

#define WARPDOJO_MISSING(NAME)                                        \
  extern "C" __attribute__((weak, visibility("default"))) int NAME(); \
  extern "C" int NAME() { return missing_call(#NAME, __builtin_return_address(0)); }
/// A default stream per thread is taken for the one that all threads share: the function is the same. A jump
/// keeps its arguments and the caller's address.
#define WARPDOJO_PER_THREAD(NAME, RENAMED) \
  asm(".globl " #RENAMED "\n.type " #RENAMED ", @function\n" #RENAMED ": jmp " #NAME "@PLT\n");
#include "missing_calls.inc"
