#include "core/compile/includes.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

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

constexpr std::string_view no_device_cub =
    "CUB's device-wide functions can't be used in a step: here they are stand-ins, whose time is not CUB's. "
    "Write the kernel, or use CUB's block and warp functions, such as cub::BlockReduce";

/// Is there a stand-in for this header of Thrust?
bool stand_in(const std::string& name) {
  std::error_code ec;
  return std::filesystem::exists(source_root() / "labs/include/shims" / ("dojo_" + name), ec);
}

/// The directives of one source: what each may stay, and what becomes of the others.
class Closing {
 public:
  Closing(std::string& source, const TokenFile& file, const OwnSearch& own, bool whole, bool later)
      : source_(source), file_(file), own_(own), whole_(whole), later_(later) {}

  IncludeScan run() {
    for (const Directive& d : file_.directives) {
      if (d.name == "include")
        include(d);
      else
        other(d);
      tests_of_headers(d);
    }
    apply();
    sweep(source_);
    return std::move(out_);
  }

 private:
  struct Edit {
    size_t begin, end;
    std::string text;
  };
  /// One #include that no folder answers, and as many line ends as the directive had. Without a reason the
  /// compiler's own message stays.
  void refuse(const Directive&, std::string why);
  void rename(const Token& t, std::string name) { edits_.push_back({t.begin, t.end, "<" + name + ">"}); }
  void include(const Directive&);
  void header(const Directive&, const std::string& name);
  void other(const Directive&);
  /// __has_include and its like.
  void tests_of_headers(const Directive&);
  void apply();

  std::string& source_;
  const TokenFile& file_;
  const OwnSearch& own_;
  const bool whole_, later_;
  IncludeScan out_;
  std::vector<Edit> edits_;
};

/// A header of the standard library that C++17 has not.
bool later_standard(const std::string& name) {
  static const std::set<std::string> all = {
      "barrier",         "bit",   "compare",    "concepts",   "coroutine", "expected", "format",
      "generator",       "latch", "mdspan",     "numbers",    "print",     "ranges",   "semaphore",
      "source_location", "span",  "stop_token", "syncstream", "version"};
  return all.count(name) > 0;
}

constexpr const char* outside =
    ": only the CUDA toolkit's headers, the usual standard headers and those of labs/include can be "
    "included";

void Closing::refuse(const Directive& d, std::string why) {
  const auto lines = size_t(std::count(source_.begin() + long(d.begin), source_.begin() + long(d.end), '\n'));
  const bool condition = d.name == "if" || d.name == "elif";  // must stay one, to keep its #endif
  edits_.push_back(
      {d.begin, d.end, (condition ? "#" + d.name + " 0" : "#include <~>") + std::string(lines, '\n')});
  if (!condition) out_.refused[d.line] = std::move(why);
}

void Closing::include(const Directive& d) {
  if (d.tokens.empty()) return;
  std::string name;
  if (!literal_name(d.tokens[0], &name)) {
    refuse(d, "an #include made by a macro is not allowed here: write the header's name");
    return;
  }
  const std::string key = own_ ? own_(name, d.tokens[0].text.front() == '"') : "";
  if (!key.empty())
    rename(d.tokens[0], key);
  else if (!stays_inside(name))
    refuse(d, std::string("this #include is not allowed") + outside);
  else
    header(d, name);
}

void Closing::header(const Directive& d, const std::string& name) {
  const bool thrust = name.rfind("thrust/", 0) == 0;
  if (thrust && whole_ && stand_in(name)) {
    rename(d.tokens[0], "dojo_" + name);
    return;
  }
  if (thrust) {
    refuse(d, whole_
                  ? "there is no stand-in for <" + name +
                        "> here: write the kernel, or run the compiled program with warpdojo exec"
                  : "Thrust does not run on the interpreted host: write the kernel, or use CUB's block and "
                    "warp primitives");
    return;
  }
  if (library(name)) {
    refuse(d, "calls of CUDA's libraries (" + name +
                  ") are not supported in host code here: write the kernel" +
                  (whole_ ? ", or run the compiled program with warpdojo exec" : ""));
    return;
  }
  if (later_standard(name) && !later_ && d.active) {
    refuse(d, "<" + name + "> is of C++20 or later, and files are compiled as C++17 here" +
                  (whole_ ? ", as by nvcc: add --std=c++20" : ""));
    return;
  }
  if (!whole_ && name.rfind("cub/device/", 0) == 0) {
    refuse(d, std::string(no_device_cub));
    return;
  }
  // CUB whole: with what launches kernels.
  if (whole_ && (name == "cub/cub.cuh" || name == "cub/device/device_histogram.cuh"))
    return rename(d.tokens[0], "dojo_cub.cuh");
  if (d.tokens[0].text.front() == '"') rename(d.tokens[0], name);
  if (!d.active) return;
  out_.headers.push_back(name);
  if (!light(name)) out_.heavy = true;
  out_.refused.try_emplace(
      d.line, later_standard(name)
                  ? "there is no <" + name + "> here: run the compiled program with warpdojo exec"
                  : "there is no header \"" + name + "\" here" + outside +
                        (whole_ ? ". warpdojo exec runs the compiled program" : ""));
}

void Closing::other(const Directive& d) {
  if (d.name == "include_next" || d.name == "import" || d.name == "embed") {
    refuse(d, "#" + d.name + " is not supported: use #include");
  } else if (d.name == "line") {
    edits_.push_back({d.begin, d.begin + 1, "//"});
  } else if (d.name == "define" && !d.tokens.empty()) {
    // Some toolkit headers include a file that a macro names.
    const std::string& n = d.tokens[0].text;
    if (n.rfind("__THRUST", 0) == 0 || n.rfind("THRUST_", 0) == 0)
      refuse(d, "macros of Thrust's own can't be defined here");
  }
}

void Closing::tests_of_headers(const Directive& d) {
  for (size_t i = 0; i < d.tokens.size(); ++i) {
    const std::string& word = d.tokens[i].text;
    if (word != "__has_include" && word != "__has_include_next" && word != "__has_embed") continue;
    if (d.name == "ifdef" || d.name == "ifndef" || (i >= 1 && d.tokens[i - 1].is("defined")) ||
        (i >= 2 && d.tokens[i - 1].is("(") && d.tokens[i - 2].is("defined")))
      continue;
    std::string name;
    if (d.name == "define" || word != "__has_include" || i + 2 >= d.tokens.size() ||
        !d.tokens[i + 1].is("(") || !literal_name(d.tokens[i + 2], &name) || !stays_inside(name)) {
      refuse(d, "only __has_include(<header>) is supported, and only where it is tested");
      break;
    }
    rename(d.tokens[i + 2], name);
  }
  // __has_include could also be pasted together in a macro.
  if ((d.name == "if" || d.name == "elif") &&
      std::any_of(d.tokens.begin(), d.tokens.end(), [&](const Token& t) { return pastes(file_, t.text, 0); }))
    refuse(d, {});
}

void Closing::apply() {
  std::sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) { return a.begin > b.begin; });
  size_t last = source_.size() + 1;
  for (const Edit& e : edits_) {
    if (e.end > last) continue;  // overlaps one already made
    source_.replace(e.begin, e.end - e.begin, e.text);
    last = e.begin;
  }
}

}  // namespace

DeviceCub find_device_cub(const TokenFile& file, bool whole) {
  static const std::set<std::string> stand_ins = {"DeviceReduce", "DeviceScan", "DeviceRadixSort",
                                                  "DeviceSelect", "DeviceHistogram"};
  const std::vector<Token>& all = file.tokens;
  for (size_t i = 0; i + 2 < all.size(); ++i) {
    const Token& name = all[i + 2];
    if (!all[i].is("cub") || !all[i + 1].is("::") || !name.text.starts_with("Device")) continue;
    if (!whole) return {all[i].line, all[i].column, std::string(no_device_cub)};
    if (stand_ins.count(name.text)) continue;
    return {all[i].line, all[i].column,
            "there is no stand-in for cub::" + name.text +
                " here: write the kernel, or run the compiled program with warpdojo exec"};
  }
  return {};
}

IncludeScan close_includes(std::string& source, const TokenFile& file, const OwnSearch& own, bool whole,
                           bool later) {
  return Closing(source, file, own, whole, later).run();
}

}  // namespace dojo::compile_detail
