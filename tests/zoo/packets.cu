// What a router and a firewall do with packets: the longest prefix of an address, the first rule that fits,
// checksums over bytes, and the request lines inside.
#include <algorithm>
#include <string>

#include "zoo.cuh"

constexpr unsigned leaf = 1u << 31;

// Longest prefix match in a trie: a root of 12 bits, then four bits per node. Each walk ends at a leaf.
__global__ void pk_match_prefixes(const unsigned* root, const unsigned* node, const unsigned* address,
                                  unsigned short* hop, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned a = address[i];
  unsigned e = root[a >> 20];
  for (int shift = 16; !(e & leaf); shift -= 4) e = node[e * 16 + (a >> shift & 15)];
  hop[i] = (unsigned short)e;
}

struct Request {
  int method, path, length, headers;
};

__device__ unsigned lower(unsigned c) { return c - 'A' < 26u ? c + 32 : c; }

// A thread per request reads its text: the method, a hash of the path, the number behind Content-Length and
// how many headers there are.
__global__ void pk_parse_requests(const unsigned char* text, const int* start, Request* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned char* s = text + start[i];
  const unsigned char* end = text + start[i + 1];
  Request r = {0, 5381, -1, 0};
  switch (*s) {
    case 'G':
      r.method = 1;
      break;
    case 'D':
      r.method = 2;
      break;
    case 'P':
      r.method = s[1] == 'O' ? 3 : s[1] == 'U' ? 4 : 5;
      break;
  }
  while (s < end && *s != ' ') ++s;
  for (++s; s < end && *s != ' '; ++s) r.path = (r.path * 33) ^ *s;
  while (s < end && *s != '\n') ++s;
  const char wanted[] = "content-length:";
  for (++s; s < end && *s != '\r'; ++s) {
    int same = 0;
    while (same < 15 && lower(s[same]) == (unsigned char)wanted[same]) ++same;
    if (same == 15) {
      s += same;
      while (*s == ' ') ++s;
      for (r.length = 0; *s - '0' < 10u; ++s) r.length = 10 * r.length + (*s - '0');
    }
    while (s < end && *s != '\n') ++s;
    ++r.headers;
  }
  out[i] = r;
}

struct Rule {
  unsigned source, source_mask, target, target_mask;
  unsigned short low, high;
  int protocol;
};

constexpr int rules = 384;

__host__ __device__ inline bool fits(const Rule& r, uint4 p) {
  return (p.x & r.source_mask) == r.source && (p.y & r.target_mask) == r.target && p.z >= r.low &&
         p.z <= r.high && (r.protocol < 0 || unsigned(r.protocol) == p.w);
}

// The first rule that fits each packet, all rules in shared memory, and how often each rule was the first.
__global__ void pk_classify_rules(const Rule* list, const uint4* packet, short* first, unsigned* hits,
                                  int n) {
  __shared__ Rule rule[rules];
  __shared__ unsigned count[rules + 1];
  for (int k = threadIdx.x; k < rules; k += blockDim.x) rule[k] = list[k];
  for (int k = threadIdx.x; k <= rules; k += blockDim.x) count[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const uint4 p = packet[i];
    int k = 0;
    while (k < rules && !fits(rule[k], p)) ++k;
    first[i] = short(k);
    atomicAdd(&count[k], 1u);
  }
  __syncthreads();
  for (int k = threadIdx.x; k <= rules; k += blockDim.x)
    if (count[k]) atomicAdd(&hits[k], count[k]);
}

// The Internet's checksum, a warp per packet: its bytes begin at any even place and end at any.
__global__ void pk_sum_packets(const unsigned char* bytes, const int* start, const int* length,
                               unsigned short* sum, int n) {
  const int p = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (p >= n) return;
  const unsigned char* from = bytes + start[p];
  const int size = length[p];
  unsigned s = 0;
  for (int i = lane; i < size / 2; i += 32) s += ((const unsigned short*)from)[i];
  if (lane == 0 && size % 2) s += from[size - 1];
  s = __reduce_add_sync(~0u, s);
  s = (s & 0xffff) + (s >> 16);
  s = (s & 0xffff) + (s >> 16);
  if (lane == 0) sum[p] = (unsigned short)~s;
}

struct Prefix {
  unsigned value;
  int length, hop;
};

/// Prefixes in order of length: a longer one overwrites what a shorter one left.
void insert(std::vector<unsigned>& root, std::vector<unsigned>& node, const Prefix& p) {
  std::vector<unsigned>* table = &root;
  size_t first = 0;
  int bits = 12, done = 0;
  while (p.length > done + bits) {
    const size_t at = first + (p.value << done >> (32 - bits));
    const unsigned e = (*table)[at];
    if (e & leaf) {
      const unsigned made = unsigned(node.size() / 16);
      (*table)[at] = made;  // Before the nodes move.
      node.resize(node.size() + 16, e);
      first = size_t(made) * 16;
    } else {
      first = size_t(e) * 16;
    }
    table = &node;
    done += bits;
    bits = 4;
  }
  const int open = done + bits - p.length;
  const size_t at = first + (p.value << done >> (32 - bits) >> open << open);
  for (size_t k = 0; k < size_t(1) << open; ++k) (*table)[at + k] = leaf | unsigned(p.hop);
}

static void match_prefixes(Zoo& zoo) {
  const int prefixes = 20000, n = 250000;
  Random r{1};
  std::vector<Prefix> list(prefixes);
  for (int k = 0; k < prefixes; ++k) {
    const int length = 8 + int(r.below(9) + r.below(9));
    const unsigned value = (r.below(160) << 24 | r.next() >> 2) & ~0u << (32 - length);
    list[k] = {value, length, 1 + k};
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Prefix& a, const Prefix& b) { return a.length < b.length; });
  std::vector<unsigned> root(4096, leaf), node, address(n);
  node.reserve(16 * 2 * prefixes);
  for (const Prefix& p : list) insert(root, node, p);
  for (unsigned& a : address) {
    a = r.next() << 8 ^ r.next();
    if (r.below(8)) a = list[r.below(prefixes)].value | (a & 0xfff);
  }
  auto* hop = zoo.zeros<unsigned short>(n);
  pk_match_prefixes<<<(n + 255) / 256, 256>>>(zoo.upload(root), zoo.upload(node), zoo.upload(address), hop,
                                              n);
  const auto want = [&](size_t i) {
    for (int k = prefixes - 1; k >= 0; --k)
      if ((address[i] ^ list[k].value) >> (32 - list[k].length) == 0) return list[k].hop;
    return 0;
  };
  zoo.expect_each("pk_match_prefixes", hop, n, 2999, want, 1e-12);
}

static void parse_requests(Zoo& zoo) {
  const int n = 9000;
  const char* methods[] = {"GET", "DELETE", "POST", "PUT", "PATCH"};
  Random r{2};
  std::string text;
  std::vector<int> start{0}, want;
  for (int i = 0; i < n; ++i) {
    const int m = r.below(3) ? 0 : int(r.below(5)), headers = 1 + int(r.below(6)),
              at = m ? int(r.below(headers)) : -1, length = int(r.below(100000));
    std::string path = "/";
    for (int k = int(r.below(30)); k > 0; --k) path += char(r.below(9) ? 'a' + r.below(26) : '/');
    int hash = 5381;
    for (unsigned char c : path) hash = int(unsigned(hash) * 33u) ^ c;
    text += std::string(methods[m]) + " " + path + " HTTP/1.1\r\n";
    for (int h = 0; h < headers; ++h) {
      if (h == at) {
        text += (r.below(2) ? "Content-Length: " : "content-length:") + std::to_string(length);
      } else {
        text += "Co";
        for (int k = int(r.below(8)); k >= 0; --k) text += char('a' + r.below(26));
        text += ": ";
        for (int k = int(r.below(40)); k >= 0; --k) text += char(' ' + r.below(90));
      }
      text += "\r\n";
    }
    text += "\r\n";
    start.push_back(int(text.size()));
    for (int v : {m + 1, hash, m ? length : -1, headers}) want.push_back(v);
  }
  auto* out = zoo.zeros<Request>(n);
  const std::vector<unsigned char> bytes(text.begin(), text.end());
  pk_parse_requests<<<(n + 127) / 128, 128>>>(zoo.upload(bytes), zoo.upload(start), out, n);
  zoo.expect_each(
      "pk_parse_requests", (const int*)out, 4 * n, 1, [&](size_t i) { return want[i]; }, 1e-12);
}

static void classify_rules(Zoo& zoo) {
  const int n = 24000;
  Random r{3};
  std::vector<Rule> list(rules);
  for (Rule& k : list) {
    k.source_mask = ~0u << (32 - 8 * r.below(4) - 1) << 1 | r.below(2) * 0xff000000u;
    k.target_mask = ~0u << (8 + 4 * r.below(5));
    k.source = (r.below(16) << 24 | r.next() >> 8) & k.source_mask;
    k.target = (r.below(16) << 24 | r.next() >> 8) & k.target_mask;
    k.low = (unsigned short)(r.below(4) * 1000);
    k.high = (unsigned short)(k.low + r.below(30000));
    k.protocol = int(r.below(3)) - 1;
  }
  std::vector<uint4> packet(n);
  for (uint4& p : packet) {
    const Rule& k = list[r.below(rules)];
    p.x = r.below(4) ? k.source | (r.next() & ~k.source_mask) : r.next() << 4;
    p.y = r.below(4) ? k.target | (r.next() & ~k.target_mask) : r.next() << 4;
    p.z = k.low + r.below(3000);
    p.w = r.below(2);
  }
  std::vector<unsigned> want(rules + 1);
  std::vector<int> place(n);
  for (int i = 0; i < n; ++i) {
    while (place[i] < rules && !fits(list[place[i]], packet[i])) ++place[i];
    ++want[place[i]];
  }
  short* first = zoo.zeros<short>(n);
  unsigned* hits = zoo.zeros<unsigned>(rules + 1);
  pk_classify_rules<<<94, 128>>>(zoo.upload(list), zoo.upload(packet), first, hits, n);
  zoo.expect_each(
      "pk_classify_rules", first, n, 1, [&](size_t i) { return place[i]; }, 1e-12);
  const auto got = zoo.download(hits, rules + 1);
  zoo.require("pk_classify_rules", got == want, "each rule has its hits");
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("pk_match_prefixes")) match_prefixes(zoo);
  if (zoo.runs("pk_parse_requests")) parse_requests(zoo);
  if (zoo.runs("pk_classify_rules")) classify_rules(zoo);
  if (zoo.runs("pk_sum_packets")) {
    const int n = 7000;
    Random r{4};
    std::vector<int> start(n), length(n);
    int size = 0;
    for (int p = 0; p < n; ++p) {
      start[p] = size;
      length[p] = int(r.below(2) ? 40 + r.below(60) : r.below(2) ? 1400 + r.below(101) : 40 + r.below(1400));
      size += (length[p] + 15) / 2 * 2;
    }
    std::vector<unsigned char> bytes(size);
    for (auto& b : bytes) b = (unsigned char)r.below(256);
    auto* sum = zoo.zeros<unsigned short>(n);
    pk_sum_packets<<<(n + 7) / 8, 256>>>(zoo.upload(bytes), zoo.upload(start), zoo.upload(length), sum, n);
    const auto want = [&](size_t p) {
      unsigned s = 0;
      for (int i = 0; i < length[p]; ++i) {
        s += unsigned(bytes[start[p] + i]) << 8 * (i % 2);
        s = (s & 0xffff) + (s >> 16);
      }
      return ~s & 0xffff;
    };
    zoo.expect_each("pk_sum_packets", sum, n, 1, want, 1e-12);
  }
  return zoo.done();
}
