// Launches of one or few blocks: small problems that a program solves between its large kernels.
#include "zoo.cuh"

// A least-squares fit of a plane per thread: sums in doubles, then a 3 x 3 solve by Cramer's rule.
__global__ void ob_small_solves(const double* x, const double* y, const double* z, double* plane,
                                int points) {
  const int t = threadIdx.x;
  double sxx = 0, sxy = 0, syy = 0, sx = 0, sy = 0, sxz = 0, syz = 0, sz = 0;
  for (int i = 0; i < points; ++i) {
    const double a = x[i * blockDim.x + t], b = y[i * blockDim.x + t], c = z[i * blockDim.x + t];
    sxx += a * a;
    sxy += a * b;
    syy += b * b;
    sx += a;
    sy += b;
    sxz += a * c;
    syz += b * c;
    sz += c;
  }
  const double n = points;
  const double det = sxx * (syy * n - sy * sy) - sxy * (sxy * n - sy * sx) + sx * (sxy * sy - syy * sx);
  plane[3 * t] = (sxz * (syy * n - sy * sy) - sxy * (syz * n - sy * sz) + sx * (syz * sy - syy * sz)) / det;
  plane[3 * t + 1] =
      (sxx * (syz * n - sz * sy) - sxz * (sxy * n - sy * sx) + sx * (sxy * sz - syz * sx)) / det;
  plane[3 * t + 2] =
      (sxx * (syy * sz - sy * syz) - sxy * (sxy * sz - sx * syz) + sxz * (sxy * sy - syy * sx)) / det;
}

__global__ void ob_local_peaks(const float* signal, int n, int* where, int* count) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  for (int i = threadIdx.x + 2; i < n - 2; i += blockDim.x) {
    const float v = signal[i];
    if (v > 0.8f && v > signal[i - 1] && v >= signal[i + 1] && v > signal[i - 2] && v >= signal[i + 2])
      where[atomicAdd(&found, 1)] = i;
  }
  __syncthreads();
  if (threadIdx.x == 0) *count = found;
}

__global__ void ob_heat_rod(const float* start, float* end, int steps, float k) {
  __shared__ float u[2][514];
  const int i = threadIdx.x + 1;
  u[0][i] = start[threadIdx.x];
  if (threadIdx.x < 2) u[threadIdx.x][0] = u[threadIdx.x][513] = 0;
  __syncthreads();
  int now = 0;
  for (int s = 0; s < steps; ++s) {
    u[1 - now][i] = u[now][i] + k * (u[now][i - 1] - 2 * u[now][i] + u[now][i + 1]);
    now = 1 - now;
    __syncthreads();
  }
  end[threadIdx.x] = u[now][i];
}

__global__ void ob_gauss_jordan(const float* matrix, float* inverse) {
  __shared__ float a[32][33], b[32][33];
  const int c = threadIdx.x, r = threadIdx.y;
  a[r][c] = matrix[32 * r + c];
  b[r][c] = r == c ? 1.0f : 0.0f;
  __syncthreads();
  for (int k = 0; k < 32; ++k) {
    const float pivot = a[k][k];
    __syncthreads();
    if (r == k) {
      a[k][c] /= pivot;
      b[k][c] /= pivot;
    }
    __syncthreads();
    const float f = a[r][k];
    __syncthreads();
    if (r != k) {
      a[r][c] -= f * a[k][c];
      b[r][c] -= f * b[k][c];
    }
    __syncthreads();
  }
  inverse[32 * r + c] = b[r][c];
}

// Autocorrelation: one block per lag. Longer lags have fewer products.
__global__ void fb_autocorrelation(const float* x, int n, float* r) {
  __shared__ float part[256];
  const int lag = blockIdx.x * 100;
  float sum = 0;
  for (int i = threadIdx.x; i + lag < n; i += blockDim.x) sum += x[i] * x[i + lag];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) r[blockIdx.x] = part[0] / n;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("ob_small_solves")) {
    const auto x = random_doubles(128 * 40, 1), y = random_doubles(128 * 40, 2);
    std::vector<double> z(x.size());
    for (size_t i = 0; i < z.size(); ++i) z[i] = 2 * x[i] - 3 * y[i] + 5;
    double* plane = zoo.zeros<double>(3 * 128);
    ob_small_solves<<<1, 128>>>(zoo.upload(x), zoo.upload(y), zoo.upload(z), plane, 40);
    zoo.expect("ob_small_solves", plane, 3 * 128, 4 * 128);
  }
  if (zoo.runs("ob_local_peaks")) {
    int *where = zoo.zeros<int>(4096), *count = zoo.zeros<int>(1);
    ob_local_peaks<<<1, 256>>>(zoo.upload(random_floats(4096, 3)), 4096, where, count);
    zoo.show("ob_local_peaks", where, 4096);
  }
  if (zoo.runs("ob_heat_rod")) {
    float* end = zoo.zeros<float>(512);
    ob_heat_rod<<<1, 512>>>(zoo.upload(random_floats(512, 4)), end, 200, 0.2f);
    zoo.show("ob_heat_rod", end, 512);
  }
  if (zoo.runs("ob_gauss_jordan")) {
    auto m = random_floats(1024, 5);
    for (int i = 0; i < 32; ++i) m[33 * i] += 20;
    float* inverse = zoo.zeros<float>(1024);
    ob_gauss_jordan<<<1, dim3(32, 32)>>>(zoo.upload(m), inverse);
    zoo.show("ob_gauss_jordan", inverse, 1024);
  }
  if (zoo.runs("fb_autocorrelation")) {
    float* r = zoo.zeros<float>(12);
    fb_autocorrelation<<<12, 256>>>(zoo.upload(random_floats(16384, 6, -1, 1)), 16384, r);
    zoo.show("fb_autocorrelation", r, 12);
  }
  return zoo.done();
}
