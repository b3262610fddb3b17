// Images, number files and comparisons of the toolkit's samples. Pictures are binary PGM (P5) and PPM (P6) of 8
// bits; a picture of four channels is a PPM with an added 255.
#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
#include "cmath"
#include "helper_string.h"

struct __dojo_picture {
  unsigned width = 0, height = 0, channels = 0;
  unsigned char* bytes = 0;
};

/// Reads a picture; the caller frees the bytes.
static inline bool __dojo_load_picture(const char* name, __dojo_picture* p) {
  FILE* f = fopen(name, "rb");
  if (!f) {
    fprintf(stderr, "cannot open the picture %s\n", name);
    return false;
  }
  char head[4] = {0, 0, 0, 0};
  bool fine = fread(head, 1, 2, f) == 2 && head[0] == 'P' && (head[1] == '5' || head[1] == '6');
  unsigned numbers[3] = {0, 0, 0};
  for (int n = 0; fine && n < 3;) {
    int c = fgetc(f);
    if (c == '#')
      while (c != '\n' && c != EOF) c = fgetc(f);
    if (c == EOF) fine = false;
    if (c < '0' || c > '9') continue;
    for (; c >= '0' && c <= '9'; c = fgetc(f)) numbers[n] = numbers[n] * 10 + unsigned(c - '0');
    ++n;
  }
  if (fine) {
    p->width = numbers[0];
    p->height = numbers[1];
    p->channels = head[1] == '6' ? 3 : 1;
    const size_t bytes = size_t(p->width) * p->height * p->channels;
    p->bytes = (unsigned char*)malloc(bytes);
    fine = fread(p->bytes, 1, bytes, f) == bytes;
    if (!fine) free(p->bytes);
  }
  fclose(f);
  if (!fine) fprintf(stderr, "%s is no PGM or PPM picture\n", name);
  return fine;
}
static inline bool __dojo_save_picture(const char* name, const __dojo_picture& p) {
  FILE* f = fopen(name, "wb");
  if (!f) return false;
  fprintf(f, "P%d\n%u %u\n255\n", p.channels == 1 ? 5 : 6, p.width, p.height);
  const size_t bytes = size_t(p.width) * p.height * p.channels;
  const bool fine = fwrite(p.bytes, 1, bytes, f) == bytes;
  fclose(f);
  return fine;
}
// Elements that are no bytes hold 0 to 1.
static inline unsigned char __dojo_to_byte(unsigned char v) { return v; }
static inline unsigned char __dojo_to_byte(float v) { return (unsigned char)(v * 255.0f); }
static inline void __dojo_of_byte(unsigned char b, unsigned char* v) { *v = b; }
static inline void __dojo_of_byte(unsigned char b, float* v) { *v = float(b) / 255.0f; }

template <class _T> static inline bool __dojo_load_elements(const char* name, _T** data, unsigned* w, unsigned* h, int channels) {
  __dojo_picture p;
  if (!__dojo_load_picture(name, &p)) return false;
  const size_t pixels = size_t(p.width) * p.height;
  if (!*data) *data = (_T*)malloc(pixels * channels * sizeof(_T));
  for (size_t i = 0; i < pixels; ++i)
    for (int c = 0; c < channels; ++c)
      __dojo_of_byte(c == 3 ? 255 : p.bytes[i * p.channels + (c < int(p.channels) ? c : 0)], &(*data)[i * channels + c]);
  free(p.bytes);
  *w = p.width;
  *h = p.height;
  return true;
}
template <class _T> static inline bool __dojo_save_elements(const char* name, const _T* data, unsigned w, unsigned h, int channels) {
  __dojo_picture p;
  p.width = w;
  p.height = h;
  p.channels = channels == 1 ? 1 : 3;
  const size_t pixels = size_t(w) * h;
  p.bytes = (unsigned char*)malloc(pixels * p.channels);
  for (size_t i = 0; i < pixels; ++i)
    for (unsigned c = 0; c < p.channels; ++c) p.bytes[i * p.channels + c] = __dojo_to_byte(data[i * channels + c]);
  const bool fine = __dojo_save_picture(name, p);
  free(p.bytes);
  return fine;
}
template <class _T> static inline bool sdkLoadPGM(const char* name, _T** data, unsigned* w, unsigned* h) {
  return __dojo_load_elements(name, data, w, h, 1);
}
template <class _T> static inline bool sdkSavePGM(const char* name, _T* data, unsigned w, unsigned h) {
  return __dojo_save_elements(name, data, w, h, 1);
}
template <class _T> static inline bool sdkLoadPPM4(const char* name, _T** data, unsigned* w, unsigned* h) {
  return __dojo_load_elements(name, data, w, h, 4);
}
static inline bool sdkLoadPPM4ub(const char* name, unsigned char** data, unsigned* w, unsigned* h) {
  return __dojo_load_elements(name, data, w, h, 4);
}
static inline bool sdkSavePPM4ub(const char* name, unsigned char* data, unsigned w, unsigned h) {
  return __dojo_save_elements(name, data, w, h, 4);
}

/// Numbers as text, with blanks between.
template <class _T> static inline bool sdkReadFile(const char* name, _T** data, unsigned* count, bool) {
  FILE* f = fopen(name, "r");
  if (!f) return false;
  size_t n = 0, room = 0;
  double v = 0;
  _T* all = 0;
  while (fscanf(f, "%lf", &v) == 1) {
    if (n == room) all = (_T*)realloc(all, (room = room ? 2 * room : 1024) * sizeof(_T));
    all[n++] = _T(v);
  }
  fclose(f);
  if (*data) {
    for (size_t i = 0; i < n && i < *count; ++i) (*data)[i] = all[i];
    free(all);
  } else {
    *data = all;
  }
  *count = unsigned(n);
  return true;
}
template <class _T, class _S>
static inline bool sdkWriteFile(const char* name, const _T* data, unsigned count, const _S epsilon, bool, bool append = false) {
  FILE* f = fopen(name, append ? "a" : "w");
  if (!f) return false;
  if (epsilon != _S(-1)) fprintf(f, "# %f\n", double(epsilon));
  for (unsigned i = 0; i < count; ++i) fprintf(f, "%.9g ", double(data[i]));
  fclose(f);
  return true;
}

/// At most threshold * count elements may differ by more than epsilon; threshold 0: none.
template <class _T, class _S>
static inline bool compareData(const _T* reference, const _T* data, unsigned count, const _S epsilon, const float threshold) {
  unsigned wrong = 0;
  for (unsigned i = 0; i < count; ++i) {
    const double d = double(reference[i]) - double(data[i]);
    wrong += !(d <= double(epsilon) && d >= -double(epsilon));
  }
  if (threshold == 0.0f) return wrong == 0;
  return float(wrong) < float(count) * threshold;
}
template <class _T, class _S>
static inline bool compareDataAsFloatThreshold(const _T* reference, const _T* data, unsigned count, const _S epsilon, const float threshold) {
  return compareData(reference, data, count, epsilon, threshold);
}
/// The norm of the difference, relative to the reference's.
static inline bool sdkCompareL2fe(const float* reference, const float* data, unsigned count, const float epsilon) {
  double difference = 0, norm = 0;
  for (unsigned i = 0; i < count; ++i) {
    const double d = double(reference[i]) - double(data[i]);
    difference += d * d;
    norm += double(reference[i]) * double(reference[i]);
  }
  if (norm < 1e-14) return false;
  return sqrt(difference / norm) < double(epsilon);
}
static inline bool __dojo_compare_pictures(const char* a, const char* b, float epsilon, float threshold) {
  __dojo_picture p, q;
  if (!__dojo_load_picture(a, &p)) return false;
  const bool both = __dojo_load_picture(b, &q);
  const bool shape = both && p.width == q.width && p.height == q.height && p.channels == q.channels;
  const bool same = shape && compareData(p.bytes, q.bytes, p.width * p.height * p.channels, epsilon, threshold);
  free(p.bytes);
  if (both) free(q.bytes);
  return same;
}
static inline bool sdkComparePPM(const char* a, const char* b, const float epsilon, const float threshold, bool) {
  return __dojo_compare_pictures(a, b, epsilon, threshold);
}
static inline bool sdkComparePGM(const char* a, const char* b, const float epsilon, const float threshold, bool) {
  return __dojo_compare_pictures(a, b, epsilon, threshold);
}
DOJO_SHIM_END
#endif
