#include "run/verdict/early_return.hpp"

#include "core/compile/tokens.hpp"

namespace dojo::run {

namespace {

using compile_detail::Token;

/// Index after the bracket that closes the one at `i`, or the number of tokens.
size_t after_close(const std::vector<Token>& t, size_t i, std::string_view open, std::string_view shut) {
  int depth = 0;
  for (; i < t.size(); ++i) {
    if (t[i].is(open)) ++depth;
    if (t[i].is(shut) && --depth == 0) return i + 1;
  }
  return i;
}

/// First line of a `return;` in the tokens [begin, end), or 0.
int return_line(const std::vector<Token>& t, size_t begin, size_t end) {
  for (size_t i = begin; i + 1 < end; ++i)
    if (t[i].is("return") && t[i + 1].is(";")) return t[i].line;
  return 0;
}

}  // namespace

bool returns_early(std::string_view source, int barrier_line) {
  const auto file = compile_detail::tokenize(source);
  const std::vector<Token>& t = file.tokens;
  bool any = false;
  for (size_t i = 0; i < t.size(); ++i) {
    if (!t[i].is("__global__")) continue;
    while (i < t.size() && !t[i].is("{") && !t[i].is(";"))
      i = t[i].is("(") ? after_close(t, i, "(", ")") : i + 1;
    if (i >= t.size() || t[i].is(";")) continue;  // a prototype
    const size_t end = after_close(t, i, "{", "}");
    const int line = return_line(t, i, end);
    if (t[i].line <= barrier_line && barrier_line <= t[end - 1].line) return line && line <= barrier_line;
    any |= line != 0;
    i = end - 1;
  }
  return any;
}

void judge_ended_threads(Diagnostic& d, std::string_view source) {
  const bool lanes = d.kind == FindingKind::absent_lane;
  if (!(lanes || d.kind == FindingKind::barrier_divergence) || d.severity != Severity::warning) return;
  if (returns_early(source, d.where.line)) {
    d.message +=
        lanes ? " They returned before it. From Volta on, it waits only for named lanes that have not "
                "ended. Better name those that come, or let all lanes come."
              : " They returned before it. From Volta on, a barrier waits only for threads that have not "
                "ended. Older GPUs do not promise that.";
    return;
  }
  d.severity = Severity::error;
  d.message += lanes
                   ? " It stands in a branch or loop that not all named lanes enter. Call it where all named "
                     "lanes come, or name only those that do."
                   : " The barrier stands in a branch or loop that not all threads enter. Move "
                     "__syncthreads() out of it, and guard the work alone.";
}

}  // namespace dojo::run
