#pragma once
// One launch's report from its raw counts and its modelled time, under Nsight Compute's names.
#include <functional>

#include "core/report.hpp"
#include "ptx/executed.hpp"
#include "simt/gpu/device_model.hpp"
#include "simt/time/model.hpp"
#include "simt/trace.hpp"

namespace dojo::simt {

/// What the caches counted for one launch.
struct CacheCounters {
  double l2_bytes = 0, dram_read_bytes = 0, dram_write_bytes = 0;
  double l1_hit_pct = 0;
  /// Sectors: brought from the L2 into an L1; L2 lookups as Nsight Compute counts them
  /// (CacheHierarchy::Totals).
  double l2_read = 0, l2_hits = 0, l2_misses = 0;
};

struct ReportInputs {
  const DeviceModel& model;
  const ptx::Module& module;
  const LaunchNode& node;
  const LaunchTrace& trace;
  const ModelledLaunch& time;
  CacheCounters caches;
  KernelResources resources;
  std::function<std::shared_ptr<const ptx::CodeShape>(uint32_t function)> shape;
  int stream = 0;
  double base_us = 0;  ///< start of the batch on the run's timeline
  bool lines = false, blocks = false;
};

LaunchReport make_report(const ReportInputs&);
/// A function's counts, one entry per PTX instruction, for ptx::count_executed.
std::vector<ptx::Visited> visits_of(const std::vector<InstructionCounts>&, size_t instructions);

}  // namespace dojo::simt
