#include "grade/course/starter.hpp"

#include <algorithm>

#include "core/compile/tokens.hpp"

namespace dojo::grade {

bool Starter::meets(const std::string& gate) const {
  return std::find(met.begin(), met.end(), gate) != met.end();
}

Starter starter_of(const RunReport& run) {
  Starter s;
  s.right = run.status == Status::gate_failed;
  if (s.right)
    for (const GateReport& g : run.gates)
      if (g.pass) s.met.push_back(g.name);
  return s;
}

bool same_program(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto one = compile_detail::tokenize(a), two = compile_detail::tokenize(b);
  const auto same = [](const compile_detail::Token& s, const compile_detail::Token& t) {
    return s.text == t.text;
  };
  return std::equal(one.tokens.begin(), one.tokens.end(), two.tokens.begin(), two.tokens.end(), same) &&
         std::equal(
             one.directives.begin(), one.directives.end(), two.directives.begin(), two.directives.end(),
             [&](const compile_detail::Directive& s, const compile_detail::Directive& t) {
               return s.name == t.name && s.active == t.active &&
                      std::equal(s.tokens.begin(), s.tokens.end(), t.tokens.begin(), t.tokens.end(), same);
             });
}

bool results_earned(const Starter& starter, const RunReport& run) {
  if (!starter.right) return true;
  return std::any_of(run.gates.begin(), run.gates.end(),
                     [&](const GateReport& g) { return g.pass && !starter.meets(g.name); });
}

}  // namespace dojo::grade
