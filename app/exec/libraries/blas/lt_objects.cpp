// cuBLASLt's handles and descriptors: layouts of matrices, products, preferences and transforms.
#include "lt_objects.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>

struct cublasLtContext {};

namespace {
using namespace dojo::libraries;

struct LtAttribute {
  int number;
  size_t offset, size;
};
#define ATTRIBUTE(NUMBER, OBJECT, MEMBER) \
  { CUBLASLT_##NUMBER, offsetof(OBJECT, MEMBER), sizeof(OBJECT::MEMBER) }

constexpr LtAttribute of_layout[] = {
    ATTRIBUTE(MATRIX_LAYOUT_TYPE, LtLayout, type),
    ATTRIBUTE(MATRIX_LAYOUT_ORDER, LtLayout, order),
    ATTRIBUTE(MATRIX_LAYOUT_ROWS, LtLayout, rows),
    ATTRIBUTE(MATRIX_LAYOUT_COLS, LtLayout, columns),
    ATTRIBUTE(MATRIX_LAYOUT_LD, LtLayout, ld),
    ATTRIBUTE(MATRIX_LAYOUT_BATCH_COUNT, LtLayout, batches),
    ATTRIBUTE(MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, LtLayout, stride),
    ATTRIBUTE(MATRIX_LAYOUT_PLANE_OFFSET, LtLayout, plane),
    ATTRIBUTE(MATRIX_LAYOUT_BATCH_MODE, LtLayout, batch_mode),
};
constexpr LtAttribute of_matmul[] = {
    ATTRIBUTE(MATMUL_DESC_COMPUTE_TYPE, LtMatmul, compute),
    ATTRIBUTE(MATMUL_DESC_SCALE_TYPE, LtMatmul, scale),
    ATTRIBUTE(MATMUL_DESC_POINTER_MODE, LtMatmul, pointer_mode),
    ATTRIBUTE(MATMUL_DESC_TRANSA, LtMatmul, op_a),
    ATTRIBUTE(MATMUL_DESC_TRANSB, LtMatmul, op_b),
    ATTRIBUTE(MATMUL_DESC_TRANSC, LtMatmul, op_c),
    ATTRIBUTE(MATMUL_DESC_FILL_MODE, LtMatmul, fill),
    ATTRIBUTE(MATMUL_DESC_EPILOGUE, LtMatmul, epilogue),
    ATTRIBUTE(MATMUL_DESC_BIAS_POINTER, LtMatmul, bias),
    ATTRIBUTE(MATMUL_DESC_BIAS_BATCH_STRIDE, LtMatmul, bias_stride),
    ATTRIBUTE(MATMUL_DESC_EPILOGUE_AUX_POINTER, LtMatmul, aux),
    ATTRIBUTE(MATMUL_DESC_EPILOGUE_AUX_LD, LtMatmul, aux_ld),
    ATTRIBUTE(MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, LtMatmul, aux_stride),
    ATTRIBUTE(MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, LtMatmul, alpha_stride),
    ATTRIBUTE(MATMUL_DESC_SM_COUNT_TARGET, LtMatmul, sm_count),
    ATTRIBUTE(MATMUL_DESC_A_SCALE_POINTER, LtMatmul, a_scale),
    ATTRIBUTE(MATMUL_DESC_B_SCALE_POINTER, LtMatmul, b_scale),
    ATTRIBUTE(MATMUL_DESC_C_SCALE_POINTER, LtMatmul, c_scale),
    ATTRIBUTE(MATMUL_DESC_D_SCALE_POINTER, LtMatmul, d_scale),
    ATTRIBUTE(MATMUL_DESC_AMAX_D_POINTER, LtMatmul, d_largest),
    ATTRIBUTE(MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, LtMatmul, aux_type),
    ATTRIBUTE(MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, LtMatmul, aux_scale),
    ATTRIBUTE(MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, LtMatmul, aux_largest),
    ATTRIBUTE(MATMUL_DESC_FAST_ACCUM, LtMatmul, fast_sums),
    ATTRIBUTE(MATMUL_DESC_BIAS_DATA_TYPE, LtMatmul, bias_type),
    ATTRIBUTE(MATMUL_DESC_A_SCALE_MODE, LtMatmul, scale_modes[0]),
    ATTRIBUTE(MATMUL_DESC_B_SCALE_MODE, LtMatmul, scale_modes[1]),
    ATTRIBUTE(MATMUL_DESC_C_SCALE_MODE, LtMatmul, scale_modes[2]),
    ATTRIBUTE(MATMUL_DESC_D_SCALE_MODE, LtMatmul, scale_modes[3]),
    ATTRIBUTE(MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE, LtMatmul, scale_modes[4]),
    ATTRIBUTE(MATMUL_DESC_D_OUT_SCALE_POINTER, LtMatmul, d_out_scale),
    ATTRIBUTE(MATMUL_DESC_D_OUT_SCALE_MODE, LtMatmul, scale_modes[5]),
    ATTRIBUTE(MATMUL_DESC_EMULATION_DESCRIPTOR, LtMatmul, emulation),
};
constexpr LtAttribute of_preference[] = {
    ATTRIBUTE(MATMUL_PREF_SEARCH_MODE, LtPreference, search),
    ATTRIBUTE(MATMUL_PREF_MAX_WORKSPACE_BYTES, LtPreference, workspace),
    ATTRIBUTE(MATMUL_PREF_REDUCTION_SCHEME_MASK, LtPreference, reductions),
    ATTRIBUTE(MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, LtPreference, alignments[0]),
    ATTRIBUTE(MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, LtPreference, alignments[1]),
    ATTRIBUTE(MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, LtPreference, alignments[2]),
    ATTRIBUTE(MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, LtPreference, alignments[3]),
    ATTRIBUTE(MATMUL_PREF_MAX_WAVES_COUNT, LtPreference, waves),
    ATTRIBUTE(MATMUL_PREF_IMPL_MASK, LtPreference, implementations),
};
constexpr LtAttribute of_transform[] = {
    ATTRIBUTE(MATRIX_TRANSFORM_DESC_SCALE_TYPE, LtTransform, scale),
    ATTRIBUTE(MATRIX_TRANSFORM_DESC_POINTER_MODE, LtTransform, pointer_mode),
    ATTRIBUTE(MATRIX_TRANSFORM_DESC_TRANSA, LtTransform, op_a),
    ATTRIBUTE(MATRIX_TRANSFORM_DESC_TRANSB, LtTransform, op_b),
};

template <size_t N>
const LtAttribute* find_attribute(const LtAttribute (&all)[N], int number) {
  const LtAttribute* found =
      std::find_if(all, all + N, [number](const LtAttribute& a) { return a.number == number; });
  return found == all + N ? nullptr : found;
}
/// Values are taken as they are; a call that uses them refuses what it can't.
template <size_t N>
cublasStatus_t set(const LtAttribute (&all)[N], void* object, int number, const void* from, size_t size) {
  const LtAttribute* a = find_attribute(all, number);
  if (!object || !a || !from || size != a->size) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(static_cast<std::byte*>(object) + a->offset, from, size);
  return CUBLAS_STATUS_SUCCESS;
}
/// A size of 0 asks for the attribute's.
template <size_t N>
cublasStatus_t get(const LtAttribute (&all)[N], const void* object, int number, void* to, size_t size,
                   size_t* written) {
  const LtAttribute* a = find_attribute(all, number);
  if (!object || !a || (size ? !to || size != a->size : !written)) return CUBLAS_STATUS_INVALID_VALUE;
  if (size) std::memcpy(to, static_cast<const std::byte*>(object) + a->offset, size);
  if (written) *written = a->size;
  return CUBLAS_STATUS_SUCCESS;
}

/// Puts `value` into the program's memory of `size` bytes.
template <class Object, class Opaque>
cublasStatus_t init(Opaque* at, size_t size, const Object& value) {
  if (!at) return CUBLAS_STATUS_INVALID_VALUE;
  if (size < sizeof(Opaque)) return CUBLAS_STATUS_ALLOC_FAILED;
  *at = {};
  new (at) Object(value);
  return CUBLAS_STATUS_SUCCESS;
}
template <class Object, class Opaque>
cublasStatus_t create(Opaque** made, const Object& value) {
  if (!made) return CUBLAS_STATUS_INVALID_VALUE;
  *made = new Opaque;
  return init(*made, sizeof(Opaque), value);
}
template <class Opaque>
cublasStatus_t destroy(Opaque* object) {
  delete object;
  return CUBLAS_STATUS_SUCCESS;
}
}  // namespace

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* h) {
  if (!h) return CUBLAS_STATUS_INVALID_VALUE;
  *h = new cublasLtContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t h) {
  if (!h) return CUBLAS_STATUS_INVALID_VALUE;
  return destroy(h);
}
size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
size_t cublasLtGetCudartVersion() { return CUDART_VERSION; }
const char* cublasLtGetStatusName(cublasStatus_t s) { return cublasGetStatusName(s); }
const char* cublasLtGetStatusString(cublasStatus_t s) { return cublasGetStatusString(s); }
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return CUBLAS_STATUS_INVALID_VALUE;
  *value = type == MAJOR_VERSION   ? CUBLAS_VER_MAJOR
           : type == MINOR_VERSION ? CUBLAS_VER_MINOR
                                   : CUBLAS_VER_PATCH;
  return CUBLAS_STATUS_SUCCESS;
}
// There is nothing to cache and nothing to log.
cublasStatus_t cublasLtHeuristicsCacheGetCapacity(size_t* capacity) {
  if (!capacity) return CUBLAS_STATUS_INVALID_VALUE;
  *capacity = 0;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtHeuristicsCacheSetCapacity(size_t) { return CUBLAS_STATUS_SUCCESS; }
unsigned cublasLtDisableCpuInstructionsSetMask(unsigned) { return 0; }
cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerSetFile(FILE*) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerOpenFile(const char*) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerSetLevel(int) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerSetMask(int) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerForceDisable() { return CUBLAS_STATUS_SUCCESS; }

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t l, size_t size, cudaDataType type,
                                                 uint64_t rows, uint64_t columns, int64_t ld) {
  return init(l, size, LtLayout{.type = uint32_t(type), .rows = rows, .columns = columns, .ld = ld});
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* l, cudaDataType type, uint64_t rows,
                                          uint64_t columns, int64_t ld) {
  return create(l, LtLayout{.type = uint32_t(type), .rows = rows, .columns = columns, .ld = ld});
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t l) { return destroy(l); }
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t l, cublasLtMatrixLayoutAttribute_t a,
                                                const void* from, size_t size) {
  return set(of_layout, l, a, from, size);
}
cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t l, cublasLtMatrixLayoutAttribute_t a,
                                                void* to, size_t size, size_t* written) {
  return get(of_layout, l, a, to, size, written);
}

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t d, size_t size,
                                               cublasComputeType_t compute, cudaDataType scale) {
  return init(d, size, LtMatmul{.compute = compute, .scale = scale});
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* d, cublasComputeType_t compute,
                                        cudaDataType scale) {
  return create(d, LtMatmul{.compute = compute, .scale = scale});
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t d) { return destroy(d); }
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t a,
                                              const void* from, size_t size) {
  return set(of_matmul, d, a, from, size);
}
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t a,
                                              void* to, size_t size, size_t* written) {
  return get(of_matmul, d, a, to, size, written);
}

cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t p, size_t size) {
  return init(p, size, LtPreference());
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* p) {
  return create(p, LtPreference());
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t p) { return destroy(p); }
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t p,
                                                    cublasLtMatmulPreferenceAttributes_t a, const void* from,
                                                    size_t size) {
  return set(of_preference, p, a, from, size);
}
cublasStatus_t cublasLtMatmulPreferenceGetAttribute(cublasLtMatmulPreference_t p,
                                                    cublasLtMatmulPreferenceAttributes_t a, void* to,
                                                    size_t size, size_t* written) {
  return get(of_preference, p, a, to, size, written);
}

cublasStatus_t cublasLtMatrixTransformDescInit_internal(cublasLtMatrixTransformDesc_t d, size_t size,
                                                        cudaDataType scale) {
  return init(d, size, LtTransform{.scale = scale});
}
cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t* d, cudaDataType scale) {
  return create(d, LtTransform{.scale = scale});
}
cublasStatus_t cublasLtMatrixTransformDescDestroy(cublasLtMatrixTransformDesc_t d) { return destroy(d); }
cublasStatus_t cublasLtMatrixTransformDescSetAttribute(cublasLtMatrixTransformDesc_t d,
                                                       cublasLtMatrixTransformDescAttributes_t a,
                                                       const void* from, size_t size) {
  return set(of_transform, d, a, from, size);
}
cublasStatus_t cublasLtMatrixTransformDescGetAttribute(cublasLtMatrixTransformDesc_t d,
                                                       cublasLtMatrixTransformDescAttributes_t a, void* to,
                                                       size_t size, size_t* written) {
  return get(of_transform, d, a, to, size, written);
}

}  // extern "C"
