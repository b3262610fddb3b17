#pragma once
// A condition of a CUDA graph: the memory behind a cudaGraphConditionalHandle. Host code makes it, a kernel
// sets it with cudaGraphSetConditional(), and a conditional node reads it.
#include "core/memory.hpp"

namespace dojo {

struct GraphCondition {
  static constexpr uint64_t mark = 0x6e6f697469646e6f;
  uint64_t magic = mark;
  uint32_t value = 0;
  uint32_t is_set = 0;  ///< in this launch of its graph
};

/// Null: the handle is none of cudaGraphConditionalHandleCreate().
inline GraphCondition* graph_condition(AddressSpace& memory, uint64_t handle) {
  Region* r = handle ? memory.find(handle) : nullptr;
  if (!r || r->base != handle || r->owner != Owner::constant || r->size != sizeof(GraphCondition) || !r->data)
    return nullptr;
  auto* condition = reinterpret_cast<GraphCondition*>(r->data);
  return condition->magic == GraphCondition::mark ? condition : nullptr;
}

}  // namespace dojo
