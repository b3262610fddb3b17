// Maps of heights: what can be seen from a tower, how much area drains through a cell, the nearest of many
// gauges, and heights without buildings.
#include <algorithm>

#include "zoo.cuh"

__host__ __device__ inline float heightBetween(const float* heights, int width, float x, float y) {
  int column = (int)x;
  int row = (int)y;
  float fx = x - column;
  float fy = y - row;
  const float* h = heights + row * width + column;
  float upper = h[0] + fx * (h[1] - h[0]);
  float lower = h[width] + fx * (h[width + 1] - h[width]);
  return upper + fy * (lower - upper);
}

__host__ __device__ inline float horizonAbove(const float* heights, int width, int towerX, int towerY,
                                              float eye, int x, int y) {
  float dx = (float)(x - towerX);
  float dy = (float)(y - towerY);
  float distance = sqrtf(dx * dx + dy * dy);
  int steps = (int)distance;
  float highest = -1e9f;
  for (int s = 1; s < steps; s++) {
    float part = (float)s / steps;
    float h = heightBetween(heights, width, towerX + part * dx, towerY + part * dy);
    highest = fmaxf(highest, (h - eye) / (part * distance));
  }
  if (steps < 2) return -1.0f;
  return highest - (heights[y * width + x] - eye) / distance;
}

// Viewshed: one thread walks from the tower to one cell. A result above zero is hidden behind a ridge.
__global__ void tn_look_from_tower(const float* heights, float* hidden, int width, int height, int towerX,
                                   int towerY, float eye) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width - 1 || y >= height - 1) return;
  hidden[y * width + x] = horizonAbove(heights, width, towerX, towerY, eye, x, y);
}

// Drainage: a thread starts at each cell that nothing flows into, and walks down. At a confluence all but the
// last to arrive end; the last adds up what flows in. The counters need no reset: arrivals are taken modulo
// the inflows.
__global__ void tn_add_up_drainage(const int* downstream, const unsigned* inflows, unsigned* arrived,
                                   int* area, int width, int cells) {
  int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells || inflows[cell] != 0) return;
  int sum = 1;
  while (true) {
    __stcg(&area[cell], sum);
    cell = downstream[cell];
    if (cell < 0) break;
    __threadfence();
    unsigned wanted = inflows[cell];
    if (wanted > 1 && atomicAdd(&arrived[cell], 1u) % wanted != wanted - 1) break;
    __threadfence();
    sum = 1;
    int x = cell % width;
    for (int dy = -width; dy <= width; dy += width) {
      for (int dx = -1; dx <= 1; dx++) {
        int other = cell + dy + dx;
        if (x + dx < 0 || x + dx >= width || other < 0 || other >= cells) continue;
        if (downstream[other] == cell) sum += __ldcg(&area[other]);
      }
    }
  }
}

// Jump flooding, one round: a cell takes the nearest of the gauges that nine cells, `jump` apart, know of.
__global__ void tn_flood_gauges(const short2* from, short2* to, int width, int height, int jump) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  short2 best = make_short2(-1, -1);
  int nearest = 1 << 30;
  for (int dy = -jump; dy <= jump; dy += jump) {
    for (int dx = -jump; dx <= jump; dx += jump) {
      int u = x + dx;
      int v = y + dy;
      if (u < 0 || u >= width || v < 0 || v >= height) continue;
      short2 gauge = from[v * width + u];
      if (gauge.x < 0) continue;
      int squared = (gauge.x - x) * (gauge.x - x) + (gauge.y - y) * (gauge.y - y);
      if (squared < nearest) {
        nearest = squared;
        best = gauge;
      }
    }
  }
  to[y * width + x] = best;
}

const int reach = 15;
const int window = 2 * reach + 1;
const int windowsPerBlock = 64;

// Erosion along rows by van Herk and Gil-Werman: minima from both ends of each window's length, three
// comparisons a cell whatever the window's width.
__global__ void tn_erode_rows(const unsigned short* heights, unsigned short* eroded, int width) {
  __shared__ unsigned short fromLeft[window * (windowsPerBlock + 1)];
  __shared__ unsigned short fromRight[window * (windowsPerBlock + 1)];
  const unsigned short* row = heights + blockIdx.y * width;
  int first = blockIdx.x * window * windowsPerBlock - reach;
  for (int i = threadIdx.x; i < window * (windowsPerBlock + 1); i += blockDim.x) {
    int x = first + i;
    unsigned short h = x >= 0 && x < width ? row[x] : (unsigned short)65535;
    fromLeft[i] = h;
    fromRight[i] = h;
  }
  __syncthreads();
  for (int w = threadIdx.x; w <= windowsPerBlock; w += blockDim.x) {
    unsigned short* left = fromLeft + w * window;
    unsigned short* right = fromRight + w * window;
    for (int i = 1; i < window; i++) left[i] = min(left[i], left[i - 1]);
    for (int i = window - 2; i >= 0; i--) right[i] = min(right[i], right[i + 1]);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < window * windowsPerBlock; i += blockDim.x) {
    int x = first + reach + i;
    if (x < width) eroded[blockIdx.y * width + x] = min(fromRight[i], fromLeft[i + window - 1]);
  }
}

static std::vector<float> hills(int width, int height) {
  std::vector<float> h(width * height);
  Random r{11};
  for (int i = 0; i < width * height; i++) {
    float x = (float)(i % width);
    float y = (float)(i / width);
    h[i] = 30 * sinf(0.031f * x) * cosf(0.023f * y) + 6 * sinf(0.17f * x + 0.11f * y) + 0.4f * y +
           1.5f * r.unit();
  }
  return h;
}

static void lookFromTower(Zoo& zoo) {
  int width = 300;
  int height = 260;
  int towerX = 141;
  int towerY = 120;
  std::vector<float> h = hills(width, height);
  float eye = h[towerY * width + towerX] + 20;
  float* hidden = zoo.zeros<float>(width * height);
  dim3 block(32, 4);
  dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  tn_look_from_tower<<<grid, block>>>(zoo.upload(h), hidden, width, height, towerX, towerY, eye);
  auto want = [&](size_t i) {
    int x = (int)(i % width);
    int y = (int)(i / width);
    if (x >= width - 1 || y >= height - 1) return 0.0f;
    return horizonAbove(h.data(), width, towerX, towerY, eye, x, y);
  };
  zoo.expect_each("tn_look_from_tower", hidden, width * height, 73, want, 5e-3);
}

static void addUpDrainage(Zoo& zoo) {
  int width = 400;
  int height = 330;
  int cells = width * height;
  std::vector<float> h = hills(width, height);
  std::vector<int> downstream(cells, -1);
  std::vector<unsigned> inflows(cells);
  std::vector<int> order(cells);
  for (int i = 0; i < cells; i++) {
    order[i] = i;
    float lowest = h[i];
    for (int k = 0; k < 9; k++) {
      int x = i % width + k % 3 - 1;
      int y = i / width + k / 3 - 1;
      if (x < 0 || y < 0 || x >= width || y >= height || h[y * width + x] >= lowest) continue;
      lowest = h[y * width + x];
      downstream[i] = y * width + x;
    }
    if (downstream[i] >= 0) inflows[downstream[i]]++;
  }
  int* area = zoo.zeros<int>(cells);
  tn_add_up_drainage<<<(cells + 255) / 256, 256>>>(zoo.upload(downstream), zoo.upload(inflows),
                                                   zoo.zeros<unsigned>(cells), area, width, cells);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return h[a] > h[b]; });
  std::vector<int> want(cells, 1);
  for (int i : order)
    if (downstream[i] >= 0) want[downstream[i]] += want[i];
  zoo.expect_each(
      "tn_add_up_drainage", area, cells, 1, [&](size_t i) { return want[i]; }, 1e-12);
}

static void floodGauges(Zoo& zoo) {
  int width = 320;
  int height = 288;
  int n = width * height;
  std::vector<short2> start(n, make_short2(-1, -1));
  std::vector<short2> gauges;
  Random r{12};
  for (int k = 0; k < 150; k++) {
    short2 g = make_short2((short)r.below(width), (short)r.below(height));
    gauges.push_back(g);
    start[g.y * width + g.x] = g;
  }
  short2* buffers[2] = {zoo.zeros<short2>(n), zoo.zeros<short2>(n)};
  const short2* from = zoo.upload(start);
  int rounds = 0;
  for (int jump = 256; jump > 0; jump /= 2) {
    short2* to = buffers[rounds % 2];
    tn_flood_gauges<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(from, to, width, height,
                                                                                   jump);
    from = to;
    rounds++;
  }
  std::vector<short2> got = zoo.download(from, n);
  std::vector<float> distance(n);
  int wrong = 0;
  int checked = 0;
  for (int i = 0; i < n; i++) {
    float x = (float)(got[i].x - i % width);
    float y = (float)(got[i].y - i / width);
    distance[i] = sqrtf(x * x + y * y);
    if (i % 17) continue;
    float nearest = 1e9f;
    for (short2 g : gauges)
      nearest = fminf(nearest, hypotf((float)(g.x - i % width), (float)(g.y - i / width)));
    checked++;
    wrong += got[i].x < 0 || fabsf(distance[i] - nearest) > 1e-3f;
  }
  zoo.show("tn_flood_gauges", zoo.upload(distance), n);
  zoo.require("tn_flood_gauges", wrong * 100 < checked, "nearly all cells know their nearest gauge");
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("tn_look_from_tower")) lookFromTower(zoo);
  if (zoo.runs("tn_add_up_drainage")) addUpDrainage(zoo);
  if (zoo.runs("tn_flood_gauges")) floodGauges(zoo);
  if (zoo.runs("tn_erode_rows")) {
    int width = 3900;
    int height = 170;
    std::vector<unsigned short> h(width * height);
    Random r{13};
    for (unsigned short& x : h) x = (unsigned short)(1000 + r.below(5000));
    unsigned short* eroded = zoo.zeros<unsigned short>(width * height);
    int perBlock = window * windowsPerBlock;
    tn_erode_rows<<<dim3((width + perBlock - 1) / perBlock, height), 96>>>(zoo.upload(h), eroded, width);
    auto want = [&](size_t i) {
      int x = (int)(i % width);
      int lowest = 65535;
      for (int u = std::max(x - reach, 0); u <= std::min(x + reach, width - 1); u++)
        lowest = std::min(lowest, (int)h[i - x + u]);
      return lowest;
    };
    zoo.expect_each("tn_erode_rows", eroded, width * height, 7, want, 1e-12);
  }
  return zoo.done();
}
