#pragma once
// A modelled GPU: what a file of assets/devices says, and how many blocks of a kernel it holds
// (occupancy.hpp). Rates are per SM and cycle, latencies in cycles. Knows no launch and no trace.
#include <filesystem>
#include <string>
#include <vector>

#include "core/device.hpp"

namespace dojo::simt {

struct TimeRule;

struct DeviceModel {
  DeviceInfo info;
  std::string file;    ///< where it was read, for messages
  int order = 0;       ///< place in lists
  bool toy = false;    ///< every warp instruction takes one cycle; launching and dispatching nothing
  bool alone = false;  ///< blocks of a cluster don't reach each other: mapa gives the block's own address

  int smem_granularity = 128;     ///< bytes
  int l1_kb = 256;                ///< L1 and shared memory together
  std::vector<int> carveouts_kb;  ///< sizes shared memory can take, rising
  int gpcs = 1;  ///< graphics processing clusters; a launch's first blocks go to one of them, the rest in
                 ///< runs to all
  int first_gpc_blocks = 0;  ///< how many those first blocks are
  int joined =
      1;  ///< loads of SMs of one GPC for one line at one time that reach the L2 as one request, at most

  struct Pipes {  ///< lanes a cycle and SM
    double alu = 64, fma = 128, fmaheavy = 64, fp64 = 64, xu = 16, lsu = 32, uniform = 64;
    int tensor_cycles = 4;     ///< issue interval of one HMMA on a quarter SM
    int lsu_issue_cycles = 2;  ///< issue interval of memory instructions on a quarter SM
    int constant_cycles = 2;   ///< of the constant port, per word that a load's lanes name
    double tex =
        4;  ///< filtered texels of up to 32 bits: as many texture units as every GPU here has per SM
            ///< (whitepapers of V100, T4, A100, H100, GA102 and AD102: 320 / 80, 432 / 108, 528 / 132 ...)
    int lsu_queue_cycles =
        64;  ///< work that may wait for the load/store unit before a quarter stops issuing to it
  } pipes;
  struct Latency {  ///< cycles, unloaded
    int alu = 4, fma = 4, fp64 = 8, xu = 18, shared_load = 23, shared_store = 19, l1 = 33, l2 = 200,
        dram = 290, shuffle = 23, tensor = 33;
    int branch = 10;       ///< from a branch that is taken to the next instruction
    int meet = 13;         ///< the same of where lanes that may have parted meet (BSYNC)
    int part = 18;         ///< more, if they had
    int l2_near = 200;     ///< of a line that the SM's half of the L2 holds; `l2` is the mean of near and far
    int dram_crowd = 290;  ///< of a line that many SMs ask for at once, from both sides
    int barrier = 13, barrier_warp = 2;  ///< a barrier: so much and so much more for every warp that comes
    int fence = 665,
        fence_beside =
            905;  ///< a fence of the GPU's scope; one while another of its quarter of the SM is on its way
    int constant = 26,
        constant_word =
            11;  ///< a load of a constant, and what each further word that its lanes name takes more
    int wide_product = 2;  ///< beyond the control word, behind a product of 64 bits
    int register_lag = 2;  ///< that a bank of registers may be behind when the next instruction is dispatched
    int read_operands = 12;  ///< until an access has read its registers (read scoreboard)
    int uniform = 2;         ///< of a uniform instruction, beyond `alu`
    int sleep = 64;          ///< of nanosleep, at least
    int tex = 60;            ///< assumed: what a texture's answer takes beyond a load's
    int acquire = 130;       ///< what a load that acquires takes beyond the L2's latency
  } latency;
  struct Memory {
    double read_gbps = 0, write_gbps = 0;  ///< of DRAM, reachable
    double l2_gbps = 0;                    ///< of all L2, reachable, by loads that hit
    double l2_store_gbps = 0;              ///< the same by stores, at least 64 bytes a line
    double turn_us = 0.43;        ///< what writing back in the midst of reads takes more, from half a MiB on
    double turn_kb = 512;         ///< from which on writing back takes all of turn_us
    double l2_dirty_share = 0.5;  ///< of the L2, that may hold data not written back
    double l2_store_least = 64;   ///< bytes that a store sends the L2 per line, at least
    double l2_store_part = 41;    ///< bytes in whose time the L2 takes a sector that is stored in part
    double l2_load_least = 58;    ///< the same of a load: an L2 slice looks up one line per cycle
    /// Bytes of loads in whose time the L2 takes a packet of an atomic; one of a single lane without a
    /// result.
    double l2_atomic_bytes = 123, l2_add_bytes = 90;
    double row_open_bytes = 35;  ///< bytes in whose time DRAM opens a row of 1 KiB for a read
    int l2_combined = 8;         ///< SMs whose requests for one line the L2 answers at once
    int dram_crowd_blocks = 16;  ///< blocks that ask DRAM for one line at once for latency.dram_crowd to hold
    int mshrs = 512;             ///< outstanding load instructions per SM that wait for data
    double inflight_least_kb = 16,
           inflight_most_kb = 48;  ///< bytes of loads in flight per SM: its L1's, within these
    int store_queue_cycles =
        2048;  ///< of stores that may wait for L2 and DRAM before a warp stops issuing them
    double share_busiest = 0.84,
           share_burst = 8;       ///< how an SM is served beyond its fair share (time/queues.hpp)
    int atomic_float_turns = 58;  ///< time of a floating-point addition in its sector: 24ths of atomic_ns
    double atomic_ns = 1;         ///< between two packets of atomics on one sector (atomic_queues.hpp)
    double row_ns = 43;           ///< row cycle of a DRAM bank: what a request waits behind another
    double write_turn_ns = 330;   ///< for which a part of DRAM writes before it reads again
    double refresh_ns = 200,
           refresh_share = 0.2;  ///< for which a part of DRAM is refreshed, and how much of the time that is
    double l2_sm_bytes = 64, l1_bytes = 128;  ///< a cycle and SM
  } memory;
  struct Cluster {                          ///< of blocks; GPUs before compute capability 9.0 have none
    double barrier = 0, barrier_block = 0;  ///< cycles of a cluster's barrier beyond its fence and the
                                            ///< block's barrier; more per block of the cluster after one
    double load = 0;                        ///< latency of a load from another block's shared memory, cycles
    double sector_cycles = 0;     ///< of the SM's port to the others, per 32-byte sector that is loaded
    double wavefront_cycles = 0;  ///< the same per wavefront in the other's banks, if that is more
    double store_share = 1, atomic_share = 1;  ///< the same of stores and atomics, over that of loads
    std::vector<int> sms_of_gpcs;              ///< the blocks of a cluster run on different SMs of one GPC
    /// SMs on which clusters of `blocks` blocks find room; 0: on all. Example: two clusters of 8 fit a GPC of
    /// 18 SMs, so that 2 of its SMs get no block.
    int sms(int blocks) const;
  } cluster;
  struct Launch {
    double empty_us = 1, block_ns = 0.6, turnaround_ns = 145;
    double small_fill_us =
        2.1;  ///< what a fill of up to 4096 bytes adds between kernels; larger ones are kernels
    double small_copy_us = 0.93;  ///< the same of a copy within the device, of few bytes that the L2 has
    /// What a kernel waits for __constant__ variables the first time after the caches were emptied, and later
    /// on; and the first time because its module has any, whether it reads them or not.
    double constants_us = 0.28, constants_again_us = 0.1, constant_bank_us = 0.22;
    double before_share =
        0.75;  ///< of empty_us, that passes before the first block; the rest is the flush at the end
  } launch;
  struct Copies {  ///< of rows that are not consecutive and of arrays
    double rows_us = 0, into_array_us = 0, out_of_array_us = 0;  ///< within the device, beside the bytes
    double rows_share = 1, into_array_share = 1, out_of_array_share = 1;  ///< of a plain copy's rate
    double row_ns = 0;                                                    ///< least time per row
    double fill_row_ns = 0;                                               ///< the same of a fill
    double link_row_ns = 0;  ///< least time per row between host and device
  } copies;
  struct Host {
    /// pageable_gbps: the host stages such copies by moving bytes, so it is also the rate at which host code
    /// moves and fills its own memory (assumed: one core, memory larger than its caches).
    double pinned_gbps = 24, pageable_gbps = 9, copy_us = 8, launch_us = 2.9;
    double sync_us = 5.3, sync_idle_us = 0.57;  ///< of a wait for work, and with nothing to wait for
    // Device memory, per call and per 10^6 bytes (tests/microbench/mallocs.cu).
    double malloc_us = 49, malloc_mb_us = 0.1, free_us = 39.4, free_mb_us = 0.57;
    // Copies beside other work, and graphs (tests/microbench/overlap.cu).
    int copy_engines = 2;
    double both_share = 0.88, copy_call_us = 1.4, handover_us = 3.9, up_us = 2.5, down_us = 2.0;
    // Pinning, per call and per 10^6 bytes; of pinned allocations the larger of both
    // (tests/microbench/pinning.cu).
    double register_us = 0, register_mb_us = 0, unregister_us = 0, unregister_mb_us = 0;
    double pinned_malloc_us = 0, pinned_malloc_mb_us = 0, pinned_free_us = 0, pinned_free_mb_us = 0;
    double graph_us = 2.6, graph_node_us = 1.25, graph_first_us = 0.9, graph_launch_us = 1.2;
  } host;

  double run_mhz = 1;  ///< clock that times are modelled at (info.clock_mhz is what the device reports)
  double cycles_per_us() const { return run_mhz; }
  bool l2_halves() const { return latency.l2_near < latency.l2; }
  std::string arch() const { return "sm_" + std::to_string(info.cc_major * 10 + info.cc_minor); }
};

/// Reads a device file. Throws Error naming the file, the line and what is wrong: a value that is missing, of
/// the wrong kind or out of range, or an unknown key. `without`: a rule whose keys get their neutral
/// values.
DeviceModel load_device_model(const std::filesystem::path& file, const TimeRule* without = nullptr);

/// The devices of assets/devices by their order, read once. A file that can't be read is left out, and
/// `problems` says why.
const std::vector<DeviceModel>& device_models(std::vector<std::string>* problems = nullptr);

/// By short name ("h100") or full ("simt:h100"), less one rule of rules.hpp ("h100-without-refresh"), or with
/// `alone` ("h100-alone"): a gate asks there for wrong results, where reads of other blocks' shared memory
/// must matter. Throws Error naming those there are.
const DeviceModel& device_model(const std::string& name);

}  // namespace dojo::simt
