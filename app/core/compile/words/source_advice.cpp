#include "core/compile/words/source_advice.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "core/compile/words/newer_names.hpp"
#include "core/text/nearest.hpp"

namespace dojo::compile_detail {
namespace {

/// What lies between the first `before` and the `after` behind it; empty: one of them is absent.
std::string between(const std::string& s, std::string_view before, std::string_view after) {
  const size_t at = s.find(before);
  if (at == s.npos) return {};
  const size_t end = s.find(after, at + before.size());
  return end == s.npos ? std::string() : s.substr(at + before.size(), end - at - before.size());
}

/// Names of CUDA and the C library that first programs use.
constexpr const char* usual[] = {"threadIdx",
                                 "blockIdx",
                                 "blockDim",
                                 "gridDim",
                                 "__syncthreads",
                                 "__syncwarp",
                                 "__shfl_down_sync",
                                 "__shfl_xor_sync",
                                 "cudaMalloc",
                                 "cudaFree",
                                 "cudaMemcpy",
                                 "cudaMemset",
                                 "cudaDeviceSynchronize",
                                 "cudaGetLastError",
                                 "cudaMemcpyHostToDevice",
                                 "cudaMemcpyDeviceToHost",
                                 "cudaMemcpyDeviceToDevice",
                                 "cudaMemcpyToSymbol",
                                 "cudaStreamSynchronize",
                                 "atomicAdd",
                                 "atomicMax",
                                 "atomicCAS",
                                 "printf",
                                 "fminf",
                                 "fmaxf",
                                 "sqrtf",
                                 "expf",
                                 "float4",
                                 "size_t",
                                 "sizeof"};

struct Declared {
  std::string_view name, header;
};
constexpr Declared standard_names[] = {{"vector", "vector"},
                                       {"string", "string"},
                                       {"to_string", "string"},
                                       {"cout", "iostream"},
                                       {"cerr", "iostream"},
                                       {"endl", "iostream"},
                                       {"sort", "algorithm"},
                                       {"min", "algorithm"},
                                       {"max", "algorithm"},
                                       {"fill", "algorithm"},
                                       {"swap", "utility"},
                                       {"pair", "utility"},
                                       {"move", "utility"},
                                       {"accumulate", "numeric"},
                                       {"iota", "numeric"},
                                       {"unique_ptr", "memory"},
                                       {"make_unique", "memory"},
                                       {"array", "array"},
                                       {"map", "map"},
                                       {"set", "set"},
                                       {"numeric_limits", "limits"},
                                       {"function", "functional"},
                                       {"chrono", "chrono"},
                                       {"thread", "thread"},
                                       {"mt19937", "random"},
                                       {"ofstream", "fstream"},
                                       {"ifstream", "fstream"},
                                       {"stringstream", "sstream"},
                                       {"setw", "iomanip"},
                                       {"tuple", "tuple"},
                                       {"optional", "optional"},
                                       {"unordered_map", "unordered_map"}};

/// The errors of one file, one after the other.
class Advice {
 public:
  Advice(std::vector<Diagnostic>& all, const TokenFile& file, const CompileRequest& request,
         const std::string& name)
      : all_(all), tokens_(file.tokens), request_(request), name_(name) {}

  void run() {
    for (const Diagnostic& d : all_)
      undefined_.insert(between(d.message, "identifier \"", "\" is undefined"));
    for (Diagnostic& d : all_)
      if (d.severity == Severity::error && d.where.file == name_) complete(d);
    const auto brace = std::find_if(all_.begin(), all_.end(), [](const Diagnostic& d) {
      return d.message.starts_with("expected a \"}\" at the end");
    });
    if (brace != all_.end()) open_brace(brace);
  }

 private:
  void complete(Diagnostic& d) const;
  void missing_semicolon(Diagnostic& d) const;
  /// A launch of a function that is no kernel; NVRTC gives no line of the file.
  void place_launch(Diagnostic& d) const;
  std::string other_name(const std::string& undefined) const;
  std::string for_call(const Diagnostic& d) const;
  void open_brace(std::vector<Diagnostic>::iterator brace);

  /// The first token at or behind a place; the number of tokens: none.
  size_t token_at(const SourceLoc& at) const {
    const auto found = std::find_if(tokens_.begin(), tokens_.end(), [&](const Token& t) {
      return t.line > at.line || (t.line == at.line && t.column >= at.column);
    });
    return size_t(found - tokens_.begin());
  }

  std::vector<Diagnostic>& all_;
  const std::vector<Token>& tokens_;
  const CompileRequest& request_;
  const std::string& name_;
  std::set<std::string> undefined_;
};

void Advice::complete(Diagnostic& d) const {
  std::string& m = d.message;
  if (m == "expected a \";\"") return missing_semicolon(d);
  if (m.find("not __global__ cannot be launched") != m.npos) return place_launch(d);
  constexpr std::string_view list = "argument list argument types are";
  const size_t listed = m.find(list);
  if (listed != m.npos) m.replace(listed, list.size(), "argument list. The argument types are");
  if (const std::string newer = needs_newer(m, request_.arch); !newer.empty()) {
    m += (m.ends_with(".") ? " " : ". ") + newer;
    if (request_.program) m += " Choose a newer GPU with --device.";
    return;
  }
  if (const std::string name = between(m, "identifier \"", "\" is undefined"); !name.empty()) {
    if (const std::string other = other_name(name); !other.empty()) m += ". Did you mean " + other + "?";
    return;
  }
  if (const std::string member = between(m, "namespace \"std\" has no member \"", "\""); !member.empty()) {
    for (const Declared& s : standard_names)
      if (s.name == member) m += ". Add #include <" + std::string(s.header) + ">.";
    return;
  }
  if (m == "expression must be a modifiable lvalue") {
    const size_t at = token_at(d.where);
    if (at < tokens_.size() && tokens_[at].kind == TokenKind::identifier)
      m += ". Is " + tokens_[at].text + " const?";
    return;
  }
  if (listed != m.npos) m += for_call(d);
}

void Advice::missing_semicolon(Diagnostic& d) const {
  const size_t at = token_at(d.where);
  if (at == 0 || at >= tokens_.size() || tokens_[at - 1].line >= tokens_[at].line) return;
  const Token& before = tokens_[at - 1];
  d.where.line = before.line;
  d.where.column = before.column + int(before.text.size());
  d.message += " at the end of this line";
}

namespace {

bool is_attribute(const Token& t) {
  return t.is("__launch_bounds__") || t.is("__cluster_dims__") || t.is("__maxnreg__") ||
         t.is("__attribute__");
}

}  // namespace

void Advice::place_launch(Diagnostic& d) const {
  std::set<std::string> kernels;
  for (size_t i = 0; i < tokens_.size(); ++i) {
    if (!tokens_[i].is("__global__")) continue;
    // Of `__global__ void __launch_bounds__(256) k(` the name is what stands before the last bracket.
    while (i + 1 < tokens_.size() && !tokens_[i].is(";") &&
           !(tokens_[i + 1].is("(") && !is_attribute(tokens_[i])))
      ++i;
    kernels.insert(tokens_[i].text);
  }
  const auto declared = [&](const std::string& name) {
    for (size_t i = 0; i + 1 < tokens_.size(); ++i)
      if (tokens_[i].text == name && tokens_[i + 1].is("(")) return true;
    return false;
  };
  for (size_t i = 0; i + 1 < tokens_.size(); ++i) {
    const Token& t = tokens_[i];
    if (!tokens_[i + 1].is("<<<") || t.kind != TokenKind::identifier || kernels.count(t.text)) continue;
    if (!declared(t.text)) continue;  // in a header
    d.where.line = t.line, d.where.column = t.column;
    d.message = t.text + " is not __global__ and can't be launched: write __global__ before its declaration";
    return;
  }
}

std::string Advice::other_name(const std::string& undefined) const {
  std::vector<std::string> known(std::begin(usual), std::end(usual));
  for (const Token& t : tokens_)
    if (t.kind == TokenKind::identifier && !undefined_.count(t.text)) known.push_back(t.text);
  return nearest_name(undefined, known);
}

std::string Advice::for_call(const Diagnostic& d) const {
  const std::string name = between(d.message, "function \"", "\"");
  if (name == "atomicAdd")
    return ". It adds int, unsigned int, unsigned long long, float, double, and half types.";
  if (name == "atomicMin" || name == "atomicMax" || name == "atomicAnd" || name == "atomicOr" ||
      name == "atomicXor")
    return ". It takes int, unsigned int and 64-bit integers. For another type write a loop with "
           "atomicCAS().";
  if (name != "cudaMalloc") return {};
  for (size_t i = token_at(d.where); i + 2 < tokens_.size() && tokens_[i].line == d.where.line; ++i)
    if (tokens_[i].is("cudaMalloc") && tokens_[i + 2].kind == TokenKind::identifier)
      return ". Pass the address of the pointer: &" + tokens_[i + 2].text + ".";
  return {};
}

void Advice::open_brace(std::vector<Diagnostic>::iterator brace) {
  std::vector<const Token*> open;
  for (const Token& t : tokens_) {
    if (t.is("{")) open.push_back(&t);
    if (t.is("}") && !open.empty()) open.pop_back();
  }
  if (!open.empty()) {
    brace->message = "a \"}\" is missing: the file ends inside the block that opens in line " +
                     std::to_string(open.back()->line);
    brace->where.line = open.back()->line, brace->where.column = open.back()->column;
  }
  const auto notes =
      std::find_if(brace + 1, all_.end(), [](const Diagnostic& d) { return d.severity != Severity::note; });
  all_.erase(brace + 1, notes);  // "to match this {"
  std::rotate(all_.begin(), brace, brace + 1);
}

}  // namespace

std::string nearest_name(const std::string& name, const std::vector<std::string>& known) {
  std::string best;
  size_t fewest = name.size() / 3 + 1;
  for (const std::string& k : known)
    if (const size_t n = k == name ? fewest : edit_distance(name, k); n < fewest) fewest = n, best = k;
  return best;
}

void add_source_advice(std::vector<Diagnostic>& all, const TokenFile& tokens, const CompileRequest& request,
                       const std::string& file) {
  Advice(all, tokens, request, file).run();
}

}  // namespace dojo::compile_detail
