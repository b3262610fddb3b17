#include "simt/ops/runtime/device_printf.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace dojo::simt {

namespace {

/// Arguments one after the other.
class Arguments {
 public:
  explicit Arguments(const ReadArgument& read) : read_(read) {}
  template <class T>
  T next() {
    T v{};
    at_ = (at_ + sizeof v - 1) / sizeof v * sizeof v;
    read_(at_, &v, sizeof v);
    at_ += sizeof v;
    return v;
  }

 private:
  const ReadArgument& read_;
  uint64_t at_ = 0;
};

/// "%-08ld": flags, width and precision ("%-08", a `*` replaced by its argument), and what is converted.
struct Conversion {
  std::string spec = "%";
  bool wide = false;  ///< an integer of 64 bits
  char letter = 0;    ///< 0: the format ends before it
  size_t end = 0;     ///< place of the letter
};

/// The conversion whose '%' stands at `begin`.
Conversion read_conversion(const std::string& format, size_t begin, Arguments& arguments) {
  Conversion c;
  size_t k = begin + 1;
  for (; k < format.size(); ++k) {
    const char letter = format[k];
    if (letter == '*')
      c.spec += std::to_string(arguments.next<int32_t>());
    else if (std::string("lztj").find(letter) != std::string::npos)
      c.wide = true;
    else if (std::string("h-+ #0123456789.").find(letter) != std::string::npos)
      c.spec += letter;
    else
      break;
  }
  c.end = k;
  if (k < format.size()) c.letter = format[k];
  return c;
}

constexpr size_t most_characters = 511;  // of a number

template <class T>
std::string number(const std::string& spec, T v) {
  char buffer[most_characters + 1];
  const int n = std::snprintf(buffer, sizeof buffer, spec.c_str(), v);
  return n > 0 ? std::string(buffer, std::min(size_t(n), most_characters)) : std::string();
}

std::string string(const std::string& spec, const std::string& s) {
  if (spec == "%") return s;
  std::vector<char> room(s.size() + 1024);
  const int n = std::snprintf(room.data(), room.size(), (spec + 's').c_str(), s.c_str());
  return n > 0 ? std::string(room.data(), std::min(size_t(n), room.size() - 1)) : std::string();
}

/// The next argument as the conversion says; `written`: the conversion itself.
std::string convert(const Conversion& c, Arguments& arguments, const ReadText& text,
                    const std::string& written) {
  const std::string spec = bounded_print_spec(c.spec, int(most_characters));
  switch (c.letter) {
    case 'd':
    case 'i':
      if (c.wide) return number(spec + "lld", static_cast<long long>(arguments.next<int64_t>()));
      return number(spec + c.letter, arguments.next<int32_t>());
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      if (c.wide)
        return number(spec + "ll" + c.letter, static_cast<unsigned long long>(arguments.next<uint64_t>()));
      return number(spec + c.letter, arguments.next<uint32_t>());
    case 'c':
      return number(spec + 'c', arguments.next<int32_t>());
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return number(spec + c.letter, arguments.next<double>());
    case 'p':
      return number("0x%llx", static_cast<unsigned long long>(arguments.next<uint64_t>()));
    case 's': {
      const uint64_t address = arguments.next<uint64_t>();
      return string(spec, address ? text(address) : "(null)");
    }
    default:
      return written;
  }
}

}  // namespace

std::string format_printf(const std::string& format, const ReadArgument& read, const ReadText& text) {
  Arguments arguments(read);
  std::string out;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out += format[i];
    } else if (i + 1 < format.size() && format[i + 1] == '%') {
      out += '%';
      ++i;
    } else {
      const Conversion c = read_conversion(format, i, arguments);
      if (!c.letter) return out + format.substr(i);
      out += convert(c, arguments, text, format.substr(i, c.end - i + 1));
      i = c.end;
    }
  }
  return out;
}

std::string bounded_print_spec(const std::string& spec, int most) {
  std::string out;
  for (size_t i = 0; i < spec.size();) {
    if (spec[i] < '0' || spec[i] > '9') {
      out += spec[i++];
      continue;
    }
    for (; i < spec.size() && spec[i] == '0'; ++i) out += '0';  // a flag, or a number of its own
    int n = 0;
    const size_t first = i;
    for (; i < spec.size() && spec[i] >= '0' && spec[i] <= '9'; ++i)
      n = std::min(n * 10 + (spec[i] - '0'), most);
    if (i > first) out += std::to_string(n);
  }
  return out;
}

}  // namespace dojo::simt
