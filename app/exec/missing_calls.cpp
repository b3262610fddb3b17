// Functions of the CUDA runtime that are not supported. Each name of the toolkit's header exists, so that
// programs link; a call reports its name and fails. CMake generates the list (missing_calls.inc) from the
// header.
#include "exec/face.hpp"

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
/// An older name of a call with the same arguments. A jump keeps them and the return address.
#if defined(__x86_64__)
#define WARPDOJO_JUMP(NAME) "jmp " #NAME "@PLT"
#define WARPDOJO_KEEP_ARGUMENTS                                                    \
  "push %rdi\npush %rsi\npush %rdx\npush %rcx\npush %r8\npush %r9\nsub $8, %rsp\n" \
  "call warpdojo_per_thread@PLT\n"                                                 \
  "add $8, %rsp\npop %r9\npop %r8\npop %rcx\npop %rdx\npop %rsi\npop %rdi\n"
#else
#define WARPDOJO_JUMP(NAME) "b " #NAME  // AArch64
#define WARPDOJO_KEEP_ARGUMENTS                                                                    \
  "stp x0, x1, [sp, #-80]!\nstp x2, x3, [sp, #16]\nstp x4, x5, [sp, #32]\nstp x6, x7, [sp, #48]\n" \
  "str x30, [sp, #64]\nbl warpdojo_per_thread\nldr x30, [sp, #64]\n"                               \
  "ldp x2, x3, [sp, #16]\nldp x4, x5, [sp, #32]\nldp x6, x7, [sp, #48]\nldp x0, x1, [sp], #80\n"
#endif
#define WARPDOJO_SAME(NAME, RENAMED) \
  asm(".globl " #RENAMED "\n.type " #RENAMED ", %function\n" #RENAMED ": " WARPDOJO_JUMP(NAME) "\n");
/// The variant for a default stream per thread (cudaMemcpy_ptds): NAME, after a note that says so. These
/// calls have integers and pointers as arguments only.
extern "C" void warpdojo_per_thread() { dojo::exec::next_call_is_per_thread(); }
#define WARPDOJO_PER_THREAD(NAME, RENAMED)                            \
  asm(".globl " #RENAMED "\n.type " #RENAMED ", %function\n" #RENAMED \
      ": " WARPDOJO_KEEP_ARGUMENTS WARPDOJO_JUMP(NAME) "\n");
#include "missing_calls.inc"
