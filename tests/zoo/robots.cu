// A robot finds out where it is and how to move: range scans in a map, particles drawn anew, two clouds of
// points matched, and arms that must not hit anything.
#include "zoo.cuh"

struct Pose {
  float x, y, heading, weight;
};

// The beams of a laser scanner in a map of occupied cells, cell by cell until one is hit. A block per
// particle.
__global__ void rb_cast_scans(const unsigned* map, const Pose* pose, const float* measured, float* likelihood,
                              int side, int beams, float range) {
  __shared__ float warp_sum[4];
  const Pose p = pose[blockIdx.x];
  float error = 0;
  for (int b = threadIdx.x; b < beams; b += blockDim.x) {
    float dy, dx;
    sincosf(p.heading + 6.2831853f * b / beams, &dy, &dx);
    int x = int(p.x), y = int(p.y);
    const int sx = dx > 0 ? 1 : -1, sy = dy > 0 ? 1 : -1;
    const float per_x = fabsf(1 / dx), per_y = fabsf(1 / dy);
    float next_x = (dx > 0 ? x + 1 - p.x : p.x - x) * per_x,
          next_y = (dy > 0 ? y + 1 - p.y : p.y - y) * per_y;
    float far = 0;
    while (far < range) {
      if (next_x < next_y) {
        far = next_x;
        next_x += per_x;
        x += sx;
      } else {
        far = next_y;
        next_y += per_y;
        y += sy;
      }
      if (x < 0 || y < 0 || x >= side || y >= side || map[(y * side + x) >> 5] >> (x & 31) & 1) break;
    }
    const float off = fminf(far, range) - measured[b];
    error += off * off;
  }
  for (int d = 16; d; d >>= 1) error += __shfl_down_sync(~0u, error, d);
  if (threadIdx.x % 32 == 0) warp_sum[threadIdx.x / 32] = error;
  __syncthreads();
  if (threadIdx.x == 0)
    likelihood[blockIdx.x] = -(warp_sum[0] + warp_sum[1] + warp_sum[2] + warp_sum[3]) / beams;
}

// Draws particles by their weights: evenly spaced places in the running sum of all weights.
__global__ void rb_draw_particles(const Pose* from, const double* running, Pose* to, double start, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double place = (i + start) / n * running[n - 1];
  int low = 0, high = n - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (running[middle] <= place)
      low = middle + 1;
    else
      high = middle;
  }
  Pose p = from[low];
  unsigned h = i * 2654435761u;
  h ^= h >> 15;
  p.heading += ((h & 0xffff) / 65535.0f - 0.5f) * 0.02f;
  p.weight = 1.0f / n;
  to[i] = p;
}

// Point to plane: every point of a scan finds its nearest among the model's; a block adds up the 6 x 6
// equations, of which 21 products and 6 right sides differ.
__global__ void __launch_bounds__(128)
    rb_match_clouds(const float* scan, const float4* model, const float4* normal, double* equations, int n,
                    int m) {
  __shared__ float4 part[128];
  __shared__ float sums[4][27];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  const bool own = i < n;
  const float px = own ? scan[i] : 0, py = own ? scan[n + i] : 0, pz = own ? scan[2 * n + i] : 0;
  float best = 1e30f;
  int at = 0;
  for (int first = 0; first < m; first += 128) {
    __syncthreads();
    part[t] = first + t < m ? model[first + t] : make_float4(1e9f, 1e9f, 1e9f, 0);
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 128; ++k) {
      const float x = part[k].x - px, y = part[k].y - py, z = part[k].z - pz, d = x * x + y * y + z * z;
      if (d < best) best = d, at = first + k;
    }
  }
  const float4 q = model[at], w = normal[at];
  const float scale = own ? 1 : 0;
  const float row[7] = {scale * (py * w.z - pz * w.y),
                        scale * (pz * w.x - px * w.z),
                        scale * (px * w.y - py * w.x),
                        scale * w.x,
                        scale * w.y,
                        scale * w.z,
                        scale * ((q.x - px) * w.x + (q.y - py) * w.y + (q.z - pz) * w.z)};
  int out = 0;
#pragma unroll
  for (int r = 0; r < 6; ++r)
#pragma unroll
    for (int c = r; c < 7; ++c) {
      float v = row[r] * row[c];
#pragma unroll
      for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
      if (t % 32 == 0) sums[t / 32][out] = v;
      ++out;
    }
  __syncthreads();
  if (t < 27) atomicAdd(&equations[t], double(sums[0][t] + sums[1][t] + sums[2][t] + sums[3][t]));
}

#define JOINTS 7
__constant__ float link_length[JOINTS];
__constant__ float4 obstacle[16];

__host__ __device__ float segment_distance(const float* a, const float* b, float4 ball) {
  const float ux = b[0] - a[0], uy = b[1] - a[1], uz = b[2] - a[2];
  const float vx = ball.x - a[0], vy = ball.y - a[1], vz = ball.z - a[2];
  float s = (ux * vx + uy * vy + uz * vz) / (ux * ux + uy * uy + uz * uz + 1e-12f);
  s = fminf(fmaxf(s, 0.0f), 1.0f);
  const float x = vx - s * ux, y = vy - s * uy, z = vz - s * uz;
  return sqrtf(x * x + y * y + z * z) - ball.w;
}

// Where the joints are: each turns by its angle, about z and about y alternately.
__host__ __device__ void place_joints(const float* angle, const float* length, float place[JOINTS + 1][3]) {
  float turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int k = 0; k < 3; ++k) place[0][k] = 0;
  for (int j = 0; j < JOINTS; ++j) {
    const float c = cosf(angle[j]), s = sinf(angle[j]);
    const int p = 0, q = j % 2 ? 2 : 1;
    for (int r = 0; r < 3; ++r) {
      const float a = turn[3 * r + p], b = turn[3 * r + q];
      turn[3 * r + p] = c * a + s * b;
      turn[3 * r + q] = c * b - s * a;
    }
    for (int r = 0; r < 3; ++r) place[j + 1][r] = place[j][r] + length[j] * turn[3 * r + (j % 3 ? 2 : 0)];
  }
}

// For each posture how near the arm comes to the obstacles, and to its own links that are not neighbours.
__global__ void rb_check_arms(const float* angles, float* clearance, int n, int obstacles) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float angle[JOINTS], place[JOINTS + 1][3];
  for (int j = 0; j < JOINTS; ++j) angle[j] = angles[j * n + i];
  place_joints(angle, link_length, place);
  float nearest = 1e9f;
  for (int o = 0; o < obstacles && nearest > 0; ++o)
    for (int j = 0; j < JOINTS; ++j)
      nearest = fminf(nearest, segment_distance(place[j], place[j + 1], obstacle[o]));
  for (int j = 0; j + 3 <= JOINTS && nearest > 0; ++j)
    for (int k = j + 3; k <= JOINTS; ++k)
      nearest = fminf(nearest, segment_distance(place[j], place[j + 1],
                                                make_float4(place[k][0], place[k][1], place[k][2], 0.05f)));
  clearance[i] = nearest;
}

static void cast_scans(Zoo& zoo) {
  const int side = 512, particles = 260, beams = 180;
  std::vector<unsigned> map(side * side / 32);
  Random r{1};
  for (int k = 0; k < 150; ++k) {
    const int x = int(r.below(side - 24)), y = int(r.below(side - 24)), w = int(r.below(20)),
              h = int(r.below(20));
    if (abs(x + 10 - 256) < 40 && abs(y + 10 - 256) < 40) continue;
    for (int v = y; v <= y + h; ++v)
      for (int u = x; u <= x + w; ++u) map[(v * side + u) / 32] |= 1u << u % 32;
  }
  std::vector<Pose> pose(particles);
  for (auto& p : pose) p = {236 + 40 * r.unit(), 236 + 40 * r.unit(), 6.28f * r.unit(), 1};
  pose[77] = {250.3f, 261.6f, 0.7f, 1};
  // What the scanner would measure at particle 77, by short steps.
  std::vector<float> measured(beams);
  for (int b = 0; b < beams; ++b) {
    const double dx = cos(0.7 + 6.2831853 * b / beams), dy = sin(0.7 + 6.2831853 * b / beams);
    double far = 0;
    for (; far < 200; far += 0.02) {
      const int x = int(floor(pose[77].x + far * dx)), y = int(floor(pose[77].y + far * dy));
      if (x < 0 || y < 0 || x >= side || y >= side || map[(y * side + x) / 32] >> x % 32 & 1) break;
    }
    measured[b] = float(far);
  }
  float* likelihood = zoo.zeros<float>(particles);
  rb_cast_scans<<<particles, 128>>>(zoo.upload(map), zoo.upload(pose), zoo.upload(measured), likelihood, side,
                                    beams, 200);
  zoo.show("rb_cast_scans", likelihood, particles);
  const auto got = zoo.download(likelihood, particles);
  int best = 0;
  for (int i = 0; i < particles; ++i) best = got[i] > got[best] ? i : best;
  zoo.require("rb_cast_scans", best == 77 && got[77] > -5, "the particle whose scan was measured fits best");
}

static void match_clouds(Zoo& zoo) {
  const int n = 9000, m = 1900;
  const auto model = random_floats(4 * m, 3, -1, 1), normal = random_floats(4 * m, 4, -1, 1),
             scan = random_floats(3 * n, 5, -1, 1);
  double* equations = zoo.zeros<double>(27);
  rb_match_clouds<<<(n + 127) / 128, 128>>>(zoo.upload(scan), (const float4*)zoo.upload(model),
                                            (const float4*)zoo.upload(normal), equations, n, m);
  std::vector<double> sum(27);
  for (int i = 0; i < n; ++i) {
    const float p[3] = {scan[i], scan[n + i], scan[2 * n + i]};
    float best = 1e30f;
    int at = 0;
    for (int k = 0; k < m; ++k) {
      const float x = model[4 * k] - p[0], y = model[4 * k + 1] - p[1], z = model[4 * k + 2] - p[2];
      if (x * x + y * y + z * z < best) best = x * x + y * y + z * z, at = k;
    }
    const float *q = &model[4 * at], *w = &normal[4 * at];
    const double row[7] = {p[1] * w[2] - p[2] * w[1],
                           p[2] * w[0] - p[0] * w[2],
                           p[0] * w[1] - p[1] * w[0],
                           w[0],
                           w[1],
                           w[2],
                           (q[0] - p[0]) * w[0] + (q[1] - p[1]) * w[1] + (q[2] - p[2]) * w[2]};
    int out = 0;
    for (int a = 0; a < 6; ++a)
      for (int b = a; b < 7; ++b) sum[out++] += row[a] * row[b];
  }
  zoo.expect_each(
      "rb_match_clouds", equations, 27, 1, [&](size_t i) { return sum[i]; }, 5e-3);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("rb_cast_scans")) cast_scans(zoo);
  if (zoo.runs("rb_draw_particles")) {
    const int n = 200000;
    std::vector<Pose> from(n);
    std::vector<double> running(n);
    Random r{2};
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      const float w = r.unit();
      from[i] = {float(i), r.unit(), 1, w * w * w * w};
      running[i] = sum += from[i].weight;
    }
    Pose* to = zoo.zeros<Pose>(n);
    rb_draw_particles<<<(n + 255) / 256, 256>>>(zoo.upload(from), zoo.upload(running), to, 0.37, n);
    size_t at = 0;
    std::vector<float> x(n);
    for (int i = 0; i < n; ++i) {
      while (running[at] <= (i + 0.37) / n * sum) ++at;
      x[i] = float(at);
    }
    const auto got = zoo.download(to, n);
    std::vector<float> drawn(n);
    for (int i = 0; i < n; ++i) drawn[i] = got[i].x;
    zoo.expect_each(
        "rb_draw_particles", zoo.upload(drawn), n, 1, [&](size_t i) { return x[i]; }, 1e-7);
  }
  if (zoo.runs("rb_match_clouds")) match_clouds(zoo);
  if (zoo.runs("rb_check_arms")) {
    const int n = 40000, obstacles = 12;
    const auto angles = random_floats(JOINTS * n, 6, -3, 3);
    auto balls = random_floats(4 * 16, 7, -2.5f, 2.5f);
    for (int o = 0; o < 16; ++o) balls[4 * o + 3] = 0.15f;
    const float length[JOINTS] = {0.3f, 0.4f, 0.4f, 0.35f, 0.3f, 0.2f, 0.15f};
    zoo.ok(cudaMemcpyToSymbol(link_length, length, sizeof length));
    zoo.ok(cudaMemcpyToSymbol(obstacle, balls.data(), sizeof obstacle));
    float* clearance = zoo.zeros<float>(n);
    rb_check_arms<<<(n + 127) / 128, 128>>>(zoo.upload(angles), clearance, n, obstacles);
    const auto want = [&](size_t i) {
      float angle[JOINTS], place[JOINTS + 1][3], nearest = 1e9f;
      for (int j = 0; j < JOINTS; ++j) angle[j] = angles[j * n + i];
      place_joints(angle, length, place);
      for (int o = 0; o < obstacles && nearest > 0; ++o) {
        const float4 ball = make_float4(balls[4 * o], balls[4 * o + 1], balls[4 * o + 2], balls[4 * o + 3]);
        for (int j = 0; j < JOINTS; ++j)
          nearest = fminf(nearest, segment_distance(place[j], place[j + 1], ball));
      }
      for (int j = 0; j + 3 <= JOINTS && nearest > 0; ++j)
        for (int k = j + 3; k <= JOINTS; ++k)
          nearest =
              fminf(nearest, segment_distance(place[j], place[j + 1],
                                              make_float4(place[k][0], place[k][1], place[k][2], 0.05f)));
      return nearest;
    };
    zoo.expect_each("rb_check_arms", clearance, n, 101, want, 1e-3);
  }
  return zoo.done();
}
