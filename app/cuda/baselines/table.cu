// The table of baselines: one entry each. Steps are named as in lab.toml.
#include "common.cuh"

namespace baselines {

// The ceiling of everything that reads and writes n floats: cudaMemcpyAsync inside the device. Its output is no
// result of the step; it is shown as a ceiling and not checked.
int copy_ceiling(const DojoBaselineCall* c, char* text, int bytes) {
  int64_t elements = 1;
  for (int i = 0; i < c->size_count; ++i) elements *= c->size_values[i];
  const cudaError_t e = cudaMemcpyAsync(c->buffers[c->buffer_count - 1], c->buffers[0], size_t(elements) * sizeof(float),
                                        cudaMemcpyDeviceToDevice, stream(*c));
  return e ? fail(text, bytes, "cudaMemcpyAsync", e) : 0;
}

static const DojoBaseline kTable[] = {
    {"cub", "reduce", "atomic second-kernel last-block cooperative-groups grid-stride static-scratch vec4 open", cub_sum},
    {"cub", "reduce", "double", cub_sum_double},
    {"cub", "reduce", "max", cub_max},
    {"cublas", "reduce", "dot", cublas_dot},
    {"cublas", "matmul",
     "naive-rows naive-columns thread-tile block-tile cooperative-fetch vec4 vec4-layout double-buffered warp-tiled open",
     cublas_sgemm},
    {"cublas", "matmul", "tensor-core", cublas_hgemm},
    {"cublas", "matmul", "sgemv-k16 sgemv-k32 sgemv-k128", cublas_sgemv},
    {"cudnn", "conv1d", "conv2d-naive conv2d-tiled conv2d-even conv2d-prefetched", cudnn_conv2d},
    {"cudnn", "softmax",
     "five-kernels fused-shared warp block-shared block-uncached packs dispatch online open", cudnn_softmax},
    {"cudnn", "softmax", "log-softmax", cudnn_log_softmax},
    {"cudnn", "softmax", "backward open-backward", cudnn_softmax_backward},
    {"copy", "conv1d", "naive shared coarsened", copy_ceiling},
};

}  // namespace baselines

extern "C" const DojoBaseline* dojo_baselines(int* count) {
  *count = int(sizeof baselines::kTable / sizeof baselines::kTable[0]);
  return baselines::kTable;
}
