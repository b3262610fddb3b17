// cooperative_groups::memcpy_async: a copy that all threads of the group issue, and the waits for it.
#pragma once
#include "../cuda/barrier"
DOJO_SHIM_BEGIN
namespace cooperative_groups {
template <class Group> DOJO_MEMBER void memcpy_async(const Group& g, void* to, const void* from, size_t bytes) {
  cuda::__dojo_copy(g, to, from, bytes);
  __pipeline_commit();
}
template <unsigned Prior, class Group> DOJO_MEMBER void wait_prior(const Group& g) {
  __pipeline_wait_prior(Prior);
  g.sync();
}
template <class Group> DOJO_MEMBER void wait(const Group& g) { wait_prior<0>(g); }
}  // namespace cooperative_groups
DOJO_SHIM_END
