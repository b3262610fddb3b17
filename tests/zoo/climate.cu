// Parts of a model of the atmosphere: shallow water, radiation in columns, transport, and a spectral
// transform.
#include "zoo.cuh"

struct Flow {
  double h, hu, hv;
};

__host__ __device__ Flow flux_x(Flow s) {
  const double u = s.hu / s.h;
  return {s.hu, s.hu * u + 0.5 * 9.81 * s.h * s.h, s.hv * u};
}

__host__ __device__ Flow flux_y(Flow s) {
  const double v = s.hv / s.h;
  return {s.hv, s.hu * v, s.hv * v + 0.5 * 9.81 * s.h * s.h};
}

// A step of shallow water by Lax and Friedrichs in double precision, periodic on both axes.
__global__ void cl_shallow_water(const double* h, const double* hu, const double* hv, double ratio,
                                 double* next_h, double* next_hu, double* next_hv, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int left = y * width + (x ? x - 1 : width - 1), right = y * width + (x < width - 1 ? x + 1 : 0);
  const int below = (y ? y - 1 : height - 1) * width + x, above = (y < height - 1 ? y + 1 : 0) * width + x;
  const Flow l = {h[left], hu[left], hv[left]}, r = {h[right], hu[right], hv[right]};
  const Flow b = {h[below], hu[below], hv[below]}, a = {h[above], hu[above], hv[above]};
  const Flow fl = flux_x(l), fr = flux_x(r), fb = flux_y(b), fa = flux_y(a);
  const int i = y * width + x;
  next_h[i] = 0.25 * (l.h + r.h + b.h + a.h) - 0.5 * ratio * (fr.h - fl.h + fa.h - fb.h);
  next_hu[i] = 0.25 * (l.hu + r.hu + b.hu + a.hu) - 0.5 * ratio * (fr.hu - fl.hu + fa.hu - fb.hu);
  next_hv[i] = 0.25 * (l.hv + r.hv + b.hv + a.hv) - 0.5 * ratio * (fr.hv - fl.hv + fa.hv - fb.hv);
}

// Radiation: a thread per column goes down and up its 36 layers; what goes down is kept in an array of its
// own.
__global__ void cl_column_radiation(const float* temperature, const float* depth, float* heating,
                                    int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= columns) return;
  const int layers = 36;
  float down[layers + 1], source[layers], pass[layers];
  down[0] = 0;
  for (int k = 0; k < layers; ++k) {
    const float t = temperature[k * columns + i] * 0.01f, t2 = t * t;
    source[k] = 5.67f * t2 * t2;
    pass[k] = expf(-1.66f * depth[k * columns + i]);
    down[k + 1] = down[k] * pass[k] + source[k] * (1 - pass[k]);
  }
  float up = source[layers - 1];
  for (int k = layers - 1; k >= 0; --k) {
    const float above = up * pass[k] + source[k] * (1 - pass[k]);
    heating[k * columns + i] = (up - above) + (down[k] - down[k + 1]);
    up = above;
  }
}

__host__ __device__ float limited(float behind, float here, float ahead) {
  const float a = here - behind, b = ahead - here;
  return a * b > 0 ? 2 * a * b / (a + b) : 0;
}

// What crosses the face between cell i and the one `next` ahead, by van Leer's second order.
__host__ __device__ float crossing(const float* q, int far, int i, int next, int beyond, float wind) {
  if (wind >= 0) return wind * (q[i] + 0.5f * (1 - wind) * limited(q[far], q[i], q[next]));
  return wind * (q[next] - 0.5f * (1 + wind) * limited(q[i], q[next], q[beyond]));
}

__host__ __device__ float transported(const float* q, const float* u, const float* w, int i, int nx, int ny,
                                      int nz) {
  const int x = i % nx, z = i / (nx * ny), row = i - x, level = nx * ny, column = i - z * level;
  const int at[5] = {row + (x + nx - 2) % nx, row + (x + nx - 1) % nx, i, row + (x + 1) % nx,
                     row + (x + 2) % nx};
  float sum = q[i] + crossing(q, at[0], at[1], at[2], at[3], u[at[1]]) -
              crossing(q, at[1], at[2], at[3], at[4], u[i]);
  const int up[5] = {column + (z + nz - 2) % nz * level, column + (z + nz - 1) % nz * level, i,
                     column + (z + 1) % nz * level, column + (z + 2) % nz * level};
  sum += crossing(q, up[0], up[1], up[2], up[3], w[up[1]]) - crossing(q, up[1], up[2], up[3], up[4], w[i]);
  return sum;
}

// Transport of a tracer by winds along x and z, periodic.
__global__ void cl_move_tracer(const float* q, const float* u, const float* w, float* next, int nx, int ny,
                               int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
  if (x >= nx) return;
  const int i = (z * ny + y) * nx + x;
  next[i] = transported(q, u, w, i, nx, ny, nz);
}

// The sum over degrees of a spectrum's coefficients times Legendre functions, a thread per latitude and
// order.
__global__ void cl_legendre_sums(const double* sine, const double* coefficient, double* out, int latitudes,
                                 int orders) {
  const int lat = blockIdx.x * blockDim.x + threadIdx.x, m = blockIdx.y;
  if (lat >= latitudes) return;
  const double x = sine[lat], c = sqrt(1 - x * x);
  double p = sqrt(0.5);
  for (int k = 1; k <= m; ++k) p *= c * sqrt((2 * k + 1.0) / (2 * k));
  double before = 0, sum = 0, last = 0;
  for (int n = m; n < orders; ++n) {
    sum += coefficient[m * orders + n] * p;
    const double n1 = n + 1.0, scale = sqrt((4 * n1 * n1 - 1) / (n1 * n1 - double(m) * m));
    const double next = scale * (x * p - last * before);
    before = p;
    p = next;
    last = 1 / scale;
  }
  out[m * latitudes + lat] = sum;
}

static void column_radiation(Zoo& zoo) {
  const int columns = 5000, layers = 36;
  const auto temperature = random_floats(columns * layers, 5, 210, 300),
             depth = random_floats(columns * layers, 6, 0.01f, 0.3f);
  float* heating = zoo.zeros<float>(columns * layers);
  cl_column_radiation<<<(columns + 63) / 64, 64>>>(zoo.upload(temperature), zoo.upload(depth), heating,
                                                   columns);
  const auto want = [&](size_t i) {
    const int column = int(i) % columns, layer = int(i) / columns;
    double up = 0, down = 0, up_after = 0, down_before = 0;
    for (int k = 0; k <= layer; ++k) {
      const double s = 5.67 * pow(temperature[k * columns + column] * 0.01, 4),
                   pass = exp(-1.66 * depth[k * columns + column]);
      down_before = down;
      down = down * pass + s * (1 - pass);
    }
    up = 5.67 * pow(temperature[(layers - 1) * columns + column] * 0.01, 4);
    for (int k = layers - 1; k >= layer; --k) {
      const double s = 5.67 * pow(temperature[k * columns + column] * 0.01, 4),
                   pass = exp(-1.66 * depth[k * columns + column]);
      up_after = up * pass + s * (1 - pass);
      if (k > layer) up = up_after;
    }
    return up - up_after + down_before - down;
  };
  zoo.expect_each("cl_column_radiation", heating, columns * layers, 1777, want, 1e-2);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("cl_shallow_water")) {
    const int width = 260, height = 150, n = width * height;
    const auto h = random_doubles(n, 1, 1, 1.2), hu = random_doubles(n, 2, -0.2, 0.2),
               hv = random_doubles(n, 3, -0.2, 0.2);
    double *next = zoo.zeros<double>(3 * n), water = 0, momentum = 0;
    for (int i = 0; i < n; ++i) water += h[i], momentum += hu[i];
    cl_shallow_water<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4)>>>(
        zoo.upload(h), zoo.upload(hu), zoo.upload(hv), 0.1, next, next + n, next + 2 * n, width, height);
    zoo.expect("cl_shallow_water", next, n, water, 1e-9);
    double after = 0, change = 0;
    const auto got = zoo.download(next, 3 * n);
    for (int i = 0; i < n; ++i) after += got[n + i], change += fabs(got[i] - h[i]);
    zoo.require("cl_shallow_water", fabs(after - momentum) < 1e-6 && change > 1,
                "momentum stays, water moves");
  }
  if (zoo.runs("cl_column_radiation")) column_radiation(zoo);
  if (zoo.runs("cl_move_tracer")) {
    const int nx = 180, ny = 64, nz = 30, n = nx * ny * nz;
    const auto q = random_floats(n, 7, 0, 1), u = random_floats(n, 8, -0.4f, 0.4f),
               w = random_floats(n, 9, -0.4f, 0.4f);
    float* next = zoo.zeros<float>(n);
    cl_move_tracer<<<dim3((nx + 95) / 96, ny, nz), 96>>>(zoo.upload(q), zoo.upload(u), zoo.upload(w), next,
                                                         nx, ny, nz);
    const auto want = [&](size_t i) { return transported(q.data(), u.data(), w.data(), int(i), nx, ny, nz); };
    zoo.expect_each("cl_move_tracer", next, n, 3571, want, 1e-4);
    double before = 0, after = 0;
    for (float v : q) before += v;
    for (float v : zoo.download(next, n)) after += v;
    zoo.require("cl_move_tracer", fabs(after / before - 1) < 1e-5, "the tracer's mass stays");
  }
  if (zoo.runs("cl_legendre_sums")) {
    const int latitudes = 96, orders = 64;
    std::vector<double> sine(latitudes);
    for (int i = 0; i < latitudes; ++i) sine[i] = -0.98 + 1.96 * i / (latitudes - 1);
    const auto coefficient = random_doubles(orders * orders, 10, 0, 1);
    double* out = zoo.zeros<double>(latitudes * orders);
    cl_legendre_sums<<<dim3((latitudes + 31) / 32, orders), 32>>>(zoo.upload(sine), zoo.upload(coefficient),
                                                                  out, latitudes, orders);
    // Order 0 by the textbook's recurrence of plain Legendre polynomials; the last order has one degree.
    const auto want = [&](size_t i) {
      const double x = sine[i];
      double before = 0, p = 1, sum = 0;
      for (int n = 0; n < orders; ++n) {
        sum += coefficient[n] * p * sqrt(n + 0.5);
        const double next = ((2 * n + 1) * x * p - n * before) / (n + 1);
        before = p;
        p = next;
      }
      return sum;
    };
    zoo.expect_each("cl_legendre_sums", out, latitudes, 1, want, 1e-8);
    const auto got = zoo.download(out, latitudes * orders);
    bool right = true;
    for (int i = 0; i < latitudes; ++i) {
      double p = sqrt(0.5);
      for (int k = 1; k < orders; ++k) p *= sqrt(1 - sine[i] * sine[i]) * sqrt((2 * k + 1.0) / (2 * k));
      const double last = coefficient[orders * orders - 1] * p;
      right = right && fabs(got[(orders - 1) * latitudes + i] - last) <= 1e-9 * (1 + fabs(last));
    }
    zoo.require("cl_legendre_sums", right, "the last order is its first function");
  }
  return zoo.done();
}
