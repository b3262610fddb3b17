#include "exec/faults.hpp"

#include <ucontext.h>
#include <unistd.h>
#include <csignal>

#include "exec/process.hpp"

namespace dojo::exec {
namespace {

constexpr int fatal[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGINT, SIGTERM};
struct sigaction before[NSIG];
pid_t of_process = 0;

struct Access {
  uint64_t instruction;  ///< its address
  bool write;
};
#if defined(__x86_64__)
Access access_of(const mcontext_t& m) {
  return {uint64_t(m.gregs[REG_RIP]), (m.gregs[REG_ERR] & 2) != 0};  // bit 1 of the page fault's error code
}
#elif defined(__aarch64__)
Access access_of(const mcontext_t& m) {
  // ESR_EL1 is one of the records behind the registers: WnR is its bit 6.
  const auto* record = reinterpret_cast<const _aarch64_ctx*>(m.__reserved);
  const auto* end = reinterpret_cast<const _aarch64_ctx*>(m.__reserved + sizeof m.__reserved);
  while (record < end && record->magic && record->magic != ESR_MAGIC)
    record = reinterpret_cast<const _aarch64_ctx*>(reinterpret_cast<const char*>(record) + record->size);
  const bool found = record < end && record->magic == ESR_MAGIC;
  return {m.pc, found && (reinterpret_cast<const esr_context*>(record)->esr >> 6 & 1)};
}
#endif

/// The handler. It may interrupt malloc and fault itself, so it first restores the old handler: a second
/// fault then ends the program at once.
void fault(int signal, siginfo_t* info, void* context) {
  sigaction(signal, &before[signal], nullptr);
  if (getpid() == of_process) {
    Process& p = Process::get();
    if (signal == SIGSEGV || signal == SIGBUS) {
      const Access access = access_of(static_cast<ucontext_t*>(context)->uc_mcontext);
      p.explain_fault(reinterpret_cast<uint64_t>(info->si_addr), access.instruction, access.write);
    }
    if (signal == SIGINT || signal == SIGTERM) p.tell_unrun();
    p.write_result();
  }
  // On return the faulting instruction runs again and meets the old handler. Other signals are raised again.
  if (signal != SIGSEGV && signal != SIGBUS && signal != SIGFPE && signal != SIGILL) raise(signal);
}

/// Runs after the program's own destructors, which may still free memory.
__attribute__((destructor)) void unloaded() {
  if (of_process == getpid()) Process::get().finish();
}

}  // namespace

void catch_faults() {
  of_process = getpid();
  for (const int signal : fatal) {
    struct sigaction old {};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler != SIG_DFL) continue;
    before[signal] = old;
    struct sigaction ours {};
    ours.sa_sigaction = fault;
    ours.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(signal, &ours, nullptr);
  }
}

}  // namespace dojo::exec

// Statics of this library are never destroyed: destructors of the program run after those and still call it.
extern "C" int __cxa_atexit(void (*)(void*), void*, void*) { return 0; }
