// The bodies: who may call and touch what.
#include "core/compile/spaces/spaces.hpp"

#include <algorithm>

#include "core/compile/spaces/spaces_hidden.hpp"
#include "core/compile/spaces/spaces_scan.hpp"
#include "core/compile/spaces/spaces_words.hpp"

namespace dojo::compile_detail {
namespace {

class BodyCheck : TokenScan {
 public:
  BodyCheck(const TokenFile& f, const Declarations& d, SpaceCheck& out, uint64_t& work, bool program)
      : TokenScan(f, work), declared_(d), hidden_(f, d, work), out_(out), program_(program) {}

  void run() {
    for (const FunctionRange& fn : declared_.functions) targets_[fn.name] |= fn.target;
    for (const auto& [name, target] : declared_.declared) targets_[name] |= target;
    for (const FunctionRange& fn : declared_.functions) body(fn);
  }

 private:
  /// What nvcc takes with an option only.
  void warn_once(size_t i, const std::string& what, const std::string& option) {
    if (!told_.insert(option).second) return;
    error(i, "nvcc accepts " + what + " only with " + option + ": add it to your command");
    out_.errors.back().severity = Severity::warning;
  }
  void error(size_t i, std::string message) {
    Diagnostic d;
    d.kind = FindingKind::compile;
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
      if (identifier(i) &&
          (text(i + 1) == "," || text(i + 1) == ")" || text(i + 1) == "[" || text(i + 1) == "=") &&
          text(i - 1) != "(" && text(i - 1) != ",")
        out.insert(text(i));
    for (size_t i = fn.begin; i < fn.end; ++i) {
      if (!identifier(i) || is_type_word(text(i)) || is_statement_word(text(i))) continue;
      const std::string& next = text(i + 1);
      if (!(next == "=" || next == ";" || next == "," || next == "[" || next == "{" || next == "(" ||
            next == ":" || next == ")"))
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
        const bool starts = p == ";" || p == "{" || p == "}" ||
                            (p == "(" && before >= 2 && text(before - 2) == "for") ||
                            (before < type && p != "(");
        if (!starts && !templated) continue;
      }
      out.insert(text(i));
      // further declarators of the same statement
      int depth = 0;
      for (size_t k = i + 1; k < fn.end && ++work_ < most_work && !(depth == 0 && text(k) == ";"); ++k) {
        const std::string& w = text(k);
        if (w == "(" || w == "[" || w == "{")
          ++depth;
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
      if (w == "__device__" || w == "__host__")
        notes->push_back(j);
      else if (w == "(")
        j = close(j, end) - 1;
      else if (w == "<")
        j = close_angle(j, end) - 1;
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
  void walk(size_t begin, size_t end, const std::string& owner, uint8_t target,
            const std::set<std::string>& local) {
    std::vector<std::string> calls;  // names of the calls whose parentheses are open
    for (size_t i = begin; i < end; ++i) {
      const std::string& s = text(i);
      size_t lambda_body = 0;
      std::vector<size_t> notes;
      if (s == "[" && lambda(i, end, &lambda_body, &notes)) {
        for (size_t n : notes) out_.blanked.push_back(t_[n].begin);
        const bool host_only =
            std::none_of(notes.begin(), notes.end(), [&](size_t n) { return text(n) == "__device__"; });
        if (host_only && i > 1 && text(i - 1) == "=" && identifier(i - 2)) host_lambdas_.insert(text(i - 2));
        if (!host_only) warn_once(i, "a __device__ lambda", "--extended-lambda");
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
      if (s == "(") {
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
      if (local.count(s) || hidden_.hides(i)) continue;
      bool std_name = false;
      if (previous == "::") {
        const std::string scope_name = i > 1 && identifier(i - 2) ? text(i - 2) : std::string();
        std_name = scope_name == "std";
        if (!std_name && !scope_name.empty() && !declared_.namespaces.count(scope_name)) continue;
      }
      const bool launch = text(i + 1) == "<<<" || (text(i + 1) == "<" && launches_after_template(i + 1, end));
      const bool call = text(i + 1) == "(" || (text(i + 1) == "<" && calls_after_template(i + 1, end));
      if (target == both) continue;
      const bool on_device = target == device || target == global;

      if (std_name) {
        if (!on_device && call) answered_call(i);
        if (on_device && host_std().count(s))
          error(i, "identifier \"std::" + s + "\" is undefined in device code: the C++ library's " + s +
                       " exists on the host only");
        continue;
      }
      if (launch && on_device && program_) {
        warn_once(i, "a launch in a kernel", "-rdc=true");
        continue;
      }
      if (launch && on_device) {
        error(
            i,
            "kernel launch from __device__ or __global__ functions requires separate compilation mode, which "
            "this program does not have: launch \"" +
                s + "\" from host code");
        continue;
      }
      if (launch) lambda_arguments(i, end);
      auto t = targets_.find(s);
      if (t != targets_.end()) {
        if (!call || launch) continue;
        if (t->second == global && !on_device && text(i + 1) == "(" && !declares(i)) {
          error(i, "a __global__ function call must be configured: " + s + "<<<grid, block>>>(...)");
        } else if (on_device && t->second == host && !declares(i)) {
          error(i, "calling a __host__ function(\"" + s + "\") from a " + target_word(target) +
                       " function(\"" + owner + "\") is not allowed: declare \"" + s +
                       "\" __device__ (or __host__ __device__)");
        } else if (!on_device && t->second == device && !declares(i)) {
          error(i, "calling a __device__ function(\"" + s + "\") from a __host__ function(\"" + owner +
                       "\") is not allowed: declare \"" + s +
                       "\" __host__ __device__, or call it in a kernel");
        }
        continue;
      }
      auto v = declared_.variables.find(s);
      if (v != declared_.variables.end()) {
        if (previous == "sizeof") continue;
        if (on_device && !v->second.on_device && !v->second.constant_value && !unevaluated(calls)) {
          error(i,
                "identifier \"" + s + "\" is undefined in device code: \"" + s +
                    "\" is a host variable; pass it to the kernel, or declare it __device__ or __constant__");
        } else if (!on_device && v->second.on_device && !declared_.managed.count(s) && !symbol_call(calls) &&
                   !unevaluated(calls)) {
          const char* how = previous == "&" && (i < 2 || !identifier(i - 2)) && text(i - 2) != ")" ? "address"
                            : written(i, end)                                                      ? "written"
                                                                                                   : "read";
          const std::string kind = v->second.constant_memory ? "a __constant__" : "a __device__";
          if (std::string_view(how) == "address")
            error(i, "address of " + kind + " variable \"" + s +
                         "\" cannot be directly taken in a host function: use "
                         "cudaGetSymbolAddress");
          else
            error(i, kind + " variable \"" + s + "\" cannot be directly " + how +
                         " in a host function: use " +
                         (std::string_view(how) == "read" && !filled(i, calls) ? "cudaMemcpyFromSymbol"
                                                                               : "cudaMemcpyToSymbol"));
        }
        continue;
      }
      if (!on_device && call) host_call(i, begin);
      if (f_.macros.count(s)) continue;
      if (on_device && call && host_library().count(s) && !declares(i)) {
        error(i, "calling a __host__ function(\"" + s + "\") from a " + target_word(target) + " function(\"" +
                     owner + "\") is not allowed");
      } else if (!on_device && call && device_library().count(s) && !declares(i)) {
        error(i, "calling a __device__ function(\"" + s + "\") from a __host__ function(\"" + owner +
                     "\") is not allowed");
      } else if (!on_device && device_builtin_variable(s) && text(i + 1) == ".") {
        error(i, "identifier \"" + s +
                     "\" is undefined in host code: it exists in kernels and __device__ functions");
      }
    }
  }

  /// A kernel's arguments may be no host lambda: its body is not compiled for the device.
  void lambda_arguments(size_t i, size_t end) {
    const std::string& kernel = text(i);
    while (i < end && text(i) != ">>>" && text(i) != ";") ++i;
    if (text(i) != ">>>" || text(i + 1) != "(") return;
    const size_t stop = close(i + 1, end);
    for (size_t j = i + 2; j + 1 < stop; ++j) {
      const bool whole = (text(j - 1) == "(" || text(j - 1) == ",") && (text(j + 1) == "," || j + 2 == stop);
      size_t body = 0;
      std::vector<size_t> notes;
      const bool written =
          (text(j - 1) == "(" || text(j - 1) == ",") && lambda(j, stop, &body, &notes) &&
          std::none_of(notes.begin(), notes.end(), [&](size_t n) { return text(n) == "__device__"; });
      if (!written && !(whole && host_lambdas_.count(text(j)))) continue;
      error(j, "a host lambda cannot be passed to the kernel \"" + kernel +
                   "\": write [=] __device__ (...) and compile with --extended-lambda");
      return;
    }
  }

  /// Notes memcpy() and memset(), of which the compiler makes loops over bytes.
  void answered_call(size_t i) {
    const char* name = text(i) == "memcpy" ? "_dmcpy" : text(i) == "memset" ? "_dmset" : nullptr;
    if (name && text(i + 1) == "(" && !declares(i)) out_.host_calls.emplace(t_[i].begin, name);
  }

  /// Notes what an allocation is called, and calls of clock(), which counts cycles on the device.
  void host_call(size_t i, size_t begin) {
    const std::string& s = text(i);
    if (s == "clock" && text(i + 1) == "(" && text(i + 2) == ")" && !declares(i))
      out_.host_calls.emplace(t_[i].begin, "_dclk");
    if (!f_.macros.count(s)) answered_call(i);
    size_t name = 0;
    if (s.rfind("cudaMalloc", 0) == 0 || s == "cudaHostAlloc" || s == "posix_memalign" ||
        s == "cudaCreateTextureObject" || s == "cudaCreateSurfaceObject") {
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
  /// Is it the destination of a copy?
  bool filled(size_t i, const std::vector<std::string>& calls) const {
    return !calls.empty() && text(i - 1) == "(" && calls.back().starts_with("cudaMemcpy");
  }
  bool written(size_t i, size_t end) const {
    size_t j = i + 1;
    while (j < end && text(j) == "[") j = close(j, end);
    static const std::set<std::string> writes = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "<<="};
    return writes.count(text(j)) > 0 || text(i - 1) == "++" || text(i - 1) == "--";
  }

  const Declarations& declared_;
  const HiddenNames hidden_;
  SpaceCheck& out_;
  std::map<std::string, uint8_t> targets_;
  std::set<std::string> host_lambdas_;  ///< variables that hold one
  const bool program_;
  std::set<std::string> told_;  ///< options that a warning has named
  int depth_ = 0;
};

}  // namespace

SpaceCheck check_spaces(const TokenFile& file, bool program) {
  SpaceCheck out;
  uint64_t work = 0;
  const Declarations declared = read_declarations(file, out, work);
  BodyCheck(file, declared, out, work, program).run();
  if (work >= TokenScan::most_work) out.errors.clear();
  std::stable_sort(out.errors.begin(), out.errors.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
  });
  return out;
}

}  // namespace dojo::compile_detail
