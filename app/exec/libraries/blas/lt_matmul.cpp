// cuBLASLt's products and transforms, computed on the host: D = epilogue(alpha op(A) op(B) + beta C), with
// sums of double that are rounded once. Statuses are those that cuBLASLt 13.1 gave on an H200.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "lt_matrices.hpp"

namespace {
using namespace dojo::libraries;
constexpr cublasStatus_t ok = CUBLAS_STATUS_SUCCESS, invalid = CUBLAS_STATUS_INVALID_VALUE,
                         not_supported = CUBLAS_STATUS_NOT_SUPPORTED;

// Bits of epilogues. Others are named by cublasLtEpilogue_t.
constexpr uint32_t relu = 2, bias = 4, d_relu = 8, bias_gradient = 16, gelu = 32, d_gelu = 64,
                   auxiliary = 128;

struct LtProduct {
  const LtMatmul* op;
  const LtLayout *a, *b, *c, *d;
  bool turned_a() const { return op->op_a != CUBLAS_OP_N; }
  bool turned_b() const { return op->op_b != CUBLAS_OP_N; }
  uint64_t m() const { return d->rows; }
  uint64_t n() const { return d->columns; }
  uint64_t k() const { return turned_a() ? a->rows : a->columns; }
  bool has(uint32_t bits) const { return (op->epilogue & bits) != 0; }
};

cublasStatus_t check_shapes(const LtProduct& p) {
  const uint64_t rows_a = p.turned_a() ? p.a->columns : p.a->rows;
  const uint64_t rows_b = p.turned_b() ? p.b->columns : p.b->rows;
  const uint64_t columns_b = p.turned_b() ? p.b->rows : p.b->columns;
  if (!p.m() || !p.n() || rows_a != p.m() || columns_b != p.n() || rows_b != p.k()) return invalid;
  if (p.c->rows != p.m() || p.c->columns != p.n() || p.c->order != p.d->order) return invalid;
  for (const LtLayout* l : {p.a, p.b, p.c, p.d}) {
    if (const cublasStatus_t s = check_layout(*l)) return s;
    if (l->batches != p.d->batches) return invalid;
  }
  return ok;
}

cublasStatus_t check_fp8(const LtProduct& p) {
  const cudaDataType c = type_of(*p.c), d = type_of(*p.d);
  if (type_of(*p.a) == CUDA_R_8F_E5M2 && type_of(*p.b) == CUDA_R_8F_E5M2) return not_supported;
  if (!p.turned_a() || p.turned_b() || p.k() % 16 || p.m() % 16) return not_supported;
  if (is_fp8(d)) return c == CUDA_R_16F || c == CUDA_R_16BF ? ok : not_supported;
  return c == d && (d == CUDA_R_16F || d == CUDA_R_16BF || d == CUDA_R_32F) ? ok : not_supported;
}
/// Integers of 8 bits: all sizes are multiples of 4.
cublasStatus_t check_integers(const LtProduct& p) {
  const cudaDataType out = type_of(*p.d);
  if (p.op->scale == CUDA_R_32F && out == CUDA_R_32I) return invalid;
  if (type_of(*p.a) != CUDA_R_8I || type_of(*p.c) != out ||
      out != (p.op->scale == CUDA_R_32I ? CUDA_R_32I : CUDA_R_8I))
    return not_supported;
  bool whole = p.k() % 4 == 0;
  for (const LtLayout* l : {p.a, p.b, p.c, p.d}) whole = whole && l->rows % 4 == 0 && l->ld % 4 == 0;
  return whole ? ok : not_supported;
}
cublasStatus_t check_types(const LtProduct& p) {
  const cudaDataType a = type_of(*p.a), b = type_of(*p.b), c = type_of(*p.c), d = type_of(*p.d);
  const auto scale = cudaDataType(p.op->scale);
  const auto all_are = [&](cudaDataType t) {
    return a == t && c == t && d == t && scale == t ? ok : not_supported;
  };
  if (a != b && !(is_fp8(a) && is_fp8(b))) return invalid;
  switch (p.op->compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return all_are(CUDA_R_16F);
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      return all_are(CUDA_R_64F);
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return check_integers(p);
    default:
      break;
  }
  if (!bytes_of(a) || !bytes_of(d)) return not_supported;
  if (scale != CUDA_R_32F) return invalid;
  if (is_fp8(a)) return check_fp8(p);
  if (c != d) return a == CUDA_R_16F || a == CUDA_R_16BF ? invalid : not_supported;
  if (d == CUDA_R_32F && (a == CUDA_R_8I || a == CUDA_R_32F)) return ok;
  return (a == CUDA_R_16F || a == CUDA_R_16BF) && (d == a || d == CUDA_R_32F) ? ok : not_supported;
}

/// The only type that cuBLASLt takes for the auxiliary matrix: never fp8.
cudaDataType aux_type(const LtProduct& p) { return type_of(is_fp8(type_of(*p.d)) ? *p.c : *p.d); }

cublasStatus_t check_epilogue(const LtProduct& p) {
  const LtMatmul& op = *p.op;
  const uint32_t e = op.epilogue, activations = e & (relu | d_relu | gelu | d_gelu),
                 none = CUBLASLT_EPILOGUE_DEFAULT;
  const uint32_t known = relu | bias | d_relu | bias_gradient | gelu | d_gelu | auxiliary | none |
                         CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB;
  if (e & ~known || !e) return not_supported;
  if ((activations & (activations - 1)) || ((e & (d_relu | d_gelu)) && !(e & auxiliary))) return invalid;
  if (e == none) return ok;
  if (p.d->by_row()) return not_supported;
  // The gradient of a bias is summed over k, along rows of A or columns of B.
  if (e == CUBLASLT_EPILOGUE_BGRADA && p.turned_a()) return not_supported;
  if (e == CUBLASLT_EPILOGUE_BGRADB && !p.turned_b()) return not_supported;
  if (activations && (e & auxiliary)) {
    const auto rows = int64_t(p.m());
    if (op.aux_ld < rows || (p.has(relu | d_relu) && op.aux_ld % 128)) return invalid;
    if (op.aux_type >= 0 && op.aux_type != int32_t(aux_type(p))) return invalid;
  }
  return ok;
}

bool uses_bias(const LtProduct& p) {
  return p.has(bias | bias_gradient | CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB);
}
/// The type of the bias, where the program names none: D's, but for D of 8 bits and for A of fp8.
cudaDataType bias_type(const LtProduct& p) {
  if (p.op->bias_type >= 0) return cudaDataType(p.op->bias_type);
  const cudaDataType d = type_of(*p.d);
  if (d == CUDA_R_8I) return CUDA_R_32F;
  if (is_fp8(d)) return type_of(*p.c);
  return is_fp8(type_of(*p.a)) && d == CUDA_R_32F ? CUDA_R_16BF : d;
}

cublasStatus_t check(const LtProduct& p) {
  const LtMatmul& op = *p.op;
  if (const cublasStatus_t s = check_shapes(p)) return s;
  if (const cublasStatus_t s = check_types(p)) return s;
  if (op.pointer_mode != CUBLASLT_POINTER_MODE_HOST && op.pointer_mode != CUBLASLT_POINTER_MODE_DEVICE)
    return not_supported;
  if (op.op_c != CUBLAS_OP_N || op.fill != CUBLAS_FILL_MODE_FULL) return not_supported;
  if (std::any_of(std::begin(op.scale_modes), std::end(op.scale_modes),
                  [](int32_t mode) { return mode != 0; }))
    return not_supported;
  if (!is_fp8(type_of(*p.a)) && (op.a_scale || op.b_scale || op.c_scale)) return invalid;
  if (!is_fp8(type_of(*p.d)) && (op.d_scale || op.d_largest)) return invalid;
  // There is no auxiliary matrix of fp8, and no scale that D could give.
  if (op.aux_scale || op.aux_largest || op.d_out_scale) return invalid;
  if (const cublasStatus_t s = check_epilogue(p)) return s;
  const bool own_types = is_fp8(type_of(*p.a)) || type_of(*p.d) == CUDA_R_8I;
  return op.bias_type >= 0 && op.bias_type != int32_t(p.d->type) && !own_types ? invalid : ok;
}

/// By cuBLASLt's documentation, tanh's approximation.
struct Gelu {
  double value, slope;
  explicit Gelu(double x) {
    const double root = std::sqrt(2 / std::numbers::pi), cubic = 0.044715;
    const double t = std::tanh(root * (x + cubic * x * x * x));
    value = x / 2 * (1 + t);
    slope = (1 + t) / 2 + x / 2 * (1 - t * t) * root * (1 + 3 * cubic * x * x);
  }
};

/// What follows a product, for one matrix of a batch.
class Epilogue {
 public:
  Epilogue(const LtProduct& p, long batch)
      : p_(p),
        rows_(long(p.m())),
        bias_(p.has(bias) ? offset(p.op->bias, batch * p.op->bias_stride, bias_type(p)) : nullptr,
              bias_type(p), p.has(bias) ? rows_ : 0, 1, 1, 1),
        masked_(p.has(relu | d_relu) && p.has(auxiliary)),
        stored_(p.has(relu | gelu | d_relu | d_gelu) && p.has(auxiliary)),
        aux_(aux_at(batch), kept_type(), stored_ ? (masked_ ? (p.op->aux_ld / 8) : rows_) : 0, long(p.n()), 1,
             masked_ ? p.op->aux_ld / 8 : p.op->aux_ld),
        gradient_(size_t(p.has(bias_gradient) ? rows_ : 0)) {}
  double operator()(long i, long j, double v) {
    if (p_.has(bias)) v += bias_(i, 0);
    if (p_.has(relu)) {
      if (masked_) set_bit(i, j, v >= 0);
      v = v < 0 ? 0 : v;
    } else if (p_.has(gelu)) {
      if (stored_) aux_.set(i, j, v);
      v = Gelu(v).value;
    } else if (p_.has(d_relu)) {
      v = bit(i, j) ? v : 0;
    } else if (p_.has(d_gelu)) {
      v *= Gelu(aux_(i, j)).slope;
    }
    if (!gradient_.empty()) gradient_[size_t(i)] += v;
    return v;
  }
  void put(long batch) const {
    if (p_.has(relu | gelu)) aux_.all.put();
    if (!gradient_.empty()) put_bias(gradient_, batch);
  }
  /// Sums over k of op(A) or op(B).
  void put_bias(const std::vector<double>& sums, long batch) const {
    const long n = long(sums.size());
    TypedMatrix out(offset(p_.op->bias, batch * p_.op->bias_stride, bias_type(p_)), bias_type(p_), n, 1, 1,
                    1);
    for (long i = 0; i < n; ++i) out.set(i, 0, sums[size_t(i)]);
    out.all.put();
  }

 private:
  cudaDataType kept_type() const { return masked_ ? CUDA_R_8I : aux_type(p_); }
  const void* aux_at(long batch) const {
    const int64_t stride = p_.op->aux_stride;
    return offset(p_.op->aux, batch * (masked_ ? stride / 8 : stride), kept_type());
  }
  std::byte& byte_of(long i, long j) { return aux_.all.v[aux_.place(i / 8, j)]; }
  bool bit(long i, long j) { return (byte_of(i, j) >> (i % 8) & std::byte(1)) != std::byte(0); }
  void set_bit(long i, long j, bool on) {
    const std::byte mask = std::byte(1) << (i % 8);
    byte_of(i, j) = on ? byte_of(i, j) | mask : byte_of(i, j) & ~mask;
  }
  const LtProduct& p_;
  long rows_;
  TypedMatrix bias_;
  bool masked_;  ///< the auxiliary matrix has bits, LSB first
  bool stored_;
  TypedMatrix aux_;
  std::vector<double> gradient_;
};

std::vector<double> sums_over_k(const TypedMatrix& m, long n, long k, bool of_rows) {
  std::vector<double> sums(static_cast<size_t>(n));
  for (long i = 0; i < n; ++i)
    for (long l = 0; l < k; ++l) sums[size_t(i)] += of_rows ? m(i, l) : m(l, i);
  return sums;
}

void multiply(const LtProduct& p, const void* alpha, const void* a, const void* b, const void* beta,
              const void* c, void* d) {
  const LtMatmul& op = *p.op;
  const long m = long(p.m()), n = long(p.n()), k = long(p.k());
  const cudaDataType scale = cudaDataType(op.scale), out_type = type_of(*p.d);
  const double by =
      scalar(alpha, scale) * scalar_or(1, op.a_scale, CUDA_R_32F) * scalar_or(1, op.b_scale, CUDA_R_32F);
  const double keep = scalar(beta, scale) * scalar_or(1, op.c_scale, CUDA_R_32F);
  const double d_scale = scalar_or(1, op.d_scale, CUDA_R_32F);
  double largest = 0;
  for (long batch = 0; batch < p.d->batches; ++batch) {
    const TypedMatrix left = matrix(a, *p.a, batch, p.turned_a()),
                      right = matrix(b, *p.b, batch, p.turned_b());
    const TypedMatrix old =
        keep != 0 ? matrix(c, *p.c, batch, false) : TypedMatrix(nullptr, out_type, 0, 0, 1, 1);
    TypedMatrix out = matrix(d, *p.d, batch, false);
    Epilogue after(p, batch);
    typed_product(m, n, k, left, right, [&](long i, long j, double sum) {
      const double v = after(i, j, by * sum + (keep != 0 ? keep * old(i, j) : 0));
      largest = std::max(largest, std::fabs(v));
      out.set(i, j, v * d_scale);
    });
    out.all.put();
    after.put(batch);
    if (op.epilogue == CUBLASLT_EPILOGUE_BGRADA) after.put_bias(sums_over_k(left, m, k, true), batch);
    if (op.epilogue == CUBLASLT_EPILOGUE_BGRADB) after.put_bias(sums_over_k(right, n, k, false), batch);
  }
  if (op.d_largest) set_scalar(static_cast<float*>(op.d_largest), float(largest));
}
}  // namespace

extern "C" {

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t h, cublasLtMatmulDesc_t op,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int most,
                                              cublasLtMatmulHeuristicResult_t found[], int* count) {
  if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!op || !a || !b || !d || !preference || !found || !count || most < 1) return invalid;
  const cublasStatus_t s = check({contents(op), contents(a), contents(b), contents(c ? c : d), contents(d)});
  if (s == invalid) return s;
  *count = s ? 0 : 1;
  found[0] = {};
  found[0].state = s;
  found[0].wavesCount = 1;
  return s;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t h, cublasLtMatmulDesc_t op, const void* alpha, const void* a,
                              cublasLtMatrixLayout_t layout_a, const void* b, cublasLtMatrixLayout_t layout_b,
                              const void* beta, const void* c, cublasLtMatrixLayout_t layout_c, void* d,
                              cublasLtMatrixLayout_t layout_d, const cublasLtMatmulAlgo_t*, void* workspace,
                              size_t workspace_bytes, cudaStream_t stream) {
  __cudaDojoNotSimulated("cublasLtMatmul", __builtin_return_address(0));
  if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!op || !layout_a || !layout_b || !layout_d || (workspace_bytes && !workspace)) return invalid;
  const LtProduct p{contents(op), contents(layout_a), contents(layout_b),
                    contents(layout_c ? layout_c : layout_d), contents(layout_d)};
  if (const cublasStatus_t s = check(p)) return s;
  if (cudaStreamSynchronize(stream) != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
  if (!alpha || !beta) return invalid;
  const bool reads_c = scalar(beta, cudaDataType(p.op->scale)) != 0;
  if (!a || !b || !d || (reads_c && (!c || !layout_c))) return invalid;
  if (c == d && (p.c->ld != p.d->ld || p.c->type != p.d->type)) return invalid;
  // A pointer without its epilogue is refused as an epilogue without its pointer is.
  if (p.has(relu | d_relu | gelu | d_gelu) && p.has(auxiliary) != (p.op->aux != nullptr))
    return not_supported;
  if (uses_bias(p) != (p.op->bias != nullptr)) return invalid;
  return guarded(CUBLAS_STATUS_ALLOC_FAILED, [&] {
    multiply(p, alpha, a, b, beta, c, d);
    return ok;
  });
}

}  // extern "C"
