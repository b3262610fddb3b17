#include "gui/model/text/code_under.hpp"

#include <algorithm>

namespace dojo::gui {

CodeRows lay_out_code(const CodeListing& c, int line, CodeKind kind, bool only) {
  CodeRows out;
  if (kind == CodeKind::sass)
    out.note = !c.no_machine_code.empty() ? "No machine code: " + c.no_machine_code + "."
               : c.disassembler.empty()   ? c.no_disassembler
                                          : "";
  if (!out.note.empty() && out.note.front() >= 'a' && out.note.front() <= 'z')
    out.note.front() = char(out.note.front() - 'a' + 'A');
  uint64_t most = 0;
  for (const auto& f : c.functions) {
    const auto& list = kind == CodeKind::ptx ? f.ptx : f.sass;
    if (kind == CodeKind::sass && list.empty()) continue;
    CodeRow head;
    head.kind = CodeRow::function;
    head.text = f.name;
    if (f.kernel) head.detail = resources_text(f);
    const size_t at = out.rows.size();
    out.rows.push_back(std::move(head));
    for (const auto& i : list) {
      ++out.instructions;
      const bool lit = line > 0 && i.line == line;
      if (only && !lit) continue;
      if (!i.label.empty()) {
        CodeRow l;
        l.kind = CodeRow::label;
        l.text = i.label + ":";
        l.line = i.line;
        out.rows.push_back(std::move(l));
      }
      CodeRow r;
      r.text = i.text;
      r.detail = i.other;
      r.line = i.line;
      r.lit = lit;
      if (kind == CodeKind::sass) {
        char text[16];
        std::snprintf(text, sizeof text, "%04x", i.at);
        r.where = text;
      } else if (i.executed >= 0) {
        r.counted = true;
        r.executed = uint64_t(i.executed);
        most = std::max(most, r.executed);
      }
      if (lit) {
        ++out.lit;
        if (out.first_lit < 0) out.first_lit = int(out.rows.size());
      }
      out.rows.push_back(std::move(r));
    }
    if (only && out.rows.size() == at + 1) out.rows.pop_back();  // nothing of this function
  }
  for (auto& r : out.rows)
    if (r.counted && most) r.heat = double(r.executed) / double(most);
  return out;
}

std::string became(const CodeListing& c, int line) {
  size_t ptx = 0, sass = 0;
  for (const auto& f : c.functions) {
    ptx += size_t(std::count_if(f.ptx.begin(), f.ptx.end(), [&](auto& i) { return i.line == line; }));
    sass += size_t(std::count_if(f.sass.begin(), f.sass.end(), [&](auto& i) { return i.line == line; }));
  }
  if (ptx + sass == 0) return "";
  return std::to_string(ptx) + " PTX, " + std::to_string(sass) + " machine instructions";
}

}  // namespace dojo::gui
