#pragma once
// A step's file on its way to a report: inputs, places of files, runs and references, each made once for a
// request.
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/gates/place.hpp"
#include "core/problem.hpp"
#include "run/execute.hpp"
#include "run/runner.hpp"

namespace dojo::run {

/// The step's default with the wanted extents in their places. A lone number has the name "".
Size resolve_size(const Step&, const Size& defaults, const Size& wanted);

/// Throws Error, in words for the student, where the step's instructions need a newer GPU than the device.
void refuse_old_device(const Catalog&, const Step&, const DeviceInfo&);

/// One configuration in which a step runs.
struct Config {
  std::string device;
  Size size;
  uint64_t seed = 1;
  bool lines = false, blocks = false;
  bool twice = false;  ///< Job::twice
};

class StepRunner {
 public:
  StepRunner(const Catalog& catalog, const RunRequest& request, const RunHooks& hooks)
      : catalog_(catalog), request_(request), hooks_(hooks), step_(catalog.find(request.step)) {}
  Report run();
  Report traced(StepTrace& out);
  CodeListing listed();

 private:
  /// The same block once more, compiled as written, for the names of its variables. It may fail: then there
  /// are none.
  void name_by_source(Job j, const Config& c, StepTrace& out);
  Report replayed(const std::string& device);
  fs::path reference_ptx(const Step& s) const;
  bool has_reference(const Step& s) const;
  std::string shown(const fs::path& p) const;
  std::string source_of(const fs::path& p) const;
  static std::string instance_key(const Step& s, const Size& size, uint64_t seed);
  const Instance& instance(const Step& s, const Size& size, uint64_t seed);
  /// Of the problem instance. Where a run came out of the cache, so do they: no inputs are made for them.
  const std::map<std::string, double>& quantities(const Step& s, const Size& size, uint64_t seed);
  Job job(const Step& s, const Config& c, std::string who);
  /// The request carries the file's text, since the child can't read it.
  bool is_given(const fs::path& file) const;
  std::string text_of(const fs::path& file) const;
  RunReport once(const fs::path& file, const Config& c, bool debug);
  /// As once(), of optimised code, without findings that only the optimiser made
  /// (run/verdict/hoisted_loads.hpp).
  RunReport once_as_meant(const fs::path& file, const Config& c);
  /// The step's small, awkward size for inputs of this seed. `c` names the device, if that is a modelled one.
  Config small_config(const Config& c) const;
  /// A file in the student's place, with all that leads to its verdict.
  RunReport judged(const fs::path& file, const Config& c);
  RunReport student(const Config& c);
  /// Adds a note to a run at its time limit that was larger than the step is at by itself.
  void note_size(RunReport& r, const Config& c) const;
  /// Adds a note when a stored wrong version of the step fails in the same way, and the untouched file not.
  void name_mistake(RunReport& r, const Config& c);
  /// A verdict on a file of the course's own, from the cache folder or fresh. Nothing when it isn't there and
  /// `may_run` is false.
  std::optional<RunReport> judged_once(const fs::path& file, const Config& c, bool may_run);
  /// The same file at a small, awkward size, compiled as written: the optimiser hides what it moves.
  void check_small(const fs::path& file, RunReport& r, const Config& c);
  void check_at(const fs::path& file, RunReport& r, const Config& small);
  /// Where a gate is judged; what its place leaves open is drawn.
  Config where_judged(const gates::Place&, uint64_t seed) const;
  /// The step's gates, on the devices and sizes that lab.toml names. `self` is the run itself when the gates
  /// may look at it; `again` runs the same file in the configuration of the gates when it is another one.
  void judge(RunReport& r, const Config& c, const RunReport* self, const std::string* source,
             const std::function<RunReport(const Config&)>& again);
  /// The default bounds, against the reference in the same configuration. On a GPU only where the reference
  /// runs anyway.
  void judge_bounds(RunReport& r, const Config& c);
  /// Whether the step's own reference misses a gate here, where its machine code is estimated.
  bool reference_misses(const GateDef&, const Config&);
  /// The text of the step's reference, read once; nothing where there is only PTX.
  const std::optional<std::string>& reference_source();
  GateReport judge_one(const GateDef& def, const Config& g, const RunReport& run, const std::string* source);
  /// A reference's run, without gates: from memory, from the cache folder, or fresh.
  const RunReport& reference(const Step& s, const Config& c);

  const Catalog& catalog_;
  const RunRequest& request_;
  const RunHooks& hooks_;
  const Step& step_;
  DeviceInfo device_info_;
  std::map<std::string, Instance> instances_;
  std::map<std::string, std::map<std::string, double>> quantities_;  ///< by instance_key
  std::map<std::string, RunReport> references_;
  std::optional<std::optional<std::string>> reference_source_;
  std::map<std::string, bool> missed_;     ///< by gate, device and size
  std::map<fs::path, std::string> texts_;  ///< of files that aren't on disk
};

}  // namespace dojo::run
