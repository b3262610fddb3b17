#pragma once
// What cuSPARSE's descriptors hold, and host copies of what they describe: entries of sparse matrices,
// vectors and dense matrices as doubles. Of value types there are float and double. A call that can't go on
// throws the status that it returns.
#include <cusparse.h>

#include <cstdint>
#include <vector>

#include "shared/guarded.hpp"
#include "shared/not_simulated.hpp"

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_HOST;
};
/// CSR: `offsets` of rows, `indices` of columns. CSC: of columns, of rows. COO: rows, columns.
struct cusparseSpMatDescr {
  int64_t rows, columns, count;
  cusparseFormat_t format;
  void *offsets, *indices, *values;
  cusparseIndexType_t offset_type, index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  int batches = 1;
  int64_t offset_stride = 0, entry_stride = 0;  ///< of a batch, in elements; 0: one for all matrices
};
struct cusparseSpVecDescr {
  int64_t size, count;
  void *indices, *values;
  cusparseIndexType_t index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
};
struct cusparseDnVecDescr {
  int64_t size;
  void* values;
  cudaDataType type;
};
struct cusparseDnMatDescr {
  int64_t rows, columns, leading;
  void* values;
  cudaDataType type;
  cusparseOrder_t order;
  int batches = 1;
  int64_t batch_stride = 0;
};

namespace dojo::libraries {

/// Throws `status` unless `right`.
void need(bool right, cusparseStatus_t status = CUSPARSE_STATUS_INVALID_VALUE);

/// `count` values of host or device memory.
std::vector<double> values_at(const void* at, int64_t count, cudaDataType type);
void put_values(void* at, const std::vector<double>& values, cudaDataType type);
/// alpha and beta, in host or device memory.
double real_scalar(const void* at, cudaDataType type);
/// Indices, from 0.
std::vector<int64_t> indices_at(const void* at, int64_t count, cusparseIndexType_t type,
                                cusparseIndexBase_t base);

struct Entry {
  int64_t row, column;
  double value;
};
/// Entries of op(A), in the order in which they are stored.
std::vector<Entry> entries(const cusparseSpMatDescr& a, cusparseOperation_t op);
/// One matrix of a batch; of a single matrix this one.
cusparseSpMatDescr matrix_of(const cusparseSpMatDescr& all, int batch);
/// Rows and columns of op(A).
int64_t rows_of(const cusparseSpMatDescr& a, cusparseOperation_t op);
int64_t columns_of(const cusparseSpMatDescr& a, cusparseOperation_t op);
/// Writes offsets or rows, indices and values of a matrix with a.count entries, sorted as its format asks.
void put_entries(const cusparseSpMatDescr& a, std::vector<Entry> all);

/// One matrix of a batch, on the host.
class Dense {
 public:
  explicit Dense(const cusparseDnMatDescr& m, int batch = 0);
  double& at(int64_t row, int64_t column) { return values_[place(row, column)]; }
  /// The element of op(M).
  double at(cusparseOperation_t op, int64_t row, int64_t column) const {
    return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? values_[place(row, column)] : values_[place(column, row)];
  }
  void clear();
  void put() const { put_values(first_, values_, m_.type); }

 private:
  size_t place(int64_t row, int64_t column) const {
    return size_t(m_.order == CUSPARSE_ORDER_COL ? column * m_.leading + row : row * m_.leading + column);
  }
  const cusparseDnMatDescr& m_;
  void* first_;
  std::vector<double> values_;
};
int64_t rows_of(const cusparseDnMatDescr& m, cusparseOperation_t op);
int64_t columns_of(const cusparseDnMatDescr& m, cusparseOperation_t op);

/// The answer of every ..._bufferSize: 16 bytes that nothing uses. Programs tell calls with a buffer from
/// those without, so it is not 0.
inline cusparseStatus_t no_buffer(size_t* bytes) {
  *bytes = 16;
  return CUSPARSE_STATUS_SUCCESS;
}

/// Runs `work` on the host after the handle's stream, notes in the report that `name` was not simulated, and
/// returns the status; one of its own where the host has no memory for it.
template <class Work>
cusparseStatus_t computed(cusparseHandle_t handle, const char* name, const void* return_address,
                          const Work& work) {
  __cudaDojoNotSimulated(name, return_address);
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (cudaStreamSynchronize(handle->stream) != cudaSuccess) return CUSPARSE_STATUS_EXECUTION_FAILED;
  return guarded(CUSPARSE_STATUS_ALLOC_FAILED, [&] {
    try {
      work();
      return CUSPARSE_STATUS_SUCCESS;
    } catch (const cusparseStatus_t& status) {
      return status;
    }
  });
}

}  // namespace dojo::libraries
