#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
#include "string"
DOJO_C void __dojo_write(FILE*, const char*, size_t);
DOJO_C int __dojo_format_double(char* out, size_t capacity, double v, int precision, int notation, int flags);
namespace std {

typedef long streamsize;

/// An output stream: to the terminal, or into a string.
class ostream {
 public:
  enum fmtflags : unsigned {
    none = 0, fixed = 1, scientific = 2, left = 4, right = 8, hex = 16, oct = 32, boolalpha = 64, showpos = 128,
    showpoint = 256, uppercase = 512, internal = 1024, showbase = 2048,
  };
  /// As of a file; the values say nothing to an output stream.
  enum openmode : unsigned { in = 1, out = 2, app = 4, binary = 8, trunc = 16, ate = 32 };
  enum seekdir : int { beg = 0, cur = 1, end = 2 };
  friend constexpr openmode operator|(openmode a, openmode b) { return openmode(unsigned(a) | unsigned(b)); }
  explicit constexpr ostream(int file) : file_(file) {}
  constexpr ostream(string* into, int) : into_(into) {}

  unsigned flags() const { return flags_; }
  unsigned flags(unsigned f) {
    unsigned old = flags_;
    flags_ = f;
    return old;
  }
  void setf(unsigned f) { flags_ |= f; }
  void unsetf(unsigned f) { flags_ &= ~f; }
  int precision() const { return precision_; }
  int precision(int p) {
    int old = precision_;
    precision_ = p;
    return old;
  }
  int width(int w) {
    int old = width_;
    width_ = w;
    return old;
  }
  char fill(char c) {
    char old = fill_;
    fill_ = c;
    return old;
  }
  void flush() {}
  explicit operator bool() const { return true; }
  static void sync_with_stdio(bool) {}

  void raw(const char* s, size_t n) {
    if (into_) into_->append(s, n);
    else if (to_) __dojo_write(to_, s, n);
    else __dojo_write(file_ == 2 ? stderr : stdout, s, n);
  }
  /// A whole item, padded to the width, which it uses up.
  __noinline__ void item(const char* s, size_t n) {
    const int pad = width_ > int(n) ? width_ - int(n) : 0;
    width_ = 0;
    if (!pad) return raw(s, n);
    char filling[64];
    for (int i = 0; i < 64; ++i) filling[i] = fill_;
    if (flags_ & left) raw(s, n);
    for (int k = pad; k > 0; k -= 64) raw(filling, size_t(k < 64 ? k : 64));
    if (!(flags_ & left)) raw(s, n);
  }
  __noinline__ void number(unsigned long long v, bool negative) {
    char text[72];
    int i = 72;
    const unsigned base = flags_ & hex ? 16 : flags_ & oct ? 8 : 10;
    const char* digits = flags_ & uppercase ? "0123456789ABCDEF" : "0123456789abcdef";
    const bool zero = v == 0;  // has no base
    do {
      text[--i] = digits[v % base];
      v /= base;
    } while (v);
    if ((flags_ & showbase) && base == 16 && !zero) {
      text[--i] = 'x';
      text[--i] = '0';
    }
    if (negative) text[--i] = '-';
    else if ((flags_ & showpos) && base == 10) text[--i] = '+';
    item(text + i, size_t(72 - i));
  }
  __noinline__ void real(double v) {
    char text[700];
    const int notation = flags_ & fixed ? 1 : flags_ & scientific ? 2 : 0;
    const int f = (flags_ & showpos ? 1 : 0) | (flags_ & showpoint ? 2 : 0) | (flags_ & uppercase ? 4 : 0);
    const int n = __dojo_format_double(text, sizeof text, v, notation == 0 && precision_ == 0 ? 1 : precision_, notation, f);
    item(text, size_t(n));
  }

  __noinline__ ostream& operator<<(int v) {
    if (flags_ & (hex | oct)) number(unsigned(v), false);
    else number(v < 0 ? 0ull - (unsigned long long)v : (unsigned long long)v, v < 0);
    return *this;
  }
  __noinline__ ostream& operator<<(long v) {
    number(v < 0 && !(flags_ & (hex | oct)) ? 0ull - (unsigned long long)v : (unsigned long long)v,
           v < 0 && !(flags_ & (hex | oct)));
    return *this;
  }
  __noinline__ ostream& operator<<(long long v) { return *this << long(v); }
  __noinline__ ostream& operator<<(short v) { return *this << int(v); }
  __noinline__ ostream& operator<<(unsigned v) {
    number(v, false);
    return *this;
  }
  __noinline__ ostream& operator<<(unsigned long v) {
    number(v, false);
    return *this;
  }
  __noinline__ ostream& operator<<(unsigned long long v) {
    number(v, false);
    return *this;
  }
  __noinline__ ostream& operator<<(unsigned short v) { return *this << unsigned(v); }
  __noinline__ ostream& operator<<(bool v) {
    if (flags_ & boolalpha) return *this << (v ? "true" : "false");
    return *this << int(v);
  }
  __noinline__ ostream& operator<<(float v) {
    real(double(v));
    return *this;
  }
  __noinline__ ostream& operator<<(double v) {
    real(v);
    return *this;
  }
  __noinline__ ostream& operator<<(char c) {
    item(&c, 1);
    return *this;
  }
  __noinline__ ostream& operator<<(signed char c) { return *this << char(c); }
  __noinline__ ostream& operator<<(unsigned char c) { return *this << char(c); }
  __noinline__ ostream& operator<<(const char* s) {
    if (!s) s = "";
    item(s, strlen(s));
    return *this;
  }
  __noinline__ ostream& operator<<(const string& s) {
    item(s.c_str(), s.size());
    return *this;
  }
  __noinline__ ostream& operator<<(const void* p) {
    const unsigned old = flags_;
    flags_ = (flags_ & ~oct) | hex | showbase;
    number((unsigned long long)p, false);
    flags_ = old;
    return *this;
  }
  __noinline__ ostream& operator<<(ostream& (*f)(ostream&)) { return f(*this); }
  ostream& write(const char* s, streamsize n) {
    raw(s, size_t(n));
    return *this;
  }
  __noinline__ ostream& put(char c) {
    raw(&c, 1);
    return *this;
  }

 protected:
  FILE* to_ = nullptr;

 private:
  int file_ = 1;
  string* into_ = nullptr;
  unsigned flags_ = 0;
  int precision_ = 6, width_ = 0;
  char fill_ = ' ';
};
typedef ostream ios_base;
typedef ostream ios;

inline ostream& endl(ostream& o) { return o.put('\n'); }
inline ostream& flush(ostream& o) { return o; }
inline ostream& fixed(ostream& o) {
  o.unsetf(ostream::scientific);
  o.setf(ostream::fixed);
  return o;
}
inline ostream& scientific(ostream& o) {
  o.unsetf(ostream::fixed);
  o.setf(ostream::scientific);
  return o;
}
inline ostream& defaultfloat(ostream& o) {
  o.unsetf(ostream::fixed | ostream::scientific);
  return o;
}
inline ostream& left(ostream& o) {
  o.unsetf(ostream::right);
  o.setf(ostream::left);
  return o;
}
inline ostream& right(ostream& o) {
  o.unsetf(ostream::left);
  o.setf(ostream::right);
  return o;
}
inline ostream& hex(ostream& o) {
  o.unsetf(ostream::oct);
  o.setf(ostream::hex);
  return o;
}
inline ostream& dec(ostream& o) {
  o.unsetf(ostream::hex | ostream::oct);
  return o;
}
inline ostream& oct(ostream& o) {
  o.unsetf(ostream::hex);
  o.setf(ostream::oct);
  return o;
}
inline ostream& boolalpha(ostream& o) {
  o.setf(ostream::boolalpha);
  return o;
}
inline ostream& noboolalpha(ostream& o) {
  o.unsetf(ostream::boolalpha);
  return o;
}
inline ostream& showbase(ostream& o) {
  o.setf(ostream::showbase);
  return o;
}
inline ostream& noshowbase(ostream& o) {
  o.unsetf(ostream::showbase);
  return o;
}
inline ostream& showpos(ostream& o) {
  o.setf(ostream::showpos);
  return o;
}
}  // namespace std
DOJO_SHIM_END
#endif
