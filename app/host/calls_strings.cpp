// <cstring>, and numbers from text.
#include <strings.h>

#include <cerrno>
#include <cstdlib>

#include "host/kept_text.hpp"
#include "host/runtime.hpp"
#include "host/state/c_library.hpp"

namespace dojo::host {
namespace {

/// Stores a C string at an address, with its final zero.
void write_text(Call& c, uint64_t address, const std::string& s) {
  std::memcpy(c.write(address, s.size() + 1), s.c_str(), s.size() + 1);
}

int sign(int v) { return (v > 0) - (v < 0); }

/// strtol and its family: returns the number, and stores where it ends if parameter 1 asks for that.
template <class T, class F>
void parse_number(Call& c, F convert) {
  const std::string s = c.text(c.ptr(0));
  char* end = nullptr;
  const T v = convert(s.c_str(), &end);
  if (c.count() > 1 && c.ptr(1)) c.store<uint64_t>(c.ptr(1), c.ptr(0) + uint64_t(end - s.c_str()));
  c.ret<T>(v);
}

/// Returns the address of position `at` in the string of parameter 0; null if nothing was found.
void find_in(Call& c, size_t at) { c.ret<uint64_t>(at == std::string::npos ? 0 : c.ptr(0) + at); }

void strtok(Call& c) {
  uint64_t& next = c.rt.c_library().strtok_next;
  if (c.ptr(0)) next = c.ptr(0);
  const uint64_t from = next;
  if (!from) return c.ret<uint64_t>(0);
  const std::string s = c.text(from), separators = c.text(c.ptr(1));
  const size_t begin = s.find_first_not_of(separators);
  if (begin == std::string::npos) {
    next = 0;
    return c.ret<uint64_t>(0);
  }
  const size_t end = s.find_first_of(separators, begin);
  if (end == std::string::npos) {
    next = 0;
  } else {
    c.store<char>(from + end, '\0');
    next = from + end + 1;
  }
  c.ret<uint64_t>(from + begin);
}

void move_bytes(Call& c) {
  const uint64_t n = c.ptr(2);
  if (n) {
    const std::byte* from = c.read(c.ptr(1), n);
    std::memmove(c.write(c.ptr(0), n), from, n);
    c.rt.device().note_host_move(n);
  }
  c.ret<uint64_t>(c.ptr(0));
}

void set_bytes(Call& c) {
  const uint64_t n = c.ptr(2);
  std::memset(c.write(c.ptr(0), n), c.i32(1), n);
  c.rt.device().note_host_move(n);
  c.ret<uint64_t>(c.ptr(0));
}

/// std::fill of elements that are plain bytes.
void fill_elements(Call& c) {
  const uint64_t bytes = c.ptr(2), count = c.ptr(3);
  if (bytes == 0 || count == 0 || count > ~uint64_t(0) / bytes) return;
  const std::byte* value = c.read(c.ptr(1), bytes);
  const std::vector<std::byte> one(value, value + bytes);
  std::byte* to = c.write(c.ptr(0), bytes * count);
  for (uint64_t i = 0; i < count; ++i) std::memcpy(to + i * bytes, one.data(), bytes);
  c.rt.device().note_host_move(bytes * count);
}

const Entry strings_entries[] = {
    {"memcpy", move_bytes},
    {"_dmcpy", move_bytes},
    {"memmove", move_bytes},
    {"memset", set_bytes},
    {"_dmset", set_bytes},
    {"__dojo_fill", fill_elements},
    {"memcmp",
     [](Call& c) {
       c.ret<int32_t>(sign(std::memcmp(c.read(c.ptr(0), c.ptr(2)), c.read(c.ptr(1), c.ptr(2)), c.ptr(2))));
     }},
    {"__dojo_memchr",
     [](Call& c) {
       const std::byte* p = c.read(c.ptr(0), c.ptr(2));
       const void* q = std::memchr(p, c.i32(1), c.ptr(2));
       c.ret<uint64_t>(q ? c.ptr(0) + uint64_t(static_cast<const std::byte*>(q) - p) : 0);
     }},
    {"strlen", [](Call& c) { c.ret<uint64_t>(c.text(c.ptr(0)).size()); }},
    {"strcmp",
     [](Call& c) { c.ret<int32_t>(sign(std::strcmp(c.text(c.ptr(0)).c_str(), c.text(c.ptr(1)).c_str()))); }},
    {"strncmp",
     [](Call& c) {
       const uint64_t n = c.ptr(2);
       c.ret<int32_t>(sign(std::strncmp(c.text(c.ptr(0), n).c_str(), c.text(c.ptr(1), n).c_str(), n)));
     }},
    {"strcasecmp",
     [](Call& c) { c.ret<int32_t>(sign(strcasecmp(c.text(c.ptr(0)).c_str(), c.text(c.ptr(1)).c_str()))); }},
    {"strncasecmp",
     [](Call& c) {
       const uint64_t n = c.ptr(2);
       c.ret<int32_t>(sign(strncasecmp(c.text(c.ptr(0), n).c_str(), c.text(c.ptr(1), n).c_str(), n)));
     }},
    {"strcpy",
     [](Call& c) {
       write_text(c, c.ptr(0), c.text(c.ptr(1)));
       c.ret<uint64_t>(c.ptr(0));
     }},
    {"strncpy",
     [](Call& c) {
       const uint64_t n = c.ptr(2);
       const std::string s = c.text(c.ptr(1), n);
       std::strncpy(reinterpret_cast<char*>(c.write(c.ptr(0), n)), s.c_str(), n);
       c.ret<uint64_t>(c.ptr(0));
     }},
    {"strcat",
     [](Call& c) {
       const uint64_t end = c.ptr(0) + c.text(c.ptr(0)).size();
       write_text(c, end, c.text(c.ptr(1)));
       c.ret<uint64_t>(c.ptr(0));
     }},
    {"strncat",
     [](Call& c) {
       const uint64_t end = c.ptr(0) + c.text(c.ptr(0)).size();
       write_text(c, end, c.text(c.ptr(1), c.ptr(2)));
       c.ret<uint64_t>(c.ptr(0));
     }},
    {"strdup",
     [](Call& c) {
       const std::string s = c.text(c.ptr(0));
       const uint64_t a = c.rt.host_allocate(c, s.size() + 1, false);
       write_text(c, a, s);
       c.ret<uint64_t>(a);
     }},
    {"__dojo_strchr",
     [](Call& c) {
       const std::string s = c.text(c.ptr(0));
       const char ch = char(c.i32(1));
       find_in(c, ch ? s.find(ch) : s.size());
     }},
    {"__dojo_strrchr",
     [](Call& c) {
       const std::string s = c.text(c.ptr(0));
       const char ch = char(c.i32(1));
       find_in(c, ch ? s.rfind(ch) : s.size());
     }},
    {"__dojo_strstr", [](Call& c) { find_in(c, c.text(c.ptr(0)).find(c.text(c.ptr(1)))); }},
    {"strtok", strtok},
    {"strerror", [](Call& c) { c.ret(kept_text(c, std::strerror(c.i32(0)))); }},
    {"atoi", [](Call& c) { c.ret<int32_t>(int32_t(std::strtol(c.text(c.ptr(0)).c_str(), nullptr, 10))); }},
    {"atol", [](Call& c) { c.ret<int64_t>(std::strtol(c.text(c.ptr(0)).c_str(), nullptr, 10)); }},
    {"atoll", [](Call& c) { c.ret<int64_t>(std::strtoll(c.text(c.ptr(0)).c_str(), nullptr, 10)); }},
    {"atof", [](Call& c) { c.ret<double>(std::strtod(c.text(c.ptr(0)).c_str(), nullptr)); }},
    {"strtol",
     [](Call& c) {
       parse_number<int64_t>(c, [&](const char* s, char** e) { return std::strtol(s, e, c.i32(2)); });
     }},
    {"strtoll",
     [](Call& c) {
       parse_number<int64_t>(c, [&](const char* s, char** e) { return std::strtoll(s, e, c.i32(2)); });
     }},
    {"strtoul",
     [](Call& c) {
       parse_number<uint64_t>(c, [&](const char* s, char** e) { return std::strtoul(s, e, c.i32(2)); });
     }},
    {"strtoull",
     [](Call& c) {
       parse_number<uint64_t>(c, [&](const char* s, char** e) { return std::strtoull(s, e, c.i32(2)); });
     }},
    {"strtod",
     [](Call& c) { parse_number<double>(c, [](const char* s, char** e) { return std::strtod(s, e); }); }},
    {"strtof",
     [](Call& c) { parse_number<float>(c, [](const char* s, char** e) { return std::strtof(s, e); }); }},
};

}  // namespace

std::span<const Entry> string_calls() { return strings_entries; }

}  // namespace dojo::host
