#include "core/compile/messages.hpp"

#include <cstdlib>
#include <optional>
#include <string_view>

#include "core/text/lines.hpp"

namespace dojo::compile_detail {
namespace {

struct Head {
  std::string file;
  int line = 0;
  Severity severity = Severity::error;
  std::string message;
};

/// "FILE(LINE): error: MESSAGE", "FILE(LINE): warning #174-D: MESSAGE", "FILE(LINE): catastrophic error:
/// ...".
/// What is missing at a file's end has no line: "At end of source: error: expected a "}"".
std::optional<Head> head_of(std::string_view l, const MessageContext& c) {
  if (l.empty() || l[0] == ' ') return {};
  constexpr std::string_view at_end = "At end of source: error";
  if (const size_t colon = l.find(": ", at_end.size()); l.starts_with(at_end) && colon != l.npos)
    return Head{c.file, c.last_line, Severity::error,
                std::string(l.substr(colon + 2)) + " at the end of the file"};
  static const struct {
    std::string_view word;
    Severity severity;
  } words[] = {{"): error", Severity::error},          {"): catastrophic error", Severity::error},
               {"): internal error", Severity::error}, {") : Error", Severity::error},
               {"): warning", Severity::warning},      {"): note", Severity::note},
               {"): remark", Severity::note}};
  for (const auto& w : words) {
    const size_t at = l.find(w.word);
    if (at == l.npos) continue;
    const size_t open = l.rfind('(', at);
    if (open == l.npos) continue;
    const size_t colon = l.find(": ", at + w.word.size());
    if (colon == l.npos) continue;
    Head h;
    h.file = std::string(l.substr(0, open));
    h.line = std::atoi(std::string(l.substr(open + 1, at - open - 1)).c_str());
    h.severity = w.severity;
    h.message = std::string(l.substr(colon + 2));
    return h;
  }
  return {};
}

bool only_caret(std::string_view l) {
  const size_t at = l.find('^');
  return at != l.npos && l.find_first_not_of(" \t") == at && l.find_first_not_of(" ", at + 1) == l.npos;
}

/// The compiler's words for what host code can't have here, in ours.
std::string reworded(std::string m) {
  m = plain_names(std::move(m));
  auto has = [&](const char* s) { return m.find(s) != std::string::npos; };
  if (has("does not support exception handling"))
    return "exceptions (try, catch, throw) are not supported in host code here: print a message and exit "
           "instead";
  if (has("dynamic initialization is not supported")) return early_global;
  if (has("does not support thread-local"))
    return "thread_local is not supported here: the program has one host thread";
  if (const std::string why = not_there(m); !why.empty()) return why;
  if (has("__int128")) return m + " (128-bit integers are not supported here)";
  return m;
}

}  // namespace

const OwnText* own_text(const MessageContext& c, const std::string& file) {
  for (const OwnText& h : c.headers)
    if (file == h.key) return &h;
  return nullptr;
}

namespace {

/// A message of the log, with what belongs to it: wrapped text, the quoted source line and its caret,
/// instantiation notes.
struct Message {
  Head head;
  std::string text;
  int column = 0;           ///< of the caret; 0: none
  int instantiated_at = 0;  ///< line of the student's file that a template came from; 0: none
  size_t next = 0;          ///< the line of the log behind it
};

/// The line of the student's file that the notes from line `at` of the log name; 0: none.
int instantiation_line(const std::vector<std::string_view>& lines, size_t at, const Head& head,
                       const MessageContext& c) {
  int line = 0;
  for (size_t k = at; k < lines.size() && k < at + 12 && !lines[k].empty() && !head_of(lines[k], c); ++k) {
    const size_t n = lines[k].find("at line ");
    if (n == std::string_view::npos) continue;
    // Another file is named as: at line 12 of FILE. Without a name it is the message's own file.
    const bool other = lines[k].find(" of ", n) != std::string_view::npos;
    if (other ? lines[k].find(c.file) != std::string_view::npos : head.file == c.file)
      line = std::atoi(std::string(lines[k].substr(n + 8)).c_str());
  }
  return line;
}

Message gather(const std::vector<std::string_view>& lines, size_t at, Head head, const MessageContext& c) {
  Message m{std::move(head), {}};
  m.text = m.head.message;
  size_t j = at + 1;
  for (; j < lines.size() && !head_of(lines[j], c); ++j) {
    const std::string_view l = lines[j];
    if (only_caret(l)) {
      if (!m.column) m.column = std::max(1, int(l.find('^')) - 1);
      continue;
    }
    if (l.find("detected during") != l.npos || l.find("instantiation of") != l.npos) {
      if (const int line = instantiation_line(lines, j, m.head, c)) m.instantiated_at = line;
      continue;
    }
    // A long message is wrapped on indented lines directly below; quoted lines come just before a caret.
    const bool quote = j + 1 < lines.size() && only_caret(lines[j + 1]);
    if (!quote && l.rfind("          ", 0) == 0 && m.head.file == c.file && j == at + 1)
      m.text += " " + std::string(l.substr(l.find_first_not_of(' ')));
  }
  m.next = j;
  return m;
}

/// The guide's own way to write a cuda::barrier: init() does what the constructor would.
bool shared_barrier(const Message& m) {
  return m.head.severity == Severity::warning && m.text.find("dynamic initialization") != std::string::npos &&
         m.text.find("__shared__") != std::string::npos;
}

bool missing_file(const Message& m) {
  return m.text.find("could not open source file") != std::string::npos ||
         m.text.find("cannot open source file") != std::string::npos;
}

/// A message at a line of the student's own files; `header`: the one that it is in, null for the source.
void tell_own(Diagnostic& d, const Message& m, const OwnText* header, const MessageContext& c) {
  if (header) d.where.file = header->name;
  if (!missing_file(m)) {
    d.message = reworded(m.text);
    return;
  }
  const std::map<int, std::string>& refused = header ? header->refused : c.refused;
  const auto r = refused.find(m.head.line);
  d.message = r != refused.end() ? r->second : "this header can't be included here";
  d.where.column = 1;
}

/// An error inside a header that the student did not write: told at the line that led there.
void tell_foreign(Diagnostic& d, const Message& m, const MessageContext& c) {
  std::string name;
  for (const std::string& f : c.folders)
    if (m.head.file.rfind(f + "/", 0) == 0) name = m.head.file.substr(f.size() + 1);
  if (name.empty() && m.head.file.find('/') == std::string::npos) name = m.head.file;  // of the compiler
  // Headers that no student includes by name.
  const bool internal = name.starts_with("dojo_") || name.starts_with("__nv_nvrtc");
  d.message =
      name.empty() ? std::string("an error in an included file")
      : internal   ? reworded(m.text)
      : m.text.find("open source file") != std::string::npos
          ? "the header \"" + name + "\" needs the host's own C++ library, which is not used here"
          : "in header \"" + name + "\" line " + std::to_string(m.head.line) + ": " + reworded(m.text);
  d.where = {c.file, m.instantiated_at, m.instantiated_at ? 1 : 0};
}

Diagnostic compile_message(const std::string& file, int line) {
  Diagnostic d;
  d.kind = FindingKind::compile;
  d.where = {file, line, 0};
  return d;
}

}  // namespace

std::vector<Diagnostic> parse_log(const std::string& log, const MessageContext& c) {
  std::vector<Diagnostic> out;
  const auto lines = lines_of(log);
  for (size_t i = 0; i < lines.size();) {
    auto head = head_of(lines[i], c);
    if (!head) {
      // Messages with no place: "nvrtc: error: ...".
      if (lines[i].rfind("nvrtc: error", 0) == 0 || lines[i].rfind("error   :", 0) == 0) {
        out.push_back(compile_message(c.file, 0));
        out.back().message = std::string(lines[i]);
      }
      ++i;
      continue;
    }
    const Message m = gather(lines, i, std::move(*head), c);
    i = m.next;
    const OwnText* header = own_text(c, m.head.file);
    const bool own = m.head.file == c.file || header;
    if (shared_barrier(m) || (!own && m.head.severity != Severity::error)) continue;
    Diagnostic d = compile_message(m.head.file, m.head.line);
    d.severity = m.head.severity;
    d.where.column = m.column;
    if (own)
      tell_own(d, m, header, c);
    else
      tell_foreign(d, m, c);
    out.push_back(std::move(d));
  }
  return out;
}

}  // namespace dojo::compile_detail
