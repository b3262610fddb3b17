#pragma once
// A system that starts no more threads: std::thread's constructor fails, as at a limit of processes.
#include <doctest/doctest.h>
#include <pthread.h>

namespace dojo::test {

/// While it lives. Its default stack is larger than an address space, and no memory holds it.
struct NoThreads {
  NoThreads() {
    REQUIRE(pthread_getattr_default_np(&before) == 0);
    pthread_attr_t more = before;
    REQUIRE(pthread_attr_setstacksize(&more, size_t(1) << 52) == 0);
    REQUIRE(pthread_setattr_default_np(&more) == 0);
  }
  ~NoThreads() {
    pthread_setattr_default_np(&before);
    pthread_attr_destroy(&before);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;
  pthread_attr_t before;
};

}  // namespace dojo::test
