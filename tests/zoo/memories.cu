// Constant memory, textures, and a search in text.
#include "zoo.cuh"

__constant__ float coefficients[256];

// Constant memory: all lanes read one word.
__global__ void cm_same_word(const float* in, float* out, int n, int terms) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i], s = 0;
  for (int k = 0; k < terms; ++k) s = s * x + coefficients[k];
  out[i] = s;
}

// Constant memory: each lane reads another word.
__global__ void cm_indexed_word(const unsigned char* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int k = 0; k < 8; ++k) s += coefficients[(in[i] + 29 * k) & 255];
  out[i] = s;
}

// A rotated picture, with nearest texels and with linear filtering.
__global__ void tx_points(cudaTextureObject_t picture, float* out, int side, float c, float s) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float dx = x - side * 0.5f, dy = y - side * 0.5f;
  out[y * side + x] =
      tex2D<float>(picture, c * dx - s * dy + side * 0.5f + 0.5f, s * dx + c * dy + side * 0.5f + 0.5f);
}

__global__ void tx_filtered(cudaTextureObject_t picture, float* out, int side, float scale) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < 4; ++k) sum += tex2D<float>(picture, x * scale + 0.37f * k, y * scale + 0.21f * k);
  out[y * side + x] = sum;
}

__constant__ char pattern[16];
__global__ void stm_naive_search(const char* text, int n, int length, int* hits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + length > n) return;
  int k = 0;
  while (k < length && text[i + k] == pattern[k]) ++k;
  if (k == length) atomicAdd(hits, 1);
}

cudaTextureObject_t texture_of(Zoo& zoo, const std::vector<float>& picture, int side, bool filtered,
                               cudaArray_t* array) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  zoo.ok(cudaMallocArray(array, &format, side, side));
  zoo.ok(cudaMemcpy2DToArray(*array, 0, 0, picture.data(), side * sizeof(float), side * sizeof(float), side,
                             cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = *array;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = filtered ? cudaFilterModeLinear : cudaFilterModePoint;
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  zoo.ok(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  const auto table = random_floats(256, 1, -1, 1);
  zoo.ok(cudaMemcpyToSymbol(coefficients, table.data(), sizeof(float) * 256));
  if (zoo.runs("cm_same_word")) {
    const int n = 100000;
    float* out = zoo.zeros<float>(n);
    cm_same_word<<<(n + 255) / 256, 256>>>(zoo.upload(random_floats(n, 2, 0, 0.9f)), out, n, 200);
    zoo.show("cm_same_word", out, n);
  }
  if (zoo.runs("cm_indexed_word")) {
    const int n = 50000;
    std::vector<unsigned char> in(n);
    Random r{3};
    for (auto& b : in) b = (unsigned char)r.below(256);
    float* out = zoo.zeros<float>(n);
    cm_indexed_word<<<(n + 127) / 128, 128>>>(zoo.upload(in), out, n);
    zoo.show("cm_indexed_word", out, n);
  }
  if (zoo.runs("tx_points")) {
    const int side = 384;
    cudaArray_t array;
    const auto picture = texture_of(zoo, random_floats(side * side, 4), side, false, &array);
    float* out = zoo.zeros<float>(side * side);
    tx_points<<<dim3(side / 16, side / 16), dim3(16, 16)>>>(picture, out, side, 0.8660254f, 0.5f);
    zoo.show("tx_points", out, side * side);
    cudaDestroyTextureObject(picture);
    cudaFreeArray(array);
  }
  if (zoo.runs("tx_filtered")) {
    const int side = 320;
    cudaArray_t array;
    const auto picture = texture_of(zoo, random_floats(side * side, 5), side, true, &array);
    float* out = zoo.zeros<float>(side * side);
    tx_filtered<<<dim3(side / 32, side / 8), dim3(32, 8)>>>(picture, out, side, 0.6f);
    zoo.show("tx_filtered", out, side * side);
    cudaDestroyTextureObject(picture);
    cudaFreeArray(array);
  }
  if (zoo.runs("stm_naive_search")) {
    const int n = 400000;
    std::vector<char> text(n);
    Random r{6};
    for (char& c : text) c = char('a' + r.below(3));
    zoo.ok(cudaMemcpyToSymbol(pattern, "abcab", 5));
    int* hits = zoo.zeros<int>(1);
    stm_naive_search<<<(n + 255) / 256, 256>>>(zoo.upload(text), n, 5, hits);
    int want = 0;
    for (int i = 0; i + 5 <= n; ++i)
      want += text[i] == 'a' && text[i + 1] == 'b' && text[i + 2] == 'c' && text[i + 3] == 'a' &&
              text[i + 4] == 'b';
    zoo.expect("stm_naive_search", hits, 1, want);
  }
  return zoo.done();
}
