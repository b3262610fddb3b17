#include "gui/model/teaching/lecture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "core/error.hpp"
#include "core/files/toml_file.hpp"
#include "core/text/error_words.hpp"
#include "core/text/escape.hpp"
#include "gui/model/plots/plots.hpp"
#include "gui/model/session/store.hpp"
#include "gui/model/text/brief.hpp"

namespace dojo::gui {

Deck load_deck(const std::filesystem::path& path, const Catalog* catalog) {
  const std::optional<std::string> text = read_regular_file(path);
  if (!text) throw Error(path.string() + " can't be read");
  const TomlFile file(path, *text);
  const toml::table& t = file.root();
  file.only(t, {"title", "lab", "recording", "left_out", "slide"});
  Deck d;
  d.file = path;
  file.read(t, "title", d.title);
  file.read(t, "lab", d.lab);
  file.read(t, "recording", d.recording);
  if (const toml::node* n = t.get("left_out")) {
    if (!n->is_table()) file.refuse(n, "[left_out] names steps, and says why of each");
    for (auto&& [step, why] : *n->as_table()) {
      if (!why.is_string()) file.refuse(&why, "left_out says why, in words");
      try {
        const std::string id = d.lab + "/" + std::string(step.str());
        d.left_out[catalog ? catalog->find(id).id() : id] = why.as_string()->get();
      } catch (const std::exception& e) {
        file.refuse(&why, error_words(e));
      }
    }
  }
  const auto slides = file.tables(t, "slide");
  if (slides.empty()) throw Error(path.string() + ": a deck needs at least one [[slide]]");
  for (const toml::table* s : slides) {
    file.only(
        *s, {"title", "text", "step", "show", "line", "notes", "hide", "question", "who", "stop", "against"});
    Slide x;
    file.read(*s, "title", x.title);
    file.read(*s, "text", x.text);
    file.read(*s, "step", x.step);
    file.read(*s, "show", x.show);
    file.read(*s, "notes", x.notes);
    file.read(*s, "question", x.question);
    file.read(*s, "stop", x.stop);
    file.read(*s, "hide", x.hide);
    file.read(*s, "line", x.line);
    file.read(*s, "against", x.against);
    if (!x.stop.empty() && x.stop != "conflict" && x.stop != "divergence" && x.stop != "waste" &&
        x.stop != "barrier" && x.stop != "finding")
      file.refuse(s->get("stop"), "stop is conflict, divergence, waste, barrier or finding");
    std::string who;
    file.read(*s, "who", who);
    if (!who.empty() && who != "student" && who != "reference")
      file.refuse(s->get("who"), "who is student or reference");
    x.reference = who == "reference";
    const Lab* lab = catalog ? catalog->find_lab(d.lab) : nullptr;
    if (x.step.empty() && !d.slides.empty())
      x.step = d.slides.back().step;
    else if (x.step.empty() && lab && !lab->steps.empty())
      x.step = lab->steps.front().id();
    if (!x.show.empty() && x.show != "source" && x.show != "reference" && x.show != "motion" &&
        (plot_info(x.show).key != x.show || x.show == "compare"))
      file.refuse(s->get("show"), "there is no plot '" + x.show + "'");
    if (!x.step.empty() && catalog) {
      try {
        catalog->find(x.step);
        if (!x.against.empty()) catalog->find(x.against);
      } catch (const std::exception& e) {
        file.refuse(s, error_words(e));
      }
    }
    d.slides.push_back(std::move(x));
  }
  if (d.title.empty()) d.title = path.stem().string();
  return d;
}

Deck make_deck(const Lab& lab) {
  Deck d;
  d.title = lab.title;
  d.lab = lab.name;
  auto add = [&](const std::string& title, const std::string& step) -> Slide& {
    d.slides.emplace_back();
    d.slides.back().title = title;
    d.slides.back().step = step;
    return d.slides.back();
  };
  add(lab.title, lab.steps.empty() ? "" : lab.steps.front().id()).text = lab.brief;
  for (auto& s : lab.steps) {
    add(s.title, s.id()).text = s.brief;
    add(s.title, s.id()).show = "reference";
    Slide& x = add(s.title, s.id());
    x.text = s.prediction.explain;
    x.show = s.picture.empty() ? "time" : s.picture;
    x.hide = true;
    x.question = s.prediction.question;
  }
  return d;
}

bool Lecture::next() {
  if (at + 1 >= int(deck.slides.size())) return false;
  ++at;
  revealed = false;
  return true;
}

bool Lecture::back() {
  if (at == 0) return false;
  --at;
  revealed = true;  // what was shown once is shown at once
  return true;
}

bool Lecture::advance() {
  if (covered()) {
    revealed = true;
    return true;
  }
  return next();
}

namespace {
std::string html_of(const MdText& text) {
  std::string o;
  for (auto& s : text) {
    std::string e = escape_markup(s.s);
    switch (s.kind) {
      case MdSpan::bold:
        o += "<b>" + e + "</b>";
        break;
      case MdSpan::italic:
        o += "<i>" + e + "</i>";
        break;
      case MdSpan::code:
        o += "<code>" + e + "</code>";
        break;
      case MdSpan::live:
        o += "<b class=live>" + e + "</b>";
        break;
      default:
        o += e;
    }
  }
  return o;
}
std::string html_of(const std::vector<MdBlock>& blocks) {
  std::string o;
  for (auto& b : blocks) switch (b.kind) {
      case MdBlock::heading:
        o += fmt::format("<h{0}>{1}</h{0}>\n", std::min(6, b.level + 1), html_of(b.text));
        break;
      case MdBlock::item:
        o += "<p class=item>" + b.marker + " " + html_of(b.text) + "</p>\n";
        break;
      case MdBlock::quote:
        o += "<blockquote>" + html_of(b.text) + "</blockquote>\n";
        break;
      case MdBlock::rule:
        o += "<hr>\n";
        break;
      case MdBlock::code: {
        o += "<pre>";
        for (auto& l : b.lines) o += escape_markup(l) + "\n";
        o += "</pre>\n";
        break;
      }
      case MdBlock::table: {
        o += "<table>";
        for (auto& r : b.rows) {
          const char* cell = &r == &b.rows.front() ? "th" : "td";
          o += "<tr>";
          for (auto& c : r) o += fmt::format("<{0}>{1}</{0}>", cell, html_of(c));
          o += "</tr>";
        }
        o += "</table>\n";
        break;
      }
      default:
        o += "<p>" + html_of(b.text) + "</p>\n";
    }
  return o;
}
/// An SVG with ids that begin with `mine`.
std::string with_ids(std::string svg, const std::string& mine) {
  for (const char* mark : {" id=\"", "href=\"#", "url(#"}) {
    const std::string m = mark;
    std::string out;
    size_t from = 0;
    for (size_t at; (at = svg.find(m, from)) != std::string::npos; from = at + m.size())
      out += svg.substr(from, at + m.size() - from) + mine;
    svg = out + svg.substr(from);
  }
  return svg;
}

/// A slide's SVGs as part of a page: without their XML heads, with ids that no other picture of the page
/// has. A picture with another's ids would be drawn with the other's letters.
std::string own_ids(const std::string& pictures, size_t slide) {
  static const std::string close = "</svg>";
  std::string out;
  size_t from = 0;
  for (int k = 1; (from = pictures.find("<svg", from)) != std::string::npos; ++k) {
    const size_t end = pictures.find(close, from);
    const size_t behind = end == std::string::npos ? pictures.size() : end + close.size();
    out += with_ids(pictures.substr(from, behind - from), fmt::format("s{}-{}-", slide + 1, k)) + "\n";
    from = behind;
  }
  return out;
}
}  // namespace

float lecture_scale(int width, int height, float own) {
  return std::clamp(1.5f * std::min(float(width) / 1280, float(height) / 720) / own, 0.5f, 6.0f);
}

bool needs_run(const Slide& s) {
  return !s.show.empty() && s.show != "source" && s.show != "reference" && !s.step.empty();
}

std::string deck_html(const Deck& d, const Catalog& catalog, const std::vector<std::string>& pictures,
                      const std::function<const Report*(const std::string& step)>& report_of) {
  std::string o =
      "<!doctype html><html lang=en><meta charset=utf-8><title>" + escape_markup(d.title) +
      "</title><style>"
      "body{font:22px/1.5 Inter,system-ui,sans-serif;background:#0d1015;color:#e7ebf0;margin:0}"
      "section{max-width:1100px;margin:0 auto;padding:48px 32px;border-bottom:1px solid "
      "#262e38;page-break-after:always}"
      "h1,h2{font-size:34px;margin:0 0 18px}pre{font:16px/1.4 'JetBrains "
      "Mono',monospace;background:#1e252e;padding:16px;border-radius:8px;overflow:auto}"
      "code{font-family:'JetBrains Mono',monospace;background:#1e252e;padding:0 .25em;border-radius:4px}"
      "figure{margin:18px 0}figure "
      "svg{width:100%;height:auto;border-radius:8px}.q{color:#56b4e9;font-weight:600}.n{color:#9ca8b5;font-"
      "size:16px}"
      "td,th{padding:4px 14px;text-align:left;border-bottom:1px solid "
      "#262e38}summary{cursor:pointer;color:#56b4e9}"
      "@media print{body{background:#fff;color:#111}pre,code{background:#eee}}</style>\n";
  for (size_t i = 0; i < d.slides.size(); ++i) {
    auto& s = d.slides[i];
    const Step* of = s.step.empty() ? nullptr : &catalog.find(s.step);
    // A covered slide must not tell its result in its text.
    const Report* report = of && report_of && !s.hide ? report_of(of->id()) : nullptr;
    o += "<section><h2>" + escape_markup(s.title) + "</h2>\n" + html_of(render_brief(s.text, of, report));
    std::string shown;
    if ((s.show == "source" || s.show == "reference") && !s.step.empty()) {
      const Step& step = catalog.find(s.step);
      const bool own = s.show == "source";
      if (const auto code =
              read_regular_file(own ? catalog.student_file(step) : catalog.reference_file(step)))
        shown = "<pre>" + escape_markup(*code) + "</pre>\n";
    }
    if (i < pictures.size() && !pictures[i].empty())
      shown += "<figure>" + own_ids(pictures[i], i) + "</figure>\n";
    if (!s.question.empty()) o += "<p class=q>" + escape_markup(s.question) + "</p>\n";
    // Notes answer the question of a covered slide.
    if (!s.notes.empty()) shown += "<p class=n>" + escape_markup(s.notes) + "</p>\n";
    if (s.hide && !shown.empty()) shown = "<details><summary>Show</summary>" + shown + "</details>\n";
    o += shown + "</section>\n";
  }
  return o + "</html>\n";
}

}  // namespace dojo::gui
