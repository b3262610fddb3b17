// NVTX marks ranges for a profiler. Nothing listens here: the calls do nothing.
#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
typedef unsigned long long nvtxRangeId_t;
typedef struct nvtxDomainRegistration* nvtxDomainHandle_t;
enum { NVTX_VERSION = 3, NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1, NVTX_MESSAGE_UNKNOWN = 0, NVTX_MESSAGE_TYPE_ASCII = 1 };
union nvtxMessageValue_t {
  const char* ascii;
};
struct nvtxEventAttributes_t {
  unsigned short version, size;
  unsigned category;
  int colorType;
  unsigned color;
  int payloadType, reserved0;
  union {
    unsigned long long ullValue;
    double dValue;
  } payload;
  int messageType;
  nvtxMessageValue_t message;
};
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((unsigned short)sizeof(nvtxEventAttributes_t))
inline int nvtxRangePushA(const char*) { return 0; }
inline int nvtxRangePushEx(const nvtxEventAttributes_t*) { return 0; }
inline int nvtxRangePop() { return 0; }
inline nvtxRangeId_t nvtxRangeStartA(const char*) { return 1; }
inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t*) { return 1; }
inline void nvtxRangeEnd(nvtxRangeId_t) {}
inline void nvtxMarkA(const char*) {}
inline void nvtxMarkEx(const nvtxEventAttributes_t*) {}
inline void nvtxNameOsThreadA(unsigned, const char*) {}
inline nvtxDomainHandle_t nvtxDomainCreateA(const char*) { return nullptr; }
inline void nvtxDomainDestroy(nvtxDomainHandle_t) {}
inline int nvtxDomainRangePushEx(nvtxDomainHandle_t, const nvtxEventAttributes_t*) { return 0; }
inline int nvtxDomainRangePop(nvtxDomainHandle_t) { return 0; }
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
DOJO_SHIM_END
#endif
