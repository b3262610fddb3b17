#include "grade/starter.hpp"

#include <algorithm>

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

bool results_earned(const Starter& starter, const RunReport& run) {
  if (!starter.right) return true;
  return std::any_of(run.gates.begin(), run.gates.end(),
                     [&](const GateReport& g) { return g.pass && !starter.meets(g.name); });
}

}  // namespace dojo::grade
