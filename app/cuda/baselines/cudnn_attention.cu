// cuDNN's fused attention beside the attention lab: softmax(Q K^T / sqrt(d)) V on halves (cuDNN backend API).
// Scores and sums are float; the heuristic picks the kernel.
#include <cudnn.h>

#include <cmath>
#include <vector>

#include "common.cuh"

namespace baselines {
namespace {

using Descriptor = cudnnBackendDescriptor_t;

enum Uid : int64_t { uid_q = 1, uid_k, uid_v, uid_out, uid_factor };

/// Makes descriptors, and keeps the first error and the call that gave it. They live as long as the process,
/// as plans do.
struct Builder {
  int error = 0;
  const char* call = "";

  void check(int e, const char* what) {
    if (!error && e) error = e, call = what;
  }
  Descriptor make(cudnnBackendDescriptorType_t type) {
    Descriptor d = nullptr;
    check(cudnnBackendCreateDescriptor(type, &d), "cudnnBackendCreateDescriptor");
    return d;
  }
  void set(Descriptor d, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int64_t count,
           const void* values) {
    if (!error) check(cudnnBackendSetAttribute(d, name, type, count, values), "cudnnBackendSetAttribute");
  }
  void set(Descriptor d, cudnnBackendAttributeName_t name, Descriptor other) {
    set(d, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &other);
  }
  void finish(Descriptor d, const char* what) {
    if (!error) check(cudnnBackendFinalize(d), what);
  }

  Descriptor tensor(int64_t uid, cudnnDataType_t type, std::vector<int64_t> shape,
                    std::vector<int64_t> strides, bool by_value = false) {
    const int64_t alignment = 16;
    Descriptor d = make(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    set(d, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &uid);
    set(d, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type);
    set(d, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, int64_t(shape.size()), shape.data());
    set(d, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, int64_t(strides.size()), strides.data());
    set(d, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &alignment);
    set(d, CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, 1, &by_value);
    finish(d, "a tensor's cudnnBackendFinalize");
    return d;
  }
};

struct Plan {
  int64_t heads = 0, n = 0, d = 0;
  Descriptor plan = nullptr;
  int64_t workspace = 0;
};

/// softmax(Q K^T * factor) V as one operation, which cuDNN has since 9.13. All of q, k, v, out are
/// [1][h][n][d].
Descriptor operation(Builder& make, int64_t h, int64_t n, int64_t d) {
  const std::vector<int64_t> shape = {1, h, n, d}, strides = {h * n * d, n * d, d, 1};
  Descriptor op = make.make(CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR);
  make.set(op, CUDNN_ATTR_OPERATION_SDPA_FWD_QDESC, make.tensor(uid_q, CUDNN_DATA_HALF, shape, strides));
  make.set(op, CUDNN_ATTR_OPERATION_SDPA_FWD_KDESC, make.tensor(uid_k, CUDNN_DATA_HALF, shape, strides));
  make.set(op, CUDNN_ATTR_OPERATION_SDPA_FWD_VDESC, make.tensor(uid_v, CUDNN_DATA_HALF, shape, strides));
  make.set(op, CUDNN_ATTR_OPERATION_SDPA_FWD_ODESC, make.tensor(uid_out, CUDNN_DATA_HALF, shape, strides));
  make.set(op, CUDNN_ATTR_OPERATION_SDPA_FWD_SCALEDESC,
           make.tensor(uid_factor, CUDNN_DATA_FLOAT, {1}, {1}, true));
  make.finish(op, "the attention's cudnnBackendFinalize");
  return op;
}

/// The first plan that the heuristic proposes and that can be built.
Plan build(Builder& make, cudnnHandle_t handle, int64_t heads, int64_t n, int64_t d) {
  Plan made{heads, n, d};
  const Descriptor op = operation(make, heads, n, d);
  Descriptor graph = make.make(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  make.set(graph, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle);
  make.set(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &op);
  make.finish(graph, "the graph's cudnnBackendFinalize");

  Descriptor heuristic = make.make(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  const cudnnBackendHeurMode_t mode = CUDNN_HEUR_MODE_A;
  make.set(heuristic, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
  make.set(heuristic, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode);
  make.finish(heuristic, "the heuristic's cudnnBackendFinalize");
  std::vector<Descriptor> proposals(8);
  for (Descriptor& p : proposals) p = make.make(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
  int64_t count = 0;
  if (!make.error)
    make.check(
        cudnnBackendGetAttribute(heuristic, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                                 int64_t(proposals.size()), &count, proposals.data()),
        "cudnnBackendGetAttribute of the heuristic");
  for (int64_t i = 0; i < count && !make.error && !made.plan; ++i) {
    Builder attempt;
    Descriptor plan = attempt.make(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    attempt.set(plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle);
    attempt.set(plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, proposals[size_t(i)]);
    attempt.finish(plan, "a plan's cudnnBackendFinalize");
    if (!attempt.error)
      attempt.check(cudnnBackendGetAttribute(plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64,
                                             1, nullptr, &made.workspace),
                    "cudnnBackendGetAttribute of a plan");
    if (!attempt.error) made.plan = plan;
  }
  if (!made.plan) make.check(CUDNN_STATUS_NOT_SUPPORTED, "no fused plan: cudnnBackendFinalize");
  return made;
}

}  // namespace

int cudnn_attention(const DojoBaselineCall* c, char* text, int bytes) {
  static cudnnHandle_t handle = nullptr;
  if (!handle)
    if (const int e = cudnnCreate(&handle)) return fail(text, bytes, "cudnnCreate", e);
  cudnnSetStream(handle, stream(*c));
  const int64_t heads = size_of(*c, "heads"), n = size_of(*c, "n"), given = size_of(*c, "d"),
                d = given ? given : 64;
  if (heads == 0 || n == 0) return 0;
  Builder make;
  static Plan kept;  // a capture repeats the call before it
  if (kept.heads != heads || kept.n != n || kept.d != d) {
    const Plan built = build(make, handle, heads, n, d);
    if (make.error) return fail(text, bytes, make.call, make.error);
    kept = built;
  }
  void* workspace = scratch(size_t(kept.workspace ? kept.workspace : 256));
  if (!workspace) return fail(text, bytes, "cudaMalloc", cudaErrorMemoryAllocation);
  static float factor;  // read when the plan is executed
  factor = 1.0f / std::sqrt(float(d));
  const int64_t uids[] = {uid_q, uid_k, uid_v, uid_out, uid_factor};
  void* pointers[] = {c->buffers[0], c->buffers[1], c->buffers[2], c->buffers[3], &factor};
  Descriptor pack = make.make(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  make.set(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, 5, uids);
  make.set(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, 5, pointers);
  make.set(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace);
  make.finish(pack, "the variant pack's cudnnBackendFinalize");
  if (!make.error) make.check(cudnnBackendExecute(handle, kept.plan, pack), "cudnnBackendExecute");
  cudnnBackendDestroyDescriptor(pack);
  return make.error ? fail(text, bytes, make.call, make.error) : 0;
}

}  // namespace baselines
