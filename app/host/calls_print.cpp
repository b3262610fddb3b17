// printf and its family, and the raw output that the iostream shim uses.
#include <cmath>
#include <cstdio>
#include <utility>

#include "core/bytes.hpp"
#include "core/collections/rounding.hpp"
#include "core/text/format_printf.hpp"
#include "host/files.hpp"
#include "host/runtime.hpp"
#include "host/state/c_library.hpp"

namespace dojo::host {
namespace {

/// printf's arguments where the compiler packed them in host memory.
class PackedArguments final : public PrintfArguments {
 public:
  PackedArguments(Call& c, uint64_t at) : c_(c), at_(at) {}
  uint64_t next(unsigned bytes) override {
    at_ = round_up(at_, bytes);
    uint64_t v = 0;
    std::memcpy(&v, c_.read(at_, bytes), bytes);
    at_ += bytes;
    return v;
  }
  std::string text(uint64_t address, uint64_t most) override {
    if (most == 0) return {};
    const Region* r = c_.rt.memory().find(address);
    if (r && !r->freed && !host_can_access(r->owner))
      c_.rt.stop(c_, FindingKind::wrong_space,
                 "printf's %s reads " + c_.rt.describe(address) + ", which is " + to_string(r->owner) +
                     ": copy it with cudaMemcpy first");
    if (!r && !c_.rt.of_process(address))
      c_.rt.stop(c_, FindingKind::out_of_bounds,
                 "printf's %s reads a text at " + c_.rt.describe(address) + ". Pass a pointer to a text");
    return c_.text(address, most);
  }

 private:
  Call& c_;
  uint64_t at_;
};

/// vprintf, to which the compiler reduces every printf. __dojo_print_to and __dojo_print_into, called just
/// before, make it fprintf and snprintf.
void print_packed(Call& c) {
  PackedArguments arguments(c, c.ptr(1));
  const std::string s = format_printf(c.text(c.ptr(0)), arguments);
  const CLibrary::PrintTarget target = std::exchange(c.rt.c_library().print, {});
  if (target.to_memory) {
    if (target.capacity) {
      // At most capacity - 1 characters and a zero, as snprintf.
      const uint64_t n = std::min<uint64_t>(s.size(), target.capacity - 1);
      std::byte* p = c.write(target.address, n + 1);
      copy_bytes(p, s.data(), n);
      p[n] = std::byte{0};
    }
  } else {
    put_text(c, target.file, s);
  }
  c.ret<int32_t>(int32_t(s.size()));
}

/// A floating-point number as iostreams print it. Notation: 0 general, 1 fixed, 2 scientific.
void format_double(Call& c) {
  const uint64_t out = c.ptr(0), capacity = c.ptr(1);
  const double v = c.arg<double>(2);
  const int precision = std::clamp(c.i32(3), 0, 300), notation = c.i32(4),
            flags = c.i32(5);  // flags: 1 '+', 2 '#', 4 upper
  std::string f = "%";
  if (flags & 1) f += '+';
  if (flags & 2) f += '#';
  f += ".*";
  f += notation == 1 ? 'f' : notation == 2 ? 'e' : 'g';
  if (flags & 4) f.back() = char(f.back() - 32);
  char text[768];
  int n = std::snprintf(text, sizeof text, f.c_str(), precision, v);
  n = int(std::min<uint64_t>(uint64_t(std::max(n, 0)), std::min<uint64_t>(capacity, sizeof text - 1)));
  std::memcpy(c.write(out, uint64_t(n)), text, size_t(n));
  c.ret<int32_t>(n);
}

const Entry print_entries[] = {
    {"vprintf", print_packed},
    {"__dojo_print_to", [](Call& c) { c.rt.c_library().print.file = c.ptr(0); }},
    {"__dojo_print_into",
     [](Call& c) {
       CLibrary::PrintTarget& target = c.rt.c_library().print;
       target.to_memory = true;
       target.address = c.ptr(0);
       target.capacity = std::min<uint64_t>(c.ptr(1), uint64_t(1) << 30);
       c.ret<int32_t>(0);
     }},
    {"__dojo_format_double", format_double},
    {"puts",
     [](Call& c) {
       c.rt.print(c.text(c.ptr(0)) + "\n");
       c.ret<int32_t>(1);
     }},
    {"putchar",
     [](Call& c) {
       const char ch = char(c.i32(0));
       c.rt.print({&ch, 1});
       c.ret<int32_t>(c.i32(0));
     }},
    {"perror", [](Call& c) { c.rt.print(c.text(c.ptr(0)) + ": error\n"); }},
};

}  // namespace

std::span<const Entry> print_calls() { return print_entries; }

}  // namespace dojo::host
