#include "host/format.hpp"

#include <cstdio>
#include <cstring>
#include <vector>

namespace dojo::host {
namespace {

/// A conversion as snprintf wants it, with width and precision given apart.
struct Spec {
  std::string flags;
  int width = -1, precision = -1;
  std::string length;
  char conversion = 0;
};

template <class T>
std::string print(const Spec& s, const char* length, T value) {
  std::string f = "%" + s.flags;
  if (s.width >= 0) f += std::to_string(s.width);
  if (s.precision >= 0) f += "." + std::to_string(s.precision);
  f += length;
  f += s.conversion;
  const int n = std::snprintf(nullptr, 0, f.c_str(), value);
  if (n < 0) return {};
  std::vector<char> out(size_t(n) + 1);
  std::snprintf(out.data(), out.size(), f.c_str(), value);
  return std::string(out.data(), size_t(n));
}

}  // namespace

std::string format(std::string_view f, FormatSource& source) {
  constexpr int widest = 4096;  // a width from the program must not fill the memory
  std::string out;
  size_t i = 0;
  auto number = [&](int* v) {
    if (i < f.size() && f[i] == '*') {
      ++i;
      *v = int(int32_t(source.next(4)));
      return;
    }
    if (i >= f.size() || f[i] < '0' || f[i] > '9') return;
    int n = 0;
    while (i < f.size() && f[i] >= '0' && f[i] <= '9') n = std::min(n * 10 + (f[i++] - '0'), widest);
    *v = n;
  };
  while (i < f.size()) {
    if (f[i] != '%') {
      const size_t n = std::min(f.find('%', i), f.size());
      out.append(f.substr(i, n - i));
      i = n;
      continue;
    }
    const size_t begin = i++;
    Spec s;
    while (i < f.size() && std::strchr("-+ #0", f[i]) && f[i]) s.flags += f[i++];
    number(&s.width);
    if (s.width < -1) {
      s.flags += '-';
      s.width = -s.width;
    }
    s.width = std::min(s.width, widest);
    if (i < f.size() && f[i] == '.') {
      ++i;
      s.precision = 0;
      number(&s.precision);
      s.precision = std::min(s.precision, widest);
    }
    while (i < f.size() && std::strchr("hlLqjzt", f[i]) && f[i]) s.length += f[i++];
    if (i >= f.size()) {
      out.append(f.substr(begin));
      break;
    }
    s.conversion = f[i++];
    const bool wide = !s.length.empty() && s.length[0] != 'h';
    switch (s.conversion) {
      case '%':
        out += '%';
        break;
      case 'd':
      case 'i': {
        int64_t v = wide ? int64_t(source.next(8)) : int64_t(int32_t(source.next(4)));
        if (s.length == "hh") v = int8_t(v);
        if (s.length == "h") v = int16_t(v);
        out += print(s, "ll", static_cast<long long>(v));
        break;
      }
      case 'u':
      case 'o':
      case 'x':
      case 'X': {
        uint64_t v = wide ? source.next(8) : uint32_t(source.next(4));
        if (s.length == "hh") v = uint8_t(v);
        if (s.length == "h") v = uint16_t(v);
        out += print(s, "ll", static_cast<unsigned long long>(v));
        break;
      }
      case 'c':
        out += print(s, "", int(source.next(4)));
        break;
      case 'p': {
        const uint64_t v = source.next(8);
        s.conversion = 's';
        char text[32];
        std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(v));
        out += print(s, "", v ? static_cast<const char*>(text) : "(nil)");
        break;
      }
      case 's': {
        const uint64_t a = source.next(8);
        const std::string text = a ? source.text(a) : "(null)";
        out += print(s, "", text.c_str());
        break;
      }
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A': {
        const uint64_t bits = source.next(8);
        double v;
        std::memcpy(&v, &bits, 8);
        out += print(s, "", v);
        break;
      }
      default:
        out.append(f.substr(begin, i - begin));
        break;
    }
  }
  return out;
}

}  // namespace dojo::host
