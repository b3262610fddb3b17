#include "gui/model/text/gate_words.hpp"

#include "core/gates/gate.hpp"
#include "gui/model/verdict.hpp"

namespace dojo::gui {

std::string gate_unit(const GateReport& g, const ReportDevice& device) {
  // One name before the comparison: "time_us <= 0.9 * reference(previous)".
  const size_t at = g.op.empty() ? std::string::npos : g.name.rfind(g.op);
  if (at == std::string::npos) return "";
  const std::string left = g.name.substr(0, g.name.find(' '));
  return left.size() + 1 == at && left.ends_with("_us") ? std::string(" ") + time_unit(device) : "";
}

std::string gate_says(const GateReport& g) {
  return g.pass && !g.words.empty() ? "If it fails: " + g.words : g.words;
}

std::string bound_words(const GateReport& g) {
  // After the comparison: a plain number says itself.
  const size_t at = g.op.empty() ? std::string::npos : g.name.rfind(g.op);
  if (at == std::string::npos) return "";
  const std::string right = g.name.substr(at + g.op.size());
  if (right.find_first_not_of("0123456789.eE+-_ ") == std::string::npos) return "";
  return bound_text(g);
}

}  // namespace dojo::gui
