// Cooperative groups, from the CUDA C++ Programming Guide: the thread block, the grid, tiles of at most 32 threads, the
// threads that are active together, and reduce() over them.
#pragma once
DOJO_SHIM_BEGIN
namespace cooperative_groups {

struct thread_block {
  DOJO_MEMBER void sync() const { __syncthreads(); }
  DOJO_MEMBER unsigned thread_rank() const {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  DOJO_MEMBER unsigned num_threads() const { return blockDim.x * blockDim.y * blockDim.z; }
  DOJO_MEMBER unsigned size() const { return num_threads(); }
  DOJO_MEMBER dim3 group_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  DOJO_MEMBER dim3 thread_index() const { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  DOJO_MEMBER dim3 group_dim() const { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  DOJO_MEMBER dim3 dim_threads() const { return group_dim(); }
};
DOJO_DEVICE thread_block this_thread_block() { return {}; }

#define DOJO_CLUSTER_REGISTER(NAME, REGISTER) \
  DOJO_DEVICE unsigned NAME() {                \
    unsigned v;                                \
    asm volatile("mov.u32 %0, %%" REGISTER ";" : "=r"(v)); \
    return v;                                  \
  }
DOJO_CLUSTER_REGISTER(__dojo_cluster_rank, "cluster_ctarank")
DOJO_CLUSTER_REGISTER(__dojo_cluster_blocks, "cluster_nctarank")
DOJO_CLUSTER_REGISTER(__dojo_cluster_x, "cluster_ctaid.x")
DOJO_CLUSTER_REGISTER(__dojo_cluster_y, "cluster_ctaid.y")
DOJO_CLUSTER_REGISTER(__dojo_cluster_z, "cluster_ctaid.z")
DOJO_CLUSTER_REGISTER(__dojo_cluster_id_x, "clusterid.x")
DOJO_CLUSTER_REGISTER(__dojo_cluster_id_y, "clusterid.y")
DOJO_CLUSTER_REGISTER(__dojo_cluster_id_z, "clusterid.z")
DOJO_CLUSTER_REGISTER(__dojo_clusters_x, "nclusterid.x")
DOJO_CLUSTER_REGISTER(__dojo_clusters_y, "nclusterid.y")
DOJO_CLUSTER_REGISTER(__dojo_clusters_z, "nclusterid.z")
#undef DOJO_CLUSTER_REGISTER

/// The blocks of a cluster (compute_90).
struct cluster_group {
  DOJO_MEMBER void barrier_arrive() const { asm volatile("barrier.cluster.arrive.aligned;" ::: "memory"); }
  DOJO_MEMBER void barrier_wait() const { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }
  DOJO_MEMBER void sync() const {
    barrier_arrive();
    barrier_wait();
  }
  DOJO_MEMBER unsigned block_rank() const { return __dojo_cluster_rank(); }
  DOJO_MEMBER unsigned num_blocks() const { return __dojo_cluster_blocks(); }
  DOJO_MEMBER dim3 block_index() const { return dim3(__dojo_cluster_x(), __dojo_cluster_y(), __dojo_cluster_z()); }
  DOJO_MEMBER unsigned num_threads() const { return num_blocks() * thread_block().num_threads(); }
  DOJO_MEMBER unsigned size() const { return num_threads(); }
  DOJO_MEMBER unsigned thread_rank() const {
    return block_rank() * thread_block().num_threads() + thread_block().thread_rank();
  }
  template <class _T> DOJO_MEMBER _T* map_shared_rank(_T* address, int rank) const {
    _T* mapped;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(address), "r"(rank));
    return mapped;
  }
};
DOJO_DEVICE cluster_group this_cluster() { return {}; }

/// One counter for the whole grid: each block adds one, block 0 what makes the top bit flip when all have come.
static __device__ unsigned __dojo_grid_barrier;
struct grid_group {
  DOJO_MEMBER bool is_valid() const { return true; }
  DOJO_MEMBER void sync() const {
    __syncthreads();
    if (thread_block().thread_rank() == 0) {
      const unsigned add = block_rank() == 0 ? 0x80000000u - (num_blocks() - 1) : 1;
      __threadfence();
      const unsigned before = atomicAdd(&__dojo_grid_barrier, add);
      while (((before ^ *(volatile unsigned*)&__dojo_grid_barrier) & 0x80000000u) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
  }
  DOJO_MEMBER unsigned long long thread_rank() const {
    return (unsigned long long)block_rank() * thread_block().num_threads() + thread_block().thread_rank();
  }
  DOJO_MEMBER unsigned long long num_threads() const {
    return (unsigned long long)num_blocks() * thread_block().num_threads();
  }
  DOJO_MEMBER unsigned long long size() const { return num_threads(); }
  DOJO_MEMBER unsigned block_rank() const { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
  DOJO_MEMBER unsigned num_blocks() const { return gridDim.x * gridDim.y * gridDim.z; }
  DOJO_MEMBER dim3 block_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  DOJO_MEMBER dim3 dim_blocks() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  DOJO_MEMBER dim3 group_dim() const { return dim_blocks(); }
  DOJO_MEMBER unsigned cluster_rank() const {
    return (__dojo_cluster_id_z() * __dojo_clusters_y() + __dojo_cluster_id_y()) * __dojo_clusters_x() +
           __dojo_cluster_id_x();
  }
  DOJO_MEMBER unsigned num_clusters() const { return __dojo_clusters_x() * __dojo_clusters_y() * __dojo_clusters_z(); }
};
DOJO_DEVICE grid_group this_grid() { return {}; }

template <unsigned Size, class Parent = void> struct thread_block_tile {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
  static DOJO_MEMBER unsigned block_thread() { return thread_block().thread_rank(); }
  static DOJO_MEMBER unsigned thread_rank() { return block_thread() & (Size - 1); }
  static constexpr DOJO_MEMBER unsigned num_threads() { return Size; }
  static constexpr DOJO_MEMBER unsigned size() { return Size; }
  static DOJO_MEMBER unsigned meta_group_rank() { return block_thread() / Size; }
  static DOJO_MEMBER unsigned meta_group_size() { return (thread_block().num_threads() + Size - 1) / Size; }
  static DOJO_MEMBER unsigned mask() {
    if constexpr (Size == 32)
      return 0xffffffffu;
    else
      return ((1u << Size) - 1) << (__nvvm_read_ptx_sreg_laneid() & ~(Size - 1));
  }
  DOJO_MEMBER void sync() const { __syncwarp(mask()); }
  template <class _T> DOJO_MEMBER _T shfl(_T v, int lane) const { return __shfl_sync(mask(), v, lane, Size); }
  template <class _T> DOJO_MEMBER _T shfl_down(_T v, unsigned n) const { return __shfl_down_sync(mask(), v, n, Size); }
  template <class _T> DOJO_MEMBER _T shfl_up(_T v, unsigned n) const { return __shfl_up_sync(mask(), v, n, Size); }
  template <class _T> DOJO_MEMBER _T shfl_xor(_T v, unsigned n) const { return __shfl_xor_sync(mask(), v, int(n), Size); }
  DOJO_MEMBER unsigned packed(unsigned lanes) const {
    return Size == 32 ? lanes : (lanes & mask()) >> (__nvvm_read_ptx_sreg_laneid() & ~(Size - 1));
  }
  template <class _T> DOJO_MEMBER unsigned match_any(_T v) const { return packed(__match_any_sync(mask(), v)); }
  template <class _T> DOJO_MEMBER unsigned match_all(_T v, int& all) const {
    return packed(__match_all_sync(mask(), v, &all));
  }
  DOJO_MEMBER int any(int p) const { return __any_sync(mask(), p); }
  DOJO_MEMBER int all(int p) const { return __all_sync(mask(), p); }
  DOJO_MEMBER unsigned ballot(int p) const {
    if constexpr (Size == 32)
      return __ballot_sync(mask(), p);
    else
      return (__ballot_sync(mask(), p) & mask()) >> (__nvvm_read_ptx_sreg_laneid() & ~(Size - 1));
  }
};
template <unsigned Size, class Parent> DOJO_DEVICE thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return {};
}

struct coalesced_group {
  unsigned threads;
  DOJO_MEMBER unsigned num_threads() const { return __popc(threads); }
  DOJO_MEMBER unsigned size() const { return num_threads(); }
  DOJO_MEMBER unsigned thread_rank() const { return __popc(threads & __nvvm_read_ptx_sreg_lanemask_lt()); }
  DOJO_MEMBER void sync() const { __syncwarp(threads); }
  DOJO_MEMBER unsigned nth(unsigned n) const {
    unsigned left = threads;
    while (n--) left &= left - 1;
    return __ffs(int(left)) - 1;
  }
  template <class _T> DOJO_MEMBER _T shfl(_T v, unsigned n) const {
    return __shfl_sync(threads, v, int(n == 0 ? __ffs(int(threads)) - 1 : nth(n)));
  }
  template <class _T> DOJO_MEMBER _T shfl_down(_T v, unsigned n) const {
    const unsigned rank = thread_rank() + n;
    return __shfl_sync(threads, v, int(rank < size() ? nth(rank) : __nvvm_read_ptx_sreg_laneid()));
  }
  template <class _T> DOJO_MEMBER _T shfl_up(_T v, unsigned n) const {
    const unsigned rank = thread_rank();
    return __shfl_sync(threads, v, int(rank >= n ? nth(rank - n) : __nvvm_read_ptx_sreg_laneid()));
  }
  DOJO_MEMBER int any(int p) const { return __any_sync(threads, p); }
  DOJO_MEMBER int all(int p) const { return __all_sync(threads, p); }
  /// Bit n belongs to the group's thread n.
  DOJO_MEMBER unsigned packed(unsigned lanes) const {
    unsigned bits = 0, n = 0;
    for (unsigned left = threads; left; left &= left - 1, ++n) bits |= unsigned((lanes & left & -left) != 0) << n;
    return bits;
  }
  DOJO_MEMBER unsigned ballot(int p) const { return packed(__ballot_sync(threads, p)); }
  template <class _T> DOJO_MEMBER unsigned match_any(_T v) const { return packed(__match_any_sync(threads, v)); }
  template <class _T> DOJO_MEMBER unsigned match_all(_T v, int& all) const {
    return packed(__match_all_sync(threads, v, &all));
  }
  unsigned group = 0, groups = 1;  ///< of a partition
  DOJO_MEMBER unsigned meta_group_rank() const { return group; }
  DOJO_MEMBER unsigned meta_group_size() const { return groups; }
};
DOJO_DEVICE coalesced_group coalesced_threads() { return {__activemask()}; }

/// Any of the groups above, as a function without templates takes it. `lanes`: of a part of a warp.
struct thread_group {
  enum { of_block, of_grid, of_lanes } kind;
  unsigned lanes;
  DOJO_MEMBER thread_group(const thread_block&) : kind(of_block), lanes(0) {}
  DOJO_MEMBER thread_group(const grid_group&) : kind(of_grid), lanes(0) {}
  DOJO_MEMBER thread_group(const coalesced_group& g) : kind(of_lanes), lanes(g.threads) {}
  template <unsigned Size, class _P> DOJO_MEMBER thread_group(const thread_block_tile<Size, _P>& g)
      : kind(of_lanes), lanes(g.mask()) {}
  DOJO_MEMBER void sync() const {
    if (kind == of_block) __syncthreads();
    if (kind == of_grid) grid_group().sync();
    if (kind == of_lanes) __syncwarp(lanes);
  }
  DOJO_MEMBER unsigned long long thread_rank() const {
    if (kind == of_lanes) return unsigned(__popc(lanes & ((1u << __nvvm_read_ptx_sreg_laneid()) - 1)));
    return kind == of_grid ? grid_group().thread_rank() : thread_block().thread_rank();
  }
  DOJO_MEMBER unsigned long long num_threads() const {
    if (kind == of_lanes) return unsigned(__popc(lanes));
    return kind == of_grid ? grid_group().num_threads() : thread_block().num_threads();
  }
  DOJO_MEMBER unsigned long long size() const { return num_threads(); }
};
/// Tiles of a block, or of lanes, whose size is known at run time: a power of two, at most 32.
DOJO_DEVICE thread_group tiled_partition(const thread_group& parent, unsigned size) {
  const unsigned rank = unsigned(parent.thread_rank()), first = rank / size * size;
  coalesced_group tile;
  tile.threads = __match_any_sync(__activemask(), first);
  return tile;
}

template <unsigned Size, class _P> DOJO_DEVICE unsigned __dojo_lanes(const thread_block_tile<Size, _P>& g) {
  return g.mask();
}
DOJO_DEVICE unsigned __dojo_lanes(const coalesced_group& g) { return g.threads; }
/// The threads of a tile or a coalesced group that give the same answer.
template <class _G> DOJO_DEVICE coalesced_group binary_partition(const _G& g, bool answer) {
  const unsigned lanes = __dojo_lanes(g), yes = __ballot_sync(lanes, answer) & lanes;
  return {answer ? yes : lanes & ~yes, answer ? 1u : 0u, 2};
}
/// The threads with the same label; groups are numbered by their first threads.
template <class _G, class Label> DOJO_DEVICE coalesced_group labeled_partition(const _G& g, Label label) {
  const unsigned lanes = __dojo_lanes(g), mine = __match_any_sync(lanes, label);
  const unsigned firsts = __ballot_sync(lanes, __ffs(int(mine)) - 1 == int(__nvvm_read_ptx_sreg_laneid())) & lanes;
  return {mine, unsigned(__popc(firsts & ((mine & -mine) - 1))), unsigned(__popc(firsts))};
}

template <class _G> DOJO_DEVICE void sync(_G& g) { g.sync(); }

template <class _T> struct plus {
  DOJO_MEMBER _T operator()(_T a, _T b) const { return a + b; }
};
template <class _T> struct greater {
  DOJO_MEMBER _T operator()(_T a, _T b) const { return max(a, b); }
};
template <class _T> struct less {
  DOJO_MEMBER _T operator()(_T a, _T b) const { return min(a, b); }
};
template <class _T> struct bit_and {
  DOJO_MEMBER _T operator()(_T a, _T b) const { return a & b; }
};
template <class _T> struct bit_or {
  DOJO_MEMBER _T operator()(_T a, _T b) const { return a | b; }
};
template <class _T> struct bit_xor {
  DOJO_MEMBER _T operator()(_T a, _T b) const { return a ^ b; }
};
template <class _T, class _F> DOJO_DEVICE _T reduce(const coalesced_group& g, _T v, _F f) {
  _T all = g.shfl(v, 0);
  for (unsigned n = 1; n < g.size(); ++n) all = f(all, g.shfl(v, n));
  return all;
}
template <class _G, class _T, class _F> DOJO_DEVICE _T inclusive_scan(const _G& g, _T v, _F f) {
  for (unsigned n = 1; n < g.size(); n *= 2) {
    const _T before = g.shfl_up(v, n);
    if (g.thread_rank() >= n) v = f(before, v);
  }
  return v;
}
template <class _G, class _T> DOJO_DEVICE _T inclusive_scan(const _G& g, _T v) { return inclusive_scan(g, v, plus<_T>()); }
/// The first thread's result is T(), as of sums.
template <class _G, class _T, class _F> DOJO_DEVICE _T exclusive_scan(const _G& g, _T v, _F f) {
  const _T before = g.shfl_up(inclusive_scan(g, v, f), 1);
  return g.thread_rank() ? before : _T();
}
template <class _G, class _T> DOJO_DEVICE _T exclusive_scan(const _G& g, _T v) { return exclusive_scan(g, v, plus<_T>()); }
template <unsigned Size, class _P, class _T, class _F>
DOJO_DEVICE _T reduce(const thread_block_tile<Size, _P>& g, _T v, _F f) {
#pragma unroll
  for (unsigned n = Size / 2; n > 0; n /= 2) v = f(v, g.shfl_xor(v, n));
  return v;
}

}  // namespace cooperative_groups
DOJO_SHIM_END
