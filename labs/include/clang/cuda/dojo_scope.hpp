// Which threads an atomic or a barrier is for: shared by cuda/barrier and cuda/atomic.
#pragma once
DOJO_SHIM_BEGIN
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
}
DOJO_SHIM_END
