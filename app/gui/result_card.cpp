#include "gui/result_card.hpp"

#include <fmt/format.h>

#include "core/text/escape.hpp"
#include "gui/model/text/gate_words.hpp"
#include "gui/model/verdict.hpp"
#include "gui/plot/axis.hpp"
#include "run/verdict/shown.hpp"

namespace dojo::gui {

namespace {
/// Without what a click does in the window.
std::string detail_on_paper(const Headline& h) {
  const size_t click = h.detail.find("; click");
  return click == std::string::npos ? h.detail : h.detail.substr(0, click) + ".";
}

/// "Line 11: Race: thread 0 reads data[16] …"
std::string found_words(const Diagnostic& d) {
  return (d.where.line > 0 ? fmt::format("Line {}: ", d.where.line) : "") + d.message;
}
}  // namespace

std::string result_card(const Step& step, const Report& report, const CardWords& words) {
  const auto *mine = student_run(report), *reference = reference_run(report);
  std::string out = fmt::format(
      "<!doctype html><html lang=en><meta charset=utf-8><title>{0}</title><style>body{{font:16px/1.5 "
      "system-ui,sans-serif;max-width:46em;margin:2em auto;padding:0 1em}}table{{border-collapse:collapse}}"
      "td,th{{padding:.3em .8em;border-bottom:1px solid #ccc;text-align:left;vertical-align:top}}"
      "img{{max-width:100%}}</style><h1>{0}</h1>",
      escape_markup(words.title));
  if (mine) {
    const Headline h = headline(*mine);
    out += fmt::format("<p><strong>{}</strong> {}</p>", escape_markup(h.title),
                       escape_markup(detail_on_paper(h)));
    if (const auto found = errors_first(*mine); !found.empty())
      out += fmt::format("<p>{}</p>", escape_markup(found_words(*found.front())));
  }
  std::string times;
  for (auto& [name, run] : {std::pair{words.who, mine}, {std::string("Reference"), reference}})
    if (run && run->time_us.value > 0)
      times += fmt::format("<tr><td>{}</td><td>{}, {}</td></tr>", escape_markup(name),
                           time_on(report.device, run->time_us.value), to_string(run->time_us.source));
  if (!times.empty()) out += "<table><tr><th>Run</th><th>Time</th></tr>" + times + "</table>";
  // As the window has it below its times: of a kernel with a race they are no praise.
  if (const char* doubt = mine ? time_doubt(*mine) : ""; *doubt && reference)
    if (const std::string ratio = ratio_text(mine->time_us.value, reference->time_us.value); !ratio.empty())
      out += fmt::format("<p>{}{}.</p>", escape_markup(doubt), escape_markup(ratio));
  if (mine && !mine->gates.empty()) {
    out += "<h2>Gates</h2><table><tr><th></th><th>Gate</th><th>Value</th><th>Here</th></tr>";
    for (auto& g : mine->gates) {
      const std::string unit = gate_unit(g, report.device), bound = bound_words(g);
      out += fmt::format("<tr><td>{}</td><td><code>{}</code>{}</td><td>{}{}</td><td>{}</td></tr>",
                         g.pass ? "holds" : "fails", escape_markup(g.name),
                         g.pass || g.words.empty() ? "" : "<br>" + escape_markup(g.words), number(g.value),
                         unit, bound.empty() ? "" : bound + unit);
    }
    out += "</table>";
  }
  if (!words.picture.empty())
    out +=
        fmt::format("<p><img src=\"{}\" alt=\"The result in the window\"></p>", escape_markup(words.picture));
  return out + fmt::format("<p>{}</p></html>\n", escape_markup(card_facts(step, report, words.when)));
}

std::string card_facts(const Step& step, const Report& report, const std::string& when) {
  const std::string size = size_text(report.size);
  return fmt::format("{}, {}{}. {}.", step.id(), report.device.title, size.empty() ? "" : ", " + size, when);
}

}  // namespace dojo::gui
