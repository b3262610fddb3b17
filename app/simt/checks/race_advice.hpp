#pragma once
// The words of a race: who does what to which element, and the one remedy that fits.
#include <optional>
#include <string>
#include <string_view>

#include "simt/checks/shadow.hpp"

namespace dojo::simt {

/// The other side of a race.
struct OtherSide {
  uint32_t access = 0;
  bool writes = false;
  bool same_block = false, same_warp = false;
  bool same_launch = true;
  std::string name = "another thread";  ///< "thread 4", "thread 0 of block 2"
  std::optional<Dim3> block, thread;    ///< where they are known
};
/// A thread of a block of this launch; null: of a block that is gone.
OtherSide other_side(const Exec&, const Block*, uint32_t thread, uint32_t access, bool writes);

/// "Race in block 0: thread 3 reads data[2] while thread 4 writes it. Put __syncthreads() between them."
std::string race_message(const Exec&, uint32_t lane, bool write, const std::string& element, const OtherSide&,
                         const std::string& advice);

/// Where a store and a load of the same address are one update, such as h[x]++: the atomic function that does
/// it, "atomicAdd()"; "an atomic function" where several operations stand between. Empty: they are not.
std::string atomic_for(const Program&, uint32_t access, uint32_t other);

inline constexpr std::string_view warp_separation = "Put __syncwarp() between them.",
                                  block_separation = "Put __syncthreads() between them.",
                                  loop_separation =
                                      "Put __syncwarp() between them. No __syncthreads() can stand in this "
                                      "loop, which warps may leave at different times.",
                                  loop_order =
                                      "Order them by a lock, or by a fence and an atomic flag, or end the "
                                      "loop first: no __syncthreads() can stand in it, since warps may leave "
                                      "it at different times.",
                                  narrow_scope =
                                      "An atomic of block scope (suffix _block, thread_scope_block, .cta) is "
                                      "atomic only within one block. Use one of device scope.";
/// What separates the two: an atomic for an update, else a barrier of the smallest scope that holds both.
std::string separation(const Exec&, const Inst*, const OtherSide&);

/// The other side, and where it stands in the source.
Related other_place(const Exec&, const OtherSide&);

}  // namespace dojo::simt
