// Variables: ".align 4 .b8 name[1024] = {...}" in every state space, and their initial bytes.
#include <algorithm>
#include <cstring>

#include "ptx/parser.hpp"

namespace dojo::ptx {
namespace {

constexpr uint64_t largest_variable = uint64_t(1) << 40;

}  // namespace

/// Attributes, type, name and extents of one variable or parameter, up to what follows the brackets.
Variable Parser::declarator(Space space, bool is_extern) {
  Variable v;
  v.space = space;
  v.is_extern = is_extern;
  uint64_t vector = 1, element = 0;
  bool aligned = false;
  while (in_.peek() == '.') {
    std::string_view word = in_.directive();
    if (word == "align") {
      uint64_t align = uint64_t(in_.integer());
      if (align == 0 || align > 4096 || (align & (align - 1))) in_.fail("unusable alignment");
      // ".ptr .align N" describes what a parameter points to, not the parameter.
      if (!aligned) v.align = align;
      aligned = true;
    } else if (word == "ptr") {
      aligned = true;
    } else if (word == "attribute") {
      in_.expect('(');
      for (int depth = 1; depth > 0;) {
        if (in_.accept('('))
          ++depth;
        else if (in_.accept(')'))
          --depth;
        else if (std::string_view a = in_.directive(); !a.empty())
          v.is_managed |= a == "managed";
        else if (in_.at_number())
          in_.number();
        else if (!in_.accept(',') && in_.identifier().empty())
          in_.fail("unreadable attribute");
      }
    } else if (word == "v2" || word == "v4") {
      vector = word == "v2" ? 2 : 4;
    } else if (word == "texref" || word == "samplerref" || word == "surfref") {
      v.type = Type::b64, element = 8;
    } else if (Type t = type_from(word); t != Type::none) {
      v.type = t, element = uint64_t(std::max(bits(t), 8)) / 8;
    }  // others (.global, .const after .ptr) say nothing of the variable itself
  }
  if (!element) in_.fail("a variable without a type");
  element *= vector;
  if (v.align == 1) v.align = element;
  std::string_view name = in_.identifier();
  if (name.empty()) in_.fail("expected a variable's name");
  v.name = name;
  v.bytes = element;
  while (in_.accept('[')) {
    uint64_t extent = 0;
    if (in_.peek() != ']') extent = uint64_t(in_.integer());
    in_.expect(']');
    if (extent && v.bytes > largest_variable / extent) in_.fail("variable " + v.name + " is too large");
    v.bytes *= extent;
  }
  return v;
}

/// One statement's variables: "decl [= init] {, name ...};", the semicolon included.
std::vector<Variable> Parser::variables(Space space, const Linkage& linkage) {
  std::vector<Variable> all;
  Variable v = declarator(space, linkage.is_extern);
  for (;;) {
    // ".local .b8 a[4], b[8];" repeats the type; ".param .b32 p<3>;" makes p0, p1, p2.
    if (in_.accept('<')) {
      int64_t n = in_.integer();
      in_.expect('>');
      if (n < 0 || n > 4096) in_.fail("unusable number of variables");
      for (int64_t i = 0; i < n; ++i) {
        all.push_back(v);
        all.back().name += std::to_string(i);
      }
    } else {
      if (in_.accept('=')) initializer(v);
      all.push_back(v);
    }
    if (!in_.accept(',')) break;
    std::string_view name = in_.identifier();
    if (name.empty()) in_.fail("expected a variable's name");
    Variable next = v;
    next.name = name, next.init.clear(), next.relocs.clear();
    next.bytes = uint64_t(std::max(bits(v.type), 8)) / 8;
    while (in_.accept('[')) {
      uint64_t extent = uint64_t(in_.integer());
      in_.expect(']');
      if (extent && next.bytes > largest_variable / extent)
        in_.fail("variable " + next.name + " is too large");
      next.bytes *= extent;
    }
    v = std::move(next);
  }
  in_.expect(';');
  return all;
}

void Parser::initializer(Variable& v) {
  uint64_t size = uint64_t(std::max(bits(v.type), 8)) / 8, at = 0;
  bool unsized = v.bytes == 0;
  if (unsized) v.bytes = largest_variable;  // "x[] = {...}": as many as are given
  if (in_.peek() == '{') {
    int depth = 0;
    do {
      if (in_.accept('{'))
        ++depth;
      else if (in_.accept('}'))
        --depth;
      else if (!in_.accept(','))
        initial_value(v, at, size);
    } while (depth > 0);
  } else {
    initial_value(v, at, size);
  }
  if (unsized) v.bytes = at;
  while (!v.init.empty() && v.init.back() == std::byte(0)) v.init.pop_back();
}

void Parser::initial_value(Variable& v, uint64_t& at, uint64_t size) {
  if (at + size > v.bytes) in_.fail("more initial values than " + v.name + " has room for");
  TextCursor::Number n;
  std::string_view symbol;
  bool masked = false, number = in_.at_number();
  if (number) {
    n = in_.number();
    masked = in_.accept('(');  // 0xFF00(symbol): one byte of an address
  }
  if (masked || !number) {
    symbol = in_.identifier();
    if (symbol == "generic") {
      in_.expect('(');
      symbol = in_.identifier();
      in_.expect(')');
    }
  }
  if (symbol.empty()) {
    if (masked || !number) in_.fail("unreadable initial value");
    if (v.init.size() < at + size) v.init.resize(at + size);
    uint64_t bits_in = n.bits;
    if (v.type == Type::f64 && n.float_bits == 32) {
      float f;
      uint32_t u = uint32_t(n.bits);
      std::memcpy(&f, &u, 4);
      double d = f;
      std::memcpy(&bits_in, &d, 8);
    } else if (v.type == Type::f32 && n.float_bits == 64) {
      double d;
      std::memcpy(&d, &n.bits, 8);
      float f = float(d);
      uint32_t u;
      std::memcpy(&u, &f, 4);
      bits_in = u;
    }
    std::memcpy(v.init.data() + at, &bits_in, std::min<uint64_t>(size, 8));
  } else {
    int64_t addend = 0;
    while (in_.peek() == '+' || in_.peek() == '-') {
      bool minus = in_.accept('-');
      if (!minus) in_.expect('+');
      int64_t k = in_.integer();
      addend += minus ? -k : k;
    }
    if (masked) {
      in_.expect(')');
      // Byte 0 stands for the whole address; the bytes after it are parts of the same.
      if (n.bits == 0xFF) v.relocs.push_back({at, std::string(symbol), addend});
    } else {
      v.relocs.push_back({at, std::string(symbol), addend});
    }
  }
  at += size;
}

}  // namespace dojo::ptx
