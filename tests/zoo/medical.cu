// Images of the body: a slice from a scanner's projections, rays through a volume, cells of a surface, and a
// filter that averages similar patches.
#include <cooperative_groups.h>

#include <algorithm>

#include "zoo.cuh"

__constant__ float2 direction[256];

// Each pixel adds up what the detector saw of it from all angles. One row of the texture per angle.
__global__ void md_back_project(cudaTextureObject_t sinogram, float* slice, int width, int angles,
                                float detectors) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= width) return;
  const float u = x + 0.5f - 0.5f * width, v = y + 0.5f - 0.5f * width;
  float sum = 0;
  for (int a = 0; a < angles; ++a)
    sum += tex2D<float>(sinogram, u * direction[a].x + v * direction[a].y + 0.5f * detectors, a + 0.5f);
  slice[y * width + x] = sum * 3.1415927f / angles;
}

// Rays from the front to the back of a volume; a ray ends where hardly any light is left.
__global__ void md_cast_volume(cudaTextureObject_t volume, float* picture, int width, float step,
                               float slope) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= width) return;
  const float u = (x + 0.5f) / width, v = (y + 0.5f) / width;
  float light = 1, colour = 0;
  for (float depth = 0; depth < 1 && light > 0.02f; depth += step) {
    const float density = tex3D<float>(volume, u + slope * (depth - 0.5f), v, depth);
    if (density < 0.3f) continue;
    const float opacity = 1 - __expf(-24 * step * (density - 0.3f));
    colour += light * opacity * (1.2f - depth);
    light *= 1 - opacity;
  }
  picture[y * width + x] = colour;
}

constexpr unsigned list_size = 1 << 18;

// Marching cubes, first pass: the cells that the surface crosses, listed in no order. The list is a ring, so
// that a repeated launch stays within it.
__global__ void md_list_cells(const float* field, uint2* list, unsigned* count, int side, float level) {
  namespace cg = cooperative_groups;
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            z = blockIdx.z;
  if (x >= side - 1 || y >= side - 1) return;
  const int at = (z * side + y) * side + x;
  unsigned corners = 0;
#pragma unroll
  for (int c = 0; c < 8; ++c) {
    const int there = at + (c & 1) + (c >> 1 & 1) * side + (c >> 2) * side * side;
    corners |= unsigned(field[there] > level) << c;
  }
  if (corners == 0 || corners == 255) return;
  const auto together = cg::coalesced_threads();
  unsigned first = 0;
  if (together.thread_rank() == 0) first = atomicAdd(count, together.size());
  list[(together.shfl(first, 0) + together.thread_rank()) % list_size] = make_uint2(at, corners);
}

constexpr int REACH = 4, PATCH = 1, EDGE = REACH + PATCH, TILE_X = 32, TILE_Y = 8;

// Non-local means: a pixel is averaged with those of a 9 x 9 window, by how alike their 3 x 3 patches are.
__global__ void md_similar_patches(const float* in, float* out, int width, int height, float sharpness) {
  __shared__ float tile[TILE_Y + 2 * EDGE][TILE_X + 2 * EDGE];
  const int left = blockIdx.x * TILE_X - EDGE, top = blockIdx.y * TILE_Y - EDGE;
  for (int i = threadIdx.y * TILE_X + threadIdx.x; i < int(sizeof tile / sizeof(float));
       i += TILE_X * TILE_Y) {
    const int r = i / (TILE_X + 2 * EDGE), c = i % (TILE_X + 2 * EDGE);
    tile[r][c] = in[min(max(top + r, 0), height - 1) * width + min(max(left + c, 0), width - 1)];
  }
  __syncthreads();
  const int x = blockIdx.x * TILE_X + threadIdx.x, y = blockIdx.y * TILE_Y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int cx = threadIdx.x + EDGE, cy = threadIdx.y + EDGE;
  float sum = 0, weights = 0;
  for (int dy = -REACH; dy <= REACH; ++dy)
    for (int dx = -REACH; dx <= REACH; ++dx) {
      float apart = 0;
      for (int v = -PATCH; v <= PATCH; ++v)
        for (int u = -PATCH; u <= PATCH; ++u) {
          const float d = tile[cy + v][cx + u] - tile[cy + dy + v][cx + dx + u];
          apart += d * d;
        }
      const float w = __expf(-sharpness * apart);
      sum += w * tile[cy + dy][cx + dx];
      weights += w;
    }
  out[y * width + x] = sum / weights;
}

static cudaTextureObject_t texture_of(Zoo& zoo, cudaArray_t array, bool normalised) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  for (auto& mode : how.addressMode) mode = normalised ? cudaAddressModeClamp : cudaAddressModeBorder;
  how.filterMode = cudaFilterModeLinear;
  how.readMode = cudaReadModeElementType;
  how.normalizedCoords = normalised;
  cudaTextureObject_t texture = 0;
  zoo.ok(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}

static void back_project(Zoo& zoo) {
  const int width = 240, angles = 120, detectors = 360;
  std::vector<float> sinogram(angles * detectors);
  std::vector<float2> directions(angles);
  for (int a = 0; a < angles; ++a) {
    const double angle = 3.14159265358979 * a / angles;
    directions[a] = make_float2(float(cos(angle)), float(sin(angle)));
    for (int d = 0; d < detectors; ++d) {
      // A disc off the centre: its chord at this distance.
      const double s = d + 0.5 - 0.5 * detectors - 40 * cos(angle) + 25 * sin(angle),
                   chord = 60.0 * 60 - s * s;
      sinogram[a * detectors + d] = chord > 0 ? float(2 * sqrt(chord)) : 0;
    }
  }
  zoo.ok(cudaMemcpyToSymbol(direction, directions.data(), angles * sizeof(float2)));
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  zoo.ok(cudaMallocArray(&array, &format, detectors, angles));
  zoo.ok(cudaMemcpy2DToArray(array, 0, 0, sinogram.data(), detectors * 4, detectors * 4, angles,
                             cudaMemcpyHostToDevice));
  const cudaTextureObject_t texture = texture_of(zoo, array, false);
  float* slice = zoo.zeros<float>(width * width);
  md_back_project<<<dim3((width + 15) / 16, (width + 15) / 16), dim3(16, 16)>>>(texture, slice, width, angles,
                                                                                float(detectors));
  const auto want = [&](size_t i) {
    double sum = 0;
    for (int a = 0; a < angles; ++a) {
      const double u = double(i % width) + 0.5 - 0.5 * width, v = double(i / width) + 0.5 - 0.5 * width;
      const double s = u * directions[a].x + v * directions[a].y + 0.5 * detectors - 0.5, f = s - floor(s);
      const float* row = &sinogram[a * detectors + int(floor(s))];
      sum += (1 - f) * row[0] + f * row[1];
    }
    return sum * 3.14159265358979 / angles;
  };
  zoo.expect_each("md_back_project", slice, width * width, 313, want, 2e-3);
  zoo.ok(cudaDestroyTextureObject(texture));
  zoo.ok(cudaFreeArray(array));
}

static void cast_volume(Zoo& zoo) {
  const int side = 64, width = 256;
  std::vector<float> density(side * side * side);
  for (int i = 0; i < int(density.size()); ++i) {
    const int x = i % side, y = i / side % side, z = i / side / side;
    density[i] = 0.5f + 0.5f * sinf(0.21f * x + 0.05f * z) * cosf(0.17f * y) * sinf(0.13f * z + 1);
  }
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  zoo.ok(cudaMalloc3DArray(&array, &format, make_cudaExtent(side, side, side)));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(density.data(), side * sizeof(float), side, side);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(side, side, side);
  copy.kind = cudaMemcpyHostToDevice;
  zoo.ok(cudaMemcpy3D(&copy));
  const cudaTextureObject_t texture = texture_of(zoo, array, true);
  float* picture = zoo.zeros<float>(width * width);
  md_cast_volume<<<dim3(width / 8, width / 8), dim3(8, 8)>>>(texture, picture, width, 1 / 128.0f, 0.0f);
  const auto want = [&](size_t i) {
    const double u = (i % width + 0.5) / width * side - 0.5, v = (i / width + 0.5) / width * side - 0.5;
    double light = 1, colour = 0;
    for (int k = 0; k < 128 && light > 0.02; ++k) {
      const double at[3] = {u, v, k / 128.0 * side - 0.5};
      double sum = 0;
      for (int c = 0; c < 8; ++c) {
        double weight = 1;
        int index = 0;
        for (int d = 2; d >= 0; --d) {
          const double f = at[d] - floor(at[d]);
          weight *= c >> d & 1 ? f : 1 - f;
          index = index * side + std::min(std::max(int(floor(at[d])) + (c >> d & 1), 0), side - 1);
        }
        sum += weight * density[index];
      }
      if (sum < 0.3) continue;
      const double opacity = 1 - exp(-24 / 128.0 * (sum - 0.3));
      colour += light * opacity * (1.2 - k / 128.0);
      light *= 1 - opacity;
    }
    return colour;
  };
  zoo.expect_each("md_cast_volume", picture, width * width, 577, want, 3e-2);
  zoo.ok(cudaDestroyTextureObject(texture));
  zoo.ok(cudaFreeArray(array));
}

static void list_cells(Zoo& zoo) {
  const int side = 130, cells = side - 1;
  std::vector<float> field(side * side * side);
  for (int i = 0; i < int(field.size()); ++i) {
    const float x = 0.1f * (i % side), y = 0.1f * (i / side % side), z = 0.1f * (i / side / side);
    field[i] = sinf(x) * cosf(y) + sinf(y) * cosf(z) + sinf(z) * cosf(x);
  }
  std::vector<unsigned> corners(field.size());
  size_t crossed = 0;
  for (int i = 0; i < int(field.size()); ++i) {
    if (i % side >= cells || i / side % side >= cells || i / side / side >= cells) continue;
    for (int c = 0; c < 8; ++c)
      corners[i] |= unsigned(field[i + (c & 1) + (c >> 1 & 1) * side + (c >> 2) * side * side] > 0.2f) << c;
    crossed += corners[i] != 0 && corners[i] != 255;
  }
  uint2* list = zoo.zeros<uint2>(list_size);
  unsigned* count = zoo.zeros<unsigned>(1);
  md_list_cells<<<dim3((cells + 63) / 64, (cells + 1) / 2, cells), dim3(64, 2)>>>(zoo.upload(field), list,
                                                                                  count, side, 0.2f);
  zoo.expect("md_list_cells", count, 1, double(crossed), 1e-12);
  size_t wrong = 0;
  std::vector<bool> seen(field.size());
  for (const uint2& entry : zoo.download(list, crossed)) {
    wrong += seen[entry.x] || corners[entry.x] != entry.y;
    seen[entry.x] = true;
  }
  zoo.require("md_list_cells", wrong == 0, "each crossed cell is listed once, with its corners");
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("md_back_project")) back_project(zoo);
  if (zoo.runs("md_cast_volume")) cast_volume(zoo);
  if (zoo.runs("md_list_cells")) list_cells(zoo);
  if (zoo.runs("md_similar_patches")) {
    const int width = 270, height = 210;
    const auto in = random_floats(width * height, 1);
    float* out = zoo.zeros<float>(width * height);
    const dim3 blocks((width + TILE_X - 1) / TILE_X, (height + TILE_Y - 1) / TILE_Y);
    md_similar_patches<<<blocks, dim3(TILE_X, TILE_Y)>>>(zoo.upload(in), out, width, height, 1.5f);
    const auto pixel = [&](int x, int y) {
      return in[std::min(std::max(y, 0), height - 1) * width + std::min(std::max(x, 0), width - 1)];
    };
    const auto want = [&](size_t i) {
      const int x = int(i % width), y = int(i / width);
      double sum = 0, weights = 0;
      for (int k = 0; k < 81; ++k) {
        const int dx = k % 9 - 4, dy = k / 9 - 4;
        double apart = 0;
        for (int p = 0; p < 9; ++p) {
          const int u = x + p % 3 - 1, v = y + p / 3 - 1;
          apart += pow(pixel(u, v) - pixel(u + dx, v + dy), 2);
        }
        const double w = exp(-1.5 * apart);
        sum += w * pixel(x + dx, y + dy);
        weights += w;
      }
      return sum / weights;
    };
    zoo.expect_each("md_similar_patches", out, width * height, 431, want, 1e-3);
  }
  return zoo.done();
}
