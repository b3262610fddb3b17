#pragma once
// An SM's way to memory. Every access passes the load/store unit; a global one goes on, as far as it must,
// through L1, L2 and DRAM. Each stage takes a MemoryRequest and a cycle and gives the cycle at which the
// access leaves it:
//
//   access ── load/store unit ──┬── shared memory ───────────────────────────────────┐
//                               └── L1 ── L2 ── atomic queue ── DRAM ── lines in flight ┴── data banks ──
//                               done
//
// What the L2 and DRAM give is one SM's share of them (queues.hpp). Which sectors hit where was found by the
// caches beforehand and comes with the operation (StreamOp); here only time passes.
#include <array>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simt/gpu/device_model.hpp"
#include "simt/time/queues.hpp"
#include "simt/time/request.hpp"
#include "simt/time/sm.hpp"
#include "simt/time/stream.hpp"

namespace dojo::simt {

class SmMemory {
 public:
  /// Adds what each resource was busy to the result; both must outlive it.
  SmMemory(const SmInputs&, SmResult&);
  /// The earliest cycle from t on at which the unit accepts the operation. If it is later than t, `why` says
  /// what delays it.
  int64_t throttle(const ptx::ShapeOp&, int64_t t, Stall* why) const;
  /// A warp's stores and atomics, in cycles.
  struct Stores {
    int64_t sent = 0;     ///< the last has left the load/store unit
    int64_t arrived = 0;  ///< all have reached the L2
    std::array<uint32_t, 8>
        parts{};  ///< half_line + 1 of stores of parts of sectors since its last load; 0: none
  };
  /// Issues an access (or shuffle) at t. Returns the cycle at which its result is there; `why` is the stall
  /// of an instruction that waits for it. A store or atomic updates `stores`.
  int64_t access(const StreamOp&, int64_t t, Stall* why, Stores* stores);
  /// Issues a load of constants whose lanes name `words` different words. Returns the cycle of its result.
  int64_t constant(int words, int64_t t);
  /// The cycle at which the unit that executes operations of `pipe` has finished those before.
  int64_t unit_free(ptx::Pipe pipe) const {
    return pipe == ptx::Pipe::constant ? constants_free_ : pipe == ptx::Pipe::tex ? tex_free_ : unit_free_;
  }
  /// Cycles that a request sent at t waits behind the SM's other requests, and behind its atomics in the
  /// busiest atomic queue.
  int64_t behind(int64_t t) const {
    return std::max({t, sent_, int64_t(std::max(l2_.free(), atomic_queue_free_))}) - t;
  }
  /// The cycle at which everything sent so far has passed L2 and DRAM.
  int64_t drained() const;

 private:
  // ---- Load/store unit
  /// Does the access wait for data that the L1 doesn't hold, so that it needs an MSHR?
  bool needs_mshr(const StreamOp&, int64_t t) const;
  /// The cycle from t on at which an MSHR is free. They are freed in their order.
  int64_t wait_for_mshr(int64_t t);
  /// An access by the texture units, which stand beside the load/store unit and share its way on. A texture's
  /// `lsu_wavefronts` are samples: of so many bits that one unit gives one per cycle.
  int64_t texture_access(const StreamOp&, int64_t t, Stall* why, Stores* stores);
  /// A global or local access that starts at `begin` and keeps the unit for `unit_cycles`: the cycle of its
  /// data.
  int64_t global_access(const StreamOp&, int64_t begin, int64_t unit_cycles, Stores* stores);

  /// An access of another block's shared memory, begun at `begin`: the cycle at which it has its data, or at
  /// which its stores have left. The SM's port to the others takes requests in order.
  int64_t remote_access(const StreamOp&, int64_t begin, Stores* stores);

  // ---- Stages of a global access
  MemoryRequest classify(const StreamOp&, int64_t begin, Stores*);
  /// Bytes that a store sends the L2.
  double stored_bytes(const StreamOp&, Stores& last) const;
  static bool joins_stored_parts(const StreamOp&, Stores& last);
  /// A hit: the data are there at `l1_done`, or when the line that is in flight arrives.
  int64_t answer_from_l1(const MemoryRequest&, int64_t begin, int64_t l1_done);
  /// Bytes of loads in whose time the L2 takes an atomic's packets.
  double atomic_bytes(const StreamOp&) const;
  /// Sends the request to the L2. Sets `sent_`; returns the cycle of the L2's answer.
  int64_t pass_l2(const MemoryRequest&, int64_t begin);
  /// An atomic's turn in the busiest atomic queue, which all SMs share.
  int64_t pass_atomic_queue(const MemoryRequest&, int64_t begin, int64_t done);
  /// The SM's share of DRAM's reads and write-backs.
  int64_t pass_dram(const MemoryRequest&, int64_t done);
  /// Lines in flight: enters a line that DRAM was asked for, or waits for one that is coming already.
  int64_t join_lines_in_flight(const MemoryRequest&, int64_t done);

  /// The cycle from t on at which the SM has room for `bytes` more bytes of loads in flight.
  int64_t wait_for_room(double bytes, int64_t t);
  /// Cycles from the L2's own latency to its answer: less for the near half, more for the far one.
  int64_t half_offset(const MemoryRequest&) const;
  /// DRAM's latency for a request, from when it is served.
  int64_t dram_latency(const MemoryRequest&) const;
  /// Cycles that a load reaching DRAM at t waits because its part of DRAM writes or is refreshed.
  double wait_for_read_turn(uint32_t half_line, double t, double now) const;
  /// With l1_emptied_every: has the L1 been emptied since this half line was last accessed?
  bool l1_lost(uint32_t half_line, int64_t t);

  const SmInputs& in_;
  const DeviceModel& m_;
  SmResult& r_;

  // Rates of this SM's share, bytes per cycle.
  double l2_rate_, l2_store_rate_, l2_atomic_rate_, read_rate_, write_rate_;
  // Lengths in cycles.
  int64_t address_cycles_;     // of the unit, for a warp's addresses
  int64_t wavefront_cycles_;   // of the unit and the data banks, per wavefront
  double row_cycles_;          // row cycle of a DRAM bank
  double write_burst_cycles_;  // for which a part of DRAM writes before it reads again
  double refresh_cycles_;      // for which a part of DRAM is refreshed
  double atomic_cycles_;       // per sector of an atomic at the busiest line, while the other SMs take turns
  double longest_queue_cycles_;  // at DRAM, when all bytes that the SM may have in flight queue there
  double inflight_capacity_;     // bytes of loads that an SM may have in flight

  // State.
  int64_t unit_free_ = 0, constants_free_ = 0, tex_free_ = 0;
  int64_t sent_ = 0;                                       // cycle of the last request: they leave in order
  double write_cycles_ = 0;                                // for which the SM's share of DRAM has written
  double inflight_bytes_ = 0;                              // of loads
  std::deque<std::pair<int64_t, double>> inflight_loads_;  // cycle of their data, bytes
  std::deque<int64_t> mshrs_;                              // cycle of the data, in issue order
  Calendar data_;                                          // data banks of L1 and shared memory
  SharedQueue l2_, dram_;
  double cluster_port_free_ = 0;
  double atomic_queue_free_ = 0;
  struct LineInFlight {
    uint32_t half_line = ~0u;
    int64_t arrives = 0;
  };
  /// The halves of lines that DRAM was asked for last, by their lowest bits.
  std::vector<LineInFlight> lines_in_flight_ = std::vector<LineInFlight>(4096);
  LineInFlight& line_in_flight(uint32_t half_line) {
    return lines_in_flight_[half_line % lines_in_flight_.size()];
  }
  const LineInFlight& line_in_flight(uint32_t half_line) const {
    return lines_in_flight_[half_line % lines_in_flight_.size()];
  }
  /// With l1_emptied_every: by half line, how often the L1 had been emptied at its last access.
  std::unordered_map<uint32_t, int64_t> l1_generation_;
};

}  // namespace dojo::simt
