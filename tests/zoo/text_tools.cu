// Text: many keywords at once, words of a dictionary, distances of misspelt words, and the fields of a table.
#include "zoo.cuh"

// Aho and Corasick: a thread runs the automaton over its piece, from a keyword's length before it.
__global__ void te_find_keywords(const unsigned char* text, const short* go, const unsigned char* ends,
                                 int piece, int longest, int* found, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, first = i * piece, end = min(first + piece, n);
  int state = 0, count = 0;
  for (int at = max(0, first - longest); at < end; ++at) {
    state = go[state * 32 + (text[at] & 31)];
    if (at >= first) count += ends[state];
  }
  count = __reduce_add_sync(0xffffffffu, count);
  if (threadIdx.x % 32 == 0 && count) atomicAdd(found, count);
}

struct Node {
  unsigned letters;  // a bit per child
  int child, word;
};

// A trie: the child for a letter is behind the children for the letters before it.
__global__ void te_look_up_words(const uint4* query, const Node* node, int* word, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uint4 q = query[i];
  const unsigned part[4] = {q.x, q.y, q.z, q.w};
  Node at = node[0];
  int result = -1;
  bool more = true;
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    const unsigned letter = part[k / 4] >> (8 * (k % 4)) & 255;
    if (more && letter == 0) {
      result = at.word;
      more = false;
    } else if (more) {
      const unsigned bit = 1u << (letter - 'a');
      if (letter < 'a' || letter > 'z' || !(at.letters & bit))
        more = false;
      else
        at = node[at.child + __popc(at.letters & (bit - 1))];
    }
  }
  word[i] = result;
}

// The fewest changes between two words; the table's row is an array of the thread's own.
__host__ __device__ int changes(const unsigned char* a, int a_length, const unsigned char* b, int b_length) {
  unsigned char row[25];
  for (int j = 0; j <= b_length; ++j) row[j] = (unsigned char)j;
  for (int i = 1; i <= a_length; ++i) {
    int corner = row[0];
    row[0] = (unsigned char)i;
    for (int j = 1; j <= b_length; ++j) {
      int best = corner + (a[i - 1] != b[j - 1]);
      corner = row[j];
      best = best < corner + 1 ? best : corner + 1;
      best = best < row[j - 1] + 1 ? best : row[j - 1] + 1;
      row[j] = (unsigned char)best;
    }
  }
  return row[b_length];
}

__global__ void te_count_changes(const unsigned char* words, const int* start, const int2* pair,
                                 int* distance, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int2 p = pair[i];
  const int a = start[p.x], b = start[p.y];
  distance[i] = changes(words + a, start[p.x + 1] - a, words + b, start[p.y + 1] - b);
}

// A warp per line of numbers with commas: the lane at a field's first character reads that field.
__global__ void te_parse_fields(const char* text, const int* line, int fields, int* value, int n) {
  const int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (w >= n) return;
  const int end = line[w + 1];
  int field = 0;
  bool new_field = true;
  for (int chunk = line[w]; chunk < end; chunk += 32) {
    const int at = chunk + lane;
    const char c = at < end ? text[at] : ' ';
    const unsigned commas = __ballot_sync(0xffffffffu, c == ',' || c == '\n');
    const bool first = lane ? commas >> (lane - 1) & 1 : new_field;
    if (first && at < end) {
      int x = 0, k = at;
      const bool negative = c == '-';
      if (negative) ++k;
      for (char d = text[k]; d >= '0' && d <= '9'; d = text[++k]) x = 10 * x + (d - '0');
      value[(field + __popc(commas & ((1u << lane) - 1))) * n + w] = negative ? -x : x;
    }
    field += __popc(commas);
    new_field = commas >> 31;
  }
}

static void find_keywords(Zoo& zoo) {
  const int n = 400 * 1024 + 77, piece = 96, longest = 8;
  const char* keyword[] = {"cache", "warp", "thread",   "block", "grid", "mutex", "she",  "he",    "hers",
                           "his",   "lane", "register", "stall", "bank", "in",    "tile", "queue", "hazard"};
  std::vector<std::vector<short>> next(1, std::vector<short>(32, -1));
  std::vector<unsigned char> ends(1, 0);
  for (const char* k : keyword) {
    int s = 0;
    for (; *k; ++k) {
      if (next[s][*k & 31] < 0) {
        next[s][*k & 31] = short(next.size());
        next.push_back(std::vector<short>(32, -1));
        ends.push_back(0);
      }
      s = next[s][*k & 31];
    }
    ++ends[s];
  }
  const int states = int(next.size());
  std::vector<short> go(states * 32, 0), fail(states, 0), order(1, 0);
  for (int at = 0; at < int(order.size()); ++at) {
    const int s = order[at];
    for (int c = 0; c < 32; ++c) {
      const int child = next[s][c], back = s ? go[fail[s] * 32 + c] : 0;
      go[s * 32 + c] = short(child < 0 ? back : child);
      if (child < 0) continue;
      fail[child] = short(back);
      ends[child] = (unsigned char)(ends[child] + ends[back]);
      order.push_back(short(child));
    }
  }
  // Words and pieces of words, so that the automaton gets deep.
  std::vector<unsigned char> text;
  Random r{1};
  while (int(text.size()) < n) {
    const char* k = keyword[r.below(18)];
    int length = int(strlen(k));
    if (r.below(3) == 0) length = 1 + int(r.below(length));
    for (int c = 0; c < length; ++c) text.push_back((unsigned char)k[c]);
    for (unsigned c = r.below(4); c; --c) text.push_back((unsigned char)('a' + r.below(26)));
  }
  text.resize(n);
  double want = 0;
  for (const char* k : keyword) {
    const int length = int(strlen(k));
    for (int i = 0; i + length <= n; ++i)
      if (text[i] == k[0] && text[i + 1] == k[1]) want += !memcmp(&text[i], k, length);
  }
  int* found = zoo.zeros<int>(1);
  const int pieces = (n + piece - 1) / piece;
  te_find_keywords<<<(pieces + 127) / 128, 128>>>(zoo.upload(text), zoo.upload(go), zoo.upload(ends), piece,
                                                  longest, found, n);
  zoo.expect("te_find_keywords", found, 1, want, 1e-9);
}

struct Letters {
  unsigned char at[16];
};

static void look_up_words(Zoo& zoo) {
  const int words = 2500, n = 50000;
  std::vector<Letters> word(words);
  std::vector<std::vector<int>> next(1, std::vector<int>(26, -1));
  std::vector<int> named(1, -1);
  Random r{2};
  for (int w = 0; w < words; ++w) {
    word[w] = Letters{};
    const int length = 4 + int(r.below(9));
    int s = 0;
    for (int k = 0; k < length; ++k) {
      const int c = int(r.below(k < 3 ? 12 : 26));
      word[w].at[k] = (unsigned char)('a' + c);
      if (next[s][c] < 0) {
        next[s][c] = int(next.size());
        next.push_back(std::vector<int>(26, -1));
        named.push_back(-1);
      }
      s = next[s][c];
    }
    if (named[s] < 0) named[s] = w;
  }
  std::vector<Node> node(1);
  std::vector<int> order(1, 0);
  for (size_t at = 0; at < order.size(); ++at) {
    const int s = order[at];
    Node here = {0, int(order.size()), named[s]};
    for (int c = 0; c < 26; ++c)
      if (next[s][c] >= 0) {
        here.letters |= 1u << c;
        order.push_back(next[s][c]);
      }
    node.resize(order.size());
    node[at] = here;
  }
  // Every third query has a letter that no word has at its end.
  std::vector<Letters> query(n);
  std::vector<int> source(n);
  for (int i = 0; i < n; ++i) {
    source[i] = int(r.below(words));
    query[i] = word[source[i]];
    if (i % 3 == 2) query[i].at[strlen((const char*)query[i].at)] = 'A';
  }
  int* found = zoo.zeros<int>(n);
  te_look_up_words<<<(n + 127) / 128, 128>>>((const uint4*)zoo.upload(query), zoo.upload(node), found, n);
  const auto got = zoo.download(found, n);
  zoo.show("te_look_up_words", found, n);
  bool right = true;
  for (int i = 0; i < n; ++i)
    right = right && (i % 3 == 2 ? got[i] < 0
                                 : got[i] >= 0 && !memcmp(&word[got[i]], &word[source[i]], sizeof(Letters)));
  zoo.require("te_look_up_words", right, "each word of the dictionary is found, and no other");
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("te_find_keywords")) find_keywords(zoo);
  if (zoo.runs("te_look_up_words")) look_up_words(zoo);
  if (zoo.runs("te_count_changes")) {
    const int words = 3000, n = 10000;
    std::vector<unsigned char> letters;
    std::vector<int> start(1, 0);
    Random r{3};
    for (int w = 0; w < words; ++w) {
      for (unsigned k = 5 + r.below(20); k; --k) letters.push_back((unsigned char)('a' + r.below(5)));
      start.push_back(int(letters.size()));
    }
    std::vector<int2> pair(n);
    for (int2& p : pair) p = make_int2(int(r.below(words)), int(r.below(words)));
    int* distance = zoo.zeros<int>(n);
    te_count_changes<<<(n + 63) / 64, 64>>>(zoo.upload(letters), zoo.upload(start), zoo.upload(pair),
                                            distance, n);
    // A table in full, unlike the kernel's one row.
    const auto want = [&](size_t i) {
      const int a = start[pair[i].x], b = start[pair[i].y];
      const int rows = start[pair[i].x + 1] - a + 1, columns = start[pair[i].y + 1] - b + 1;
      std::vector<int> d(rows * columns);
      for (int x = 0; x < rows; ++x)
        for (int y = 0; y < columns; ++y) {
          int& here = d[x * columns + y];
          here = x + y;
          if (!x || !y) continue;
          here = d[(x - 1) * columns + y - 1] + (letters[a + x - 1] != letters[b + y - 1]);
          if (d[(x - 1) * columns + y] + 1 < here) here = d[(x - 1) * columns + y] + 1;
          if (d[x * columns + y - 1] + 1 < here) here = d[x * columns + y - 1] + 1;
        }
      return d.back();
    };
    zoo.expect_each("te_count_changes", distance, n, 41, want, 1e-9);
  }
  if (zoo.runs("te_parse_fields")) {
    const int n = 9000, fields = 7;
    std::vector<char> text;
    std::vector<int> line(1, 0), value(n * fields);
    Random r{4};
    for (int i = 0; i < n; ++i) {
      for (int f = 0; f < fields; ++f) {
        int x = int(r.below(f % 2 ? 1000 : 1000000));
        if (f == 3) x = -x;
        value[f * n + i] = x;
        char digits[16];
        const int length = snprintf(digits, sizeof digits, "%d", x);
        text.insert(text.end(), digits, digits + length);
        text.push_back(f == fields - 1 ? '\n' : ',');
      }
      line.push_back(int(text.size()));
    }
    int* out = zoo.zeros<int>(n * fields);
    te_parse_fields<<<(n + 3) / 4, 128>>>(zoo.upload(text), zoo.upload(line), fields, out, n);
    zoo.expect_each(
        "te_parse_fields", out, n * fields, 1, [&](size_t i) { return double(value[i]); }, 1e-12);
  }
  return zoo.done();
}
