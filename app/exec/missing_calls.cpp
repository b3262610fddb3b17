// Functions of the CUDA runtime that are not supported. Each name of the toolkit's header exists, so that
// programs link; a call reports its name and fails. CMake generates the list (missing_calls.inc) from the
// header.
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
/// The variant for a default stream per thread (cudaMemcpy_ptds) does the same as NAME: here all threads
/// share one default stream; or an older name of the same call. A jump keeps the arguments and the return
/// address.
#if defined(__x86_64__)
#define WARPDOJO_JUMP(NAME) "jmp " #NAME "@PLT"
#else
#define WARPDOJO_JUMP(NAME) "b " #NAME  // AArch64
#endif
#define WARPDOJO_PER_THREAD(NAME, RENAMED) \
  asm(".globl " #RENAMED "\n.type " #RENAMED ", %function\n" #RENAMED ": " WARPDOJO_JUMP(NAME) "\n");
#include "missing_calls.inc"
