#pragma once
// A graph of launches on its way from traces to times. model_time() (model.cpp) calls the parts in order:
// what a block of each launch costs (block_costs.cpp), what its blocks wait for (dependences.cpp), then the
// schedule of all blocks.
#include <array>
#include <map>
#include <memory>
#include <span>

#include "simt/gpu/device_model.hpp"
#include "simt/time/kinds.hpp"
#include "simt/time/model.hpp"
#include "simt/time/schedule.hpp"
#include "simt/time/sm.hpp"

namespace dojo::simt {

struct TimeModel {
  const DeviceModel& device;
  const ptx::Module& module;
  std::span<const LaunchNode> nodes;
  std::span<const LaunchTrace> traces;
  std::span<const MemoryTotals> memory;
  std::span<const std::vector<BlockEnd>> ends;

  std::vector<ScheduledLaunch> scheduled;
  /// What a block of a launch does alone on an SM.
  struct Alone {
    std::unique_ptr<ShapeTable> shapes;
    SmInputs inputs;
    std::map<std::pair<uint64_t, uint32_t>, std::vector<double>> ways;  // by signature, of a warp
  };
  std::vector<Alone> singles;  // by launch
  std::vector<ModelledLaunch> out;

  void launch(uint32_t i);
  /// Blocks of a cluster of the launch: its attribute, or what the kernel was compiled for; 1: no cluster.
  uint64_t cluster_blocks(uint32_t i) const;
  /// SMs that have room for blocks of the launch.
  uint64_t sms(uint32_t i) const;
  void toy(uint32_t i, const Kinds&);
  /// What the caches moved for the launch.
  MemoryTotals totals(uint32_t i) const { return memory.size() > i ? memory[i] : MemoryTotals{}; }
  void detailed(uint32_t i, const Kinds&);
  struct FullSm {
    SmResult sm;
    double drained = 0;  ///< cycles, over both phases of the L2
  };
  uint64_t blocks_to_simulate(uint32_t i, uint64_t per_sm, int resident) const;
  SmInputs sm_inputs(uint32_t i, std::vector<const BlockTrace*> order, int resident);
  static FullSm simulate_full(SmInputs&, const MemoryTotals&);
  std::array<double, 2> slowdown_beside_waits(SmInputs single, const SmResult& alone);
  double fit_load(const Kinds&, const std::vector<const BlockTrace*>& order, const SmInputs&, const FullSm&,
                  std::vector<double>& work);
  static double shared_load(const SmResult&);
  void figures(uint32_t i, const Kinds&, const std::vector<const BlockTrace*>& order, const SmResult&);
  void dependences(uint32_t i);
  void keep_standing(uint32_t i);
  double passed_at(uint32_t i, const BlockTrace&, uint32_t warp, uint32_t step, bool inclusive);
  const std::vector<double>& way_of(uint32_t i, const BlockTrace&, uint32_t warp);
  void bounds(uint32_t i, const SmResult&, double share);
  void utilisation(uint32_t i);
  void write_back_rest();
};

}  // namespace dojo::simt
