#include "gui/result_card.hpp"

#include <fmt/format.h>

#include "gui/model/verdict.hpp"
#include "gui/plot/axis.hpp"

namespace dojo::gui {

namespace {
std::string html(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}
}  // namespace

std::string result_card(const Step& step, const Report& report, const std::string& when,
                        const std::string& picture) {
  const auto *mine = student_run(report), *reference = reference_run(report);
  std::string out = fmt::format(
      "<!doctype html><html lang=en><meta charset=utf-8><title>{0}</title><style>body{{font:16px/1.5 "
      "system-ui,sans-serif;max-width:40em;margin:2em auto;padding:0 1em}}table{{border-collapse:collapse}}"
      "td,th{{padding:.3em .8em;border-bottom:1px solid #ccc;text-align:left}}img{{max-width:100%}}"
      "</style><h1>{0}</h1>",
      html(step.title.empty() ? step.id() : step.title));
  if (mine) {
    const Headline h = headline(*mine);
    out += fmt::format("<p><strong>{}</strong> {}</p>", html(h.title), html(h.detail));
  }
  out += "<table><tr><th>Run</th><th>Time</th></tr>";
  for (auto& [name, run] : {std::pair{"You", mine}, {"Reference", reference}})
    if (run && run->time_us.value > 0)
      out += fmt::format("<tr><td>{}</td><td>{}, {}</td></tr>", name,
                         time_on(report.device, run->time_us.value), to_string(run->time_us.source));
  out += "</table>";
  if (mine && !mine->gates.empty()) {
    out += "<h2>Gates</h2><table>";
    for (auto& g : mine->gates)
      out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>", g.pass ? "holds" : "fails",
                         html(g.name), number(g.value));
    out += "</table>";
  }
  if (!picture.empty())
    out += fmt::format("<p><img src=\"{}\" alt=\"The result in the window\"></p>", html(picture));
  const std::string size = size_text(report.size);
  return out + fmt::format("<p>{}, {}{}. {}.</p></html>\n", html(step.id()), html(report.device.title),
                           size.empty() ? "" : ", " + html(size), html(when));
}

}  // namespace dojo::gui
