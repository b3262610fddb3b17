// Inside a storage server: erasure codes, parity of disks, checksums that are joined, chunks cut where the
// content says so, filters asked for keys, and runs sorted before they are written.
#include <cuda/barrier>

#include <algorithm>
#include <utility>

#include "zoo.cuh"

using u8 = unsigned char;
using u32 = unsigned;
using u64 = unsigned long long;

constexpr int data_disks = 8, parity_disks = 3;

__host__ __device__ constexpr u32 gf_times(u32 a, u32 b) {
  u32 p = 0;
  for (int k = 0; k < 8; ++k) {
    if (b >> k & 1) p ^= a;
    a = a << 1 ^ (a & 0x80 ? 0x11d : 0);
  }
  return p;
}

// Reed-Solomon parities of eight disks: two tables of 16 products per factor, four bytes per thread.
__global__ void sr_encode_stripes(const u32* data, const u8* factor, u32* parity, int words) {
  __shared__ u8 low[parity_disks][data_disks][16], high[parity_disks][data_disks][16];
  for (int i = threadIdx.x; i < parity_disks * data_disks * 16; i += blockDim.x) {
    const u32 f = factor[i / 16], x = i % 16;
    (&low[0][0][0])[i] = u8(gf_times(f, x));
    (&high[0][0][0])[i] = u8(gf_times(f, x << 4));
  }
  __syncthreads();
  const int w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w >= words) return;
  u32 p[parity_disks] = {};
#pragma unroll
  for (int d = 0; d < data_disks; ++d) {
    const u32 v = data[d * words + w];
#pragma unroll
    for (int k = 0; k < parity_disks; ++k) {
      u32 product = 0;
      for (int s = 0; s < 32; s += 8) {
        const u32 byte = v >> s & 0xff;
        product |= u32(low[k][d][byte & 15] ^ high[k][d][byte >> 4]) << s;
      }
      p[k] ^= product;
    }
  }
  for (int k = 0; k < parity_disks; ++k) parity[k * words + w] = p[k];
}

constexpr int disks = 5, stripe_words = 512, stages = 3;  // 512 words: 2 KiB of each disk.

// Parity by exclusive or. One thread asks for whole stripes by bulk copies, two ahead; barriers in shared
// memory count the bytes that have arrived.
__global__ void sr_xor_disks(const uint4* disk, uint4* parity, int stripes) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(128) uint4 buffer[stages][disks][stripe_words / 4];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier arrived[stages];
  constexpr int own = stripe_words / 4, bytes = stripe_words * 4;
  const int mine = (stripes - int(blockIdx.x) + int(gridDim.x) - 1) / int(gridDim.x);
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) init(&arrived[s], blockDim.x);
    cuda::device::experimental::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  const auto ask = [&](int k) {
    const size_t stripe = blockIdx.x + size_t(k) * gridDim.x;
    for (int d = 0; d < disks; ++d)
      cuda::device::memcpy_async_tx(buffer[k % stages][d], disk + (d * size_t(stripes) + stripe) * own,
                                    cuda::aligned_size_t<16>(bytes), arrived[k % stages]);
  };
  if (threadIdx.x == 0)
    for (int k = 0; k < min(stages - 1, mine); ++k) ask(k);
  for (int k = 0; k < mine; ++k) {
    Barrier& here = arrived[k % stages];
    if (threadIdx.x == 0 && k + stages - 1 < mine) ask(k + stages - 1);
    Barrier::arrival_token token;
    if (threadIdx.x == 0)
      token = cuda::device::barrier_arrive_tx(here, 1, disks * bytes);
    else
      token = here.arrive();
    here.wait(std::move(token));
    uint4 x = buffer[k % stages][0][threadIdx.x];
    for (int d = 1; d < disks; ++d) {
      const uint4 y = buffer[k % stages][d][threadIdx.x];
      x.x ^= y.x, x.y ^= y.y, x.z ^= y.z, x.w ^= y.w;
    }
    parity[(blockIdx.x + size_t(k) * gridDim.x) * own + threadIdx.x] = x;
    __syncthreads();  // The slot is free for stripe k + stages.
  }
}

constexpr u32 castagnoli = 0x82f63b78;
constexpr int lane_bytes = 128, block_bytes = 32 * lane_bytes;

// CRC32C of 4 KiB blocks: a lane has 128 bytes. Two neighbours' checksums are joined by a matrix over GF(2)
// that stands for the zeros which follow the first one.
__global__ void sr_checksum_blocks(const uint4* data, const u32* slices, const u32* zeros, u32* crc,
                                   int blocks) {
  __shared__ u32 slice[4][256];
  for (u32 i = threadIdx.x; i < 1024; i += blockDim.x) slice[i >> 8][i & 255] = slices[i];
  __syncthreads();
  const int b = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (b >= blocks) return;
  const uint4* from = data + size_t(b) * (block_bytes / 16) + lane * (lane_bytes / 16);
  u32 c = 0;
  for (int i = 0; i < lane_bytes / 16; ++i) {
    const uint4 v = from[i];
    for (u32 w : {v.x, v.y, v.z, v.w}) {
      c ^= w;
      c = slice[3][c & 255] ^ slice[2][c >> 8 & 255] ^ slice[1][c >> 16 & 255] ^ slice[0][c >> 24];
    }
  }
#pragma unroll
  for (int k = 0; k < 5; ++k) {
    const u32 second = __shfl_down_sync(~0u, c, 1 << k);
    u32 shifted = 0;
    for (u32 rest = c; rest; rest &= rest - 1) shifted ^= __ldg(&zeros[32 * k + __ffs(rest) - 1]);
    c = shifted ^ second;
  }
  if (lane == 0) crc[b] = c;
}

constexpr int segment = 128, gear_window = 32;

__host__ __device__ inline u32 roll(u32 h, u32 g) { return (h << 1) + g; }

// Content-defined chunking: the Gear hash of the last 32 bytes. A cut is where its 7 highest bits are 0; each
// thread marks the cuts of 128 bytes in four words.
__global__ void sr_cut_chunks(const u8* data, const u32* gear, uint4* cuts, int segments) {
  __shared__ u32 table[256];
  table[threadIdx.x] = gear[threadIdx.x];
  __syncthreads();
  const int s = blockIdx.x * 256 + threadIdx.x;
  if (s >= segments) return;
  const int first = s * segment;
  u32 h = 0, mark[segment / 32];
  for (int i = max(first - gear_window, 0); i < first; ++i) h = roll(h, table[data[i]]);
#pragma unroll
  for (int w = 0; w < segment / 32; ++w) {
    u32 bits = 0;
    for (int i = 0; i < 32; i += 4) {
      const uchar4 b = *(const uchar4*)(data + first + 32 * w + i);
      const u8 byte[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        h = roll(h, table[byte[k]]);
        bits |= u32(h >> 25 == 0) << (i + k);
      }
    }
    mark[w] = bits;
  }
  cuts[s] = make_uint4(mark[0], mark[1], mark[2], mark[3]);
}

__host__ __device__ inline u64 mixed(u64 k) {
  k = (k ^ k >> 33) * 0xff51afd7ed558ccdull;
  k = (k ^ k >> 33) * 0xc4ceb9fe1a85ec53ull;
  return k ^ k >> 33;
}

constexpr u32 filter_buckets = 1u << 15;

__device__ bool in_bucket(uint2 bucket, u32 print) {
  const u32 twice = __byte_perm(print, 0, 0x1010);
  return __vcmpeq2(bucket.x, twice) | __vcmpeq2(bucket.y, twice);
}

// Keys asked of a cuckoo filter: a 16-bit fingerprint in one of two buckets of four. A thread has four keys.
__global__ void __launch_bounds__(256)
    sr_ask_filter(const uint2* filter, const ulonglong2* key, uchar4* found, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i >= n) return;
  const ulonglong2 a = key[2 * i], b = key[2 * i + 1];
  const u64 keys[4] = {a.x, a.y, b.x, b.y};
  bool hit[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const u64 h = mixed(keys[k]);
    const u32 print = max(u32(h >> 48), 1u), one = u32(h) % filter_buckets,
              two = one ^ u32(mixed(print)) % filter_buckets;
    hit[k] = in_bucket(filter[one], print) || in_bucket(filter[two], print);
  }
  found[i] = make_uchar4(hit[0], hit[1], hit[2], hit[3]);
}

struct Entry {
  unsigned short key, place;
};

// Each block sorts 512 keys of 16 bits with their places, one bit per round: votes count the zeros.
template <int Keys>
__global__ void sr_sort_runs(const unsigned short* key, Entry* out) {
  __shared__ Entry entry[Keys];
  __shared__ int zeros_before[Keys / 32 + 1];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  Entry e = {key[blockIdx.x * Keys + t], (unsigned short)t};
  for (int bit = 0; bit < 16; ++bit) {
    const bool zero = !(e.key >> bit & 1);
    const u32 votes = __ballot_sync(~0u, zero);
    if (lane == 0) zeros_before[warp + 1] = __popc(votes);
    __syncthreads();
    if (warp == 0) {
      int count = lane < Keys / 32 ? zeros_before[lane + 1] : 0;
      for (int d = 1; d < 32; d *= 2) {
        const int other = __shfl_up_sync(~0u, count, d);
        if (lane >= d) count += other;
      }
      if (lane < Keys / 32) zeros_before[lane + 1] = count;
      if (lane == 0) zeros_before[0] = 0;
    }
    __syncthreads();
    const int before = zeros_before[warp] + __popc(votes & ((1u << lane) - 1));
    entry[zero ? before : zeros_before[Keys / 32] + t - before] = e;
    __syncthreads();
    e = entry[t];
  }
  out[blockIdx.x * Keys + t] = e;
}

static std::vector<u8> bytes_of(const std::vector<u32>& words) {
  std::vector<u8> b(words.size() * 4);
  memcpy(b.data(), words.data(), b.size());
  return b;
}

static void encode_stripes(Zoo& zoo) {
  const int words = 20000;
  const auto data = random_words(data_disks * size_t(words), 1);
  std::vector<u8> factor(parity_disks * data_disks);
  for (size_t i = 0; i < factor.size(); ++i) factor[i] = u8(1 + 37 * i % 255);
  u32* parity = zoo.zeros<u32>(parity_disks * words);
  sr_encode_stripes<<<(words + 191) / 192, 192>>>(zoo.upload(data), zoo.upload(factor), parity, words);
  const auto want = [&](size_t i) {
    u32 p = 0;
    for (int d = 0; d < data_disks; ++d)
      for (int s = 0; s < 32; s += 8)
        p ^= gf_times(factor[i / words * data_disks + d], data[d * words + i % words] >> s & 255) << s;
    return p;
  };
  zoo.expect_each("sr_encode_stripes", parity, parity_disks * words, 23, want, 1e-12);
}

static void xor_disks(Zoo& zoo) {
  const int stripes = 700, words = stripes * stripe_words;
  const auto data = random_words(size_t(disks) * words, 2);
  u32* parity = zoo.zeros<u32>(words);
  sr_xor_disks<<<132, stripe_words / 4>>>((const uint4*)zoo.upload(data), (uint4*)parity, stripes);
  const auto want = [&](size_t i) {
    u32 p = 0;
    for (int d = 0; d < disks; ++d) p ^= data[size_t(d) * words + i];
    return p;
  };
  zoo.expect_each("sr_xor_disks", parity, words, 29, want, 1e-12);
}

static u32 crc_step(u32 c, int bits) {
  for (int k = 0; k < bits; ++k) c = c >> 1 ^ (c & 1 ? castagnoli : 0);
  return c;
}

static void checksum_blocks(Zoo& zoo) {
  const int blocks = 640;
  const auto data = random_words(size_t(blocks) * block_bytes / 4, 3);
  std::vector<u32> slices(1024), zeros(5 * 32);
  for (int s = 0; s < 4; ++s)
    for (u32 b = 0; b < 256; ++b) slices[256 * s + b] = crc_step(b, 8 * (s + 1));
  for (int k = 0; k < 5; ++k)
    for (int bit = 0; bit < 32; ++bit) zeros[32 * k + bit] = crc_step(1u << bit, 8 * lane_bytes << k);
  u32* crc = zoo.zeros<u32>(blocks);
  sr_checksum_blocks<<<blocks / 4, 128>>>((const uint4*)zoo.upload(data), zoo.upload(slices),
                                          zoo.upload(zeros), crc, blocks);
  const auto bytes = bytes_of(data);
  const auto want = [&](size_t b) {
    u32 c = 0;
    for (int i = 0; i < block_bytes; ++i) c = crc_step(c ^ bytes[b * block_bytes + i], 8);
    return c;
  };
  zoo.expect_each("sr_checksum_blocks", crc, blocks, 5, want, 1e-12);
}

static void cut_chunks(Zoo& zoo) {
  const int segments = 6000;
  const auto data = bytes_of(random_words(segments * segment / 4, 4));
  const auto gear = random_words(256, 5);
  uint4* cuts = zoo.zeros<uint4>(segments);
  sr_cut_chunks<<<(segments + 255) / 256, 256>>>(zoo.upload(data), zoo.upload(gear), cuts, segments);
  std::vector<u32> want(segments * 4);
  u32 h = 0;
  for (size_t i = 0; i < data.size(); ++i) {
    h = roll(h, gear[data[i]]);
    want[i / 32] |= u32(h >> 25 == 0) << i % 32;
  }
  zoo.expect_each(
      "sr_cut_chunks", (const u32*)cuts, want.size(), 1, [&](size_t i) { return want[i]; }, 1e-12);
}

static void ask_filter(Zoo& zoo) {
  const int inside = 70000, n = 120000;
  Random r{6};
  const auto any = [&] { return u64(r.next()) << 40 ^ u64(r.next()) << 20 ^ r.next(); };
  std::vector<unsigned short> slot(filter_buckets * 4);
  std::vector<u64> stored, key(n);
  const auto put = [&](u32 bucket, u32 print) {
    for (int k = 0; k < 4; ++k)
      if (!slot[4 * bucket + k]) return slot[4 * bucket + k] = (unsigned short)print, true;
    return false;
  };
  for (int i = 0; i < inside; ++i) {
    const u64 k = any(), h = mixed(k);
    const u32 print = std::max(u32(h >> 48), 1u), one = u32(h) % filter_buckets;
    if (put(one, print) || put(one ^ u32(mixed(print)) % filter_buckets, print)) stored.push_back(k);
  }
  for (u64& k : key) k = r.below(2) ? stored[r.below(u32(stored.size()))] : any();
  uchar4* found = zoo.zeros<uchar4>(n / 4);
  sr_ask_filter<<<(n / 4 + 255) / 256, 256>>>((const uint2*)zoo.upload(slot),
                                              (const ulonglong2*)zoo.upload(key), found, n);
  const auto want = [&](size_t i) {
    const u64 h = mixed(key[i]);
    const u32 print = std::max(u32(h >> 48), 1u), one = u32(h) % filter_buckets,
              two = one ^ u32(mixed(print)) % filter_buckets;
    return std::count(&slot[4 * one], &slot[4 * one] + 4, print) +
               std::count(&slot[4 * two], &slot[4 * two] + 4, print) >
           0;
  };
  zoo.expect_each("sr_ask_filter", (const u8*)found, n, 1, want, 1e-12);
}

static void sort_runs(Zoo& zoo) {
  constexpr int keys = 512, runs = 150;
  Random r{7};
  std::vector<unsigned short> key(keys * runs);
  for (auto& k : key) k = (unsigned short)r.next();
  Entry* out = zoo.zeros<Entry>(key.size());
  sr_sort_runs<keys><<<runs, keys>>>(zoo.upload(key), out);
  auto want = key;
  for (int b = 0; b < runs; ++b) std::sort(want.begin() + b * keys, want.begin() + (b + 1) * keys);
  const auto got = zoo.download(out, key.size());
  bool right = true;
  for (size_t i = 0; i < got.size(); ++i)
    right = right && got[i].key == want[i] && key[i / keys * keys + got[i].place] == want[i];
  zoo.show("sr_sort_runs", (const unsigned short*)out, 2 * key.size());
  zoo.require("sr_sort_runs", right, "each run is sorted");
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  const std::pair<const char*, void (*)(Zoo&)> cases[] = {
      {"sr_encode_stripes", encode_stripes},   {"sr_xor_disks", xor_disks},
      {"sr_checksum_blocks", checksum_blocks}, {"sr_cut_chunks", cut_chunks},
      {"sr_ask_filter", ask_filter},           {"sr_sort_runs", sort_runs}};
  for (const auto& c : cases)
    if (zoo.runs(c.first)) c.second(zoo);
  return zoo.done();
}
