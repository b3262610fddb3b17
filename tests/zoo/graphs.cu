// Steps of graph algorithms over a random graph in compressed rows.
#include "zoo.cuh"

// One level of a breadth-first search: marks the neighbours of the frontier's nodes. The marks are an array
// of their own, so a repeated launch sees the same distances.
__global__ void gr_bfs_step(const int* start, const int* edge, const int* distance, int level,
                            unsigned char* reached, int nodes) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes || distance[v] != level) return;
  for (int k = start[v]; k < start[v + 1]; ++k)
    if (distance[edge[k]] < 0) reached[edge[k]] = 1;
}

__global__ void gr_pagerank_pull(const int* start, const int* edge, const float* rank, const float* share,
                                 float* next, int nodes) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes) return;
  float sum = 0;
  for (int k = start[v]; k < start[v + 1]; ++k) {
    const int u = edge[k];
    sum += rank[u] * share[u];
  }
  next[v] = 0.15f / nodes + 0.85f * sum;
}

__global__ void gr_edge_relax(const int* from, const int* to, const int* length, const int* distance,
                              int* next, int edges) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= edges) return;
  const int d = distance[from[k]];
  if (d < 1000000 && d + length[k] < distance[to[k]]) atomicMin(&next[to[k]], d + length[k]);
}

// Common neighbours of an edge's ends, whose lists are sorted.
__global__ void gr_triangles(const int* start, const int* edge, const int* from, int* common, int edges) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= edges) return;
  int i = start[from[k]], j = start[edge[k]], count = 0;
  const int i_end = start[from[k] + 1], j_end = start[edge[k] + 1];
  while (i < i_end && j < j_end) {
    const int a = edge[i], b = edge[j];
    count += a == b;
    i += a <= b;
    j += b <= a;
  }
  common[k] = count;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  const int nodes = 20000;
  Random r{1};
  std::vector<int> start{0}, edge, from;
  for (int v = 0; v < nodes; ++v) {
    const int degree = 1 + int(r.below(r.below(10) == 0 ? 50 : 10));
    int last = int(r.below(400));
    for (int k = 0; k < degree && last < nodes; ++k) {
      edge.push_back(last);
      from.push_back(v);
      last += 1 + int(r.below(unsigned(2 * nodes / degree)));
    }
    start.push_back(int(edge.size()));
  }
  const int edges = int(edge.size());
  const int *d_start = zoo.upload(start), *d_edge = zoo.upload(edge), *d_from = zoo.upload(from);
  if (zoo.runs("gr_bfs_step")) {
    std::vector<int> distance(nodes, -1);
    for (int& d : distance) d = r.below(5) == 0 ? 3 : r.below(3) == 0 ? 2 : -1;
    unsigned char* reached = zoo.zeros<unsigned char>(nodes);
    gr_bfs_step<<<(nodes + 255) / 256, 256>>>(d_start, d_edge, zoo.upload(distance), 3, reached, nodes);
    zoo.show("gr_bfs_step", reached, nodes);
  }
  if (zoo.runs("gr_pagerank_pull")) {
    float* next = zoo.zeros<float>(nodes);
    gr_pagerank_pull<<<(nodes + 127) / 128, 128>>>(d_start, d_edge, zoo.upload(random_floats(nodes, 2)),
                                                   zoo.upload(random_floats(nodes, 3)), next, nodes);
    zoo.show("gr_pagerank_pull", next, nodes);
  }
  if (zoo.runs("gr_edge_relax")) {
    std::vector<int> distance(nodes);
    for (int& d : distance) d = r.below(2) ? 1000000 : int(r.below(1000));
    int* next = zoo.upload(distance);
    gr_edge_relax<<<(edges + 255) / 256, 256>>>(d_from, d_edge, zoo.upload(random_ints(edges, 4, 100)),
                                                zoo.upload(distance), next, edges);
    zoo.show("gr_edge_relax", next, nodes);
  }
  if (zoo.runs("gr_triangles")) {
    int* common = zoo.zeros<int>(edges);
    gr_triangles<<<(edges + 127) / 128, 128>>>(d_start, d_edge, d_from, common, edges);
    zoo.show("gr_triangles", common, edges);
  }
  return zoo.done();
}
