// What a file declares, and for whom: a reading of its tokens at namespace and class scope.
#include "core/compile/spaces/spaces_scan.hpp"
#include "core/compile/spaces/spaces_words.hpp"

namespace dojo::compile_detail {
namespace {

class DeclarationReader : TokenScan {
 public:
  DeclarationReader(const TokenFile& f, SpaceCheck& check, uint64_t& work)
      : TokenScan(f, work), check_(check) {}

  Declarations run() {
    scope(0, t_.size(), false);
    return std::move(out_);
  }

 private:
  uint8_t annotation_bits(const std::string& s, int depth = 0) const {
    if (s == "__global__") return global;
    if (s == "__device__" || s == "__constant__" || s == "__managed__") return device;
    if (s == "__host__") return host;
    uint8_t bits = 0;
    auto m = f_.macros.find(s);
    if (m != f_.macros.end() && !m->second.function_like && depth < 4)
      for (const Token& t : m->second.body)
        if (t.kind == TokenKind::identifier) bits |= annotation_bits(t.text, depth + 1);
    return bits;
  }

  /// One namespace or class body: declarations from begin to end.
  void scope(size_t i, size_t end, bool in_class) {
    if (depth_ > 200) return;  // no file of a person's
    ++depth_;
    while (i < end) {
      const size_t before = i;
      i = declaration(i, end, in_class);
      if (i <= before) i = before + 1;
    }
    --depth_;
  }

  /// Behind a requires clause: terms that && and || join. A term is a name, a bracket, or requires (...)
  /// {...}.
  size_t constraint(size_t i, size_t end) {
    do {
      ++i;  // requires, && or ||
      if (text(i) == "requires") {
        ++i;
        if (text(i) == "(") i = close(i, end);
      }
      if (text(i) == "(" || text(i) == "{") {
        i = close(i, end);
        continue;
      }
      while (i < end && (identifier(i) || text(i) == "::")) {
        const bool more = text(i) == "::" || text(i + 1) == "::" || text(i + 1) == "<";
        i = text(i + 1) == "<" && identifier(i) ? close_angle(i + 1, end) : i + 1;
        if (!more || (text(i - 1) == ">" && text(i) != "::")) break;
      }
    } while (i < end && (text(i) == "&&" || text(i) == "||"));
    return i;
  }

  size_t declaration(size_t i, size_t end, bool in_class) {
    // extern "C" in front of one declaration says nothing of where it lives.
    bool linkage = false;
    while (text(i) == "extern" && i + 2 < end && t_[i + 1].kind == TokenKind::string && text(i + 2) != "{")
      i += 2, linkage = true;
    const std::string& s = text(i);
    if (s == ";" || s == "}") return i + 1;
    if (in_class && (s == "public" || s == "private" || s == "protected") && text(i + 1) == ":") return i + 2;
    if (s == "namespace" || (s == "inline" && text(i + 1) == "namespace")) {
      size_t j = i + 1;
      std::vector<std::string> names;
      for (; j < end && text(j) != "{" && text(j) != ";"; ++j)
        if (identifier(j)) names.push_back(text(j));
      // An alias counts when it names a namespace of this file: cg::reduce is not the file's own reduce.
      const bool own = text(j) == "{" || (!names.empty() && out_.namespaces.count(names.back()));
      if (own) out_.namespaces.insert(names.begin(), names.end());
      if (text(j) != "{") return j + 1;
      const size_t stop = close(j, end);
      scope(j + 1, stop - 1, false);
      return stop;
    }
    if (s == "extern" && i + 2 < end && t_[i + 1].kind == TokenKind::string && text(i + 2) == "{") {
      const size_t stop = close(i + 2, end);
      scope(i + 3, stop - 1, false);
      return stop;
    }
    if (s == "using" || s == "typedef" || s == "static_assert" || s == "friend")
      return skip_to_semicolon(i, end);

    size_t first = i;
    if (s == "template") {
      i = text(i + 1) == "<" ? close_angle(i + 1, end) : i + 1;
      if (text(i) == "requires") i = constraint(i, end);
      if (text(i) == "using" || text(i) == "friend") return skip_to_semicolon(i, end);
      while (text(i) == "template") i = text(i + 1) == "<" ? close_angle(i + 1, end) : i + 1;
    }
    (void)first;
    uint8_t bits = 0;
    bool is_constant = false, is_managed = false, is_device_var = false, is_const = false, is_static = false,
         is_extern = linkage, unknown_macro = false;
    size_t name = 0, paren = 0;
    std::vector<size_t> names;
    // Head of the declaration: up to '(' of a function, '=', '{', ';' or ','.
    for (; i < end; ++i) {
      const std::string& w = text(i);
      if (w == "__attribute__" || w == "__declspec" || w == "alignas" || w == "__align__" ||
          w == "__launch_bounds__" || w == "__cluster_dims__" || w == "__block_size__" || w == "decltype" ||
          w == "explicit") {
        if (text(i + 1) == "(") i = close(i + 1, end) - 1;
        continue;
      }
      if (w == "[" && text(i + 1) == "[") {
        i = close(i, end) - 1;
        continue;
      }
      if (identifier(i)) {
        bits |= annotation_bits(w);
        is_constant |= w == "__constant__";
        is_managed |= w == "__managed__";
        is_device_var |= w == "__device__" || w == "__constant__" || w == "__managed__" || w == "__shared__";
        is_const |= w == "const" || w == "constexpr";
        is_static |= w == "static" || w == "inline";
        is_extern |= w == "extern";
        if (w == "struct" || w == "class" || w == "union" || w == "enum") {
          const size_t next = class_head(i, end, w, is_device_var || bits & device);
          if (next) return next;
          continue;
        }
        if (w == "operator") {
          size_t j = i + 1;
          if (text(j) == "(" && text(j + 1) == ")") j += 2;
          while (j < end && text(j) != "(" && text(j) != ";" && text(j) != "{") ++j;
          if (text(j) != "(") return skip_to_semicolon(j, end);
          return function(i, j, end, bits, false);
        }
        auto m = f_.macros.find(w);
        if (m != f_.macros.end() && m->second.function_like && text(i + 1) == "(") unknown_macro = true;
        if (!is_annotation(w) && !is_type_word(w)) name = i;
        continue;
      }
      if (w == "<") {
        // A template argument list, only after a name.
        if (i > 0 && identifier(i - 1)) {
          i = close_angle(i, end) - 1;
          continue;
        }
        return skip_to_semicolon(i, end);
      }
      if (w == "::" || w == "*" || w == "&" || w == "&&" || w == "~" || w == "...") continue;
      if (w == "(") {
        if (unknown_macro || !name || name + 1 != i) {
          if (unknown_macro || !is_function_pointer(i))
            return skip_declaration(i, end, unknown_macro ? name : 0);
          // type (*name)(args): a variable
          const size_t stop = close(i, end);
          for (size_t j = i; j < stop; ++j)
            if (identifier(j)) name = j;
          i = stop - 1;
          if (text(i + 1) == "(") i = close(i + 1, end) - 1;
          continue;
        }
        paren = i;
        break;
      }
      break;
    }
    if (paren) return function(name, paren, end, bits, is_const && !is_device_var);
    // Variables: name [dims] (= init | {init})? (, name ...)* ;
    bool array = false, initialised = false;
    std::vector<std::pair<size_t, bool>> found;
    while (i < end) {
      const std::string& w = text(i);
      if (w == "[") {
        array = true;
        i = close(i, end);
      } else if (w == "=") {
        initialised = true;
        if (name) found.push_back({name, array});
        name = 0;
        ++i;
        while (i < end && text(i) != "," && text(i) != ";") {
          if (text(i) == "(" || text(i) == "[" || text(i) == "{")
            i = close(i, end);
          else if (text(i) == "<" && identifier(i - 1)) {
            const size_t j = close_angle(i, end);
            i = text(j) == ";" || j > i + 40 ? i + 1 : j;
          } else
            ++i;
        }
      } else if (w == "{") {
        if (name) found.push_back({name, array});
        name = 0;
        i = close(i, end);
      } else if (w == "," || w == ";") {
        if (name) found.push_back({name, array});
        name = 0;
        array = false;
        ++i;
        if (w == ";") break;
        while (i < end && (text(i) == "*" || text(i) == "&")) ++i;
        if (identifier(i)) name = i++;
      } else if (w == ":" && in_class) {  // bit-field
        ++i;
      } else {
        ++i;
      }
    }
    if (in_class && !is_static) return i;
    for (auto [at, is_array] : found) {
      VariableInfo v;
      v.on_device = is_device_var || bits & device;
      v.constant_memory = is_constant;
      v.constant_value = is_const && !is_array;
      if (out_.variables.count(text(at)) && !is_extern)
        v.constant_value |= out_.variables[text(at)].constant_value;
      out_.variables[text(at)] = v;
      if (is_managed) out_.managed.insert(text(at));
      if (!v.on_device)
        check_.host_variables.push_back(text(at));
      else if (is_managed)
        check_.managed_variables.push_back(text(at));
    }
    (void)initialised;
    return i;
  }

  bool is_function_pointer(size_t i) const {
    return text(i) == "(" && (text(i + 1) == "*" || text(i + 1) == "&");
  }

  size_t skip_to_semicolon(size_t i, size_t end) const {
    while (i < end && text(i) != ";") {
      if (text(i) == "(" || text(i) == "[" || text(i) == "{")
        i = close(i, end);
      else
        ++i;
    }
    return i + 1;
  }
  /// Something not understood (a macro that makes a function, a constructor): past its body or semicolon.
  size_t skip_declaration(size_t i, size_t end, size_t unknown_name) {
    if (unknown_name) out_.declared[text(unknown_name)] |= both;
    while (i < end && text(i) != ";") {
      if (text(i) == "{") return close(i, end);
      if (text(i) == "(" || text(i) == "[") {
        const size_t stop = close(i, end);
        for (size_t j = i; unknown_name && j < stop; ++j)
          if (identifier(j)) out_.declared[text(j)] |= both;
        i = stop;
      } else {
        ++i;
      }
    }
    return i + 1;
  }

  /// struct X : base { ... } name; returns 0 when it is only an elaborated type.
  size_t class_head(size_t i, size_t end, const std::string& word, bool on_device) {
    size_t j = i + 1;
    while (j < end && text(j) != "{" && text(j) != ";" && text(j) != "(" && text(j) != "=") {
      if (text(j) == "<")
        j = close_angle(j, end);
      else if (text(j) == ")" || text(j) == "," || text(j) == ">")
        return 0;
      else if ((text(j) == "__align__" || text(j) == "alignas") && text(j + 1) == "(")
        j = close(j + 1, end);
      else
        ++j;
    }
    if (text(j) == ";") {
      // "struct X;" or "struct X name;"
      return j <= i + 2 || word == "enum" ? j + 1 : 0;
    }
    if (text(j) != "{") return 0;
    const size_t stop = close(j, end);
    if (word != "enum") scope(j + 1, stop - 1, true);
    return declared_with_class(stop, end, on_device);
  }

  /// The variables of "struct X { ... } a, b[] = {...};", from behind the brace to behind the semicolon.
  size_t declared_with_class(size_t i, size_t end, bool on_device) {
    for (size_t j = i; j < end && text(j) != ";"; ++j) {
      on_device |= annotation_bits(text(j)) & device;
      if (text(j) == "(" || text(j) == "[" || text(j) == "{") {
        j = close(j, end) - 1;
      } else if (text(j) == "=") {
        while (j + 1 < end && text(j + 1) != "," && text(j + 1) != ";")
          j = text(j + 1) == "{" || text(j + 1) == "(" ? close(j + 1, end) - 1 : j + 1;
      } else if (identifier(j) && !is_annotation(text(j)) && !is_type_word(text(j)) && !on_device) {
        check_.host_variables.push_back(text(j));
      }
    }
    return skip_to_semicolon(i, end);
  }

  size_t function(size_t name, size_t paren, size_t end, uint8_t bits, bool is_constexpr) {
    FunctionRange fn;
    fn.name = text(name);
    fn.target = bits ? bits : uint8_t(host);
    if (name > 0 && text(name - 1) == "~") fn.name = "~" + fn.name;
    fn.params = paren;
    const bool member_definition = name > 1 && text(name - 1) == "::";
    size_t i = close(paren, end);
    bool initialisers = false;
    while (i < end && text(i) != ";" && text(i) != "{") {
      if (text(i) == "=") {  // = default, = delete, = 0; or a variable with constructor arguments
        declare(fn, is_constexpr, member_definition);
        return skip_to_semicolon(i, end);
      }
      if (text(i) == ":") initialisers = true;
      if (text(i) == "(" || text(i) == "[")
        i = close(i, end);
      else if (initialisers && identifier(i) && text(i + 1) == "{")
        i = close(i + 1, end);
      else
        ++i;
    }
    if (text(i) != "{") {
      // A prototype, or "dim3 block(512);": a variable of the host, if there is one of that name.
      if (!bits && !is_constexpr) check_.host_variables.push_back(fn.name);
      declare(fn, is_constexpr, member_definition);
      return i + 1;
    }
    fn.begin = i;
    fn.end = close(i, end);
    if (is_constexpr) out_.declared[fn.name] |= both;
    if (is_constexpr && fn.target == host) fn.target = both;
    out_.functions.push_back(fn);
    return fn.end;
  }
  void declare(const FunctionRange& fn, bool is_constexpr, bool member) {
    if (!member) out_.declared[fn.name] |= is_constexpr ? uint8_t(both) : fn.target;
  }

  SpaceCheck& check_;
  Declarations out_;
  int depth_ = 0;
};

}  // namespace

Declarations read_declarations(const TokenFile& f, SpaceCheck& check, uint64_t& work) {
  return DeclarationReader(f, check, work).run();
}

}  // namespace dojo::compile_detail
