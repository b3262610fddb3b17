// Transposes and changes of layout.
#include "zoo.cuh"

__global__ void tr_plain(const float* in, float* out, int rows, int columns) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < columns) out[c * rows + r] = in[r * columns + c];
}

__global__ void tr_unpadded(const float* in, float* out, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

__global__ void tr_padded(const double* in, double* out, int n) {
  __shared__ double tile[16][17];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  out[(blockIdx.x * 16 + threadIdx.y) * n + blockIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

struct Particle {
  float x, y, z, mass;
  int kind;
};
__global__ void tr_struct_to_arrays(const Particle* p, float* x, float* y, float* z, float* mass, int* kind,
                                    int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Particle q = p[i];
  x[i] = q.x;
  y[i] = q.y;
  z[i] = q.z;
  mass[i] = q.mass;
  kind[i] = q.kind;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("tr_plain")) {
    const int rows = 500, columns = 700;
    float* out = zoo.zeros<float>(rows * columns);
    tr_plain<<<dim3(44, 32), dim3(16, 16)>>>(zoo.upload(random_floats(rows * columns, 1)), out, rows,
                                             columns);
    zoo.show("tr_plain", out, rows * columns);
  }
  if (zoo.runs("tr_unpadded")) {
    const int n = 640;
    float* out = zoo.zeros<float>(n * n);
    tr_unpadded<<<dim3(20, 20), dim3(32, 8)>>>(zoo.upload(random_floats(n * n, 2)), out, n);
    zoo.show("tr_unpadded", out, n * n);
  }
  if (zoo.runs("tr_padded")) {
    const int n = 512;
    double* out = zoo.zeros<double>(n * n);
    tr_padded<<<dim3(32, 32), dim3(16, 16)>>>(zoo.upload(random_doubles(n * n, 3)), out, n);
    zoo.show("tr_padded", out, n * n);
  }
  if (zoo.runs("tr_struct_to_arrays")) {
    const int n = 70000;
    std::vector<Particle> p(n);
    Random r{4};
    for (Particle& q : p) {
      q.x = r.unit();
      q.y = r.unit();
      q.z = r.unit();
      q.mass = r.unit();
      q.kind = int(r.below(5));
    }
    float* mass = zoo.zeros<float>(n);
    tr_struct_to_arrays<<<(n + 127) / 128, 128>>>(zoo.upload(p), zoo.zeros<float>(n), zoo.zeros<float>(n),
                                                  zoo.zeros<float>(n), mass, zoo.zeros<int>(n), n);
    zoo.show("tr_struct_to_arrays", mass, n);
  }
  return zoo.done();
}
