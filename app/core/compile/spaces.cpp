#include "core/compile/spaces.hpp"

#include <algorithm>
#include <set>

namespace dojo::compile_detail {
namespace {

enum Target : uint8_t { host = 1, device = 2, both = 3, global = 4 };

struct FunctionRange {
  std::string name;
  uint8_t target = host;
  size_t params = 0;          ///< index of '('
  size_t begin = 0, end = 0;  ///< body tokens, braces included
};

struct VariableInfo {
  bool on_device = false;     ///< __device__, __constant__ or __shared__
  bool constant_value = false;  ///< const or constexpr scalar: nvcc lets kernels use it
};

bool is_type_word(const std::string& s) {
  static const std::set<std::string> words = {"void", "bool", "char", "short", "int", "long", "float", "double",
                                              "signed", "unsigned", "auto", "const", "volatile", "static", "constexpr",
                                              "extern", "inline", "struct", "class", "enum", "typename", "register"};
  return words.count(s) > 0;
}
bool is_statement_word(const std::string& s) {
  static const std::set<std::string> words = {"return", "else", "case", "goto", "throw", "new", "delete", "sizeof",
                                              "if", "while", "for", "do", "switch", "default", "break", "continue",
                                              "using", "namespace", "operator", "and", "or", "not", "co_return"};
  return words.count(s) > 0;
}
bool is_annotation(const std::string& s) {
  return s == "__global__" || s == "__device__" || s == "__host__" || s == "__constant__" || s == "__managed__" ||
         s == "__shared__" || s == "__grid_constant__";
}

/// Library functions that only host code has, among those our headers declare.
const std::set<std::string>& host_library() {
  static const std::set<std::string> names = {
      "cudaMemcpy", "cudaMemset", "cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc", "cudaFreeHost",
      "cudaDeviceSynchronize", "cudaEventSynchronize", "cudaEventElapsedTime", "cudaStreamSynchronize",
      "cudaStreamCreate", "cudaEventCreate", "cudaSetDevice", "cudaGetDeviceProperties", "cudaMemcpyToSymbol",
      "cudaMemcpyFromSymbol", "cudaFuncSetAttribute", "cudaLaunchKernel", "cudaLaunchCooperativeKernel",
      "cudaDeviceReset", "cudaMemcpy2D", "cudaMallocPitch", "rand", "srand", "exit", "abort", "atoi", "atof", "strtol",
      "strtod", "qsort", "bsearch", "calloc", "realloc", "fprintf", "puts", "putchar", "fopen", "fclose", "fflush",
      "scanf", "sscanf", "snprintf", "sprintf", "time", "getenv", "strlen", "strcmp", "strncmp", "strdup", "drand48"};
  return names;
}
const std::set<std::string>& host_std() {
  static const std::set<std::string> names = {"cout", "cerr", "endl", "vector", "string", "sort", "fill", "generate",
                                              "accumulate", "mt19937", "random_device", "unique_ptr", "make_unique",
                                              "iota", "to_string", "stable_sort", "shuffle", "transform"};
  return names;
}
/// What only device code has.
const std::set<std::string>& device_library() {
  static const std::set<std::string> names = {"__syncthreads", "__syncwarp", "__shfl_sync", "__shfl_down_sync",
                                              "__shfl_up_sync", "__shfl_xor_sync", "__ballot_sync", "__any_sync",
                                              "__all_sync", "__activemask", "__threadfence", "__threadfence_block",
                                              "__threadfence_system", "__ldg", "atomicAdd", "atomicMax", "atomicMin",
                                              "atomicCAS", "atomicExch", "atomicSub", "atomicInc", "atomicOr",
                                              "atomicAnd", "atomicXor", "clock64"};
  return names;
}
bool device_builtin_variable(const std::string& s) {
  return s == "threadIdx" || s == "blockIdx" || s == "blockDim" || s == "gridDim" || s == "warpSize";
}

class Parser {
 public:
  explicit Parser(const TokenFile& f) : f_(f), t_(f.tokens) {}

  SpaceCheck run() {
    scope(0, t_.size(), false);
    for (const FunctionRange& fn : functions_) targets_[fn.name] |= fn.target;
    for (const auto& [name, target] : declared_) targets_[name] |= target;
    for (const FunctionRange& fn : functions_) body(fn);
    if (work_ >= most_work) out_.errors.clear();
    std::stable_sort(out_.errors.begin(), out_.errors.end(), [](const Diagnostic& a, const Diagnostic& b) {
      return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
    });
    return std::move(out_);
  }

 private:
  const std::string& text(size_t i) const {
    static const std::string none;
    return i < t_.size() ? t_[i].text : none;
  }
  bool identifier(size_t i) const { return i < t_.size() && t_[i].kind == TokenKind::identifier; }

  /// Index after the bracket that closes the one at i.
  size_t close(size_t i, size_t end) const {
    const std::string open = text(i), shut = open == "(" ? ")" : open == "[" ? "]" : "}";
    int depth = 0;
    for (; i < end && ++work_ < most_work; ++i) {
      if (t_[i].text == open) ++depth;
      else if (t_[i].text == shut && --depth == 0) return i + 1;
    }
    return end;
  }
  /// Index after the '>' that closes the '<' at i.
  size_t close_angle(size_t i, size_t end) const {
    int depth = 0;
    for (; i < end; ++i) {
      const std::string& s = t_[i].text;
      if (s == "<") ++depth;
      else if (s == ">" && --depth <= 0) return i + 1;
      else if (s == ">>>" && (depth -= 3) <= 0) return i + 1;
      else if (s == "(" || s == "[" || s == "{") i = close(i, end) - 1;
      else if (s == ";") return i;
    }
    return end;
  }

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

  size_t declaration(size_t i, size_t end, bool in_class) {
    const std::string& s = text(i);
    if (s == ";" || s == "}" ) return i + 1;
    if (in_class && (s == "public" || s == "private" || s == "protected") && text(i + 1) == ":") return i + 2;
    if (s == "namespace" || (s == "inline" && text(i + 1) == "namespace")) {
      size_t j = i + 1;
      while (j < end && text(j) != "{" && text(j) != ";") {
        if (identifier(j)) namespaces_.insert(text(j));
        ++j;
      }
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
    if (s == "using" || s == "typedef" || s == "static_assert" || s == "friend") return skip_to_semicolon(i, end);

    size_t first = i;
    if (s == "template") {
      i = text(i + 1) == "<" ? close_angle(i + 1, end) : i + 1;
      if (text(i) == "requires") {
        while (i < end && text(i) != "{" && text(i) != ";") ++i;
      }
      if (text(i) == "using" || text(i) == "friend") return skip_to_semicolon(i, end);
      while (text(i) == "template") i = text(i + 1) == "<" ? close_angle(i + 1, end) : i + 1;
    }
    (void)first;
    uint8_t bits = 0;
    bool is_constant = false, is_managed = false, is_device_var = false, is_const = false, is_static = false,
         is_extern = false, unknown_macro = false;
    size_t name = 0, paren = 0;
    std::vector<size_t> names;
    // Head of the declaration: up to '(' of a function, '=', '{', ';' or ','.
    for (; i < end; ++i) {
      const std::string& w = text(i);
      if (w == "__attribute__" || w == "__declspec" || w == "alignas" || w == "__align__" || w == "__launch_bounds__" ||
          w == "__cluster_dims__" || w == "__block_size__" || w == "decltype" || w == "explicit") {
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
        is_device_var |= w == "__device__" || w == "__constant__" || w == "__managed__";
        is_const |= w == "const" || w == "constexpr";
        is_static |= w == "static" || w == "inline";
        is_extern |= w == "extern";
        if (w == "struct" || w == "class" || w == "union" || w == "enum") {
          const size_t next = class_head(i, end, w);
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
          if (unknown_macro || !is_function_pointer(i)) return skip_declaration(i, end, unknown_macro ? name : 0);
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
      } else if (w == "=" ) {
        initialised = true;
        if (name) found.push_back({name, array});
        name = 0;
        ++i;
        while (i < end && text(i) != "," && text(i) != ";") {
          if (text(i) == "(" || text(i) == "[" || text(i) == "{") i = close(i, end);
          else if (text(i) == "<" && identifier(i - 1)) {
            const size_t j = close_angle(i, end);
            i = text(j) == ";" || j > i + 40 ? i + 1 : j;
          } else ++i;
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
      v.constant_value = is_const && !is_array;
      if (variables_.count(text(at)) && !is_extern) v.constant_value |= variables_[text(at)].constant_value;
      variables_[text(at)] = v;
      if (is_managed) managed_.insert(text(at));
      if (!v.on_device) out_.host_variables.push_back(text(at));
      else if (is_managed) out_.managed_variables.push_back(text(at));
    }
    (void)is_constant, (void)initialised;
    return i;
  }

  bool is_function_pointer(size_t i) const { return text(i) == "(" && (text(i + 1) == "*" || text(i + 1) == "&"); }

  size_t skip_to_semicolon(size_t i, size_t end) const {
    while (i < end && text(i) != ";") {
      if (text(i) == "(" || text(i) == "[" || text(i) == "{") i = close(i, end);
      else ++i;
    }
    return i + 1;
  }
  /// Something not understood (a macro that makes a function, a constructor): past its body or semicolon.
  size_t skip_declaration(size_t i, size_t end, size_t unknown_name) {
    if (unknown_name) declared_[text(unknown_name)] |= both;
    while (i < end && text(i) != ";") {
      if (text(i) == "{") return close(i, end);
      if (text(i) == "(" || text(i) == "[") {
        const size_t stop = close(i, end);
        for (size_t j = i; unknown_name && j < stop; ++j)
          if (identifier(j)) declared_[text(j)] |= both;
        i = stop;
      } else {
        ++i;
      }
    }
    return i + 1;
  }

  /// struct X : base { ... } name; returns 0 when it is only an elaborated type.
  size_t class_head(size_t i, size_t end, const std::string& word) {
    size_t j = i + 1;
    while (j < end && text(j) != "{" && text(j) != ";" && text(j) != "(" && text(j) != "=") {
      if (text(j) == "<") j = close_angle(j, end);
      else if (text(j) == ")" || text(j) == "," || text(j) == ">") return 0;
      else if ((text(j) == "__align__" || text(j) == "alignas") && text(j + 1) == "(") j = close(j + 1, end);
      else ++j;
    }
    if (text(j) == ";") {
      // "struct X;" or "struct X name;"
      return j <= i + 2 || word == "enum" ? j + 1 : 0;
    }
    if (text(j) != "{") return 0;
    const size_t stop = close(j, end);
    if (word != "enum") scope(j + 1, stop - 1, true);
    return skip_to_semicolon(stop, end);
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
      if (text(i) == "(" || text(i) == "[") i = close(i, end);
      else if (initialisers && identifier(i) && text(i + 1) == "{") i = close(i + 1, end);
      else ++i;
    }
    if (text(i) != "{") {
      // A prototype, or "Type name(arguments);", which only shadows.
      declare(fn, is_constexpr, member_definition);
      return i + 1;
    }
    fn.begin = i;
    fn.end = close(i, end);
    if (is_constexpr) declared_[fn.name] |= both;
    if (is_constexpr && fn.target == host) fn.target = both;
    functions_.push_back(fn);
    return fn.end;
  }
  void declare(const FunctionRange& fn, bool is_constexpr, bool member) {
    if (!member) declared_[fn.name] |= is_constexpr ? uint8_t(both) : fn.target;
  }

  // ---- bodies ----

  void error(size_t i, std::string message) {
    Diagnostic d;
    d.kind = "compile";
    d.where.line = t_[i].line;
    d.where.column = t_[i].column;
    d.message = std::move(message);
    out_.errors.push_back(std::move(d));
  }

  /// Names declared in a function: its parameters and locals.
  std::set<std::string> locals(const FunctionRange& fn) const {
    std::set<std::string> out;
    const size_t params_end = close(fn.params, t_.size());
    for (size_t i = fn.params + 1; i < params_end; ++i)
      if (identifier(i) && (text(i + 1) == "," || text(i + 1) == ")" || text(i + 1) == "[" || text(i + 1) == "=") &&
          text(i - 1) != "(" && text(i - 1) != ",")
        out.insert(text(i));
    for (size_t i = fn.begin; i < fn.end; ++i) {
      if (!identifier(i) || is_type_word(text(i)) || is_statement_word(text(i))) continue;
      const std::string& next = text(i + 1);
      if (!(next == "=" || next == ";" || next == "," || next == "[" || next == "{" || next == "(" || next == ":" ||
            next == ")"))
        continue;
      size_t j = i;
      bool pointer = false;
      while (j > fn.begin && (text(j - 1) == "*" || text(j - 1) == "&" || text(j - 1) == "&&" ||
                              text(j - 1) == "const" || text(j - 1) == "__restrict__")) {
        pointer |= text(j - 1) != "const" && text(j - 1) != "__restrict__";
        --j;
      }
      if (j <= fn.begin) continue;
      size_t type = j - 1;
      bool templated = false;
      if (text(type) == ">") {  // back to the '<'
        int depth = 0;
        while (type > fn.begin) {
          if (text(type) == ">") ++depth;
          if (text(type) == "<" && --depth == 0) break;
          if (text(type) == ";" || text(type) == "{") break;
          --type;
        }
        if (text(type) != "<") continue;
        --type;
        templated = true;
      }
      if (!identifier(type) || is_statement_word(text(type))) continue;
      if (pointer && !is_type_word(text(type))) {
        size_t before = type;
        while (before > fn.begin && (text(before - 1) == "::" || identifier(before - 1)) &&
               !is_statement_word(text(before - 1)))
          --before;
        const std::string& p = text(before - 1);
        const bool starts = p == ";" || p == "{" || p == "}" || (p == "(" && before >= 2 && text(before - 2) == "for") ||
                            (before < type && p != "(");
        if (!starts && !templated) continue;
      }
      out.insert(text(i));
      // further declarators of the same statement
      int depth = 0;
      for (size_t k = i + 1; k < fn.end && ++work_ < most_work && !(depth == 0 && text(k) == ";"); ++k) {
        const std::string& w = text(k);
        if (w == "(" || w == "[" || w == "{") ++depth;
        else if (w == ")" || w == "]" || w == "}") {
          if (--depth < 0) break;
        } else if (depth == 0 && w == ",") {
          size_t n = k + 1;
          while (text(n) == "*" || text(n) == "&") ++n;
          if (identifier(n)) out.insert(text(n));
        }
      }
    }
    return out;
  }

  const char* target_word(uint8_t target) const {
    return target == global ? "__global__" : target == device ? "__device__" : "__host__";
  }

  /// Is t[i] a lambda's '['? Then `body` gets its '{' and the annotations' indices.
  bool lambda(size_t i, size_t end, size_t* body, std::vector<size_t>* notes) const {
    if (text(i) != "[" || text(i + 1) == "[") return false;
    if (i > 0) {
      const std::string& p = text(i - 1);
      if (p == ")" || p == "]" || t_[i - 1].kind == TokenKind::string || p == "this" ||
          (identifier(i - 1) && !is_statement_word(p)))
        return false;
    }
    size_t j = close(i, end);
    notes->clear();
    for (; j < end; ++j) {
      const std::string& w = text(j);
      if (w == "__device__" || w == "__host__") notes->push_back(j);
      else if (w == "(" ) j = close(j, end) - 1;
      else if (w == "<") j = close_angle(j, end) - 1;
      else if (w == "{") {
        *body = j;
        return true;
      } else if (!identifier(j) && w != "->" && w != "::" && w != "*" && w != "&" && w != ">") {
        return false;
      }
    }
    return false;
  }

  void body(const FunctionRange& fn) {
    const std::set<std::string> local = locals(fn);
    walk(fn.begin, fn.end, fn.name, fn.target, local);
  }

  /// Checks the tokens of a body that runs on `target`.
  void walk(size_t begin, size_t end, const std::string& owner, uint8_t target, const std::set<std::string>& local) {
    std::vector<std::string> calls;  // names of the calls whose parentheses are open
    for (size_t i = begin; i < end; ++i) {
      const std::string& s = text(i);
      size_t lambda_body = 0;
      std::vector<size_t> notes;
      if (s == "[" && lambda(i, end, &lambda_body, &notes)) {
        for (size_t n : notes) out_.blanked.push_back(t_[n].begin);
        if (!notes.empty()) {
          const size_t stop = close(lambda_body, end);
          uint8_t bits = 0;
          for (size_t n : notes) bits |= text(n) == "__device__" ? device : host;
          if (++depth_ < 200) walk(lambda_body, stop, "lambda", bits, local);
          --depth_;
          i = stop - 1;
          continue;
        }
      }
      if (s == "(" ) {
        calls.push_back(i > 0 && identifier(i - 1) ? text(i - 1) : std::string());
        continue;
      }
      if (s == ")" && !calls.empty()) {
        calls.pop_back();
        continue;
      }
      if (!identifier(i)) continue;
      const std::string previous = i > 0 ? text(i - 1) : std::string();
      if (previous == "." || previous == "->") continue;
      if (local.count(s)) continue;
      bool std_name = false;
      if (previous == "::") {
        const std::string scope_name = i > 1 && identifier(i - 2) ? text(i - 2) : std::string();
        std_name = scope_name == "std";
        if (!std_name && !scope_name.empty() && !namespaces_.count(scope_name)) continue;
      }
      const bool launch = text(i + 1) == "<<<" || (text(i + 1) == "<" && launches_after_template(i + 1, end));
      const bool call = text(i + 1) == "(" || (text(i + 1) == "<" && calls_after_template(i + 1, end));
      if (target == both) continue;
      const bool on_device = target == device || target == global;

      if (std_name) {
        if (on_device && host_std().count(s))
          error(i, "identifier \"std::" + s + "\" is undefined in device code: the C++ library's " + s +
                       " exists on the host only");
        continue;
      }
      if (launch && on_device) {
        error(i, "kernel launch from __device__ or __global__ functions requires separate compilation mode, which "
                 "this program does not have: launch \"" + s + "\" from host code");
        continue;
      }
      auto t = targets_.find(s);
      if (t != targets_.end()) {
        if (!call || launch) continue;
        if (t->second == global && !on_device && text(i + 1) == "(" && !declares(i)) {
          error(i, "a __global__ function call must be configured: " + s + "<<<grid, block>>>(...)");
        } else if (on_device && t->second == host && !declares(i)) {
          error(i, "calling a __host__ function(\"" + s + "\") from a " + target_word(target) + " function(\"" + owner +
                       "\") is not allowed: declare \"" + s + "\" __device__ (or __host__ __device__)");
        } else if (!on_device && t->second == device && !declares(i)) {
          error(i, "calling a __device__ function(\"" + s + "\") from a __host__ function(\"" + owner +
                       "\") is not allowed: declare \"" + s + "\" __host__ __device__, or call it in a kernel");
        }
        continue;
      }
      auto v = variables_.find(s);
      if (v != variables_.end()) {
        if (on_device && !v->second.on_device && !v->second.constant_value && !unevaluated(calls)) {
          error(i, "identifier \"" + s + "\" is undefined in device code: \"" + s +
                       "\" is a host variable; pass it to the kernel, or declare it __device__ or __constant__");
        } else if (!on_device && v->second.on_device && !managed_.count(s) && !symbol_call(calls) &&
                   !unevaluated(calls)) {
          const char* how = previous == "&" && (i < 2 || !identifier(i - 2)) && text(i - 2) != ")" ? "address"
                            : written(i, end)                                                     ? "written"
                                                                                                  : "read";
          if (std::string_view(how) == "address")
            error(i, "address of a __device__ variable \"" + s + "\" cannot be directly taken in a host function: use "
                     "cudaGetSymbolAddress");
          else
            error(i, "a __device__ variable \"" + s + "\" cannot be directly " + how + " in a host function: use " +
                         (std::string_view(how) == "read" ? "cudaMemcpyFromSymbol" : "cudaMemcpyToSymbol"));
        }
        continue;
      }
      if (!on_device && call) host_call(i, begin);
      if (f_.macros.count(s)) continue;
      if (on_device && call && host_library().count(s) && !declares(i)) {
        error(i, "calling a __host__ function(\"" + s + "\") from a " + target_word(target) + " function(\"" + owner +
                     "\") is not allowed");
      } else if (!on_device && call && device_library().count(s) && !declares(i)) {
        error(i, "calling a __device__ function(\"" + s + "\") from a __host__ function(\"" + owner +
                     "\") is not allowed");
      } else if (!on_device && device_builtin_variable(s) && text(i + 1) == ".") {
        error(i, "identifier \"" + s + "\" is undefined in host code: it exists in kernels and __device__ functions");
      }
    }
  }

  /// Notes what an allocation is called, and calls of clock(), which counts cycles on the device.
  void host_call(size_t i, size_t begin) {
    const std::string& s = text(i);
    if (s == "clock" && text(i + 1) == "(" && text(i + 2) == ")" && !declares(i)) out_.host_clocks.push_back(t_[i].begin);
    size_t name = 0;
    if (s.rfind("cudaMalloc", 0) == 0 || s == "cudaHostAlloc" || s == "posix_memalign") {
      for (size_t j = i + 1; j < t_.size() && text(j) != "," && text(j) != ";"; ++j)
        if (text(j) == "&" && identifier(j + 1)) name = j + 1;
    } else if (s == "malloc" || s == "calloc" || s == "aligned_alloc") {
      size_t j = i;
      while (j > begin && text(j) != ";" && text(j) != "{" && text(j) != "=") --j;
      if (text(j) == "=" && j > 0 && identifier(j - 1)) name = j - 1;
    }
    if (!name) return;
    // Several on one line can't be told apart by their line: no name is better than a wrong one.
    auto [it, first] = out_.allocation_names.emplace(t_[i].line, text(name));
    if (!first && it->second != text(name)) it->second.clear();
  }

  /// "Type name(": a declaration, not a call.
  bool declares(size_t i) const {
    if (i == 0) return false;
    const std::string& p = text(i - 1);
    return (identifier(i - 1) && !is_statement_word(p) && p != "do" && p != "else") || p == ">";
  }
  bool calls_after_template(size_t i, size_t end) const {
    const size_t j = close_angle(i, std::min(end, i + 40));
    return j > i && text(j - 1) == ">" && text(j) == "(";
  }
  bool launches_after_template(size_t i, size_t end) const {
    const size_t j = close_angle(i, std::min(end, i + 40));
    return j > i && text(j - 1) == ">" && text(j) == "<<<";
  }
  static bool unevaluated(const std::vector<std::string>& calls) {
    return std::any_of(calls.begin(), calls.end(), [](const std::string& c) {
      return c == "sizeof" || c == "decltype" || c == "alignof" || c == "static_assert";
    });
  }
  static bool symbol_call(const std::vector<std::string>& calls) {
    return std::any_of(calls.begin(), calls.end(), [](const std::string& c) {
      return c.find("Symbol") != std::string::npos || c == "cudaMemPrefetchAsync";
    });
  }
  bool written(size_t i, size_t end) const {
    size_t j = i + 1;
    while (j < end && text(j) == "[") j = close(j, end);
    static const std::set<std::string> writes = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "<<="};
    return writes.count(text(j)) > 0 || text(i - 1) == "++" || text(i - 1) == "--";
  }

  /// Brackets that never close make every search run to the end: such a file isn't judged beyond this.
  static constexpr uint64_t most_work = 20'000'000;

  const TokenFile& f_;
  const std::vector<Token>& t_;
  mutable uint64_t work_ = 0;
  int depth_ = 0;
  SpaceCheck out_;
  std::vector<FunctionRange> functions_;
  std::map<std::string, uint8_t> declared_, targets_;
  std::map<std::string, VariableInfo> variables_;
  std::set<std::string> managed_, namespaces_;
};

}  // namespace

SpaceCheck check_spaces(const TokenFile& file) { return Parser(file).run(); }

}  // namespace dojo::compile_detail
