// <pthread.h>: a thread runs from its beginning to its end when another one joins it or waits for a condition (thread).
// There are no barriers: threads here can't wait for each other.
#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
#include "thread"
namespace std {
struct __dojo_pthread : __dojo_job {
  void* (*f)(void*);
  void *argument, *result;
};
}  // namespace std
typedef std::__dojo_pthread* pthread_t;
typedef int pthread_attr_t, pthread_mutex_t, pthread_mutexattr_t, pthread_cond_t, pthread_condattr_t, pthread_once_t;
#define PTHREAD_MUTEX_INITIALIZER 0
#define PTHREAD_COND_INITIALIZER 0
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1

static inline int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*f)(void*), void* argument) {
  std::__dojo_pthread* const t = new std::__dojo_pthread;
  t->f = f, t->argument = argument, t->result = nullptr;
  t->run = [](std::__dojo_job* j) {
    std::__dojo_pthread* const own = static_cast<std::__dojo_pthread*>(j);
    own->result = own->f(own->argument);
  };
  *thread = t;
  std::__dojo_add_job(t);
  if (attributes && *attributes == PTHREAD_CREATE_DETACHED) std::__dojo_run_job(t);
  return 0;
}
static inline int pthread_join(pthread_t thread, void** result) {
  std::__dojo_run_job(thread);
  if (result) *result = thread->result;
  return 0;
}
static inline int pthread_detach(pthread_t thread) {
  std::__dojo_run_job(thread);
  return 0;
}
// There is nothing to cancel: a thread has run to its end, or runs when it is joined.
static inline int pthread_cancel(pthread_t) { return 0; }
static inline int pthread_attr_init(pthread_attr_t* a) {
  *a = PTHREAD_CREATE_JOINABLE;
  return 0;
}
static inline int pthread_attr_setdetachstate(pthread_attr_t* a, int state) {
  *a = state;
  return 0;
}
static inline int pthread_attr_destroy(pthread_attr_t*) { return 0; }
static inline int pthread_mutex_init(pthread_mutex_t* m, const pthread_mutexattr_t*) {
  *m = 0;
  return 0;
}
static inline int pthread_mutex_lock(pthread_mutex_t*) { return 0; }
static inline int pthread_mutex_trylock(pthread_mutex_t*) { return 0; }
static inline int pthread_mutex_unlock(pthread_mutex_t*) { return 0; }
static inline int pthread_mutex_destroy(pthread_mutex_t*) { return 0; }
static inline int pthread_cond_init(pthread_cond_t* c, const pthread_condattr_t*) {
  *c = 0;
  return 0;
}
static inline int pthread_cond_wait(pthread_cond_t*, pthread_mutex_t*) {
  if (!std::__dojo_run_thread()) __dojo_no_thread("a condition variable");
  return 0;
}
static inline int pthread_cond_signal(pthread_cond_t*) { return 0; }
static inline int pthread_cond_broadcast(pthread_cond_t*) { return 0; }
static inline int pthread_cond_destroy(pthread_cond_t*) { return 0; }
static inline int pthread_once(pthread_once_t* once, void (*f)()) {
  if (!*once) *once = 1, f();
  return 0;
}
DOJO_SHIM_END
#endif
