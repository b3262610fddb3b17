// The ways in which cusync_mlp.cu's second product follows the first: which tiles go where in which order, tensor maps,
// launches. A way runs both products on one set of buffers.
#pragma once
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "cusync_kernels.cuh"

#define CHECK(call)                                                                             \
  do {                                                                                          \
    const cudaError_t e_ = (call);                                                              \
    if (e_ != cudaSuccess) {                                                                    \
      printf("%s failed, line %d: %s\n", #call, __LINE__, cudaGetErrorString(e_));              \
      fflush(stdout);                                                                           \
      _exit(1);                                                                                 \
    }                                                                                           \
  } while (0)

struct Buffers {
  __half *x, *w1, *w2, *c, *e;
};

/// Which tiles, in which order: bands of `group` row tiles together, column by column, so that rows become complete early
/// and the weights are read few times.
std::vector<int> tiles(int product, int bands, int columns, int group) {
  std::vector<int> all;
  for (int first = 0; first < bands; first += group)
    for (int column = 0; column < columns; ++column)
      for (int band = first; band < std::min(bands, first + group); ++band) all.push_back(encode(product, band, column));
  return all;
}
/// A list for each worker: every tile goes, in order, to the worker that is free first. Rows end in -1.
std::vector<int> schedule(const std::vector<int>& work, int workers, int* most) {
  std::vector<std::vector<int>> lists(workers);
  std::vector<double> free_at(workers, 0.0);
  for (int w : work) {
    const int who = int(std::min_element(free_at.begin(), free_at.end()) - free_at.begin());
    lists[who].push_back(w);
    free_at[who] += ((w >> 24) == 0 ? K1 : N1) / double(BK) + 3;  // steps, and about three for the stores
  }
  *most = 1;
  for (const auto& l : lists) *most = std::max(*most, int(l.size()) + 1);
  std::vector<int> flat(size_t(workers) * *most, -1);
  for (int w = 0; w < workers; ++w) std::copy(lists[w].begin(), lists[w].end(), flat.begin() + size_t(w) * *most);
  return flat;
}

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*, const cuuint64_t*,
                            const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
CUtensorMap tensor_map(const __half* p, int rows, int columns, int box_rows) {
  static Encode encode_tiled = nullptr;
  if (!encode_tiled) {
    cudaDriverEntryPointQueryResult found;
    void* f = nullptr;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &f, 12000, cudaEnableDefault, &found));
    if (!f || found != cudaDriverEntryPointSuccess) {
      printf("the driver has no cuTensorMapEncodeTiled\n");
      exit(1);
    }
    encode_tiled = reinterpret_cast<Encode>(f);
  }
  CUtensorMap map;
  const cuuint64_t extent[2] = {cuuint64_t(columns), cuuint64_t(rows)}, stride[1] = {cuuint64_t(columns) * 2};
  const cuuint32_t box[2] = {64, cuuint32_t(box_rows)}, step[2] = {1, 1};
  const CUresult r = encode_tiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, const_cast<__half*>(p), extent, stride, box, step,
                                  CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                  CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (r != CUDA_SUCCESS) {
    printf("cuTensorMapEncodeTiled: error %d\n", int(r));
    exit(1);
  }
  return map;
}

struct Streams {
  cudaStream_t main, second;
  cudaEvent_t fork, join;
};

struct Way {
  std::string name;
  std::function<void(const Streams&, int set)> run;
  cudaGraphExec_t graph = nullptr;
  std::vector<double> us;
  double worst = 0;
};

template <class Kernel, class... Args>
void launch(Kernel kernel, int grid, int block, int smem, cudaStream_t stream, int cluster, bool programmatic, Args... args) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(grid);
  config.blockDim = dim3(block);
  config.dynamicSmemBytes = smem;
  config.stream = stream;
  cudaLaunchAttribute attributes[2];
  if (cluster > 1) {
    attributes[config.numAttrs].id = cudaLaunchAttributeClusterDimension;
    attributes[config.numAttrs].val.clusterDim.x = cluster;
    attributes[config.numAttrs].val.clusterDim.y = attributes[config.numAttrs].val.clusterDim.z = 1;
    ++config.numAttrs;
  }
  if (programmatic) {
    attributes[config.numAttrs].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[config.numAttrs].val.programmaticStreamSerializationAllowed = 1;
    ++config.numAttrs;
  }
  config.attrs = attributes;
  CHECK(cudaLaunchKernelEx(&config, kernel, args...));
}

int* on_device(const std::vector<int>& v) {
  int* p = nullptr;
  CHECK(cudaMalloc(&p, v.size() * sizeof(int)));
  CHECK(cudaMemcpy(p, v.data(), v.size() * sizeof(int), cudaMemcpyHostToDevice));
  return p;
}

/// The two products as two launches of `grid[i]` blocks: first(stream, programmatic), second(...), joined as the way says.
using Launcher = std::function<void(int product, cudaStream_t, bool programmatic, const Sync&, int set)>;

void add_two_launches(std::vector<Way>& ways, const std::string& prefix, unsigned* words, int blocks1, int blocks2, int posts,
                      const Launcher& go) {
  auto sync = [=](Mode mode, bool programmatic) {
    return Sync{words, mode, programmatic ? 1 : 0, posts, unsigned(blocks2)};
  };
  ways.push_back({prefix + "stream order", [=](const Streams& s, int set) {
                    go(0, s.main, false, sync(none, false), set);
                    go(1, s.main, false, sync(none, false), set);
                  }});
  ways.push_back({prefix + "programmatic launch", [=](const Streams& s, int set) {
                    go(0, s.main, false, sync(none, true), set);
                    go(1, s.main, true, sync(dependent, true), set);
                  }});
  for (Mode mode : {tile, row}) {
    const std::string policy = mode == tile ? "TileSync" : "RowSync";
    ways.push_back({prefix + policy + ", wait kernel", [=](const Streams& s, int set) {
                      CHECK(cudaEventRecord(s.fork, s.main));
                      CHECK(cudaStreamWaitEvent(s.second, s.fork, 0));
                      go(0, s.main, false, sync(mode, false), set);
                      wait_kernel<<<1, 1, 0, s.second>>>(words, blocks1);
                      go(1, s.second, false, sync(mode, false), set);
                      CHECK(cudaEventRecord(s.join, s.second));
                      CHECK(cudaStreamWaitEvent(s.main, s.join, 0));
                    }});
    ways.push_back({prefix + policy + ", programmatic", [=](const Streams& s, int set) {
                      go(0, s.main, false, sync(mode, true), set);
                      go(1, s.main, true, sync(mode, true), set);
                    }});
  }
}

template <int CLUSTER>
void add_tma(std::vector<Way>& ways, int m, const std::vector<Buffers>& sets, unsigned* words, int sms, int group) {
  CHECK(cudaFuncSetAttribute(gemm_tma<CLUSTER>, cudaFuncAttributeMaxDynamicSharedMemorySize, SMEM));
  const int bands = m / (BM * CLUSTER), columns[2] = {N1 / BN, N2 / BN};
  if (group == 0) group = CLUSTER == 1 ? 4 : 2;
  std::vector<Pair> pairs;
  for (const Buffers& b : sets) {
    Pair p;
    p.side[0] = {tensor_map(b.x, m, K1, BM), tensor_map(b.w1, K1, N1, BK), b.c, N1, K1 / BK};
    p.side[1] = {tensor_map(b.c, m, N1, BM), tensor_map(b.w2, N1, N2, BK), b.e, N2, N1 / BK};
    pairs.push_back(p);
  }
  // two launches, a block for every tile
  int* lists[2];
  int blocks[2];
  std::vector<int> both;
  for (int product = 0; product < 2; ++product) {
    std::vector<int> all = tiles(product, bands, columns[product], group);
    both.insert(both.end(), all.begin(), all.end());
    blocks[product] = int(all.size()) * CLUSTER;
    lists[product] = on_device(all);
  }
  add_two_launches(ways, "", words, blocks[0], blocks[1], 2, [=](int product, cudaStream_t s, bool programmatic, const Sync& sync, int set) {
    launch(gemm_tma<CLUSTER>, blocks[product], 384, SMEM, s, CLUSTER, programmatic, pairs[set], lists[product], 1, int(product == 0),
           int(product == 1), sync);
  });
  // persistent: as many clusters as fit, two launches in stream order, and one launch for both
  cudaLaunchConfig_t config{};
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = CLUSTER;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  config.gridDim = dim3(sms / CLUSTER * CLUSTER);
  config.blockDim = dim3(384);
  config.dynamicSmemBytes = SMEM;
  config.attrs = &cluster;
  config.numAttrs = 1;
  int workers = 0;
  CHECK(cudaOccupancyMaxActiveClusters(&workers, gemm_tma<CLUSTER>, &config));
  workers = std::min(workers, sms / CLUSTER);
  int most[2], most_both;
  int* own[2];
  for (int product = 0; product < 2; ++product)
    own[product] = on_device(schedule(tiles(product, bands, columns[product], group), workers, &most[product]));
  int* one = on_device(schedule(both, workers, &most_both));
  const int first_most = most[0], second_most = most[1];
  int *first_list = own[0], *second_list = own[1];
  const int grid = workers * CLUSTER;
  ways.push_back({"persistent, stream order", [=](const Streams& s, int set) {
                    const Sync sync{words, none, 0, 2, 0};
                    launch(gemm_tma<CLUSTER>, grid, 384, SMEM, s.main, CLUSTER, false, pairs[set], first_list, first_most, 1, 0, sync);
                    launch(gemm_tma<CLUSTER>, grid, 384, SMEM, s.main, CLUSTER, false, pairs[set], second_list, second_most, 0, 1, sync);
                  }});
  for (Mode mode : {tile, row})
    ways.push_back({std::string("persistent, one kernel, ") + (mode == tile ? "TileSync" : "RowSync"), [=](const Streams& s, int set) {
                      const Sync sync{words, mode, 0, 2, unsigned(grid)};
                      launch(gemm_tma<CLUSTER>, grid, 384, SMEM, s.main, CLUSTER, false, pairs[set], one, most_both, 1, 1, sync);
                    }});
  printf("   %d persistent blocks\n", grid);
}

void add_cp(std::vector<Way>& ways, int m, const std::vector<Buffers>& sets, unsigned* words, int group) {
  CHECK(cudaFuncSetAttribute(gemm_cp, cudaFuncAttributeMaxDynamicSharedMemorySize, SMEM));
  int* lists[2];
  int blocks[2];
  for (int product = 0; product < 2; ++product) {
    const std::vector<int> all = tiles(product, m / BM, (product == 0 ? N1 : N2) / BN, group ? group : 4);
    blocks[product] = int(all.size());
    lists[product] = on_device(all);
  }
  add_two_launches(ways, "", words, blocks[0], blocks[1], 1, [=](int product, cudaStream_t s, bool programmatic, const Sync& sync, int set) {
    const Buffers& b = sets[set];
    const Plain g = product == 0 ? Plain{b.x, b.w1, b.c, N1, K1} : Plain{b.c, b.w2, b.e, N2, N1};
    launch(gemm_cp, blocks[product], 256, SMEM, s, 1, programmatic, g, lists[product], product, sync);
  });
}
