// <cstdio>'s files and scanf. Handles 1 to 3 are stdin (always at its end), stdout and stderr.
#include <cctype>
#include <cstdlib>

#include "host/files.hpp"
#include "host/runtime.hpp"

namespace dojo::host {
namespace {

constexpr uint64_t standard_in = 1, standard_out = 2, standard_error = 3;

/// The open file of a handle; null for stdin, stdout and stderr. Another handle ends the run with a finding:
/// on a real host the call would crash.
Files::Stream* stream(Call& c, uint64_t handle) {
  if (handle >= standard_in && handle <= standard_error) return nullptr;
  Files::Stream* s = c.rt.files().find(handle);
  if (!s)
    c.rt.stop(c, FindingKind::host_error,
              handle ? c.name() + " gets a file that is not open: was it closed?"
                     : c.name() + " gets a null FILE*: check what fopen returned");
  return s;
}

/// A stream to read from, as `stream`. The first read of standard input is a warning: the results that follow
/// from an empty input look like the program's own mistake.
Files::Stream* source(Call& c, uint64_t handle) {
  Files& files = c.rt.files();
  if (handle == standard_in && !files.standard_input_read) {
    files.standard_input_read = true;
    c.rt.report(
        c, Severity::warning, FindingKind::files,
        "The program reads standard input, which is empty here. Give it its values as arguments, or in "
        "a file (play --files FOLDER).");
  }
  return stream(c, handle);
}

void open(Call& c) {
  std::string why;
  const std::string name = c.text(c.ptr(0)), mode = c.text(c.ptr(1));
  const uint64_t handle = c.rt.files().open(name, mode, &why);
  if (!handle)
    c.rt.report(c, Severity::note, FindingKind::files, "\"" + name + "\" can't be opened: " + why + ".");
  c.ret<uint64_t>(handle);
}

void put(Call& c, uint64_t handle, std::string_view text) {
  if (Files::Stream* s = handle ? stream(c, handle) : nullptr) {
    if (!c.rt.files().write(*s, text.data(), text.size()))
      c.rt.report(c, Severity::warning, FindingKind::files,
                  s->writes ? "\"" + s->name + "\" is cut short: a program's files may have 256 MiB together."
                            : "\"" + s->name + "\" is open for reading only.");
  } else {
    c.rt.print(text);
  }
}

void write(Call& c) {
  const uint64_t size = c.ptr(1), n = c.ptr(2);
  uint64_t bytes = 0;
  if (__builtin_mul_overflow(size, n, &bytes))
    c.rt.stop(c, FindingKind::out_of_bounds, "fwrite of more bytes than any array has");
  if (bytes) put(c, c.ptr(3), {reinterpret_cast<const char*>(c.read(c.ptr(0), bytes)), size_t(bytes)});
  c.ret<uint64_t>(bytes ? n : 0);
}

void read(Call& c) {
  Files::Stream* s = source(c, c.ptr(3));
  const uint64_t size = c.ptr(1), n = c.ptr(2);
  if (!s || !s->reads || !size || !n) return c.ret<uint64_t>(0);
  const uint64_t left = s->bytes->size() - std::min(s->at, s->bytes->size());
  const uint64_t whole = std::min(n, left / size);
  if (whole < n) s->at_end = true;
  // Part of an element is read too, as in C.
  const uint64_t bytes = whole < n ? left : whole * size;
  if (bytes) std::memcpy(c.write(c.ptr(0), bytes), s->bytes->data() + s->at, bytes);
  s->at += bytes;
  c.ret<uint64_t>(whole);
}

/// The next character, or -1 (EOF) at the end.
int next(Files::Stream* s) {
  if (s && s->reads && s->at < s->bytes->size()) return static_cast<unsigned char>((*s->bytes)[s->at++]);
  if (s) s->at_end = true;
  return -1;
}

/// The next line with its '\n', at most `most` characters; empty at the file's end.
std::string line(Files::Stream* s, size_t most) {
  std::string out;
  while (out.size() < most) {
    const int ch = next(s);
    if (ch < 0) break;
    out += char(ch);
    if (ch == '\n') break;
  }
  return out;
}

void get_line(Call& c) {
  const int most = c.i32(1);
  Files::Stream* const s = source(c, c.ptr(2));
  const std::string text = line(s, most > 1 ? size_t(most - 1) : 0);
  // Room for the final zero alone: glibc stores it, and reads nothing.
  if (text.empty() && most != 1) return c.ret<uint64_t>(0);
  std::memcpy(c.write(c.ptr(0), text.size() + 1), text.c_str(), text.size() + 1);
  c.ret<uint64_t>(c.ptr(0));
}

void seek(Call& c) {
  Files::Stream* s = stream(c, c.ptr(0));
  if (!s) return c.ret<int32_t>(-1);
  const int64_t from = c.i32(2) == 0 ? 0 : c.i32(2) == 1 ? int64_t(s->at) : int64_t(s->bytes->size());
  const int64_t to = from + int64_t(c.ptr(1));
  if (to < 0 || to > int64_t(Files::most_bytes)) return c.ret<int32_t>(-1);
  s->at = size_t(to);
  s->at_end = false;
  c.ret<int32_t>(0);
}

/// scanf's conversions over a text: a string, or a file from its position.
struct Scanner {
  Call& c;
  std::string_view text;
  size_t at = 0;
  uint64_t pointers;  ///< address of an array of them
  uint64_t count, used = 0;
  int stored = 0;

  void blanks() {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
  }
  uint64_t pointer() {
    if (used >= count)
      c.rt.stop(c, FindingKind::host_error, "scanf's format asks for more values than the call has pointers");
    return c.load<uint64_t>(pointers + 8 * used++);
  }
  template <class T>
  void number(T v, bool skip) {
    if (skip) return;
    c.store<T>(pointer(), v);
    ++stored;
  }

  struct Conversion {
    bool skip = false;
    size_t width = 0;
    int length = 4;  ///< bytes of an integer; 8 of a double
    char kind = 0;
    std::string set;
  };

  bool integer(const Conversion& k) {
    blanks();
    const std::string word(text.substr(at, k.width ? k.width : 64));
    const int base = k.kind == 'x' || k.kind == 'X' || k.kind == 'p' ? 16
                     : k.kind == 'o'                                 ? 8
                     : k.kind == 'i'                                 ? 0
                                                                     : 10;
    char* end = nullptr;
    const unsigned long long v = word.find('-') == 0
                                     ? (unsigned long long)std::strtoll(word.c_str(), &end, base)
                                     : std::strtoull(word.c_str(), &end, base);
    if (end == word.c_str()) return false;
    at += size_t(end - word.c_str());
    if (k.length == 1) number(uint8_t(v), k.skip);
    if (k.length == 2) number(uint16_t(v), k.skip);
    if (k.length == 4) number(uint32_t(v), k.skip);
    if (k.length == 8) number(uint64_t(v), k.skip);
    return true;
  }
  bool real(const Conversion& k) {
    blanks();
    const std::string word(text.substr(at, k.width ? k.width : 400));
    char* end = nullptr;
    const double v = std::strtod(word.c_str(), &end);
    if (end == word.c_str()) return false;
    at += size_t(end - word.c_str());
    if (k.length == 8)
      number(v, k.skip);
    else
      number(std::strtof(word.c_str(), nullptr), k.skip);
    return true;
  }
  bool characters(const Conversion& k) {
    if (k.kind == 's') blanks();
    const size_t most = k.width ? k.width : k.kind == 'c' ? 1 : size_t(-1);
    const bool outside = !k.set.empty() && k.set[0] == '^';
    auto fits = [&](char ch) {
      if (k.kind == 'c') return true;
      if (k.kind == 's') return !std::isspace(static_cast<unsigned char>(ch));
      return (k.set.find(ch, outside ? 1 : 0) != std::string::npos) != outside;
    };
    const size_t from = at;
    while (at < text.size() && at - from < most && fits(text[at])) ++at;
    const size_t n = at - from;
    if (n == 0 || (k.kind == 'c' && n < most)) return false;
    if (k.skip) return true;
    const uint64_t to = pointer();
    const size_t zero = k.kind == 'c' ? 0 : 1;
    std::byte* p = c.write(to, n + zero);
    std::memcpy(p, text.data() + from, n);
    if (zero) p[n] = std::byte{0};
    ++stored;
    return true;
  }

  static Conversion parse(std::string_view f, size_t* i) {
    Conversion k;
    auto ch = [&] { return *i < f.size() ? f[*i] : '\0'; };
    if (ch() == '*') k.skip = true, ++*i;
    for (; std::isdigit(static_cast<unsigned char>(ch())); ++*i)
      k.width = std::min<size_t>(k.width * 10 + size_t(ch() - '0'), 1 << 20);
    bool is_long = false;
    for (; ch() && std::strchr("hlLzjt", ch()); ++*i) {
      if (ch() == 'h')
        k.length = k.length == 2 ? 1 : 2;
      else
        is_long = true;
    }
    if (is_long) k.length = 8;
    k.kind = ch();
    ++*i;
    if (k.kind != '[') return k;
    if (ch() == '^') k.set += '^', ++*i;
    for (bool first = true; ch() && (first || ch() != ']'); first = false, ++*i) {
      if (ch() == '-' && !first && *i + 1 < f.size() && f[*i + 1] != ']') {
        for (int v = k.set.back() + 1; v <= f[*i + 1]; ++v) k.set += char(v);
        ++*i;
      } else {
        k.set += ch();
      }
    }
    ++*i;
    return k;
  }

  int run(std::string_view f) {
    for (size_t i = 0; i < f.size();) {
      if (std::isspace(static_cast<unsigned char>(f[i]))) {
        blanks();
        ++i;
        continue;
      }
      if (f[i] != '%' || (i + 1 < f.size() && f[i + 1] == '%')) {
        i += f[i] == '%' ? 2 : 1;
        if (at >= text.size()) return stored ? stored : -1;
        if (text[at] != f[i - 1]) return stored;
        ++at;
        continue;
      }
      ++i;
      const Conversion k = parse(f, &i);
      if (k.kind == 'n') {
        c.store<int32_t>(pointer(), int32_t(at));
        continue;
      }
      const bool text_like = k.kind == 'c' || k.kind == 's' || k.kind == '[';
      const size_t before = at;
      const bool fine = text_like                                   ? characters(k)
                        : k.kind && std::strchr("eEfFgGaA", k.kind) ? real(k)
                        : k.kind && std::strchr("diouxXp", k.kind)  ? integer(k)
                                                                    : false;
      if (fine) continue;
      if (at < text.size() || stored) return stored;
      at = std::max(at, before);
      return -1;
    }
    return stored;
  }
};

/// Parameters: file or 0, string, format, array of pointers, their number.
void scan(Call& c) {
  const std::string format = c.text(c.ptr(2));
  Files::Stream* s = c.ptr(0) ? source(c, c.ptr(0)) : nullptr;
  std::string held;
  std::string_view text;
  if (s)
    text = std::string_view(*s->bytes).substr(std::min(s->at, s->bytes->size()));
  else if (!c.ptr(0))
    text = held = c.text(c.ptr(1));
  Scanner scanner{c, text, 0, c.ptr(3), c.ptr(4)};
  const int stored = scanner.run(format);
  if (s) {
    s->at += scanner.at;
    if (s->at >= s->bytes->size()) s->at_end = true;
  }
  c.ret<int32_t>(stored);
}

const Entry files_entries[] = {
    {"fopen", open},
    {"fclose",
     [](Call& c) { c.ret<int32_t>(!stream(c, c.ptr(0)) || c.rt.files().close(c.ptr(0)) ? 0 : -1); }},
    {"fflush",
     [](Call& c) {
       c.ret<int32_t>(!c.ptr(0) || !stream(c, c.ptr(0)) || c.rt.files().flush(c.ptr(0)) ? 0 : -1);
     }},
    {"fread", read},
    {"fwrite", write},
    {"fgets", get_line},
    {"fgetc", [](Call& c) { c.ret<int32_t>(next(source(c, c.ptr(0)))); }},
    {"getchar", [](Call& c) { c.ret<int32_t>(next(source(c, standard_in))); }},
    {"ungetc",
     [](Call& c) {
       Files::Stream* s = stream(c, c.ptr(1));
       if (!s || !s->at || c.i32(0) < 0) return c.ret<int32_t>(-1);
       --s->at;
       s->at_end = false;
       c.ret<int32_t>(c.i32(0));
     }},
    {"feof",
     [](Call& c) {
       const Files::Stream* s = stream(c, c.ptr(0));
       c.ret<int32_t>(s ? s->at_end : c.ptr(0) == standard_in);
     }},
    {"ferror", [](Call& c) { c.ret<int32_t>(stream(c, c.ptr(0)) ? 0 : 0); }},
    {"fseek", seek},
    {"ftell",
     [](Call& c) {
       const Files::Stream* s = stream(c, c.ptr(0));
       c.ret<int64_t>(s ? int64_t(s->at) : -1);
     }},
    {"remove", [](Call& c) { c.ret<int32_t>(c.rt.files().remove(c.text(c.ptr(0))) ? 0 : -1); }},
    {"fputs",
     [](Call& c) {
       put(c, c.ptr(1), c.text(c.ptr(0)));
       c.ret<int32_t>(1);
     }},
    {"fputc",
     [](Call& c) {
       const char ch = char(c.i32(0));
       put(c, c.ptr(1), {&ch, 1});
       c.ret<int32_t>(c.i32(0));
     }},
    {"__dojo_write",
     [](Call& c) {
       if (const uint64_t n = c.ptr(2))
         put(c, c.ptr(0), {reinterpret_cast<const char*>(c.read(c.ptr(1), n)), size_t(n)});
     }},
    {"__dojo_scan", scan},
};

}  // namespace

void put_text(Call& c, uint64_t handle, std::string_view text) { put(c, handle, text); }

std::span<const Entry> file_calls() { return files_entries; }

}  // namespace dojo::host
