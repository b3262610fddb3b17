// Says so when the program starts on an x86-64 processor without AVX2, in place of dying by SIGILL. It runs
// before every constructor of the program and its libraries, is itself compiled for any x86-64 processor, and
// calls nothing but the system.
#include <unistd.h>

namespace {

[[maybe_unused]] const char kMessage[] =
    "warpdojo: this program needs a processor with AVX2 and FMA (Intel Haswell of 2013, AMD Excavator of "
    "2015, or newer), and this one has none.\nThere is no build for older ones: use another computer.\n";

void check(int, char**, char**) {
#ifdef WARPDOJO_CHECKS_PROCESSOR
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v3")) return;
  [[maybe_unused]] const auto written = write(2, kMessage, sizeof kMessage - 1);
  _exit(2);
#endif
}

__attribute__((section(".preinit_array"), used)) void (*const check_first)(int, char**, char**) = check;

}  // namespace
