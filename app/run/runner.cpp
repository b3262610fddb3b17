#include "run/runner.hpp"

#include "run/own_program.hpp"
#include "run/step/step_runner.hpp"

namespace dojo::run {

Report run_step(const Catalog& catalog, const RunRequest& request, const RunHooks& hooks) {
  if (request.program) return run_program(request, hooks);
  return StepRunner(catalog, request, hooks).run();
}

Report run_trace(const Catalog& catalog, const RunRequest& request, const RunHooks& hooks, StepTrace& out) {
  if (request.program) return trace_program(request, hooks, out);
  return StepRunner(catalog, request, hooks).traced(out);
}

CodeListing list_code(const Catalog& catalog, const RunRequest& request, const RunHooks& hooks) {
  if (request.program) return list_program(request, hooks);
  return StepRunner(catalog, request, hooks).listed();
}

}  // namespace dojo::run
