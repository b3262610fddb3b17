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
//  - Every wait has a post: each block of a stage takes one tile, and posts it.
//  - No order of blocks can hang, with waitKernel(): no consumer starts before every producer holds its place, so each
//    producer ends and posts. Without it, consumers may take every SM and wait for producers that find no room.
//  - Post: barrier (all threads stored), fence (stores before the post), one atomic. Wait: one thread polls, fence (the
//    poll before the loads), barrier (the others learn of it).
//  - Semaphores are 0 before and after each run: of all stages' blocks, the last to post sets them back.
// One CuSync is in use at a time: its destructor waits for its stages.

constexpr int cusync_most_words = 1 << 14;  ///< semaphores, tickets and the count of finished blocks together
constexpr int cusync_most_stages = 8;
constexpr int cusync_most_inputs = 4;  ///< buffers of other stages that one stage reads

static __device__ unsigned cusync_words[cusync_most_words];  ///< [0]: blocks that have posted, over all stages

/// How the tickets of a stage, 0, 1, 2 ... in the order in which its blocks start, become tiles.
enum TileOrder { RowMajor, ColumnMajor };

/// A policy says how many semaphores a row of tiles has; tile (row, column) counts on number column % semaphores of its
/// row. To write your own, add such a struct.
struct TileSync {
  static __host__ int semaphores(dim3 grid) { return grid.x; }
};
struct RowSync {
  static __host__ int semaphores(dim3) { return 1; }
};
/// Tiles `stride` columns apart share one: for a consumer that reads several parts of a wide product, such as Q, K, V.
template <int stride>
struct StridedSync {
  static __host__ int semaphores(dim3) { return stride; }
};

static __shared__ uint2 cusync_tile;  ///< of this block; in shared memory, so that the stage itself stays constant

/// Ends when every block of the producer holds an SM: `ticket` counts those that started.
static __global__ void cusync_wait_kernel(int ticket, unsigned blocks) {
  while (*(volatile unsigned*)&cusync_words[ticket] < blocks) {
  }
}

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
      const unsigned ticket = atomicAdd(&cusync_words[ticket_], 1u), side = order_ == RowMajor ? grid_x_ : grid_y_;
      const unsigned major = ticket / side, minor = ticket - major * side;
      cusync_tile = order_ == RowMajor ? make_uint2(minor, major) : make_uint2(major, minor);
    }
    __syncthreads();
  }
  /// This block's tile: x its column, y its row.
  __device__ uint2 tile() const { return cusync_tile; }
  /// Returns when tile (row, column) of `buffer`, and those that share its semaphore, are stored.
  __device__ void wait(const void* buffer, unsigned row, unsigned column) const {
    if (threadIdx.x == 0) {
#pragma unroll 1
      for (int i = 0; i < inputs_; ++i) {
        const Input& in = input_[i];
        if (in.buffer != buffer) continue;
        const unsigned which = column % in.per_row, posts = (in.columns - which + in.per_row - 1) / in.per_row;
        volatile unsigned* semaphore = &cusync_words[in.semaphores + row * in.per_row + which];
        while (*semaphore < posts) {
        }
      }
      __threadfence();
    }
    __syncthreads();
  }
  /// Says that this block's tile is stored. Call once, last.
  __device__ void post() const {
    __syncthreads();
    if (threadIdx.x != 0) return;
    __threadfence();
    if (per_row_ > 0) atomicAdd(&cusync_words[semaphores_ + cusync_tile.y * per_row_ + cusync_tile.x % per_row_], 1u);
    if (atomicAdd(&cusync_words[0], 1u) != all_blocks_ - 1) return;
    __threadfence();
#pragma unroll 1
    for (int i = 0; i < words_; ++i) cusync_words[i] = 0;  // nobody is left who waits
  }

 private:
  friend class CuSync;
  struct Input {
    const void* buffer;
    int semaphores, ticket;               // where they are in cusync_words
    unsigned per_row, columns, blocks;    // of the producer: semaphores a row, tiles a row, tiles in all
  };
  unsigned grid_x_, grid_y_, all_blocks_, per_row_;
  int ticket_, semaphores_, words_, inputs_;
  TileOrder order_;
  cudaStream_t stream_;
  Input input_[cusync_most_inputs];
};

/// The stages of one chain, and what they wait for.
class CuSync {
 public:
  __host__ CuSync() : stages_(0), words_(1), blocks_(0) {}
  __host__ ~CuSync() {
    for (int i = 0; i < stages_; ++i) cudaStreamSynchronize(stage_[i].stream_);
    for (int i = 0; i < stages_; ++i) cudaStreamDestroy(stage_[i].stream_);
  }
  CuSync(const CuSync&) = delete;
  CuSync& operator=(const CuSync&) = delete;

  /// A stage of grid.x * grid.y tiles on a stream of its own. `tile` is the tile's extent, for the reader: the library
  /// counts in tiles. Launch every stage that was made: the semaphores are set back when all have run.
  __host__ CuStage& stage(dim3 grid, dim3 /*tile*/, TileOrder order) {
    CuStage& s = stage_[stages_++];
    s.grid_x_ = grid.x;
    s.grid_y_ = grid.y;
    s.order_ = order;
    s.per_row_ = 0;
    s.semaphores_ = 0;
    s.inputs_ = 0;
    s.ticket_ = words_++;
    blocks_ += grid.x * grid.y;
    cudaStreamCreateWithFlags(&s.stream_, cudaStreamNonBlocking);
    update();
    return s;
  }
  /// `consumer` reads `buffer`, which `producer` writes. A producer has one policy, whoever reads it. False, with nothing
  /// changed, when the semaphores run out.
  template <class Policy>
  __host__ bool dependency(CuStage& producer, CuStage& consumer, const void* buffer) {
    if (producer.per_row_ == 0) {
      const int per_row = Policy::semaphores(dim3(producer.grid_x_, producer.grid_y_));
      if (words_ + per_row * int(producer.grid_y_) > cusync_most_words) return false;
      producer.per_row_ = per_row;
      producer.semaphores_ = words_;
      words_ += per_row * producer.grid_y_;
    }
    if (consumer.inputs_ == cusync_most_inputs) return false;
    CuStage::Input& in = consumer.input_[consumer.inputs_++];
    in.buffer = buffer;
    in.semaphores = producer.semaphores_;
    in.ticket = producer.ticket_;
    in.per_row = producer.per_row_;
    in.columns = producer.grid_x_;
    in.blocks = producer.grid_x_ * producer.grid_y_;
    update();
    return true;
  }

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
