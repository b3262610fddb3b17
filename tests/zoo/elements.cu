// Finite elements and volumes: tetrahedra that are not assembled, cubes of order four, a law of plastic
// stress, and fluxes of a gas between triangles.
#include <algorithm>

#include "zoo.cuh"

// y += K x for the Laplace operator: a thread computes its tetrahedron's gradients and adds to its four
// nodes.
__host__ __device__ inline void tetrahedron(const double (&p)[4][3], const double (&x)[4], double (&y)[4]) {
  double e[3][3], grad[4][3];
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) e[i][k] = p[i + 1][k] - p[0][k];
  for (int i = 0; i < 3; ++i) {
    const double *a = e[(i + 1) % 3], *b = e[(i + 2) % 3];
    grad[i + 1][0] = a[1] * b[2] - a[2] * b[1];
    grad[i + 1][1] = a[2] * b[0] - a[0] * b[2];
    grad[i + 1][2] = a[0] * b[1] - a[1] * b[0];
  }
  const double det = e[0][0] * grad[1][0] + e[0][1] * grad[1][1] + e[0][2] * grad[1][2];
  double flux[3] = {};
  for (int k = 0; k < 3; ++k) {
    grad[0][k] = -grad[1][k] - grad[2][k] - grad[3][k];
    for (int i = 0; i < 4; ++i) flux[k] += grad[i][k] * x[i];
  }
  const double scale = 1 / (6 * fabs(det)), share = fabs(det) / 24;
  for (int i = 0; i < 4; ++i)
    y[i] = scale * (grad[i][0] * flux[0] + grad[i][1] * flux[1] + grad[i][2] * flux[2]) + share * x[i];
}

// The bound leaves 40 registers per thread: some of its doubles are spilled.
__global__ void __launch_bounds__(128, 12)
    fe_apply_tetrahedra(const int4* element, const double* place, const double* x, double* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int4 e = element[i];
  const int node[4] = {e.x, e.y, e.z, e.w};
  double p[4][3], own[4], result[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    for (int d = 0; d < 3; ++d) p[k][d] = place[3 * node[k] + d];
    own[k] = x[node[k]];
  }
  tetrahedron(p, own, result);
#pragma unroll
  for (int k = 0; k < 4; ++k) atomicAdd(&y[node[k]], result[k]);
}

constexpr int q = 5, q2 = q * q, q3 = q2 * q;
__constant__ double stiffness[q][q], mass[q];

// Cubes of order four: 125 nodes per element, a thread per node; the sum over directions factorises.
__global__ void __launch_bounds__(128) fe_apply_cubes(const double* x, const double* factor, double* y) {
  __shared__ double own[q3];
  const int t = threadIdx.x;
  const size_t at = size_t(blockIdx.x) * q3 + t;
  if (t < q3) own[t] = x[at];
  __syncthreads();
  if (t >= q3) return;
  const int i = t % q, j = t / q % q, k = t / q2;
  double along_x = 0, along_y = 0, along_z = 0;
#pragma unroll
  for (int m = 0; m < q; ++m) {
    along_x += stiffness[i][m] * own[k * q2 + j * q + m];
    along_y += stiffness[j][m] * own[k * q2 + m * q + i];
    along_z += stiffness[k][m] * own[m * q2 + j * q + i];
  }
  y[at] =
      factor[at] * (mass[j] * mass[k] * along_x + mass[i] * mass[k] * along_y + mass[i] * mass[j] * along_z);
}

struct Law {
  double shear, bulk, yield, hardening, saturation;
};

// The return to the yield surface: Newton's method for the plastic strain, where the trial stress is beyond
// it.
__host__ __device__ inline int return_to_surface(const double (&strain)[6], double& plastic,
                                                 double (&stress)[6], const Law& law) {
  const double volume = strain[0] + strain[1] + strain[2];
  double norm = 0;
  for (int k = 0; k < 6; ++k) {
    stress[k] = 2 * law.shear * (strain[k] - (k < 3 ? volume / 3 : 0));
    norm += (k < 3 ? 1 : 2) * stress[k] * stress[k];
  }
  norm = sqrt(norm);
  const double before = plastic, to_norm = sqrt(2.0 / 3);
  double more = 0;
  int steps = 0;
  while (steps < 30) {
    const double p = before + to_norm * more, fade = exp(-law.saturation * p);
    const double beyond =
        norm - 2 * law.shear * more - to_norm * (law.yield * (2 - fade) + law.hardening * p);
    if ((steps == 0 && beyond <= 0) || fabs(beyond) < 1e-10 * law.yield) break;
    more += beyond / (2 * law.shear + 2.0 / 3 * (law.yield * law.saturation * fade + law.hardening));
    ++steps;
  }
  plastic = before + to_norm * more;
  const double scale = norm > 0 ? 1 - 2 * law.shear * more / norm : 1;
  for (int k = 0; k < 6; ++k) stress[k] = scale * stress[k] + (k < 3 ? law.bulk * volume : 0);
  return steps;
}

__global__ void fe_return_stress(const double* strain, const double* plastic, double* stress, double* now,
                                 Law law, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double e[6], s[6], p = plastic[i];
#pragma unroll
  for (int k = 0; k < 6; ++k) e[k] = strain[k * n + i];
  return_to_surface(e, p, s, law);
#pragma unroll
  for (int k = 0; k < 6; ++k) stress[k * n + i] = s[k];
  now[i] = p;
}

// Rusanov's flux through an edge: density, momentum in two directions, energy.
__host__ __device__ inline float4 flux_between(float4 a, float4 b, float nx, float ny) {
  const float ra = 1 / a.x, rb = 1 / b.x, ua = (a.y * nx + a.z * ny) * ra, ub = (b.y * nx + b.z * ny) * rb;
  const float pa = 0.4f * (a.w - 0.5f * ra * (a.y * a.y + a.z * a.z));
  const float pb = 0.4f * (b.w - 0.5f * rb * (b.y * b.y + b.z * b.z));
  const float fast = fmaxf(fabsf(ua) + sqrtf(1.4f * pa * ra), fabsf(ub) + sqrtf(1.4f * pb * rb));
  float4 f;
  f.x = 0.5f * (a.x * ua + b.x * ub - fast * (b.x - a.x));
  f.y = 0.5f * (a.y * ua + b.y * ub + (pa + pb) * nx - fast * (b.y - a.y));
  f.z = 0.5f * (a.z * ua + b.z * ub + (pa + pb) * ny - fast * (b.z - a.z));
  f.w = 0.5f * ((a.w + pa) * ua + (b.w + pb) * ub - fast * (b.w - a.w));
  return f;
}

__host__ __device__ inline float4 advance(const int* neighbour, const float2* normal, const float4* state,
                                          float step, int n, int i) {
  const float4 own = state[i];
  float4 sum = {0, 0, 0, 0};
  for (int e = 0; e < 3; ++e) {
    const int other = neighbour[e * n + i];
    const float2 v = normal[e * n + i];
    const float length = sqrtf(v.x * v.x + v.y * v.y);
    // No neighbour: a wall, which mirrors the gas.
    float4 beyond = own;
    if (other >= 0) {
      beyond = state[other];
    } else {
      const float along = 2 * (own.y * v.x + own.z * v.y) / (length * length);
      beyond.y -= along * v.x;
      beyond.z -= along * v.y;
    }
    const float4 f = flux_between(own, beyond, v.x / length, v.y / length);
    sum.x += length * f.x;
    sum.y += length * f.y;
    sum.z += length * f.z;
    sum.w += length * f.w;
  }
  return make_float4(own.x - step * sum.x, own.y - step * sum.y, own.z - step * sum.z, own.w - step * sum.w);
}

__global__ void fe_exchange_fluxes(const int* neighbour, const float2* normal, const float4* state,
                                   float4* next, float step, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) next[i] = advance(neighbour, normal, state, step, n, i);
}

static void apply_tetrahedra(Zoo& zoo) {
  const int side = 22, nodes = side * side * side;
  const int corner[5][4] = {{0, 1, 2, 4}, {3, 1, 2, 7}, {5, 1, 4, 7}, {6, 2, 4, 7}, {1, 2, 4, 7}};
  std::vector<int4> element;
  for (int c = 0; c < nodes; ++c) {
    const int x = c % side, y = c / side % side, z = c / side / side;
    if (x == side - 1 || y == side - 1 || z == side - 1) continue;
    for (const auto& k : corner) {
      int node[4];
      for (int v = 0; v < 4; ++v)
        node[v] = c + (k[v] & 1) + (k[v] >> 1 & 1) * side + (k[v] >> 2) * side * side;
      element.push_back(make_int4(node[0], node[1], node[2], node[3]));
    }
  }
  const int n = int(element.size());
  std::vector<double> place = random_doubles(3 * nodes, 1, -0.2, 0.2), x = random_doubles(nodes, 2),
                      want(nodes);
  for (int c = 0; c < nodes; ++c) {
    place[3 * c] += c % side;
    place[3 * c + 1] += c / side % side;
    place[3 * c + 2] += c / side / side;
  }
  for (const int4& e : element) {
    const int node[4] = {e.x, e.y, e.z, e.w};
    double p[4][3], own[4], y[4];
    for (int k = 0; k < 4; ++k) {
      for (int d = 0; d < 3; ++d) p[k][d] = place[3 * node[k] + d];
      own[k] = x[node[k]];
    }
    tetrahedron(p, own, y);
    for (int k = 0; k < 4; ++k) want[node[k]] += y[k];
  }
  double* y = zoo.zeros<double>(nodes);
  fe_apply_tetrahedra<<<(n + 127) / 128, 128>>>(zoo.upload(element), zoo.upload(place), zoo.upload(x), y, n);
  zoo.expect_each(
      "fe_apply_tetrahedra", y, nodes, 3, [&](size_t i) { return want[i]; }, 1e-9);
}

static void exchange_fluxes(Zoo& zoo) {
  const int side = 210, n = 2 * side * side;
  // Two triangles per square; cells are numbered at random within short runs, as a mesh generator leaves
  // them.
  std::vector<int> number(n), neighbour(3 * n);
  std::vector<float2> normal(3 * n);
  std::vector<float4> state(n);
  for (int i = 0; i < n; ++i) number[i] = i;
  Random r{3};
  for (int i = 0; i < n; ++i) std::swap(number[i], number[std::min(i + int(r.below(300)), n - 1)]);
  for (int c = 0; c < n; ++c) {
    const int x = c / 2 % side, y = c / 2 / side, upper = c % 2, i = number[c];
    const auto cell = [&](int u, int v, int k) {
      return u < 0 || v < 0 || u >= side || v >= side ? -1 : number[2 * (v * side + u) + k];
    };
    neighbour[i] = cell(x, y, 1 - upper);
    neighbour[n + i] = upper ? cell(x + 1, y, 0) : cell(x - 1, y, 1);
    neighbour[2 * n + i] = upper ? cell(x, y + 1, 0) : cell(x, y - 1, 1);
    const float sign = upper ? 1 : -1;
    normal[i] = make_float2(-sign, -sign);
    normal[n + i] = make_float2(sign, 0);
    normal[2 * n + i] = make_float2(0, sign);
    const float density = 0.5f + r.unit(), u = r.unit() - 0.5f, v = r.unit() - 0.5f;
    state[i] =
        make_float4(density, density * u, density * v, 1.5f + r.unit() + 0.5f * density * (u * u + v * v));
  }
  auto* next = zoo.zeros<float4>(n);
  fe_exchange_fluxes<<<(n + 127) / 128, 128>>>(zoo.upload(neighbour), zoo.upload(normal), zoo.upload(state),
                                               next, 0.05f, n);
  const auto want = [&](size_t i) {
    const float4 s = advance(neighbour.data(), normal.data(), state.data(), 0.05f, n, int(i / 4));
    const float value[4] = {s.x, s.y, s.z, s.w};
    return value[i % 4];
  };
  zoo.expect_each("fe_exchange_fluxes", (const float*)next, 4 * n, 101, want, 1e-4);
  double before = 0, after = 0;
  for (const float4& s : state) before += s.x;
  for (const float4& s : zoo.download(next, n)) after += s.x;
  zoo.require("fe_exchange_fluxes", fabs(after - before) < 1e-5 * before, "no gas is lost");
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("fe_apply_tetrahedra")) apply_tetrahedra(zoo);
  if (zoo.runs("fe_apply_cubes")) {
    const int elements = 3600, n = elements * q3;
    const auto x = random_doubles(n, 4, -1, 1), factor = random_doubles(n, 5, 0.5, 1.5),
               k = random_doubles(q2, 6, -1, 1);
    const double weights[q] = {0.1, 0.544444, 0.711111, 0.544444, 0.1};
    zoo.ok(cudaMemcpyToSymbol(stiffness, k.data(), sizeof stiffness));
    zoo.ok(cudaMemcpyToSymbol(mass, weights, sizeof mass));
    double* y = zoo.zeros<double>(n);
    fe_apply_cubes<<<elements, 128>>>(zoo.upload(x), zoo.upload(factor), y);
    const auto want = [&](size_t at) {
      const size_t first = at / q3 * q3, t = at % q3;
      double sum = 0;
      for (size_t other = 0; other < q3; ++other) {
        const size_t a[3] = {t % q, t / q % q, t / q2}, b[3] = {other % q, other / q % q, other / q2};
        for (int d = 0; d < 3; ++d) {
          const int e = (d + 1) % 3, f = (d + 2) % 3;
          if (a[e] == b[e] && a[f] == b[f])
            sum += k[a[d] * q + b[d]] * weights[a[e]] * weights[a[f]] * x[first + other];
        }
      }
      return factor[at] * sum;
    };
    zoo.expect_each("fe_apply_cubes", y, n, 997, want, 1e-10);
  }
  if (zoo.runs("fe_return_stress")) {
    const int n = 30000;
    const Law law = {80, 160, 0.4, 2, 12};
    const auto strain = random_doubles(6 * n, 7, -0.004, 0.004), plastic = random_doubles(n, 8, 0, 0.02);
    double *stress = zoo.zeros<double>(6 * n), *now = zoo.zeros<double>(n);
    fe_return_stress<<<(n + 127) / 128, 128>>>(zoo.upload(strain), zoo.upload(plastic), stress, now, law, n);
    int beyond = 0;
    const auto want = [&](size_t at) {
      const size_t i = at % n;
      double e[6], s[6], p = plastic[i];
      for (int k = 0; k < 6; ++k) e[k] = strain[k * n + i];
      beyond += return_to_surface(e, p, s, law) > 0;
      return s[at / n];
    };
    zoo.expect_each("fe_return_stress", stress, 6 * n, 61, want, 1e-8);
    const int checked = 6 * n / 61;
    zoo.require("fe_return_stress", beyond > checked / 5 && beyond < checked,
                "some points yield and some do not");
  }
  if (zoo.runs("fe_exchange_fluxes")) exchange_fluxes(zoo);
  return zoo.done();
}
