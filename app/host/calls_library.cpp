// <cstdlib>, <ctime>, <cassert>: memory, process, random numbers, sorting, clocks.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "core/bytes.hpp"
#include "host/runtime.hpp"
#include "host/state/c_library.hpp"

namespace dojo::host {
namespace {

/// Seconds since 1970 that a program sees at its start: the same on every run, so that every run repeats.
constexpr uint64_t epoch_s = 1'767'225'600;  // 2026-01-01

/// Calls the program's comparison function with two addresses.
int compare(Call& c, uint64_t function, uint64_t a, uint64_t b) {
  const uint64_t args[2] = {a, b};
  const auto r = c.rt.thread().call(function, std::as_bytes(std::span(args)));
  int32_t v = 0;
  copy_bytes(&v, r.data(), std::min(r.size(), sizeof v));
  return v;
}

/// qsort. Sorts indices, so that the comparison always sees elements at their own addresses.
void sort_elements(Call& c) {
  const uint64_t base = c.ptr(0), n = c.ptr(1), size = c.ptr(2), function = c.ptr(3);
  if (n < 2 || !size) return;
  if (n > UINT64_MAX / size)
    c.rt.stop(c, FindingKind::out_of_bounds,
              "qsort of " + std::to_string(n) + " elements, more than any array has");
  constexpr uint64_t most = uint64_t(1) << 26;
  uint64_t& sorting = c.rt.c_library().sorting;
  if (n > most - sorting)
    c.rt.stop(c, FindingKind::unsupported,
              "qsort of " + std::to_string(n) + " elements; at most 67108864 are provided for" +
                  (sorting ? ", with those of the calls that it is called from" : ""));
  c.write(base, n * size);
  struct Sorting {  // the comparison may end the program
    uint64_t &all, n;
    Sorting(uint64_t& a, uint64_t more) : all(a), n(more) { all += n; }
    ~Sorting() { all -= n; }
  } const within(sorting, n);
  std::vector<uint64_t> order(n), merged(n);
  std::iota(order.begin(), order.end(), uint64_t{0});
  // std::sort is undefined for a comparison that contradicts itself; this merge sort ends with any.
  for (uint64_t width = 1; width < n; width *= 2) {
    for (uint64_t lo = 0; lo < n; lo += 2 * width) {
      const uint64_t mid = std::min(lo + width, n), hi = std::min(lo + 2 * width, n);
      uint64_t i = lo, j = mid, k = lo;
      while (i < mid && j < hi)
        merged[k++] = compare(c, function, base + order[j] * size, base + order[i] * size) < 0 ? order[j++]
                                                                                               : order[i++];
      while (i < mid) merged[k++] = order[i++];
      while (j < hi) merged[k++] = order[j++];
    }
    order.swap(merged);
  }
  std::byte* p = c.write(base, n * size);
  const std::vector<std::byte> old(p, p + n * size);
  for (uint64_t i = 0; i < n; ++i) std::memcpy(p + i * size, old.data() + order[i] * size, size);
}

/// bsearch.
void search(Call& c) {
  const uint64_t key = c.ptr(0), base = c.ptr(1), size = c.ptr(3), function = c.ptr(4);
  uint64_t lo = 0, hi = c.ptr(2);
  while (lo < hi) {
    const uint64_t mid = lo + (hi - lo) / 2, at = base + mid * size;
    const int r = compare(c, function, key, at);
    if (r == 0) return c.ret<uint64_t>(at);
    if (r < 0)
      hi = mid;
    else
      lo = mid + 1;
  }
  c.ret<uint64_t>(0);
}

void reallocate(Call& c) {
  const uint64_t old = c.ptr(0), n = c.ptr(1);
  const uint64_t fresh = n || !old ? c.rt.host_allocate(c, n, false) : 0;
  if (old && fresh) {
    const Region* r = c.rt.memory().find(old);
    if (r && !r->freed) {
      const uint64_t keep = std::min(n, r->size);
      const std::byte* from = c.read(old, keep);
      std::memcpy(c.write(fresh, keep), from, keep);
    }
  }
  if (old && (fresh || !n)) c.rt.host_free(c, old);
  c.ret<uint64_t>(fresh);
}

/// The generator of drand48, with the constants of POSIX.
uint64_t next_rand48(CLibrary& library) {
  return library.rand48 = (library.rand48 * 0x5DEECE66Dull + 0xB) & ((uint64_t(1) << 48) - 1);
}

/// rand_r of glibc: three steps of a linear congruential generator give 11, 10 and 10 bits.
int32_t rand_r(uint32_t* seed) {
  uint32_t next = *seed, result = 0;
  auto step = [&] { return next = next * 1103515245u + 12345u; };
  result = (step() / 65536) % 2048;
  result = (result << 10) ^ ((step() / 65536) % 1024);
  result = (result << 10) ^ ((step() / 65536) % 1024);
  *seed = next;
  return int32_t(result);
}

void assert_failed(Call& c) {
  // Parameters: text of the condition, file, line, function, size of a character.
  const std::string text = c.text(c.ptr(0)), file = c.text(c.ptr(1)), function = c.text(c.ptr(3));
  const std::string words =
      file + ":" + std::to_string(c.i32(2)) + ": " + function + ": Assertion `" + text + "' failed.";
  c.rt.print(words + "\n");
  c.rt.stop(c, FindingKind::assert,
            "assertion failed in " + (function.empty() ? std::string("host code") : function) + ": " + text);
}

/// `T` of a function's name such as "const char* __dojo_type() [with T = std::runtime_error]".
std::string type_in(const std::string& function) {
  size_t at = function.rfind("T = ");
  at = at == function.npos ? function.rfind("T=") : at + 2;
  if (at == function.npos) return "an unknown type";
  return function.substr(at + 2, function.size() - at - 3);
}

/// A `throw` of host code (shims/dojo_clib.hpp: __dojo_Exception). Without a handler it ends the program as
/// it does natively: with words on standard error, and SIGABRT.
[[noreturn]] void throw_it(Call& c, uint64_t exception) {
  c.rt.c_library().thrown = exception;
  const uint64_t type = c.load<uint64_t>(exception), what = c.load<uint64_t>(exception + 16);
  const std::string name = type_in(c.text(type)), words = what ? c.text(what) : std::string();
  Diagnostic d;
  d.kind = FindingKind::host_error;
  d.where = c.where;
  d.message = "an exception is thrown and not caught: " + name + (words.empty() ? "" : ", " + words) +
              ". To handle it, put the calls that lead here into try { ... } catch (const " + name +
              "& e) { ... }";
  throw simt::HostThrow{[&rt = c.rt, d, name, words] {
    rt.print("terminate called after throwing an instance of '" + name + "'\n" +
             (words.empty() ? "" : "  what():  " + words + "\n"));
    throw RunStopped(Status::finding, d);
  }};
}
void thrown(Call& c) { throw_it(c, c.ptr(0)); }
void not_thrown(Call& c) {
  c.rt.print("terminate called without an active exception\n");
  c.rt.stop(c, FindingKind::host_error,
            "`throw;` stands outside of a handler and ends the program: it throws again what a handler has. "
            "Name what to throw.");
}

/// A thread that can't go on, since the threads that it waits for can't.
void no_thread(Call& c) {
  c.rt.stop(
      c, FindingKind::deadlock,
      "this thread waits for " + c.text(c.ptr(0)) +
          ", and no other thread can run: here a thread runs from its beginning to its end, once another "
          "one waits or joins it. Run the compiled program with warpdojo exec");
}

void store_time(Call& c) {
  const int64_t t = int64_t(epoch_s + c.rt.now_ns() / 1'000'000'000);
  if (c.ptr(0)) c.store<int64_t>(c.ptr(0), t);
  c.ret<int64_t>(t);
}

const Entry library_entries[] = {
    {"__dojo_no_thread", no_thread},
    {"malloc", [](Call& c) { c.ret(c.rt.host_allocate(c, c.ptr(0), false)); }},
    {"calloc",
     [](Call& c) {
       uint64_t n = 0;
       c.ret<uint64_t>(__builtin_mul_overflow(c.ptr(0), c.ptr(1), &n) ? 0 : c.rt.host_allocate(c, n, true));
     }},
    {"realloc", reallocate},
    {"aligned_alloc", [](Call& c) { c.ret(c.rt.host_allocate(c, c.ptr(1), false)); }},
    {"posix_memalign",
     [](Call& c) {
       c.store<uint64_t>(c.ptr(0), c.rt.host_allocate(c, c.ptr(2), false));
       c.ret<int32_t>(0);
     }},
    {"free", [](Call& c) { c.rt.host_free(c, c.ptr(0)); }},
    {"exit",
     [](Call& c) {
       const int status = c.i32(0);
       c.rt.run_at_exit();
       throw ProgramExit{status, "exit(" + std::to_string(status) + ")", c.where};
     }},
    {"_Exit",
     [](Call& c) {
       throw ProgramExit{c.i32(0), "_Exit(" + std::to_string(c.i32(0)) + ")", c.where};
     }},
    {"abort",
     [](Call& c) {
       c.rt.print("Aborted\n");
       throw ProgramExit{134, "abort()", c.where};  // 128 + SIGABRT, as a shell shows it
     }},
    {"atexit",
     [](Call& c) {
       c.rt.c_library().at_exit.push_back(c.ptr(0));
       c.ret<int32_t>(0);
     }},
    {"getenv", [](Call& c) { c.ret<uint64_t>(0); }},
    {"qsort", sort_elements},
    {"bsearch", search},
    {"rand", [](Call& c) { c.ret<int32_t>(c.rt.c_library().random.next()); }},
    {"random", [](Call& c) { c.ret<int64_t>(c.rt.c_library().random.next()); }},
    {"srand", [](Call& c) { c.rt.c_library().random.seed(uint32_t(c.i32(0))); }},
    {"srandom", [](Call& c) { c.rt.c_library().random.seed(uint32_t(c.i32(0))); }},
    {"rand_r",
     [](Call& c) {
       auto seed = c.load<uint32_t>(c.ptr(0));
       const int32_t v = rand_r(&seed);
       c.store(c.ptr(0), seed);
       c.ret(v);
     }},
    {"drand48",
     [](Call& c) { c.ret<double>(double(next_rand48(c.rt.c_library())) / double(uint64_t(1) << 48)); }},
    {"lrand48", [](Call& c) { c.ret<int64_t>(int64_t(next_rand48(c.rt.c_library()) >> 17)); }},
    {"srand48", [](Call& c) { c.rt.c_library().rand48 = uint64_t(uint32_t(c.i32(0))) << 16 | 0x330E; }},
    {"__assertfail", assert_failed},
    {"__dojo_throw", thrown},
    {"__dojo_not_thrown", not_thrown},
    {"__dojo_thrown", [](Call& c) { c.ret(c.rt.c_library().thrown); }},
    {"__dojo_escape", [](Call&) {}},
// Math functions of doubles in host code that clang compiled. NVRTC links its own.
#define DOJO_MATH1(name)                                               \
  {                                                                    \
    "__nv_" #name, [](Call& c) { c.ret(std::name(c.arg<double>(0))); } \
  }
#define DOJO_MATH2(name)                                                                 \
  {                                                                                      \
    "__nv_" #name, [](Call& c) { c.ret(std::name(c.arg<double>(0), c.arg<double>(1))); } \
  }
    DOJO_MATH1(sin),
    DOJO_MATH1(cos),
    DOJO_MATH1(tan),
    DOJO_MATH1(asin),
    DOJO_MATH1(acos),
    DOJO_MATH1(atan),
    DOJO_MATH1(sinh),
    DOJO_MATH1(cosh),
    DOJO_MATH1(tanh),
    DOJO_MATH1(exp),
    DOJO_MATH1(exp2),
    DOJO_MATH1(expm1),
    DOJO_MATH1(log),
    DOJO_MATH1(log2),
    DOJO_MATH1(log10),
    DOJO_MATH1(log1p),
    DOJO_MATH1(cbrt),
    DOJO_MATH1(erf),
    DOJO_MATH1(erfc),
    DOJO_MATH1(lgamma),
    DOJO_MATH1(tgamma),
    DOJO_MATH2(pow),
    DOJO_MATH2(atan2),
    DOJO_MATH2(fmod),
    DOJO_MATH2(hypot),
    DOJO_MATH2(remainder),
#undef DOJO_MATH1
#undef DOJO_MATH2
    {"time", store_time},
    {"_dclk", [](Call& c) { c.ret<int64_t>(int64_t(c.rt.now_ns() / 1000)); }},  // CLOCKS_PER_SEC is a million
    {"__dojo_now_ns", [](Call& c) { c.ret<int64_t>(int64_t(c.rt.now_ns())); }},
    {"__dojo_epoch_ns", [](Call& c) { c.ret<int64_t>(int64_t(epoch_s * 1'000'000'000 + c.rt.now_ns())); }},
};

}  // namespace

std::span<const Entry> library_calls() { return library_entries; }

}  // namespace dojo::host
