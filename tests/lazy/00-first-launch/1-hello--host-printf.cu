// lazy: first-launch/1-hello
// expect: gate launches == 1
#include <cstdio>

void hello() { printf("Hello from block 0, thread 0\n"); }
