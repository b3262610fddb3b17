// The kernels of tests/microbench/random_words.cu.
#include "../../microbench/random_words.cuh"

__global__ void load(int* table, unsigned words, unsigned share, unsigned group, unsigned rounds) {
  random_words_body<Access::load>(table, {words, share, group}, rounds);
}
__global__ void add(int* table, unsigned words, unsigned share, unsigned group, unsigned rounds) {
  random_words_body<Access::add>(table, {words, share, group}, rounds);
}
__global__ void add_and_read(int* table, unsigned words, unsigned share, unsigned group, unsigned rounds) {
  random_words_body<Access::add_and_read>(table, {words, share, group}, rounds);
}
__global__ void swap(int* table, unsigned words, unsigned share, unsigned group, unsigned rounds) {
  random_words_body<Access::swap>(table, {words, share, group}, rounds);
}
