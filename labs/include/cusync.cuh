#pragma once
// Fine-grained synchronisation of dependent kernels, after the published description of cuSync (CGO 2024): a kernel is
// a stage, its blocks work on tiles, and a block of the consumer waits for the tiles that it needs, not for the whole
// kernel before it. Written for this course; compiles with nvcc and with NVRTC.
//
//   CuSync cs;
//   CuStage& prod = cs.stage(grid1, tile, RowMajor);         // grid in tiles: x columns, y rows
//   CuStage& cons = cs.stage(grid2, tile, RowMajor);
//   cs.dependency<RowSync>(prod, cons, c);                    // cons reads c, which prod writes
//   produce<<<prod.blocks(), threads, 0, prod.stream()>>>(prod, ...);
//   cons.waitKernel();                                        // consumers come only after the last producer started
//   consume<<<cons.blocks(), threads, 0, cons.stream()>>>(cons, ...);
//
// In a kernel, by all threads of every block: stage.start(), then stage.tile(), stage.wait(buffer, row, column) before
// reading that tile of the buffer, and stage.post() after the tile is stored, exactly once and last.
//
// What holds:
//  - Every wait has a post: each block of a stage takes one tile, each tile is taken once, and its block posts it. A
//    semaphore is waited for until it has the posts of all tiles that share it, and nothing else posts to it.
//  - No order of blocks can hang, with waitKernel(): no consumer starts before every producer holds its place, so each
//    producer ends and posts. Without it, consumers may take every SM and wait for producers that find no room; so leave
//    it out only where fits() says that all blocks have room at once.
//  - Post: barrier (all threads stored), then one atomic that releases: what the block stored is seen before the post.
//    Wait: one thread polls, and its last poll acquires: nothing is read before the post; barrier (the others go on).
//  - Semaphores are 0 before and after each run: of all stages' blocks, the last to post sets them back. So nothing has
//    to be cleared between runs, and a recorded graph may be replayed.
// One CuSync is in use at a time: its destructor waits for its stages.
//
// Three optimisations, each an option:
//  - no waitKernel() where fits() allows it;
//  - reading what depends on no other kernel before stage.wait(): the order in the kernel is yours;
//  - plain stores as posts (PlainPosts) where a semaphore has one producer, as with TileSync.

constexpr int cusync_most_words = 1 << 17;  ///< semaphores, tickets and the count of finished blocks together
constexpr int cusync_most_stages = 8;
constexpr int cusync_most_inputs = 4;  ///< buffers of other stages that one stage reads

/// [0]: blocks that have posted, over all stages; [1 + s]: tickets of stage s; then the semaphores. Set back four at once.
static __device__ uint4 cusync_words[cusync_most_words / 4];

/// How the tickets of a stage, 0, 1, 2 ... in the order in which its blocks start, become tiles.
struct TileOrder {
  int kind, stride;
};
constexpr TileOrder RowMajor{0, 0}, ColumnMajor{1, 0};
/// Row by row, and within a row the tiles that lie `stride` columns apart one after the other: 0, stride, 2 stride ... 1,
/// stride + 1 ... For a row whose length is a multiple of the stride.
__host__ constexpr TileOrder Strided(int stride) { return {2, stride}; }

/// A policy says which tiles of a row share a semaphore. To write your own, derive from this one and say
///  - semaphores(grid): how many there are in a row of grid.x tiles;
///  - together(grid): how many adjacent tiles share one; 0: the tiles that lie semaphores(grid) columns apart do;
///  - steps: how many steps of the consumer one tile serves. wait(buffer, row, step) takes the step's number.
struct SyncPolicy {
  static __host__ int together(dim3) { return 0; }
  static constexpr int steps = 1;
};
/// Each tile has its own.
struct TileSync : SyncPolicy {
  static __host__ int semaphores(dim3 grid) { return grid.x; }
};
/// One for a row of tiles.
struct RowSync : SyncPolicy {
  static __host__ int semaphores(dim3) { return 1; }
};
/// Tiles `stride` columns apart share one: for a consumer that reads several parts of a wide product, such as Q, K, V.
template <int stride>
struct StridedSync : SyncPolicy {
  static __host__ int semaphores(dim3) { return stride; }
};
/// Convolutions as products: the consumer takes R x S steps, one for each tap of the filter, for a tile of channels.
template <int R, int S>
struct Conv2DTileSync : SyncPolicy {
  static __host__ int semaphores(dim3 grid) { return grid.x; }
  static constexpr int steps = R * S;
};

enum PostKind { AtomicPosts, PlainPosts };

// ---- memory order, as the field writes it: release and acquire at the scope of the GPU
static __device__ unsigned cusync_acquire(const unsigned* p) {
  unsigned v;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
static __device__ unsigned cusync_look(const unsigned* p) {
  unsigned v;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
/// Returns when *p has reached `least`, and nothing is read before. A load that acquires invalidates the L1 of its SM, and the
/// blocks that work there would miss their data. So only the first and the last poll acquire, and those between are relaxed.
static __device__ void cusync_wait_for(const unsigned* p, unsigned least) {
  while (cusync_acquire(p) < least) {
    while (cusync_look(p) < least) {
    }
  }
}
static __device__ void cusync_release_add(unsigned* p) {
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(p) : "memory");
}
static __device__ void cusync_release_store(unsigned* p, unsigned v) {
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
static __device__ unsigned cusync_count(unsigned* p) {
  unsigned v;
  asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(v) : "l"(p) : "memory");
  return v;
}

static __shared__ uint2 cusync_tile;  ///< of this block; in shared memory, so that the stage itself stays constant

/// Ends when every block of the producer holds an SM: `ticket` counts those that started.
static __global__ void cusync_wait_kernel(int ticket, unsigned blocks) {
  const unsigned* started = &cusync_words[0].x + ticket;
  cusync_wait_for(started, blocks);
}

/// n / d for n * d < 2^32 and d > 1 by one multiplication; the inverse is for n = 0, too, right with d = 1.
struct CuSyncDivisor {
  unsigned by, inverse;
  __host__ void set(unsigned d) {
    by = d;
    inverse = d > 1 ? 0xffffffffu / d + 1 : 0;
  }
  __device__ unsigned quotient(unsigned n) const { return __umulhi(n, inverse); }
};

/// From a column (or a step) to a semaphore of its row: adjacent ones together, or those `by` apart.
struct CuSyncMap {
  CuSyncDivisor divisor;
  int adjacent;
  __device__ unsigned semaphore(unsigned column) const {
    const unsigned q = divisor.quotient(column);
    return adjacent ? q : column - q * divisor.by;
  }
  /// `together` adjacent tiles share one of `semaphores`; 0: those `semaphores` apart do.
  __host__ void set(int together, int semaphores, int columns) {
    if (together == 0 && semaphores == 1) together = columns;
    adjacent = together > 1 || columns <= 1;
    divisor.set(adjacent ? together : semaphores > 1 ? semaphores : columns);
  }
};

class CuStage {
 public:
  // ---- on the host
  __host__ dim3 blocks() const { return dim3(grid_x_ * grid_y_); }
  __host__ cudaStream_t stream() const { return stream_; }
  /// Holds back what follows on this stage's stream until its producers' blocks have all started.
  __host__ void waitKernel() const {
    for (int i = 0; i < inputs_; ++i)
      cusync_wait_kernel<<<1, 1, 0, stream_>>>(input_[i].ticket, input_[i].blocks);
  }

  // ---- in a kernel, by all threads of a block
  /// Takes the next tile. Call once, first.
  __device__ void start() const {
    if (threadIdx.x == 0) {
      const unsigned ticket = atomicAdd(words() + ticket_, 1u), major = side_.quotient(ticket);
      unsigned minor = ticket - major * side_.by;
      if (parts_.by > 1) {
        const unsigned q = parts_.quotient(minor);
        minor = (minor - q * parts_.by) * stride_ + q;
      }
      cusync_tile = by_rows_ ? make_uint2(minor, major) : make_uint2(major, minor);
    }
    __syncthreads();
  }
  /// This block's tile: x its column, y its row.
  __device__ uint2 tile() const { return cusync_tile; }
  /// Returns when tile (row, column) of `buffer`, and those that share its semaphore, are stored.
  __device__ void wait(const void* buffer, unsigned row, unsigned column) const {
    if (threadIdx.x == 0) {
      int i = 0;
#pragma unroll 1
      while (input_[i].buffer != buffer)
        if (++i >= inputs_) __trap();  // no such dependency
      const Input& in = input_[i];
      const unsigned which = in.map.semaphore(column), posts = which < in.many ? in.posts_many : in.posts_few;
      const unsigned* semaphore = words() + in.semaphores + row * in.per_row + which;
      cusync_wait_for(semaphore, posts);
    }
    __syncthreads();
  }
  /// Says that this block's tile is stored. Call once, last.
  __device__ void post() const {
    __syncthreads();
    if (threadIdx.x != 0) return;
    if (per_row_ > 0) {
      const uint2 t = cusync_tile;
      unsigned* semaphore = words() + semaphores_ + t.y * per_row_ + map_.semaphore(t.x);
      if (plain_) cusync_release_store(semaphore, 1u);
      else cusync_release_add(semaphore);
    }
    if (cusync_count(words()) != all_blocks_ - 1) return;
    const uint4 zero = make_uint4(0, 0, 0, 0);
#pragma unroll 1
    for (int i = 0; i < words_; i += 4) cusync_words[i / 4] = zero;  // no block waits any more
  }

 private:
  friend class CuSync;
  struct Input {
    const void* buffer;
    int semaphores, ticket;                          // where they are in the words
    unsigned per_row, many, posts_many, posts_few;   // of the producer: semaphores a row; the first `many` of them get
    unsigned blocks;                                 // posts_many posts each, the others posts_few; tiles in all
    CuSyncMap map;
  };
  static __device__ unsigned* words() { return &cusync_words[0].x; }

  unsigned grid_x_, grid_y_, all_blocks_, per_row_, many_, posts_many_, posts_few_;
  int by_rows_, stride_, plain_;
  CuSyncDivisor side_, parts_;
  CuSyncMap map_;
  int ticket_, semaphores_, words_, inputs_;
  cudaStream_t stream_;
  Input input_[cusync_most_inputs];
};

/// The stages of one chain, and what they wait for.
class CuSync {
 public:
  __host__ CuSync() : stages_(0), words_(cusync_most_stages + 1), blocks_(0) {}
  __host__ ~CuSync() {
    for (int i = 0; i < stages_; ++i) cudaStreamSynchronize(stage_[i].stream_);
    for (int i = 0; i < stages_; ++i) cudaStreamDestroy(stage_[i].stream_);
  }
  CuSync(const CuSync&) = delete;
  CuSync& operator=(const CuSync&) = delete;

  /// A stage of grid.x * grid.y tiles on a stream of its own, in ticket order; at most cusync_most_stages. `tile` is the
  /// tile's extent, for the reader: the library counts in tiles. Launch every stage that was made: the semaphores are set
  /// back when all have run.
  __host__ CuStage& stage(dim3 grid, dim3 /*tile*/, TileOrder order) {
    CuStage& s = stage_[stages_ < cusync_most_stages ? stages_ : cusync_most_stages - 1];
    s.grid_x_ = grid.x;
    s.grid_y_ = grid.y;
    // A division by 1 is none: a single column is taken as a row, and the other way round.
    s.by_rows_ = order.kind == ColumnMajor.kind ? grid.y == 1 : grid.x > 1;
    s.side_.set(s.by_rows_ ? grid.x : grid.y);
    s.stride_ = order.stride;
    s.parts_.set(order.kind == 2 && order.stride > 0 && grid.x % order.stride == 0 ? grid.x / order.stride : 1);
    s.per_row_ = 0;
    s.semaphores_ = 0;
    s.inputs_ = 0;
    s.plain_ = 0;
    s.ticket_ = ++stages_;
    blocks_ += grid.x * grid.y;
    cudaStreamCreateWithFlags(&s.stream_, cudaStreamNonBlocking);
    update();
    return s;
  }
  /// `consumer` reads `buffer`, which `producer` writes. A producer has one policy, whichever stage reads it. PlainPosts takes
  /// effect where each semaphore has one producer. False, with nothing changed, when semaphores or inputs run
  /// out, or the policy leaves tiles without a semaphore.
  template <class Policy>
  __host__ bool dependency(CuStage& producer, CuStage& consumer, const void* buffer, PostKind posts = AtomicPosts) {
    if (consumer.inputs_ == cusync_most_inputs) return false;
    const int columns = producer.grid_x_;
    const dim3 grid(producer.grid_x_, producer.grid_y_);
    if (producer.per_row_ == 0) {
      const int per_row = Policy::semaphores(grid), together = Policy::together(grid);
      if (per_row < 1 || words_ + per_row * int(producer.grid_y_) > cusync_most_words) return false;
      if (together > 0 && together * per_row < columns) return false;  // tiles without a semaphore
      producer.per_row_ = per_row;
      producer.semaphores_ = words_;
      words_ += per_row * producer.grid_y_;
      producer.map_.set(together, per_row, columns);
      // The first semaphores of a row may have more tiles than the last (adjacent), or one more (strided).
      producer.many_ = together > 0 ? per_row - 1 : columns % per_row;
      producer.posts_many_ = together > 0 ? together : columns / per_row + 1;
      producer.posts_few_ = together > 0 ? columns - (per_row - 1) * together : columns / per_row;
      producer.plain_ = posts == PlainPosts && per_row == columns;
    }
    CuStage::Input& in = consumer.input_[consumer.inputs_++];
    in.buffer = buffer;
    in.semaphores = producer.semaphores_;
    in.ticket = producer.ticket_;
    in.per_row = producer.per_row_;
    in.many = producer.many_;
    in.posts_many = producer.posts_many_;
    in.posts_few = producer.posts_few_;
    in.blocks = producer.grid_x_ * producer.grid_y_;
    if (Policy::steps > 1) in.map.set(Policy::steps, 1, Policy::steps * columns);
    else in.map = producer.map_;
    update();
    return true;
  }
  /// Whether all blocks of all stages have room at once on a GPU that holds `resident` blocks of each kernel (the least
  /// over the kernels): then no waitKernel() is needed.
  __host__ bool fits(int resident) const { return int(blocks_) <= resident; }

 private:
  /// Every stage knows how many blocks and words there are in all: the last block of all sets the words back.
  __host__ void update() {
    for (int i = 0; i < stages_; ++i) {
      stage_[i].all_blocks_ = blocks_;
      stage_[i].words_ = words_;
    }
  }

  CuStage stage_[cusync_most_stages];
  int stages_, words_;
  unsigned blocks_;
};
