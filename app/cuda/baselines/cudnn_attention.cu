// cuDNN's fused attention beside the attention lab: softmax(Q K^T / sqrt(d)) V on halves as one graph of operations (cuDNN
// backend API). Scores and sums are float, weights half; the heuristic picks the fused kernel for this pattern.
#include <cudnn.h>

#include <cmath>
#include <vector>

#include "common.cuh"

namespace baselines {
namespace {

using Descriptor = cudnnBackendDescriptor_t;

enum Uid : int64_t { uid_q = 1, uid_k, uid_v, uid_out, uid_factor, uid_virtual };

/// Makes descriptors, and keeps the first error and the call that gave it. They live as long as the process, as plans do.
struct Builder {
  int error = 0;
  const char* call = "";
  int64_t next = uid_virtual;

  void check(int e, const char* what) {
    if (!error && e) error = e, call = what;
  }
  Descriptor make(cudnnBackendDescriptorType_t type) {
    Descriptor d = nullptr;
    check(cudnnBackendCreateDescriptor(type, &d), "cudnnBackendCreateDescriptor");
    return d;
  }
  void set(Descriptor d, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int64_t count, const void* values) {
    if (!error) check(cudnnBackendSetAttribute(d, name, type, count, values), "cudnnBackendSetAttribute");
  }
  void set(Descriptor d, cudnnBackendAttributeName_t name, Descriptor other) {
    set(d, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &other);
  }
  void finish(Descriptor d, const char* what) {
    if (!error) check(cudnnBackendFinalize(d), what);
  }

  Descriptor tensor(int64_t uid, cudnnDataType_t type, std::vector<int64_t> shape, std::vector<int64_t> strides, bool by_value = false) {
    const int64_t alignment = 16;
    const bool is_virtual = uid >= uid_virtual;
    Descriptor d = make(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    set(d, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &uid);
    set(d, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type);
    set(d, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, int64_t(shape.size()), shape.data());
    set(d, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, int64_t(strides.size()), strides.data());
    set(d, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &alignment);
    set(d, CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1, &is_virtual);
    set(d, CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, 1, &by_value);
    finish(d, "a tensor's cudnnBackendFinalize");
    return d;
  }
  /// An intermediate result of `rows` x `cols` per head: never stored.
  Descriptor between(cudnnDataType_t type, int64_t heads, int64_t rows, int64_t cols) {
    return tensor(next++, type, {1, heads, rows, cols}, {heads * rows * cols, rows * cols, cols, 1});
  }

  Descriptor matmul(Descriptor a, Descriptor b, Descriptor c) {
    const cudnnDataType_t sums = CUDNN_DATA_FLOAT;
    Descriptor how = make(CUDNN_BACKEND_MATMUL_DESCRIPTOR), op = make(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR);
    set(how, CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &sums);
    finish(how, "a product's cudnnBackendFinalize");
    set(op, CUDNN_ATTR_OPERATION_MATMUL_ADESC, a);
    set(op, CUDNN_ATTR_OPERATION_MATMUL_BDESC, b);
    set(op, CUDNN_ATTR_OPERATION_MATMUL_CDESC, c);
    set(op, CUDNN_ATTR_OPERATION_MATMUL_DESC, how);
    finish(op, "a product's cudnnBackendFinalize");
    return op;
  }
  Descriptor pointwise(cudnnPointwiseMode_t mode, Descriptor x, Descriptor b, Descriptor y) {
    const cudnnDataType_t precision = CUDNN_DATA_FLOAT;
    Descriptor how = make(CUDNN_BACKEND_POINTWISE_DESCRIPTOR), op = make(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
    set(how, CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, 1, &mode);
    set(how, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, 1, &precision);
    finish(how, "a pointwise cudnnBackendFinalize");
    set(op, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how);
    set(op, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x);
    if (b) set(op, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, b);
    set(op, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y);
    finish(op, "a pointwise cudnnBackendFinalize");
    return op;
  }
  Descriptor reduction(cudnnReduceTensorOp_t what, Descriptor x, Descriptor y) {
    const cudnnDataType_t precision = CUDNN_DATA_FLOAT;
    Descriptor how = make(CUDNN_BACKEND_REDUCTION_DESCRIPTOR), op = make(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR);
    set(how, CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, 1, &what);
    set(how, CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &precision);
    finish(how, "a reduction's cudnnBackendFinalize");
    set(op, CUDNN_ATTR_OPERATION_REDUCTION_DESC, how);
    set(op, CUDNN_ATTR_OPERATION_REDUCTION_XDESC, x);
    set(op, CUDNN_ATTR_OPERATION_REDUCTION_YDESC, y);
    finish(op, "a reduction's cudnnBackendFinalize");
    return op;
  }
};

struct Plan {
  int64_t heads = 0, n = 0, d = 0;
  Descriptor plan = nullptr;
  int64_t workspace = 0;
};

std::vector<Descriptor> operations(Builder& make, int64_t h, int64_t n, int64_t d) {
  const cudnnDataType_t half = CUDNN_DATA_HALF, single = CUDNN_DATA_FLOAT;
  const std::vector<int64_t> shape = {1, h, n, d}, strides = {h * n * d, n * d, d, 1};
  Descriptor q = make.tensor(uid_q, half, shape, strides), v = make.tensor(uid_v, half, shape, strides),
             out = make.tensor(uid_out, half, shape, strides),
             k = make.tensor(uid_k, half, {1, h, d, n}, {h * n * d, n * d, 1, d}),  // K^T, where it lies
      factor = make.tensor(uid_factor, single, {1, 1, 1, 1}, {1, 1, 1, 1}, true);
  Descriptor dots = make.between(single, h, n, n), scores = make.between(single, h, n, n), largest = make.between(single, h, n, 1),
             below = make.between(single, h, n, n), powers = make.between(single, h, n, n), sum = make.between(single, h, n, 1),
             weights = make.between(half, h, n, n);
  return {make.matmul(q, k, dots),
          make.pointwise(CUDNN_POINTWISE_MUL, dots, factor, scores),
          make.reduction(CUDNN_REDUCE_TENSOR_MAX, scores, largest),
          make.pointwise(CUDNN_POINTWISE_SUB, scores, largest, below),
          make.pointwise(CUDNN_POINTWISE_EXP, below, nullptr, powers),
          make.reduction(CUDNN_REDUCE_TENSOR_ADD, powers, sum),
          make.pointwise(CUDNN_POINTWISE_DIV, powers, sum, weights),
          make.matmul(weights, v, out)};
}

/// The first plan that the heuristic proposes and that can be built.
Plan build(Builder& make, cudnnHandle_t handle, int64_t heads, int64_t n, int64_t d) {
  Plan made{heads, n, d};
  const std::vector<Descriptor> ops = operations(make, heads, n, d);
  Descriptor graph = make.make(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  make.set(graph, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle);
  make.set(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, int64_t(ops.size()), ops.data());
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
    make.check(cudnnBackendGetAttribute(heuristic, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                                        int64_t(proposals.size()), &count, proposals.data()),
               "cudnnBackendGetAttribute of the heuristic");
  for (int64_t i = 0; i < count && !make.error && !made.plan; ++i) {
    Builder attempt;
    Descriptor plan = attempt.make(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    attempt.set(plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle);
    attempt.set(plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, proposals[size_t(i)]);
    attempt.finish(plan, "a plan's cudnnBackendFinalize");
    if (!attempt.error)
      attempt.check(cudnnBackendGetAttribute(plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, nullptr,
                                             &made.workspace),
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
  const int64_t heads = size_of(*c, "heads"), n = size_of(*c, "n"), given = size_of(*c, "d"), d = given ? given : 64;
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
