// The compiler's atomic functions in host code, on local, global and allocated words of several types.
#include <cstdio>

long long total = 3;

int main() {
  unsigned long long a = 5;
  unsigned e = 2;
  int c = 7;
  int* heap = new int(4);
  printf("%llu %lld\n", __sync_fetch_and_add(&a, 1), __sync_fetch_and_sub(&total, 4));
  printf("%d %u\n", __sync_add_and_fetch(&c, 2), __sync_lock_test_and_set(&e, 9));
  printf("%d\n", int(__sync_bool_compare_and_swap(&c, 9, 1)));
  __sync_fetch_and_or(heap, 3);
  __sync_synchronize();
  printf("%llu %lld %d %u %d\n", a, total, c, e, *heap);
  delete heap;
}
