#include "gui/model/text/highlight.hpp"

#include <cctype>
#include <string_view>
#include <unordered_set>

#include "core/text/word_char.hpp"

namespace dojo::gui {

namespace {
using Set = std::unordered_set<std::string_view>;
const Set keywords = {"if",
                      "else",
                      "for",
                      "while",
                      "do",
                      "return",
                      "break",
                      "continue",
                      "switch",
                      "case",
                      "default",
                      "struct",
                      "class",
                      "template",
                      "typename",
                      "namespace",
                      "using",
                      "const",
                      "constexpr",
                      "static",
                      "inline",
                      "extern",
                      "volatile",
                      "sizeof",
                      "new",
                      "delete",
                      "nullptr",
                      "true",
                      "false",
                      "public",
                      "private",
                      "operator",
                      "this",
                      "auto",
                      "enum",
                      "typedef",
                      "union",
                      "goto",
                      "asm",
                      "static_cast",
                      "reinterpret_cast",
                      "const_cast",
                      "decltype",
                      "alignas",
                      "static_assert",
                      "noexcept"};
const Set types = {
    "void",    "int",          "float",       "double",      "char",   "bool",    "unsigned", "signed",
    "long",    "short",        "size_t",      "half",        "half2",  "__half",  "__half2",  "__nv_bfloat16",
    "float2",  "float3",       "float4",      "int2",        "int3",   "int4",    "uint4",    "double2",
    "dim3",    "cudaStream_t", "cudaEvent_t", "cudaError_t", "int8_t", "uint8_t", "int16_t",  "uint16_t",
    "int32_t", "uint32_t",     "int64_t",     "uint64_t",    "uint",   "char4",   "uchar4",   "clock_t"};
const Set cuda = {"__global__",   "__device__",        "__host__",          "__shared__",
                  "__constant__", "__managed__",       "__restrict__",      "__forceinline__",
                  "__noinline__", "__launch_bounds__", "__grid_constant__", "__align__"};
const Set builtin = {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"};

void add(std::vector<Run>& out, int from, int to, Token t) {
  if (to <= from) return;
  if (!out.empty() && out.back().token == t && out.back().to == from)
    out.back().to = to;
  else
    out.push_back({from, to, t});
}
}  // namespace

std::vector<Run> highlight(const std::string& s, LexState& st) {
  std::vector<Run> out;
  int n = int(s.size()), i = 0;
  auto at = [&](int k) { return k < n ? s[size_t(k)] : '\0'; };
  auto block_end = [&](int from) {
    size_t e = s.find("*/", size_t(from));
    st.block_comment = e == std::string::npos;
    return e == std::string::npos ? n : int(e) + 2;
  };
  if (st.block_comment) {
    i = block_end(0);
    add(out, 0, i, Token::comment);
  }
  size_t first = s.find_first_not_of(" \t", size_t(i));
  if (first != std::string::npos && s[first] == '#') {
    size_t comment = s.find("//", first);
    int e = comment == std::string::npos ? n : int(comment);
    add(out, i, e, Token::preprocessor);
    add(out, e, n, Token::comment);
    return out;
  }
  while (i < n) {
    char c = at(i);
    if (c == '/' && at(i + 1) == '/') {
      add(out, i, n, Token::comment);
      break;
    }
    if (c == '/' && at(i + 1) == '*') {
      int e = block_end(i + 2);
      add(out, i, e, Token::comment);
      i = e;
    } else if (c == '"' || c == '\'') {
      int e = i + 1;
      while (e < n && at(e) != c) e += at(e) == '\\' ? 2 : 1;
      e = std::min(n, e + 1);
      add(out, i, e, Token::string);
      i = e;
    } else if (std::isdigit(static_cast<unsigned char>(c)) ||
               (c == '.' && std::isdigit(static_cast<unsigned char>(at(i + 1))))) {
      int e = i;
      while (e < n &&
             (is_word_char(at(e)) || at(e) == '.' || at(e) == '\'' ||
              ((at(e) == '+' || at(e) == '-') && (at(e - 1) == 'e' || at(e - 1) == 'E') && at(i + 1) != 'x')))
        ++e;
      add(out, i, e, Token::number);
      i = e;
    } else if (is_word_char(c)) {
      int e = i;
      while (e < n && is_word_char(at(e))) ++e;
      std::string_view w(s.data() + i, size_t(e - i));
      Token t = Token::plain;
      int p = e;
      while (p < n && at(p) == ' ') ++p;
      if (keywords.count(w))
        t = Token::keyword;
      else if (types.count(w))
        t = Token::type;
      else if (cuda.count(w))
        t = Token::cuda;
      else if (builtin.count(w))
        t = Token::builtin;
      else if (w.starts_with("__sync") || w.starts_with("__shfl") || w.starts_with("atomic") ||
               w.starts_with("__threadfence"))
        t = Token::builtin;
      else if (at(p) == '(' || s.compare(size_t(p), 3, "<<<") == 0)
        t = Token::function;
      add(out, i, e, t);
      i = e;
    } else if (s.compare(size_t(i), 3, "<<<") == 0 || s.compare(size_t(i), 3, ">>>") == 0) {
      add(out, i, i + 3, Token::cuda);
      i += 3;
    } else {
      add(out, i, i + 1, std::ispunct(static_cast<unsigned char>(c)) ? Token::punctuation : Token::plain);
      ++i;
    }
  }
  return out;
}

std::vector<Run> highlight_ptx(const std::string& s) {
  std::vector<Run> out;
  int n = int(s.size()), i = 0;
  bool opcode = true;  // the first word of an instruction
  while (i < n) {
    char c = s[size_t(i)];
    int e = i + 1;
    Token t = Token::plain;
    if (c == '/' && e < n && s[size_t(e)] == '/')
      e = n, t = Token::comment;
    else if (c == '%' || c == '@') {
      while (e < n && (is_word_char(s[size_t(e)]) || s[size_t(e)] == '%' || s[size_t(e)] == '.' ||
                       s[size_t(e)] == '!'))
        ++e;
      t = c == '@' ? Token::cuda : Token::builtin;
      if (c == '%') opcode = false;
    } else if (c == '.' || is_word_char(c)) {
      while (e < n && (is_word_char(s[size_t(e)]) || s[size_t(e)] == '.' || s[size_t(e)] == ':' ||
                       s[size_t(e)] == '$'))
        ++e;
      t = std::isdigit(static_cast<unsigned char>(c)) ? Token::number
          : c == '.'                                  ? Token::preprocessor
          : opcode                                    ? Token::keyword
                                                      : Token::plain;
      opcode = false;
    } else if (std::ispunct(static_cast<unsigned char>(c))) {
      t = Token::punctuation;
      if (c == ';' || c == '{') opcode = true;
    }
    add(out, i, e, t);
    i = e;
  }
  return out;
}

std::vector<std::vector<Run>> highlight_all(const std::vector<std::string>& lines, bool ptx) {
  std::vector<std::vector<Run>> out;
  out.reserve(lines.size());
  LexState st;
  for (auto& l : lines) out.push_back(ptx ? highlight_ptx(l) : highlight(l, st));
  return out;
}

}  // namespace dojo::gui
