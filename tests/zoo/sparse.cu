// Products of sparse matrices with a vector, in the usual formats.
#include "zoo.cuh"

__global__ void sp_csr_scalar(const int* start, const int* column, const float* value, const float* x,
                              float* y, int rows) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int k = start[r]; k < start[r + 1]; ++k) sum += value[k] * x[column[k]];
  y[r] = sum;
}

__global__ void sp_csr_vector(const int* start, const int* column, const float* value, const float* x,
                              float* y, int rows) {
  const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (r >= rows) return;
  float sum = 0;
  for (int k = start[r] + lane; k < start[r + 1]; k += 32) sum += value[k] * x[column[k]];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (lane == 0) y[r] = sum;
}

__global__ void sp_ell(const int* column, const double* value, const double* x, double* y, int width,
                       int rows) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  double sum = 0;
  for (int k = 0; k < width; ++k) {
    const int c = column[k * rows + r];
    if (c >= 0) sum += value[k * rows + r] * x[c];
  }
  y[r] = sum;
}

__global__ void sp_coo_atomic(const int* row, const int* column, const float* value, const float* x, float* y,
                              int entries) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < entries) atomicAdd(&y[row[k]], value[k] * x[column[k]]);
}

// Rows of uneven length: mostly short, a few long.
struct Matrix {
  std::vector<int> start, row, column;
};
Matrix sparse_matrix(int rows, int columns, int longest, unsigned seed) {
  Matrix m;
  Random r{seed};
  m.start.push_back(0);
  for (int i = 0; i < rows; ++i) {
    const int length = r.below(16) == 0 ? int(r.below(unsigned(longest))) : 4 + int(r.below(12));
    for (int k = 0; k < length; ++k) {
      m.row.push_back(i);
      m.column.push_back(int(r.below(unsigned(columns))));
    }
    m.start.push_back(int(m.column.size()));
  }
  return m;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("sp_csr_scalar")) {
    const int rows = 20000;
    const Matrix m = sparse_matrix(rows, rows, 60, 1);
    float* y = zoo.zeros<float>(rows);
    sp_csr_scalar<<<(rows + 127) / 128, 128>>>(zoo.upload(m.start), zoo.upload(m.column),
                                               zoo.upload(random_floats(m.column.size(), 2)),
                                               zoo.upload(random_floats(rows, 3)), y, rows);
    zoo.show("sp_csr_scalar", y, rows);
  }
  if (zoo.runs("sp_csr_vector")) {
    const int rows = 6000;
    const Matrix m = sparse_matrix(rows, 50000, 600, 4);
    float* y = zoo.zeros<float>(rows);
    sp_csr_vector<<<(rows + 7) / 8, 256>>>(zoo.upload(m.start), zoo.upload(m.column),
                                           zoo.upload(random_floats(m.column.size(), 5)),
                                           zoo.upload(random_floats(50000, 6)), y, rows);
    zoo.show("sp_csr_vector", y, rows);
  }
  if (zoo.runs("sp_ell")) {
    // A matrix of seven diagonals, as a 3-D grid gives it.
    const int n = 24, rows = n * n * n;
    const int step[7] = {-n * n, -n, -1, 0, 1, n, n * n};
    std::vector<int> column(7 * rows);
    for (int k = 0; k < 7; ++k)
      for (int r = 0; r < rows; ++r) {
        const int c = r + step[k];
        column[k * rows + r] = c >= 0 && c < rows ? c : -1;
      }
    double* y = zoo.zeros<double>(rows);
    sp_ell<<<(rows + 63) / 64, 64>>>(zoo.upload(column), zoo.upload(random_doubles(7 * rows, 7)),
                                     zoo.upload(random_doubles(rows, 8)), y, 7, rows);
    zoo.show("sp_ell", y, rows);
  }
  if (zoo.runs("sp_coo_atomic")) {
    const int rows = 8000;
    const Matrix m = sparse_matrix(rows, rows, 100, 9);
    const int entries = int(m.row.size());
    float* y = zoo.zeros<float>(rows);
    sp_coo_atomic<<<(entries + 255) / 256, 256>>>(zoo.upload(m.row), zoo.upload(m.column),
                                                  zoo.upload(random_floats(entries, 10)),
                                                  zoo.upload(random_floats(rows, 11)), y, entries);
    zoo.show("sp_coo_atomic", y, rows);
  }
  return zoo.done();
}
