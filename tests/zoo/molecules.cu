// Parts of a molecular dynamics step: forces by cell lists, angles, rigid water, and pair distances.
#include "zoo.cuh"

struct Pair {
  float force_over_r, energy;
};

// Lennard-Jones with a soft core: below 0.6 the distance counts as 0.6.
__host__ __device__ Pair lennard_jones(float r2) {
  const float s2 = 0.25f / fmaxf(r2, 0.36f), s6 = s2 * s2 * s2;
  return {24 * s6 * (2 * s6 - 1) * s2 * 4, 4 * s6 * (s6 - 1)};
}

__host__ __device__ float nearest_image(float d, float box) { return d - box * rintf(d / box); }

// A thread per atom; atoms are sorted by cell, cells have the cutoff's side.
__global__ void mo_cell_forces(const float4* atom, const int* start, int cells, float4* force, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 a = atom[i];
  const float box = float(cells);
  float4 sum = make_float4(0, 0, 0, 0);
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const int x = (int(a.x) + dx + cells) % cells, y = (int(a.y) + dy + cells) % cells,
                  z = (int(a.z) + dz + cells) % cells;
        const int cell = (z * cells + y) * cells + x;
        for (int j = start[cell]; j < start[cell + 1]; ++j) {
          if (j == i) continue;
          const float4 b = atom[j];
          const float rx = nearest_image(a.x - b.x, box), ry = nearest_image(a.y - b.y, box),
                      rz = nearest_image(a.z - b.z, box), r2 = rx * rx + ry * ry + rz * rz;
          if (r2 >= 1) continue;
          const Pair p = lennard_jones(r2);
          sum.x += p.force_over_r * rx;
          sum.y += p.force_over_r * ry;
          sum.z += p.force_over_r * rz;
          sum.w += 0.5f * p.energy;
        }
      }
  force[i] = sum;
}

// Harmonic angles: each adds to the forces on its three atoms.
__global__ void mo_angle_forces(const float* x, const float* y, const float* z, const int4* angle,
                                float stiffness, float rest, float* force, float* energy, int atoms, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int4 q = angle[i];
  const float ax = x[q.x] - x[q.y], ay = y[q.x] - y[q.y], az = z[q.x] - z[q.y];
  const float bx = x[q.z] - x[q.y], by = y[q.z] - y[q.y], bz = z[q.z] - z[q.y];
  const float a2 = ax * ax + ay * ay + az * az, b2 = bx * bx + by * by + bz * bz, ab = rsqrtf(a2 * b2);
  const float c = fminf(fmaxf((ax * bx + ay * by + az * bz) * ab, -0.999f), 0.999f);
  const float off = acosf(c) - rest, k = 2 * stiffness * off * rsqrtf(1 - c * c);
  energy[i] = stiffness * off * off;
  const float fax = k * (bx * ab - c * ax / a2), fbx = k * (ax * ab - c * bx / b2);
  const float fay = k * (by * ab - c * ay / a2), fby = k * (ay * ab - c * by / b2);
  const float faz = k * (bz * ab - c * az / a2), fbz = k * (az * ab - c * bz / b2);
  atomicAdd(&force[q.x], fax);
  atomicAdd(&force[q.z], fbx);
  atomicAdd(&force[q.y], -fax - fbx);
  atomicAdd(&force[atoms + q.x], fay);
  atomicAdd(&force[atoms + q.z], fby);
  atomicAdd(&force[atoms + q.y], -fay - fby);
  atomicAdd(&force[2 * atoms + q.x], faz);
  atomicAdd(&force[2 * atoms + q.z], fbz);
  atomicAdd(&force[2 * atoms + q.y], -faz - fbz);
}

// SHAKE for rigid water: corrects three bonds in turns until all have their lengths.
__global__ void mo_shake_water(const float* before, const float* moved, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float weight[3] = {1 / 16.0f, 1, 1}, length2[3] = {1, 1, 2.6667f};
  const int from[3] = {0, 0, 1}, to[3] = {1, 2, 2};
  float old[9], now[9];
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    old[k] = before[k * n + i];
    now[k] = moved[k * n + i];
  }
  bool done = false;
  for (int round = 0; round < 60 && !done; ++round) {
    done = true;
#pragma unroll
    for (int b = 0; b < 3; ++b) {
      const int p = 3 * from[b], q = 3 * to[b];
      const float dx = now[q] - now[p], dy = now[q + 1] - now[p + 1], dz = now[q + 2] - now[p + 2];
      const float miss = length2[b] - (dx * dx + dy * dy + dz * dz);
      if (fabsf(miss) < 1e-4f * length2[b]) continue;
      done = false;
      const float ox = old[q] - old[p], oy = old[q + 1] - old[p + 1], oz = old[q + 2] - old[p + 2];
      const float g = miss / (2 * (weight[from[b]] + weight[to[b]]) * (dx * ox + dy * oy + dz * oz));
      const float gp = g * weight[from[b]], gq = g * weight[to[b]];
      now[p] -= gp * ox;
      now[p + 1] -= gp * oy;
      now[p + 2] -= gp * oz;
      now[q] += gq * ox;
      now[q + 1] += gq * oy;
      now[q + 2] += gq * oz;
    }
  }
#pragma unroll
  for (int k = 0; k < 9; ++k) out[k * n + i] = now[k];
}

// Distances of all pairs: a block compares two tiles of atoms and counts into bins of its own.
__global__ void mo_pair_distances(const float4* atom, float box, float bins_per_length, unsigned* bins,
                                  int n) {
  __shared__ float4 other[128];
  __shared__ unsigned count[64];
  if (blockIdx.y < blockIdx.x) return;
  const int t = threadIdx.x, i = blockIdx.x * 128 + t, first = blockIdx.y * 128;
  if (t < 64) count[t] = 0;
  if (first + t < n) other[t] = atom[first + t];
  __syncthreads();
  const int end = min(128, n - first);
  if (i < n) {
    const float4 a = atom[i];
    for (int k = blockIdx.x == blockIdx.y ? t + 1 : 0; k < end; ++k) {
      const float rx = nearest_image(a.x - other[k].x, box), ry = nearest_image(a.y - other[k].y, box),
                  rz = nearest_image(a.z - other[k].z, box);
      const float r = sqrtf(rx * rx + ry * ry + rz * rz);
      atomicAdd(&count[min(int(r * bins_per_length), 63)], 1u);
    }
  }
  __syncthreads();
  if (t < 64 && count[t]) atomicAdd(&bins[t], count[t]);
}

static void cell_forces(Zoo& zoo) {
  const int cells = 14, n = 11000;
  std::vector<int> start(cells * cells * cells + 1), cell_of(n);
  std::vector<float4> atom(n);
  const auto p = random_floats(3 * n, 1, 0, cells * 0.99999f);
  for (int i = 0; i < n; ++i) {
    cell_of[i] = (int(p[3 * i + 2]) * cells + int(p[3 * i + 1])) * cells + int(p[3 * i]);
    ++start[cell_of[i] + 1];
  }
  for (size_t c = 1; c < start.size(); ++c) start[c] += start[c - 1];
  std::vector<int> next = start;
  for (int i = 0; i < n; ++i) atom[next[cell_of[i]]++] = make_float4(p[3 * i], p[3 * i + 1], p[3 * i + 2], 0);
  float4* force = zoo.zeros<float4>(n);
  mo_cell_forces<<<(n + 127) / 128, 128>>>(zoo.upload(atom), zoo.upload(start), cells, force, n);
  const auto energy_of = [&](size_t k) {
    float sum = 0;
    for (int j = 0; j < n; ++j) {
      const float rx = nearest_image(atom[k].x - atom[j].x, cells),
                  ry = nearest_image(atom[k].y - atom[j].y, cells),
                  rz = nearest_image(atom[k].z - atom[j].z, cells), r2 = rx * rx + ry * ry + rz * rz;
      if (size_t(j) != k && r2 < 1) sum += 0.5f * lennard_jones(r2).energy;
    }
    return sum;
  };
  const auto got = zoo.download(force, n);
  std::vector<float> energy(n);
  for (int i = 0; i < n; ++i) energy[i] = got[i].w;
  zoo.expect_each("mo_cell_forces", zoo.upload(energy), n, 1201, energy_of, 1e-3);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("mo_cell_forces")) cell_forces(zoo);
  if (zoo.runs("mo_angle_forces")) {
    const int atoms = 18000, n = 30000;
    std::vector<float> at[3] = {random_floats(atoms, 2, 0, 20), random_floats(atoms, 3, 0, 20),
                                random_floats(atoms, 4, 0, 20)};
    std::vector<int4> angle(n);
    Random r{5};
    for (int4& q : angle) {
      const int middle = int(r.below(atoms - 8)) + 4;
      q = make_int4(middle - 1 - int(r.below(3)), middle, middle + 1 + int(r.below(3)), 0);
    }
    float *force = zoo.zeros<float>(3 * atoms), *energy = zoo.zeros<float>(n);
    mo_angle_forces<<<(n + 255) / 256, 256>>>(zoo.upload(at[0]), zoo.upload(at[1]), zoo.upload(at[2]),
                                              zoo.upload(angle), 3.0f, 1.9f, force, energy, atoms, n);
    const auto want = [&](size_t i) {
      const int4 q = angle[i];
      double ab = 0, aa = 0, bb = 0;
      for (const auto& c : at) {
        const double a = c[q.x] - c[q.y], b = c[q.z] - c[q.y];
        ab += a * b, aa += a * a, bb += b * b;
      }
      const double off = acos(fmin(fmax(ab / sqrt(aa * bb), -0.999), 0.999)) - 1.9;
      return 3 * off * off;
    };
    zoo.expect_each("mo_angle_forces", energy, n, 37, want, 1e-3);
    double sum = 0, size = 0;
    for (float f : zoo.download(force, 3 * atoms)) sum += f, size += fabs(f);
    zoo.require("mo_angle_forces", size > 1 && fabs(sum) < 1e-4 * size, "the forces cancel");
  }
  if (zoo.runs("mo_shake_water")) {
    const int n = 40000;
    const float rigid[9] = {0, 0, 0, 1, 0, 0, -0.33335f, 0.9428f, 0};
    const auto shift = random_floats(3 * n, 6, 0, 20), kick = random_floats(9 * n, 7, -0.06f, 0.06f);
    std::vector<float> before(9 * n), moved(9 * n);
    for (int k = 0; k < 9; ++k)
      for (int i = 0; i < n; ++i) {
        before[k * n + i] = rigid[k] + shift[k % 3 * n + i];
        moved[k * n + i] = before[k * n + i] + kick[k * n + i];
      }
    float* out = zoo.zeros<float>(9 * n);
    mo_shake_water<<<(n + 127) / 128, 128>>>(zoo.upload(before), zoo.upload(moved), out, n);
    zoo.show("mo_shake_water", out, 9 * n);
    const auto got = zoo.download(out, 9 * n);
    bool right = true;
    for (int i = 0; i < n; i += 7)
      for (int a = 0; a < 3; ++a) {
        const int b = (a + 1) % 3;
        float r2 = 0;
        for (int k = 0; k < 3; ++k) {
          const float d = got[(3 * a + k) * n + i] - got[(3 * b + k) * n + i];
          r2 += d * d;
        }
        right = right && fabsf(r2 - (a == 1 ? 2.6667f : 1)) < 1e-3f;
      }
    zoo.require("mo_shake_water", right, "each bond has its length");
  }
  if (zoo.runs("mo_pair_distances")) {
    const int n = 2500, tiles = (n + 127) / 128;
    const auto at = random_floats(4 * n, 8, 0, 10);
    unsigned* bins = zoo.zeros<unsigned>(64);
    mo_pair_distances<<<dim3(tiles, tiles), 128>>>((const float4*)zoo.upload(at), 10, 8, bins, n);
    zoo.expect("mo_pair_distances", bins, 64, 0.5 * n * (n - 1), 1e-9);
    // A pair is nearer than 2 with the probability of that sphere's share of the box.
    double close = 0;
    const auto got = zoo.download(bins, 64);
    for (int b = 0; b < 16; ++b) close += got[b];
    zoo.require("mo_pair_distances", fabs(close / (0.5 * n * (n - 1)) - 0.03351) < 0.002,
                "distances are uniform");
  }
  return zoo.done();
}
