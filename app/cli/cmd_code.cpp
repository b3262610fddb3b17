// code: what lies under the lines of a step's file.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "cli/cli.hpp"
#include "cli/show.hpp"
#include "core/code_listing.hpp"
#include "core/error.hpp"
#include "run/reference_cache.hpp"

namespace dojo::cli {
namespace {

/// One function's part of the text: source lines in their order, each with what it became.
std::string describe(const CodeListing::Function& f, const std::vector<std::string>& source,
                     const CodeOptions& o) {
  std::vector<int> lines;
  for (const auto* list : {&f.ptx, &f.sass}) {
    if (list == &f.sass && !o.sass) break;
    for (const auto& i : *list)
      if (o.line == 0 || i.line == o.line) lines.push_back(i.line);
  }
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  std::string text;
  for (int line : lines) {
    if (line > 0 && size_t(line) <= source.size())
      text += fmt::format("{:>5}  {}\n", line, source[size_t(line) - 1]);
    else
      text += "       (of no line of the file)\n";
    for (const auto& i : f.ptx) {
      if (i.line != line) continue;
      if (!i.label.empty()) text += fmt::format("{:>22}  {}:\n", "", i.label);
      const std::string count = i.executed >= 0 ? std::to_string(i.executed) : "";
      text += fmt::format("{:>20}    {}{}\n", count, i.text, i.other.empty() ? "" : "   // " + i.other);
    }
    if (o.sass)
      for (const auto& i : f.sass)
        if (i.line == line) text += fmt::format("{:>20}    | {:04x}  {}\n", "", i.at, i.text);
  }
  return text;
}

}  // namespace

int cmd_code(const CodeOptions& o) {
  Catalog catalog = open_catalog();
  const Step& step = step_or_program(catalog, o.run.step);
  run::RunRequest r = request_of(o.run);
  set_program(r, catalog, step);
  r.step = step.id();
  if (r.who != run::Who::reference) r.who = run::Who::student;
  run::WorkerClient client;
  r.code = true;
  r.code_counts = o.counts;
  const Answer a = ask(client, r);
  if (!a.code) throw Error("the worker gave no listing", 71);
  const CodeListing& c = *a.code;
  std::string text;
  if (o.run.json) {
    text = to_json(c, 2) + "\n";
  } else if (c.functions.empty() && a.exit_status != 0) {
    for (const auto& d : c.diagnostics)
      text += fmt::format("{}:{}:{}: {}: {}\n", d.where.file, d.where.line, d.where.column,
                          to_string(d.severity), d.message);
  } else {
    const fs::path file =
        r.who == run::Who::reference ? catalog.reference_file(step) : catalog.student_file(step);
    std::vector<std::string> source;
    std::istringstream in(read_or_empty(file));
    for (std::string line; std::getline(in, line);) source.push_back(line);
    text += fmt::format("{}: PTX for {}{}\n", c.file, c.target,
                        c.no_machine_code.empty() ? ", machine code for " + c.machine : "");
    if (!c.no_machine_code.empty())
      text += "no machine code: " + c.no_machine_code + "\n";
    else if (o.sass && c.disassembler.empty())
      text += c.no_disassembler + "\n";
    if (o.counts && !c.ran) text += "no counts: " + c.not_ran + "\n";
    for (const auto& f : c.functions) {
      const std::string body = describe(f, source, o);
      if (o.line && body.empty()) continue;
      text += fmt::format("\n{} {}: {}{} PTX instructions, {} of machine code\n",
                          f.kernel ? "kernel" : "function", f.name, f.kernel ? resources_text(f) + ", " : "",
                          f.ptx.size(), f.sass.size());
      text += body;
    }
    if (o.line && text.find("\n\n") == std::string::npos) {
      text += o.line > int(source.size())
                  ? fmt::format("\nthe file has {} lines, so no line {}\n", source.size(), o.line)
                  : fmt::format("\nline {} became no code\n", o.line);
    }
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  return a.exit_status;
}

}  // namespace dojo::cli
