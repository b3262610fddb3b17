// Pictures and frames of video: edges, a median over time, a lens, and planes of colours.
#include <algorithm>

#include "zoo.cuh"

// Sobel's gradient of a picture of bytes; the border repeats.
__global__ void pi_sobel_edges(const unsigned char* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int gx = 0, gy = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const int sx = min(max(x + dx, 0), width - 1), sy = min(max(y + dy, 0), height - 1);
      const int v = in[sy * width + sx];
      gx += dx * (2 - abs(dy)) * v;
      gy += dy * (2 - abs(dx)) * v;
    }
  out[y * width + x] = (unsigned char)fminf(sqrtf(float(gx * gx + gy * gy)), 255);
}

// The median of five frames, four bytes at once by video instructions.
__global__ void pi_frame_median(const unsigned* frame, unsigned* out, unsigned* moved, int words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= words) return;
  const unsigned a = frame[i], b = frame[words + i], c = frame[2 * words + i], d = frame[3 * words + i],
                 e = frame[4 * words + i];
  const unsigned low = __vmaxu4(__vminu4(a, b), __vminu4(c, d));
  const unsigned high = __vminu4(__vmaxu4(a, b), __vmaxu4(c, d));
  const unsigned median = __vmaxu4(__vminu4(low, high), __vminu4(e, __vmaxu4(low, high)));
  out[i] = median;
  moved[i] = __vcmpgtu4(__vabsdiffu4(median, e), 0x20202020u);
}

// A fisheye lens made straight, with another scale for each colour.
__global__ void pi_lens_texture(cudaTextureObject_t picture, float* out, int width, int height, float focus) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float dx = x - width * 0.5f, dy = y - height * 0.5f, r = sqrtf(dx * dx + dy * dy) + 1e-3f;
  const float bent = focus * atan2f(r, focus) / r;
  for (int colour = 0; colour < 3; ++colour) {
    const float scale = bent * (1 + 0.01f * colour);
    out[(colour * height + y) * width + x] =
        tex2D<float>(picture, dx * scale + width * 0.5f + 0.5f, dy * scale + height * 0.5f + 0.5f);
  }
}

// Pixels of three bytes to planes of floats, a picture per z, as a network wants its input.
__global__ void pi_split_planes(const unsigned char* in, float* out, int width, int height, float3 mean,
                                float3 scale) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int plane = width * height, picture = blockIdx.z, at = y * width + x;
  const unsigned char* p = in + 3 * (picture * plane + at);
  float* o = out + 3 * picture * plane + at;
  o[0] = (p[0] - mean.x) * scale.x;
  o[plane] = (p[1] - mean.y) * scale.y;
  o[2 * plane] = (p[2] - mean.z) * scale.z;
}

std::vector<unsigned char> noisy_bytes(int n, int period, unsigned seed) {
  std::vector<unsigned char> v(n);
  Random r{seed};
  for (int i = 0; i < n; ++i) v[i] = (unsigned char)(i % period * 200 / period + r.below(50));
  return v;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("pi_sobel_edges")) {
    const int width = 470, height = 260;
    unsigned char* out = zoo.zeros<unsigned char>(width * height);
    pi_sobel_edges<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(
        zoo.upload(noisy_bytes(width * height, width, 1)), out, width, height);
    zoo.show("pi_sobel_edges", out, width * height);
  }
  if (zoo.runs("pi_frame_median")) {
    const int words = 90000;
    const auto frame = random_words(5 * words, 2);
    double want = 0;
    for (int i = 0; i < words; ++i)
      for (int shift = 0; shift < 32; shift += 8) {
        unsigned v[5];
        for (int f = 0; f < 5; ++f) v[f] = frame[f * words + i] >> shift & 255;
        std::sort(v, v + 5);
        want += double(v[2] << shift);
      }
    unsigned* out = zoo.zeros<unsigned>(words);
    pi_frame_median<<<(words + 191) / 192, 192>>>(zoo.upload(frame), out, zoo.zeros<unsigned>(words), words);
    zoo.expect("pi_frame_median", out, words, want, 1e-12);
  }
  if (zoo.runs("pi_lens_texture")) {
    const int width = 320, height = 200;
    const auto picture = random_floats(width * height, 3);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    zoo.ok(cudaMallocArray(&array, &format, width, height));
    zoo.ok(cudaMemcpy2DToArray(array, 0, 0, picture.data(), width * sizeof(float), width * sizeof(float),
                               height, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    zoo.ok(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    float* out = zoo.zeros<float>(3 * width * height);
    pi_lens_texture<<<dim3(width / 32, (height + 3) / 4), dim3(32, 4)>>>(texture, out, width, height, 140);
    zoo.show("pi_lens_texture", out, 3 * width * height);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
  }
  if (zoo.runs("pi_split_planes")) {
    const int width = 150, height = 110, pictures = 5, n = 3 * width * height * pictures;
    const auto in = noisy_bytes(n, width, 4);
    double want = 0;
    for (int i = 0; i < n; ++i) want += (in[i] - 100 - 10 * (i % 3)) * 0.02;
    float* out = zoo.zeros<float>(n);
    pi_split_planes<<<dim3((width + 31) / 32, (height + 7) / 8, pictures), dim3(32, 8)>>>(
        zoo.upload(in), out, width, height, make_float3(100, 110, 120), make_float3(0.02f, 0.02f, 0.02f));
    zoo.expect("pi_split_planes", out, n, want, 1e-3);
  }
  return zoo.done();
}
