#include "core/compile/messages.hpp"

#include <cstdlib>
#include <optional>
#include <string_view>

namespace dojo::compile_detail {
namespace {

std::vector<std::string_view> lines_of(std::string_view s) {
  std::vector<std::string_view> out;
  while (!s.empty()) {
    const size_t n = std::min(s.find('\n'), s.size());
    out.push_back(s.substr(0, n));
    s.remove_prefix(std::min(n + 1, s.size()));
  }
  return out;
}

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
  } words[] = {{"): error", Severity::error},
               {"): catastrophic error", Severity::error},
               {"): internal error", Severity::error},
               {"): warning", Severity::warning},
               {"): note", Severity::note},
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
  for (size_t at = m.find("_thrst"); at != m.npos; at = m.find("_thrst", at)) m.replace(at, 6, "thrust");
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

std::vector<Diagnostic> parse_log(const std::string& log, const MessageContext& c) {
  std::vector<Diagnostic> out;
  const auto lines = lines_of(log);
  for (size_t i = 0; i < lines.size(); ++i) {
    auto h = head_of(lines[i], c);
    if (!h) {
      // Messages with no place: "nvrtc: error: ...".
      if (lines[i].rfind("nvrtc: error", 0) == 0 || lines[i].rfind("error   :", 0) == 0) {
        Diagnostic d;
        d.kind = "compile";
        d.where.file = c.file;
        d.message = std::string(lines[i]);
        out.push_back(std::move(d));
      }
      continue;
    }
    Diagnostic d;
    d.kind = "compile";
    d.severity = h->severity;
    d.where = {h->file, h->line, 0};
    std::string message = h->message;
    int instantiated_at = 0;
    // What belongs to this message: wrapped text, the quoted source line and its caret, instantiation notes.
    size_t j = i + 1;
    for (; j < lines.size() && !head_of(lines[j], c); ++j) {
      const std::string_view l = lines[j];
      if (only_caret(l)) {
        if (!d.where.column) d.where.column = std::max(1, int(l.find('^')) - 1);
        continue;
      }
      if (const size_t at = l.find("detected during"); at != l.npos || l.find("instantiation of") != l.npos) {
        for (size_t k = j; k < lines.size() && k < j + 12 && !lines[k].empty() && !head_of(lines[k], c);
             ++k) {
          const size_t n = lines[k].find("at line ");
          if (n == std::string_view::npos) continue;
          // Another file is named as: at line 12 of FILE. Without a name it is the message's own file.
          const bool other = lines[k].find(" of ", n) != std::string_view::npos;
          if (other ? lines[k].find(c.file) != std::string_view::npos : h->file == c.file)
            instantiated_at = std::atoi(std::string(lines[k].substr(n + 8)).c_str());
        }
        continue;
      }
      // A long message is wrapped on indented lines directly below; quoted lines come just before a caret.
      const bool quote = j + 1 < lines.size() && only_caret(lines[j + 1]);
      if (!quote && l.rfind("          ", 0) == 0 && h->file == c.file && j == i + 1) {
        message += " " + std::string(l.substr(l.find_first_not_of(' ')));
      }
    }
    const OwnText* header = own_text(c, h->file);
    const bool own = h->file == c.file || header;
    const std::map<int, std::string>& refused = header ? header->refused : c.refused;
    if (header) d.where.file = header->name;
    // The guide's own way to write a cuda::barrier: init() does what the constructor would.
    if (h->severity == Severity::warning && message.find("dynamic initialization") != std::string::npos &&
        message.find("__shared__") != std::string::npos) {
      i = j - 1;
      continue;
    }
    if (own && message.find("could not open source file") + message.find("cannot open source file") !=
                   2 * std::string::npos) {
      auto r = refused.find(h->line);
      d.message = r != refused.end() ? r->second : "this header can't be included here";
      d.where.column = 1;
    } else if (own) {
      d.message = reworded(message);
    } else {
      std::string name;
      for (const std::string& f : c.folders)
        if (h->file.rfind(f + "/", 0) == 0) name = h->file.substr(f.size() + 1);
      if (h->severity != Severity::error) {
        i = j - 1;
        continue;
      }
      if (name.empty() && h->file.find('/') == std::string::npos) name = h->file;  // built into the compiler
      const bool missing = message.find("open source file") != std::string::npos;
      d.message =
          name.empty() ? std::string("an error in an included file")
          : missing ? "the header \"" + name + "\" needs the host's own C++ library, which is not used here"
                    : "in header \"" + name + "\" line " + std::to_string(h->line) + ": " + reworded(message);
      d.where = {c.file, instantiated_at, instantiated_at ? 1 : 0};
    }
    out.push_back(std::move(d));
    i = j - 1;
  }
  return out;
}

}  // namespace dojo::compile_detail
