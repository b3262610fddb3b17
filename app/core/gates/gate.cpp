#include "core/gates/gate.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/counters.hpp"
#include "core/error.hpp"
#include "core/gates/gate_parse.hpp"
#include "core/gates/run_quantities.hpp"
#include "core/host_work.hpp"
#include "core/text/numbers.hpp"

namespace dojo {
namespace {

using namespace gates;

bool is_counter_name(const std::string& n) {
  const auto composite = composite_aliases();
  return find_counter(n) || std::find(composite.begin(), composite.end(), n) != composite.end();
}

bool is_kernel(const LaunchReport& l, const std::string& name) {
  return l.kernel == name || l.kernel.substr(0, l.kernel.find('<')) == name;
}

bool has_idle(const RunReport& run) { return !std::all_of(run.launches.begin(), run.launches.end(), works); }

/// A run that holds its working launches only: all, or those of one kernel.
RunReport only_working(const RunReport& run, const std::string& kernel = {}) {
  RunReport some;
  for (const auto& l : run.launches)
    if (works(l) && (kernel.empty() || is_kernel(l, kernel))) {
      some.launches.push_back(l);
      some.time_us.value += l.time_us;
    }
  return some;
}

std::vector<std::string> parts_of(const std::string& opcode) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= opcode.size();) {
    const size_t dot = std::min(opcode.find('.', at), opcode.size());
    parts.push_back(opcode.substr(at, dot - at));
    at = dot + 1;
  }
  return parts;
}

/// "ld.global.v4" stands for ld.global.v4.f32 and for ld.global.nc.v4.u32: its parts occur in this order,
/// the first of them first.
bool is_opcode(const std::string& opcode, const std::vector<std::string>& wanted) {
  const std::vector<std::string> parts = parts_of(opcode);
  if (wanted[0][0] == '%') return opcode.starts_with(wanted[0]);  // a special register
  if (parts[0] != wanted[0]) return false;
  size_t found = 1;
  for (size_t i = 1; i < parts.size() && found < wanted.size(); ++i) found += parts[i] == wanted[found];
  return found == wanted.size();
}

/// How often a warp executed such instructions, over the working launches.
double executed_ptx(const RunReport& run, const std::string& wanted) {
  const std::vector<std::string> parts = parts_of(wanted);
  double n = 0;
  for (const auto& l : run.launches)
    if (works(l))
      for (auto it = l.counters.lower_bound(opcode_prefix);
           it != l.counters.end() && it->first.starts_with(opcode_prefix); ++it)
        if (is_opcode(it->first.substr(std::strlen(opcode_prefix)), parts)) n += it->second;
  return n;
}

/// Which launches count: all, or those alone that work (run/verdict/working.hpp). Idle launches cost what
/// they cost, and earn nothing: the side of a bound that helps a run to pass counts working launches only.
enum class Counted { all, working };

class Evaluator {
 public:
  /// `left`: what reference() evaluates, with `left_counted`.
  Evaluator(const std::string& expr, const GateContext& context, const Node* left,
            Counted counted = Counted::all, Counted left_counted = Counted::all)
      : expr_(expr), context_(context), left_(left), counted_(counted), left_counted_(left_counted) {}

  double value(const Node& n) const {
    switch (n.kind) {
      case Node::number:
        return n.value;
      case Node::name:
        return name(n);
      case Node::negate:
        return -value(*n.items[0]);
      case Node::add:
        return value(*n.items[0]) + value(*n.items[1]);
      case Node::subtract:
        return value(*n.items[0]) - value(*n.items[1]);
      case Node::multiply:
        return value(*n.items[0]) * value(*n.items[1]);
      case Node::divide: {
        const double a = value(*n.items[0]), b = value(*n.items[1]);
        return b == 0 && a == 0 ? 0 : a / b;  // nothing per nothing: an empty run has no conflicts a block
      }
      case Node::call:
        return call(n);
      case Node::kernel: {
        const RunReport some = only_working(run(n), n.text);
        if (some.launches.empty())
          throw Error(std::any_of(run(n).launches.begin(), run(n).launches.end(),
                                  [&](const LaunchReport& l) { return is_kernel(l, n.text); })
                          ? "No launch of " + n.text + " writes anything that is used."
                          : "No kernel named " + n.text + " was launched.");
        return of_launches(some, n);
      }
      case Node::worked:
        return of_launches(only_working(run(n)), n);
      case Node::calls:
        return host_count(run(n), "call." + n.text);
      case Node::ptx:
        return executed_ptx(run(n), n.text);
      case Node::source:
        if (auto it = context_.quantities.find(source_quantity(n.text)); it != context_.quantities.end())
          return it->second;
        fail(expr_, n.at, "there is no source text to look at");
      case Node::reference: {
        if (!left_) fail(expr_, n.at, "reference() needs a left-hand side to compare with");
        if (!context_.reference) fail(expr_, n.at, "no reference runs are at hand");
        GateContext inner = context_;
        inner.run = &context_.reference(n.text);
        std::erase_if(inner.quantities, [](const auto& q) { return q.first.starts_with("source("); });
        return Evaluator(expr_, inner, nullptr, left_counted_).value(*left_);
      }
    }
    return 0;
  }

 private:
  const RunReport& run(const Node& n) const {
    if (!context_.run) fail(expr_, n.at, "there is no run to look at");
    return *context_.run;
  }
  double of_launches(const RunReport& some, const Node& n) const {
    GateContext inner = context_;
    inner.run = &some;
    return Evaluator(expr_, inner, nullptr).value(*n.items[0]);
  }

  /// Sum of a counter over the launches that count.
  double counter(const std::string& name) const {
    return counted_ == Counted::working ? total(only_working(*context_.run), name)
                                        : total(*context_.run, name);
  }

  double name(const Node& n) const {
    if (context_.run && counted_ == Counted::working && n.text == "time_us" && has_idle(*context_.run))
      return only_working(*context_.run).time_us.value;
    if (context_.run && is_run_quantity(n.text)) return run_quantity(*context_.run, n.text);
    if (auto it = context_.quantities.find(n.text); it != context_.quantities.end()) return it->second;
    if (context_.run) {
      if (is_counter_name(n.text)) return counter(n.text);
      for (const auto& l : context_.run->launches)
        if (l.counters.count(n.text)) return counter(n.text);
    }
    fail(expr_, n.at,
         is_run_quantity(n.text) || is_counter_name(n.text) ? "there is no run to take '" + n.text + "' from"
                                                            : "unknown name '" + n.text + "'");
  }

  double call(const Node& n) const {
    double v = value(*n.items[0]);
    if (n.text == "ceil") return std::ceil(v);
    if (n.text == "floor") return std::floor(v);
    if (n.text == "abs") return std::fabs(v);
    if (n.text == "pow2") return std::exp2(v);
    for (size_t i = 1; i < n.items.size(); ++i) {
      const double x = value(*n.items[i]);
      v = n.text == "min" ? std::min(v, x) : std::max(v, x);
    }
    return v;
  }

  const std::string& expr_;
  const GateContext& context_;
  const Node* left_;
  Counted counted_, left_counted_;
};

std::string lint_node(const std::string& expr, const Node& n) {
  if (n.kind == Node::name && n.text.find("__") != std::string::npos && !is_counter_name(n.text))
    return "gate '" + expr + "': unknown counter '" + n.text + "'";
  for (const auto& i : n.items)
    if (auto e = lint_node(expr, *i); !e.empty()) return e;
  return {};
}

bool mentions(const Node& n, Node::Kind kind) {
  if (n.kind == kind) return true;
  return std::any_of(n.items.begin(), n.items.end(), [&](const NodePtr& i) { return mentions(*i, kind); });
}

bool absolute_time(const Node& n) {
  if (n.kind == Node::name) return is_time(n.text);
  return std::any_of(n.items.begin(), n.items.end(), [](const NodePtr& i) { return absolute_time(*i); });
}

}  // namespace

GateReport evaluate(const GateDef& def, const GateContext& context) {
  const Gate gate = parse_gate(def.expr);
  GateReport report;
  report.name = def.expr;
  report.words = def.words;
  report.op = gate.op;
  const bool least = gate.op == ">=" || gate.op == ">", most = gate.op == "<=" || gate.op == "<";
  const Counted left = least ? Counted::working : Counted::all,
                right = most ? Counted::working : Counted::all;
  report.value = Evaluator(def.expr, context, gate.left.get(), left, left).value(*gate.left);
  report.bound = Evaluator(def.expr, context, gate.left.get(), right, left).value(*gate.right);
  const double v = report.value, b = report.bound;
  // Counters are exact, but quotients of them are rounded: forgive that much and no more. What is infinite (a
  // number per nothing) is compared as it is: an infinite slack would pass every bound.
  const double larger = std::max(std::fabs(v), std::fabs(b)), slack = std::isinf(larger) ? 0 : 1e-9 * larger;
  if (std::isnan(v) || std::isnan(b))
    report.pass = false;
  else if (gate.op == "==")
    report.pass = v == b || std::fabs(v - b) <= slack;
  else if (gate.op == "<=")
    report.pass = v <= b + slack;
  else if (gate.op == ">=")
    report.pass = v >= b - slack;
  else if (gate.op == "<")
    report.pass = v < b;
  else
    report.pass = v > b;
  return report;
}

std::string bound_text(const GateReport& g) {
  const bool most = g.op == "<=", least = g.op == ">=";
  const double b = std::fabs(g.bound) < 1000 ? g.bound
                   : most                    ? std::floor(g.bound)
                   : least                   ? std::ceil(g.bound)
                                             : g.bound;
  const char* words = most          ? "at most "
                      : least       ? "at least "
                      : g.op == "<" ? "less than "
                      : g.op == ">" ? "more than "
                                    : "exactly ";
  return words + number(b);
}

double evaluate_expr(const std::string& expr, const GateContext& context) {
  const NodePtr n = parse_expression(expr);
  return Evaluator(expr, context, nullptr).value(*n);
}

std::string lint_gate(const std::string& expr) {
  try {
    const Gate g = parse_gate(expr);
    for (const Node* side : {g.left.get(), g.right.get()})
      if (auto e = lint_node(expr, *side); !e.empty()) return e;
    if (mentions(*g.left, Node::reference))
      return "gate '" + expr + "': reference() belongs on the right-hand side";
    if (absolute_time(*g.left) && !mentions(*g.right, Node::reference) && !absolute_time(*g.right))
      return "gate '" + expr + "': a gate never bounds a time itself, only a ratio of two modelled ones";
    return {};
  } catch (const Error& e) {
    return e.what();
  }
}

}  // namespace dojo
