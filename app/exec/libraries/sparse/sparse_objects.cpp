// libcusparse.so.12 of `warpdojo exec`: handles and descriptors of cuSPARSE's generic calls.
#include "sparse_arrays.hpp"

namespace {

template <class Descr>
cusparseStatus_t made(Descr** out, const Descr& d) {
  if (!out) return CUSPARSE_STATUS_INVALID_VALUE;
  *out = new Descr(d);
  return CUSPARSE_STATUS_SUCCESS;
}
template <class Descr>
cusparseStatus_t gone(const Descr* d) {
  delete d;
  return CUSPARSE_STATUS_SUCCESS;
}
template <class T>
void* writable(const T* at) {
  return const_cast<T*>(at);
}

}  // namespace

extern "C" {

cusparseStatus_t cusparseCreate(cusparseHandle_t* h) { return made(h, {}); }
cusparseStatus_t cusparseDestroy(cusparseHandle_t h) { return gone(h); }
cusparseStatus_t cusparseGetVersion(cusparseHandle_t, int* version) {
  *version = CUSPARSE_VERSION;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t h, cudaStream_t s) {
  h->stream = s;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t h, cudaStream_t* s) {
  *s = h->stream;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t h, cusparsePointerMode_t mode) {
  h->mode = mode;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t h, cusparsePointerMode_t* mode) {
  *mode = h->mode;
  return CUSPARSE_STATUS_SUCCESS;
}

// ---- sparse matrices and vectors ----

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* d, int64_t rows, int64_t columns, int64_t count,
                                   void* offsets, void* indices, void* values, cusparseIndexType_t of_offsets,
                                   cusparseIndexType_t of_indices, cusparseIndexBase_t base,
                                   cudaDataType type) {
  return made(d, {rows, columns, count, CUSPARSE_FORMAT_CSR, offsets, indices, values, of_offsets, of_indices,
                  base, type});
}
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* d, int64_t rows, int64_t columns, int64_t count,
                                   void* offsets, void* indices, void* values, cusparseIndexType_t of_offsets,
                                   cusparseIndexType_t of_indices, cusparseIndexBase_t base,
                                   cudaDataType type) {
  return made(d, {rows, columns, count, CUSPARSE_FORMAT_CSC, offsets, indices, values, of_offsets, of_indices,
                  base, type});
}
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* d, int64_t rows, int64_t columns, int64_t count,
                                   void* of_rows, void* of_columns, void* values,
                                   cusparseIndexType_t of_indices, cusparseIndexBase_t base,
                                   cudaDataType type) {
  return made(d, {rows, columns, count, CUSPARSE_FORMAT_COO, of_rows, of_columns, values, of_indices,
                  of_indices, base, type});
}
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t* d, int64_t rows, int64_t columns,
                                        int64_t count, const void* offsets, const void* indices,
                                        const void* values, cusparseIndexType_t of_offsets,
                                        cusparseIndexType_t of_indices, cusparseIndexBase_t base,
                                        cudaDataType type) {
  return cusparseCreateCsr(const_cast<cusparseSpMatDescr_t*>(d), rows, columns, count, writable(offsets),
                           writable(indices), writable(values), of_offsets, of_indices, base, type);
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t d) { return gone(d); }
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t d, int64_t* rows, int64_t* columns,
                                      int64_t* count) {
  *rows = d->rows, *columns = d->columns, *count = d->count;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t d, void* offsets, void* indices, void* values) {
  d->offsets = offsets, d->indices = indices, d->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t d, void* offsets, void* indices, void* values) {
  return cusparseCsrSetPointers(d, offsets, indices, values);
}
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t d, void* rows, void* columns, void* values) {
  return cusparseCsrSetPointers(d, rows, columns, values);
}
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t d, void** values) {
  *values = d->values;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t d, void* values) {
  d->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t d, cusparseSpMatAttribute_t which, void* data,
                                           size_t) {
  if (which == CUSPARSE_SPMAT_FILL_MODE)
    d->fill = *static_cast<cusparseFillMode_t*>(data);
  else
    d->diagonal = *static_cast<cusparseDiagType_t*>(data);
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t* d, int64_t size, int64_t count, void* indices,
                                     void* values, cusparseIndexType_t of_indices, cusparseIndexBase_t base,
                                     cudaDataType type) {
  return made(d, {size, count, indices, values, of_indices, base, type});
}
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t d) { return gone(d); }

// ---- dense vectors and matrices ----

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* d, int64_t size, void* values, cudaDataType type) {
  return made(d, {size, values, type});
}
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* d, int64_t size, const void* values,
                                          cudaDataType type) {
  return cusparseCreateDnVec(const_cast<cusparseDnVecDescr_t*>(d), size, writable(values), type);
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t d) { return gone(d); }
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t d, void** values) {
  *values = d->values;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t d, void* values) {
  d->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* d, int64_t rows, int64_t columns, int64_t leading,
                                     void* values, cudaDataType type, cusparseOrder_t order) {
  return made(d, {rows, columns, leading, values, type, order});
}
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t* d, int64_t rows, int64_t columns,
                                          int64_t leading, const void* values, cudaDataType type,
                                          cusparseOrder_t order) {
  return cusparseCreateDnMat(const_cast<cusparseDnMatDescr_t*>(d), rows, columns, leading, writable(values),
                             type, order);
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t d) { return gone(d); }
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t d, int64_t* rows, int64_t* columns, int64_t* count,
                                void** offsets, void** indices, void** values,
                                cusparseIndexType_t* of_offsets, cusparseIndexType_t* of_indices,
                                cusparseIndexBase_t* base, cudaDataType* type) {
  if (d->format != CUSPARSE_FORMAT_CSR) return CUSPARSE_STATUS_INVALID_VALUE;
  *rows = d->rows, *columns = d->columns, *count = d->count;
  *offsets = d->offsets, *indices = d->indices, *values = d->values;
  *of_offsets = d->offset_type, *of_indices = d->index_type, *base = d->base, *type = d->type;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t d, int64_t* size, void** values, cudaDataType* type) {
  *size = d->size, *values = d->values, *type = d->type;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t d, int64_t* rows, int64_t* columns, int64_t* leading,
                                  void** values, cudaDataType* type, cusparseOrder_t* order) {
  *rows = d->rows, *columns = d->columns, *leading = d->leading;
  *values = d->values, *type = d->type, *order = d->order;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t d, void** values) {
  *values = d->values;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t d, void* values) {
  d->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t d, int batches, int64_t of_offsets,
                                            int64_t of_entries) {
  d->batches = batches, d->offset_stride = of_offsets, d->entry_stride = of_entries;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t d, int batches, int64_t stride) {
  return cusparseCsrSetStridedBatch(d, batches, 0, stride);
}
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t d, int batches, int64_t stride) {
  d->batches = batches, d->batch_stride = stride;
  return CUSPARSE_STATUS_SUCCESS;
}

}  // extern "C"
