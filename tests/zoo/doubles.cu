// Double precision: sums, polynomials, solves, iterations with special functions.
#include "zoo.cuh"

__global__ void dp_dot_partial(const double* a, const double* b, double* part, int n) {
  __shared__ double cache[128];
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
  cache[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half >>= 1) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) part[blockIdx.x] = cache[0];
}

__global__ void dp_horner(const double* x, const double* c, int degree, double* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = c[degree];
  for (int k = degree - 1; k >= 0; --k) v = v * x[i] + c[k];
  y[i] = v;
}

// Thomas' algorithm; each thread solves a system, whose rows lie n apart.
__global__ void dp_tridiagonal(const double* lower, const double* diagonal, const double* upper,
                               const double* right, double* work, double* x, int rows, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double c = upper[i] / diagonal[i], d = right[i] / diagonal[i];
  work[i] = c;
  x[i] = d;
  for (int k = 1; k < rows; ++k) {
    const int at = k * n + i;
    const double m = 1.0 / (diagonal[at] - lower[at] * c);
    c = upper[at] * m;
    d = (right[at] - lower[at] * d) * m;
    work[at] = c;
    x[at] = d;
  }
  for (int k = rows - 2; k >= 0; --k) {
    d = x[k * n + i] - work[k * n + i] * d;
    x[k * n + i] = d;
  }
}

// Kepler's equation by Newton's method, until it converges.
__global__ void dp_kepler(const double* mean, const double* eccentricity, double* anomaly, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double m = mean[i], e = eccentricity[i];
  double x = m;
  for (int k = 0; k < 30; ++k) {
    double s, c;
    sincos(x, &s, &c);
    const double step = (x - e * s - m) / (1 - e * c);
    x -= step;
    if (fabs(step) < 1e-12) break;
  }
  anomaly[i] = x;
}

// Eigenvalues of symmetric 3 x 3 matrices by the trigonometric formula.
__global__ void dp_eigenvalues(const double* m, double* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double a = m[i], b = m[n + i], c = m[2 * n + i], d = m[3 * n + i], e = m[4 * n + i], f = m[5 * n + i];
  const double q = (a + b + c) / 3, off = d * d + e * e + f * f;
  const double p = sqrt(((a - q) * (a - q) + (b - q) * (b - q) + (c - q) * (c - q) + 2 * off) / 6);
  const double ai = (a - q) / p, bi = (b - q) / p, ci = (c - q) / p, di = d / p, ei = e / p, fi = f / p;
  double r = (ai * (bi * ci - fi * fi) - di * (di * ci - fi * ei) + ei * (di * fi - bi * ei)) / 2;
  r = r < -1 ? -1 : r > 1 ? 1 : r;
  const double angle = acos(r) / 3;
  values[i] = q + 2 * p * cos(angle);
  values[n + i] = q + 2 * p * cos(angle + 2.0943951023931953);
  values[2 * n + i] = 3 * q - values[i] - values[n + i];
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("dp_dot_partial")) {
    const int n = 200000;
    const auto a = random_doubles(n, 1), b = random_doubles(n, 2);
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    double* part = zoo.zeros<double>(128);
    dp_dot_partial<<<128, 128>>>(zoo.upload(a), zoo.upload(b), part, n);
    zoo.expect("dp_dot_partial", part, 128, sum);
  }
  if (zoo.runs("dp_horner")) {
    const int n = 64 * 256;
    double* y = zoo.zeros<double>(n);
    dp_horner<<<64, 256>>>(zoo.upload(random_doubles(n, 3, -1, 1)), zoo.upload(random_doubles(24, 4)), 23, y,
                           n);
    zoo.show("dp_horner", y, n);
  }
  if (zoo.runs("dp_tridiagonal")) {
    const int n = 32 * 64, rows = 24;
    double* x = zoo.zeros<double>(n * rows);
    dp_tridiagonal<<<32, 64>>>(
        zoo.upload(random_doubles(n * rows, 5)), zoo.upload(random_doubles(n * rows, 6, 3, 4)),
        zoo.upload(random_doubles(n * rows, 7)), zoo.upload(random_doubles(n * rows, 8)),
        zoo.zeros<double>(n * rows), x, rows, n);
    zoo.show("dp_tridiagonal", x, n * rows);
  }
  if (zoo.runs("dp_kepler")) {
    const int n = 40 * 128 - 17;
    double* anomaly = zoo.zeros<double>(n);
    dp_kepler<<<40, 128>>>(zoo.upload(random_doubles(n, 9, 0, 6.28)),
                           zoo.upload(random_doubles(n, 10, 0, 0.9)), anomaly, n);
    zoo.show("dp_kepler", anomaly, n);
  }
  if (zoo.runs("dp_eigenvalues")) {
    const int n = 150 * 128;
    double* values = zoo.zeros<double>(3 * n);
    dp_eigenvalues<<<150, 128>>>(zoo.upload(random_doubles(6 * n, 11, -1, 1)), values, n);
    zoo.show("dp_eigenvalues", values, 3 * n);
  }
  return zoo.done();
}
