#include "core/compile/clang/clang_messages.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <regex>

namespace dojo::compile_detail {
namespace {

struct ClangLine {
  std::string file;
  int line = 0, column = 0;
  Severity severity = Severity::error;
  std::string message;
};

/// One line of clang's log as a diagnostic; nothing for context lines such as "In file included from".
std::optional<ClangLine> clang_line(const std::string& l) {
  static const std::regex placed(R"(^(.+?):(\d+):(\d+): (fatal error|error|warning|note): (.*)$)");
  std::smatch m;
  if (std::regex_match(l, m, placed)) {
    ClangLine c{m[1], std::atoi(m[2].str().c_str()), std::atoi(m[3].str().c_str()), Severity::error, m[5]};
    if (m[4] == "warning") c.severity = Severity::warning;
    if (m[4] == "note") c.severity = Severity::note;
    return c;
  }
  static const std::regex bare(R"(^(?:LLVM ERROR|fatal error|error): (.*)$)");
  if (std::regex_match(l, m, bare)) return ClangLine{"", 0, 0, Severity::error, m[1]};
  return {};
}

/// The message for a student: what this front end can't do in our words, else clang's without its option.
std::string clang_words(std::string m) {
  m = plain_names(std::move(m));
  const auto has = [&](const char* s) { return m.find(s) != m.npos; };
  if (has("with exceptions disabled"))
    return "exceptions (try, catch, throw) are not supported in host code here: print a message and exit "
           "instead";
  if (has("nontrivial global ctor") || has("dynamic initialization is not supported")) return early_global;
  if (has("thread-local storage is not supported"))
    return "thread_local is not supported here: the program has one host thread";
  // "reference to __global__ function 'child' in __global__ function", or in a __device__ function
  if (m.starts_with("reference to __global__ function") &&
      (has("in __global__ function") || has("in __device__ function")))
    return "clang compiles no launch in a kernel: compile with NVRTC (--compiler nvrtc), or with nvcc "
           "-rdc=true "
           "and run the program with `warpdojo exec`";
  // "[-Wname]" names an option that students can't set.
  if (const size_t at = m.rfind(" [-W"); at != m.npos && m.ends_with("]")) m.erase(at);
  return m;
}

std::vector<ClangLine> clang_lines(const std::string& log) {
  std::vector<ClangLine> lines;
  for (size_t at = 0; at < log.size();) {
    const size_t end = std::min(log.find('\n', at), log.size());
    if (auto l = clang_line(log.substr(at, end - at))) lines.push_back(std::move(*l));
    at = end + 1;
  }
  return lines;
}

}  // namespace

bool names_a_line(const std::string& log) {
  const std::vector<ClangLine> lines = clang_lines(log);
  return std::any_of(lines.begin(), lines.end(),
                     [](const ClangLine& l) { return l.severity == Severity::error && l.line > 0; });
}

std::vector<Diagnostic> parse_clang_log(const std::string& log, const MessageContext& c) {
  std::vector<Diagnostic> out;
  const std::vector<ClangLine> lines = clang_lines(log);
  for (size_t i = 0; i < lines.size(); ++i) {
    const ClangLine& l = lines[i];
    if (l.severity == Severity::note) continue;
    const OwnText* header = own_text(c, l.file);
    const bool own = l.file == c.file || l.file.empty() || header;
    const std::map<int, std::string>& refused = header ? header->refused : c.refused;
    if (!own && l.severity != Severity::error) continue;
    Diagnostic d;
    d.kind = FindingKind::compile;
    d.severity = l.severity;
    d.where = {header ? header->name : c.file, l.line, l.column};
    if (own && l.message.ends_with("file not found")) {
      const auto r = refused.find(l.line);
      d.message = r != refused.end() ? r->second : "this header can't be included here";
      d.where.column = 1;
    } else if (own) {
      d.message = clang_words(l.message);
    } else {
      // An error in a header: it belongs to the student's line that a note below it names.
      std::string name = "an included file";
      for (const std::string& f : c.folders)
        if (l.file.starts_with(f + "/")) name = "header \"" + l.file.substr(f.size() + 1) + "\"";
      d.message = "in " + name + " line " + std::to_string(l.line) + ": " + clang_words(l.message);
      d.where = {c.file, 0, 0};
      for (size_t n = i + 1; n < lines.size() && lines[n].severity == Severity::note; ++n)
        if (lines[n].file == c.file) {
          d.where = {c.file, lines[n].line, lines[n].column};
          break;
        }
    }
    const bool known = std::any_of(out.begin(), out.end(), [&](const Diagnostic& o) {
      return o.where == d.where && o.message == d.message;
    });
    if (!known) out.push_back(std::move(d));
  }
  return out;
}

}  // namespace dojo::compile_detail
