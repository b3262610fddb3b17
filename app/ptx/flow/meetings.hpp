#pragma once
// Where lanes that part meet again when post-dominators of the whole function are too far. Sets `meet`,
// `joins` and `leaves` of the blocks.
//
// ptxas lets lanes meet earlier than at a branch's post-dominator in two cases, which PTX shows:
//
// 1. A loop that is left from inside a branch (`break`, `return` from a called function). The post-dominator
//    lies behind the loop, and lanes would run all later rounds apart. ptxas lets those that stay meet within
//    the loop, and those that leave give up that meeting (BREAK).
//
//        for (...) { if (a) { ...; if (b) break; ... } else { ... } /* meet here */ }
//
// 2. Chained conditions: `if (a || b) body` is a branch on a to the body, and behind it a short block that
//    branches on b to the body, too. ptxas makes both conditions a predicate and one branch. Lanes that a
//    sends to the body wait there for those that b sends.
#include <cstdint>
#include <vector>

#include "ptx/module.hpp"

namespace dojo::ptx {

/// `flow`: successors by block. `paths`: those on which lanes can meet, as for `ipdom`, which is known.
void set_nearer_meetings(Function&, const std::vector<std::vector<uint32_t>>& flow,
                         const std::vector<std::vector<uint32_t>>& paths);

}  // namespace dojo::ptx
