#include "core/compile/passed.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/compile/front_end.hpp"
#include "core/compile/frozen.hpp"
#include "core/compile/own/cleanups.hpp"
#include "core/compile/own/exceptions.hpp"
#include "core/compile/own/handlers.hpp"

namespace dojo::compile_detail {
namespace {

/// Is a header included, with no macro defined before it that could change it?
bool first_header(const TokenFile& file, const std::string& name) {
  for (const Directive& d : file.directives) {
    if (d.name == "define" || d.name == "undef") return false;
    if (d.name == "include" && d.active && !d.tokens.empty() && d.tokens[0].text.size() == name.size() + 2 &&
        d.tokens[0].text.compare(1, name.size(), name) == 0)
      return true;
  }
  return false;
}

/// The macros of a program's own headers: `DEV` of common.h is __device__ in every file.
std::map<std::string, Macro> shared_macros(const Bundle& program) {
  std::map<std::string, Macro> all;
  for (const OwnHeader& h : program.headers)
    for (auto& [name, macro] : tokenize(h.text).macros)
      if (Macro& known = all[name]; known.body.empty()) known = macro;
  return all;
}

/// By its byte order mark, or by the zeros of its first two letters.
bool is_utf16(const std::string& text) {
  if (text.rfind("\xFF\xFE", 0) == 0 || text.rfind("\xFE\xFF", 0) == 0) return true;
  const auto zero = [&](size_t i) { return text[i] == 0; };
  return text.size() >= 4 && zero(0) == zero(2) && zero(1) == zero(3) && zero(0) != zero(1);
}

/// A lambda's __device__ or __host__ at `at` becomes blanks; the former, where a comment fits, the comment
/// /*ddd*/, which with_cleanups() reads.
void blank_space_word(std::string& source, size_t at) {
  size_t end = at;
  while (end < source.size() && (isalnum(static_cast<unsigned char>(source[end])) || source[end] == '_'))
    ++end;
  const bool device = source.compare(at, end - at, "__host__") != 0 && end - at > 4;
  source.replace(at, end - at,
                 device ? "/*" + std::string(end - at - 4, 'd') + "*/" : std::string(end - at, ' '));
}

Passed pass(const std::string& file, const std::string& given, const Bundle& program, const Dialect& dialect,
            const std::map<std::string, Macro>& macros) {
  const bool whole = dialect.whole;
  Passed p;
  auto refuse = [&](int line, std::string message) { p.problem = compile_problem(file, line, message); };
  std::string& source = p.text;
  source = given;
  if (is_utf16(source)) {
    refuse(1, "the file is UTF-16 text: save it as UTF-8");
    return p;
  }
  if (const size_t zero = source.find('\0'); zero != std::string::npos) {
    refuse(1 + int(std::count(source.begin(), source.begin() + long(zero), '\n')),
           "the file holds a zero byte: is it a CUDA source file?");
    return p;
  }
  // NVRTC takes this byte for the end of the file, also in a comment.
  if (const size_t end = source.find('\xFF'); end != std::string::npos) {
    const size_t begin = source.rfind('\n', end) + 1;
    refuse(1 + int(std::count(source.begin(), source.begin() + long(end), '\n')),
           "the byte 0xFF here is no UTF-8: save the file as UTF-8");
    p.problem->where.column = 1 + int(end - begin);
    return p;
  }
  if (source.rfind("\xEF\xBB\xBF", 0) == 0) source.erase(0, 3);
  const TokenFile tokens = tokenize(source);
  if (tokens.trigraph_line) {
    refuse(tokens.trigraph_line, "trigraphs (\?\?=, \?\?/) are not supported");
    return p;
  }
  if (const JoinedName j = freeze_date_and_time(source, tokens); !j.text.empty()) {
    refuse(j.line, "a file with ## can't have the name '" + j.text +
                       "', which could be joined to __TIME__ or __DATE__. Use another name.");
    p.problem->where.column = j.column;
    return p;
  }
  for (size_t i = 0; i + 2 < tokens.tokens.size(); ++i) {
    const auto quote = [&](size_t k) { return tokens.tokens[k].is("`"); };
    if (!quote(i) || !quote(i + 1) || !quote(i + 2)) continue;
    refuse(
        tokens.tokens[i].line,
        "``` marks a block of code in Markdown and is no C++. Remove this line and the text around the code");
    return p;
  }
  if (DeviceCub use = find_device_cub(tokens, whole); use.line) {
    refuse(use.line, std::move(use.why));
    p.problem->where.column = use.column;
    return p;
  }
  TokenFile with_headers = tokens;
  with_headers.macros.insert(macros.begin(), macros.end());
  p.spaces = check_spaces(with_headers, whole);
  for (Diagnostic& d : p.spaces.errors) d.where.file = file;
  for (const auto& [at, name] : p.spaces.host_calls)
    if (at + name.size() <= source.size()) source.replace(at, name.size(), name);
  for (size_t at : p.spaces.blanked) blank_space_word(source, at);
  if (whole) source = with_own_words(without_throw(source, tokens), tokens);
  p.names = read_source_names(given, file);
  p.groups_first = first_header(tokens, "cooperative_groups.h");
  p.includes = close_includes(
      source, tokens,
      [&](const std::string& name, bool quoted) {
        const int i = find_own(program, file, name, quoted);
        return i < 0 ? std::string() : own_key(program, size_t(i));
      },
      whole, dialect.later);
  if (!dialect.catches) return p;
  source = with_bases(source);
  if (dialect.cleanups) source = with_cleanups(source, macros, p.cleanups);
  source = with_handlers(source);
  return p;
}

}  // namespace

std::string own_key(const Bundle& r, size_t i) {
  return "own" + std::to_string(i) + "/" + std::filesystem::path(r.headers[i].name).filename().string();
}

PassedProgram pass_program(const std::string& file, const Bundle& program, const Dialect& dialect,
                           Compiled& out) {
  const std::map<std::string, Macro> macros = shared_macros(program);
  PassedProgram p;
  p.main = pass(file, program.text, program, dialect, macros);
  out.allocation_names = std::move(p.main.spaces.allocation_names);
  const auto take = [&out](Passed& text) {
    append(out.host_variables, text.spaces.host_variables);
    append(out.managed_variables, text.spaces.managed_variables);
  };
  take(p.main);
  for (const OwnHeader& h : program.headers) {
    p.headers.push_back(pass(h.name, h.text, program, dialect, macros));
    take(p.headers.back());
    if (p.headers.back().problem) out.diagnostics.push_back(std::move(*p.headers.back().problem));
  }
  if (p.main.problem) out.diagnostics.push_back(std::move(*p.main.problem));
  return p;
}

}  // namespace dojo::compile_detail
