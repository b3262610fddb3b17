// The table of baselines: one entry each. Steps are named as in lab.toml.
#include "common.cuh"

namespace baselines {

// The ceiling of everything that reads its first buffer and writes its last: cudaMemcpyAsync inside the
// device. Its output is no result of the step; it is shown as a ceiling and not checked.
int copy_ceiling(const DojoBaselineCall* c, char* text, int bytes) {
  const int last = c->buffer_count - 1;
  const int64_t bytes_moved =
      c->buffer_bytes[0] < c->buffer_bytes[last] ? c->buffer_bytes[0] : c->buffer_bytes[last];
  const cudaError_t e = cudaMemcpyAsync(c->buffers[last], c->buffers[0], size_t(bytes_moved),
                                        cudaMemcpyDeviceToDevice, stream(*c));
  return e ? fail(text, bytes, "cudaMemcpyAsync", e) : 0;
}

static const DojoBaseline kTable[] = {
    {"cub", "reduce",
     "finish-atomic finish-two-kernels finish-last-block cooperative-groups grid-stride static-scratch open",
     cub_sum},
    {"cub", "reduce", "double", cub_sum_double},
    {"cub", "reduce", "max", cub_max},
    {"cub", "privatisation", "global per-block few-blocks vec runs", cub_histogram},
    {"cub", "scan", "three-launches chained look-back open", cub_scan},
    {"cub", "scan", "compact open-compact", cub_select},
    {"cub", "scan", "radix-digit", cub_sort_digit},
    {"cublas", "reduce", "dot", cublas_dot},
    {"cublas", "matmul",
     "naive-rows naive-columns thread-tile block-tile cooperative-fetch vec4 vec4-layout double-buffered "
     "warp-tiled open",
     cublas_sgemm},
    {"cublas", "matmul", "tensor-core open-half", cublas_hgemm},
    {"cublas", "matmul", "sgemv-k16 sgemv-k32 sgemv-k128 sgemv-open", cublas_sgemv},
    {"cusparse", "sparse", "scalar vector lanes split segments open", cusparse_csr},
    {"cudnn", "attention", "tensor-cores open-flash", cudnn_attention},
    {"cudnn", "conv1d", "conv2d-naive conv2d-tiled conv2d-even conv2d-prefetched", cudnn_conv2d},
    {"cudnn", "softmax",
     "five-kernels fused-shared warp block-shared block-uncached packs dispatch online open", cudnn_softmax},
    {"cudnn", "softmax", "log-softmax", cudnn_log_softmax},
    {"cudnn", "softmax", "backward open-backward", cudnn_softmax_backward},
    {"copy", "conv1d", "naive shared coarsened", copy_ceiling},
    {"copy", "banks", "transpose-naive transpose-shared transpose-padded transpose-swizzled transpose-open",
     copy_ceiling},
    {"copy", "softmax", "layer-norm rms-norm", copy_ceiling},
    {"copy", "elementwise", "relu sigmoid vec4", copy_ceiling},
    {"copy", "privatisation", "register-sum window", copy_ceiling},
    {"copy", "coalescing", "two-each chunks misaligned", copy_ceiling},
};

}  // namespace baselines

extern "C" const DojoBaseline* dojo_baselines(int* count) {
  *count = int(sizeof baselines::kTable / sizeof baselines::kTable[0]);
  return baselines::kTable;
}
