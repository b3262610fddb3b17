// The stopwatch of the toolkit's samples, in milliseconds of the modelled host.
#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
#include "ctime"
class StopWatchInterface {
  long started_ = 0, total_ = 0;
  int sessions_ = 0;
  bool running_ = false;

  long all() const { return total_ + (running_ ? __dojo_now_ns() - started_ : 0); }

 public:
  void start() {
    started_ = __dojo_now_ns();
    running_ = true;
  }
  void stop() {
    total_ = all();
    running_ = false;
    ++sessions_;
  }
  void reset() {
    total_ = 0;
    sessions_ = 0;
    started_ = __dojo_now_ns();
  }
  float getTime() { return float(double(all()) * 1e-6); }
  float getAverageTime() { return sessions_ > 0 ? float(double(total_) * 1e-6 / sessions_) : 0.0f; }
};
typedef StopWatchInterface StopWatchLinux;
static inline bool sdkCreateTimer(StopWatchInterface** t) {
  *t = new StopWatchInterface;
  return *t != 0;
}
static inline bool sdkDeleteTimer(StopWatchInterface** t) {
  delete *t;
  *t = 0;
  return true;
}
static inline bool sdkStartTimer(StopWatchInterface** t) {
  if (*t) (*t)->start();
  return *t != 0;
}
static inline bool sdkStopTimer(StopWatchInterface** t) {
  if (*t) (*t)->stop();
  return *t != 0;
}
static inline bool sdkResetTimer(StopWatchInterface** t) {
  if (*t) (*t)->reset();
  return *t != 0;
}
static inline float sdkGetTimerValue(StopWatchInterface** t) { return *t ? (*t)->getTime() : 0; }
static inline float sdkGetAverageTimerValue(StopWatchInterface** t) { return *t ? (*t)->getAverageTime() : 0; }
DOJO_SHIM_END
#endif
