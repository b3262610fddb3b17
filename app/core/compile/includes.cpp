#include "core/compile/includes.hpp"

#include <algorithm>
#include <filesystem>

#include "core/paths.hpp"

namespace dojo::compile_detail {
namespace {

/// A name that stays inside the folders of the search.
bool stays_inside(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.find('\\') != name.npos || name.find('\0') != name.npos)
    return false;
  for (size_t i = 0; i <= name.size();) {
    const size_t j = std::min(name.find('/', i), name.size());
    if (name.substr(i, j - i) == "..") return false;
    i = j + 1;
  }
  return true;
}

bool literal_name(const Token& t, std::string* name) {
  if (t.kind != TokenKind::string || t.text.size() < 3) return false;
  const char a = t.text.front(), b = t.text.back();
  if (!((a == '"' && b == '"') || (a == '<' && b == '>'))) return false;
  *name = t.text.substr(1, t.text.size() - 2);
  return true;
}

/// Headers light enough that precompiling them gains nothing.
bool light(const std::string& name) {
  static const char* const known[] = {"cuda.h",
                                      "cuda_runtime.h",
                                      "cuda_runtime_api.h",
                                      "device_launch_parameters.h",
                                      "cuda_profiler_api.h",
                                      "math_constants.h",
                                      "vector_types.h",
                                      "stdio.h",
                                      "cusync.cuh"};
  if (std::find(std::begin(known), std::end(known), name) != std::end(known)) return true;
  static const char* const heavy[] = {
      "cooperative_groups", "cub/",     "cuda/",         "mma.h",          "curand", "cuda_fp16",
      "cuda_bf16",          "cuda_fp8", "cuda_pipeline", "cuda_awbarrier", "nv/",    "thrust/"};
  return std::none_of(std::begin(heavy), std::end(heavy),
                      [&](const char* h) { return name.rfind(h, 0) == 0; });
}

/// Does a macro, or one that it uses, paste tokens?
bool pastes(const TokenFile& file, const std::string& name, int depth) {
  auto m = file.macros.find(name);
  if (m == file.macros.end()) return false;
  return depth > 16 || std::any_of(m->second.body.begin(), m->second.body.end(), [&](const Token& t) {
           return t.is("##") || t.is("%:%:") ||
                  (t.kind == TokenKind::identifier && t.text != name && pastes(file, t.text, depth + 1));
         });
}

/// Second line of defence, should a compiler end strings or comments elsewhere than the tokens do: whatever
/// looks like an #include on a line of its own, in a comment or a string too, names nothing outside.
void sweep(std::string& s) {
  for (size_t i = 0; i < s.size();) {
    size_t end = s.find_first_of("\r\n", i);
    if (end == std::string::npos) end = s.size();
    size_t j = s.find_first_not_of(" \t\v\f", i);
    if (j < end && (s[j] == '#' || s.compare(j, 2, "%:") == 0)) {
      j = s.find_first_not_of(" \t\v\f", j + (s[j] == '#' ? 1 : 2));
      for (const char* word : {"include", "include_next", "import", "embed"}) {
        const size_t n = std::char_traits<char>::length(word);
        if (j >= end || s.compare(j, n, word) != 0 ||
            isalnum(static_cast<unsigned char>(s[std::min(j + n, s.size() - 1)])) ||
            (j + n < end && s[j + n] == '_'))
          continue;
        const size_t open = s.find_first_not_of(" \t\v\f", j + n);
        const size_t close = open < end && s[open] == '<' ? s.find('>', open) : std::string::npos;
        const bool fine = close < end && stays_inside(std::string_view(s).substr(open + 1, close - open - 1));
        if (!fine) {
          s.replace(j, end - j, "include <~>");
          end = j + 11;
        }
        break;
      }
    }
    i = end + 1;
  }
}

/// Headers of libraries whose host functions nothing here answers.
bool library(const std::string& name) {
  static const char* const starts[] = {"cublas", "cufft", "cusparse", "cusolver", "cudnn",
                                       "nccl",   "npp",   "nvml",     "cufile"};
  return name == "curand.h" || std::any_of(std::begin(starts), std::end(starts),
                                           [&](const char* s) { return name.rfind(s, 0) == 0; });
}

/// Is there a stand-in for this header of Thrust?
bool stand_in(const std::string& name) {
  std::error_code ec;
  return std::filesystem::exists(source_root() / "labs/include/shims" / ("dojo_" + name), ec);
}

struct Edit {
  size_t begin, end;
  std::string text;
};

}  // namespace

IncludeScan close_includes(std::string& source, const TokenFile& file, const OwnSearch& own, bool whole) {
  static const std::string outside =
      ": only the CUDA toolkit's headers, the usual standard headers and those of labs/include can be "
      "included";
  IncludeScan out;
  std::vector<Edit> edits;
  for (const Directive& d : file.directives) {
    auto refuse = [&](std::string why) {
      // One #include that no folder answers, and as many line ends as the directive had.
      const auto lines =
          size_t(std::count(source.begin() + long(d.begin), source.begin() + long(d.end), '\n'));
      const bool condition = d.name == "if" || d.name == "elif";  // must stay one, to keep its #endif
      edits.push_back(
          {d.begin, d.end, (condition ? "#" + d.name + " 0" : "#include <~>") + std::string(lines, '\n')});
      if (!condition) out.refused[d.line] = std::move(why);
    };
    std::string name;
    if (d.name == "include") {
      if (d.tokens.empty()) continue;
      if (!literal_name(d.tokens[0], &name)) {
        refuse("an #include made by a macro is not allowed here: write the header's name");
      } else if (const std::string key = own ? own(name, d.tokens[0].text.front() == '"') : "";
                 !key.empty()) {
        edits.push_back({d.tokens[0].begin, d.tokens[0].end, "<" + key + ">"});
      } else if (!stays_inside(name)) {
        refuse("this #include is not allowed" + outside);
      } else if (name.rfind("thrust/", 0) == 0 && !(whole && stand_in(name))) {
        refuse(whole
                   ? "there is no stand-in for <" + name +
                         "> here: write the kernel, or run the compiled program with warpdojo exec"
                   : "Thrust does not run on the interpreted host: write the kernel, or use CUB's block and "
                     "warp primitives");
      } else if (library(name)) {
        refuse("calls of CUDA's libraries (" + name +
               ") are not supported in host code here: write the kernel");
      } else if (name.rfind("thrust/", 0) == 0) {
        edits.push_back({d.tokens[0].begin, d.tokens[0].end, "<dojo_" + name + ">"});
      } else {
        if (d.active) {
          out.headers.push_back(name);
          if (!light(name)) out.heavy = true;
        }
        if (d.tokens[0].text.front() == '"') {
          edits.push_back({d.tokens[0].begin, d.tokens[0].end, "<" + name + ">"});
        }
        if (d.active && out.refused.find(d.line) == out.refused.end())
          out.refused[d.line] = "there is no header \"" + name + "\" here" + outside;
      }
    } else if (d.name == "include_next" || d.name == "import" || d.name == "embed") {
      refuse("#" + d.name + " is not supported: use #include");
    } else if (d.name == "line") {
      edits.push_back({d.begin, d.begin + 1, "//"});
    } else if (d.name == "define" && !d.tokens.empty()) {
      // Some toolkit headers include a file that a macro names.
      const std::string& n = d.tokens[0].text;
      if (n.rfind("__THRUST", 0) == 0 || n.rfind("THRUST_", 0) == 0)
        refuse("macros of Thrust's own can't be defined here");
    }
    for (size_t i = 0; i < d.tokens.size(); ++i) {
      if (d.tokens[i].text != "__has_include" && d.tokens[i].text != "__has_include_next" &&
          d.tokens[i].text != "__has_embed")
        continue;
      if (d.name == "ifdef" || d.name == "ifndef" || (i >= 1 && d.tokens[i - 1].is("defined")) ||
          (i >= 2 && d.tokens[i - 1].is("(") && d.tokens[i - 2].is("defined")))
        continue;
      const bool ok = d.name != "define" && d.tokens[i].text == "__has_include" && i + 2 < d.tokens.size() &&
                      d.tokens[i + 1].is("(") && literal_name(d.tokens[i + 2], &name) && stays_inside(name);
      if (ok)
        edits.push_back({d.tokens[i + 2].begin, d.tokens[i + 2].end, "<" + name + ">"});
      else
        refuse("only __has_include(<header>) is supported, and only where it is tested");
      if (!ok) break;
    }
    // __has_include could also be pasted together in a macro.
    if ((d.name == "if" || d.name == "elif") &&
        std::any_of(d.tokens.begin(), d.tokens.end(),
                    [&](const Token& t) { return pastes(file, t.text, 0); }))
      refuse({});
  }
  std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.begin > b.begin; });
  size_t last = source.size() + 1;
  for (const Edit& e : edits) {
    if (e.end > last) continue;  // overlaps one already made
    source.replace(e.begin, e.end - e.begin, e.text);
    last = e.begin;
  }
  sweep(source);
  return out;
}

}  // namespace dojo::compile_detail
