#pragma once
// Races for the shared memory of another block of the cluster (distributed shared memory).
//
// Two accesses of one word by two blocks are ordered by the cluster's barrier alone: cluster.sync(). Noted
// are the accesses since the last one that reached into another block. A block must not end before the
// others' accesses to its memory: they stand before a cluster barrier, too. Where blocks signal each other
// through an mbarrier of another block, nothing is said, since that may order them.
//
// A block may reach into another one only when that one has started. The first cluster barrier says so (CUDA
// C++ Programming Guide, distributed shared memory), and so does any signal that came from another block.
#include "simt/checks/shadow.hpp"

namespace dojo::simt {

/// An access to shared memory by a lane of a block in a cluster: `place` is an offset in the own block's, or
/// (rank + 1) << window::cta_shift | offset. True: it was another block's, and is done with.
bool check_peer(Exec&, const Inst*, uint32_t lane, uint64_t place, uint32_t bytes, bool write, bool atomic);

/// The same access, if it is another block's memory and nothing tells that this block has started.
void check_peer_started(Exec&, const Inst*, uint32_t lane, uint64_t place, bool write);

/// All threads of the cluster have arrived at its barrier: what came before is ordered before what follows.
void end_cluster_phase(Cluster&);
/// Ends the phase of a cluster's barrier if each thread has arrived or ended, of `threads` per block (PTX
/// ISA, barrier.cluster: all threads that have not exited).
void end_phase_if_all_came(Cluster&, uint32_t threads);

/// Was the other access, a tag of global memory, before the last cluster barrier of both blocks? A block of
/// the cluster that has ended counts as if nothing had followed its last one.
bool ordered_by_cluster(const Exec&, uint64_t other);

/// A block has ended: accesses to its memory that no cluster barrier follows.
void check_peers_at_end(Exec&, Block&);

}  // namespace dojo::simt
