#include "core/text/format_printf.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <vector>

namespace dojo {
namespace {

constexpr int widest = 4096;  // characters: a program's width must not fill the memory

/// A conversion such as "%-8.3lf", in its parts.
struct Spec {
  std::string flags;
  std::optional<int> width, precision;
  std::string length;
  char conversion = 0;
};

/// snprintf of one value; `length` is the length word of T.
template <class T>
std::string print(const Spec& s, const char* length, T value) {
  std::string f = "%" + s.flags;
  if (s.width) f += std::to_string(*s.width);
  if (s.precision) f += "." + std::to_string(*s.precision);
  f += length;
  f += s.conversion;
  const int n = std::snprintf(nullptr, 0, f.c_str(), value);
  if (n < 0) return {};
  std::vector<char> out(size_t(n) + 1);
  std::snprintf(out.data(), out.size(), f.c_str(), value);
  return std::string(out.data(), size_t(n));
}

/// Reads a number or '*' at *i: a width or a precision.
void read_number(std::string_view f, size_t* i, PrintfArguments& source, std::optional<int>* v) {
  if (*i < f.size() && f[*i] == '*') {
    ++*i;
    *v = std::clamp(int(int32_t(source.next(4))), -widest, widest);
    return;
  }
  if (*i >= f.size() || f[*i] < '0' || f[*i] > '9') return;
  int n = 0;
  while (*i < f.size() && f[*i] >= '0' && f[*i] <= '9') n = std::min(n * 10 + (f[(*i)++] - '0'), widest);
  *v = n;
}

/// Reads the conversion after the '%' before *i; false: the format ends within it.
bool read_spec(std::string_view f, size_t* i, PrintfArguments& source, Spec* s) {
  while (*i < f.size() && std::strchr("-+ #0", f[*i]) && f[*i]) s->flags += f[(*i)++];
  read_number(f, i, source, &s->width);
  if (s->width && *s->width < 0) {  // from '*': left-aligned
    s->flags += '-';
    s->width = -*s->width;
  }
  if (*i < f.size() && f[*i] == '.') {
    ++*i;
    s->precision = 0;
    read_number(f, i, source, &s->precision);
    if (s->precision && *s->precision < 0) s->precision.reset();  // from '*': as if there were none
  }
  while (*i < f.size() && std::strchr("hlLqjzt", f[*i]) && f[*i]) s->length += f[(*i)++];
  if (*i >= f.size()) return false;
  s->conversion = f[(*i)++];
  return true;
}

/// The text of a conversion of the next argument; `written` if the conversion is unknown.
std::string converted(Spec s, PrintfArguments& source, std::string_view written) {
  const bool wide = !s.length.empty() && s.length[0] != 'h';
  switch (s.conversion) {
    case '%':
      return "%";
    case 'd':
    case 'i': {
      int64_t v = wide ? int64_t(source.next(8)) : int64_t(int32_t(source.next(4)));
      if (s.length == "hh") v = int8_t(v);
      if (s.length == "h") v = int16_t(v);
      return print(s, "ll", static_cast<long long>(v));
    }
    case 'u':
    case 'o':
    case 'x':
    case 'X': {
      uint64_t v = wide ? source.next(8) : uint32_t(source.next(4));
      if (s.length == "hh") v = uint8_t(v);
      if (s.length == "h") v = uint16_t(v);
      return print(s, "ll", static_cast<unsigned long long>(v));
    }
    case 'c':
      return print(s, "", int(source.next(4)));
    case 'p': {
      const uint64_t v = source.next(8);
      s.conversion = 's';
      char text[32];
      std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(v));
      return print(s, "", v ? static_cast<const char*>(text) : "(nil)");
    }
    case 's': {
      const uint64_t a = source.next(8);
      const std::string text =
          a ? source.text(a, s.precision ? uint64_t(*s.precision) : UINT64_MAX) : "(null)";
      return print(s, "", text.c_str());
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
      return print(s, "", v);
    }
    default:
      return std::string(written);
  }
}

}  // namespace

std::string format_printf(std::string_view f, PrintfArguments& source) {
  std::string out;
  for (size_t i = 0; i < f.size();) {
    if (f[i] != '%') {
      const size_t n = std::min(f.find('%', i), f.size());
      out.append(f.substr(i, n - i));
      i = n;
      continue;
    }
    const size_t begin = i++;
    Spec s;
    if (!read_spec(f, &i, source, &s)) {
      out.append(f.substr(begin));
      break;
    }
    out += converted(s, source, f.substr(begin, i - begin));
  }
  return out;
}

}  // namespace dojo
