// CUDA's vector types: float4 and its like, dim3, and the make_ functions.
#pragma once

struct __attribute__((aligned(1))) char1 {
  signed char x;
};
DOJO_DEVICE char1 make_char1(signed char x) { return {x}; }
struct __attribute__((aligned(2))) char2 {
  signed char x, y;
};
DOJO_DEVICE char2 make_char2(signed char x, signed char y) { return {x, y}; }
struct __attribute__((aligned(1))) char3 {
  signed char x, y, z;
};
DOJO_DEVICE char3 make_char3(signed char x, signed char y, signed char z) { return {x, y, z}; }
struct __attribute__((aligned(4))) char4 {
  signed char x, y, z, w;
};
DOJO_DEVICE char4 make_char4(signed char x, signed char y, signed char z, signed char w) { return {x, y, z, w}; }
struct __attribute__((aligned(1))) uchar1 {
  unsigned char x;
};
DOJO_DEVICE uchar1 make_uchar1(unsigned char x) { return {x}; }
struct __attribute__((aligned(2))) uchar2 {
  unsigned char x, y;
};
DOJO_DEVICE uchar2 make_uchar2(unsigned char x, unsigned char y) { return {x, y}; }
struct __attribute__((aligned(1))) uchar3 {
  unsigned char x, y, z;
};
DOJO_DEVICE uchar3 make_uchar3(unsigned char x, unsigned char y, unsigned char z) { return {x, y, z}; }
struct __attribute__((aligned(4))) uchar4 {
  unsigned char x, y, z, w;
};
DOJO_DEVICE uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) { return {x, y, z, w}; }
struct __attribute__((aligned(2))) short1 {
  short x;
};
DOJO_DEVICE short1 make_short1(short x) { return {x}; }
struct __attribute__((aligned(4))) short2 {
  short x, y;
};
DOJO_DEVICE short2 make_short2(short x, short y) { return {x, y}; }
struct __attribute__((aligned(2))) short3 {
  short x, y, z;
};
DOJO_DEVICE short3 make_short3(short x, short y, short z) { return {x, y, z}; }
struct __attribute__((aligned(8))) short4 {
  short x, y, z, w;
};
DOJO_DEVICE short4 make_short4(short x, short y, short z, short w) { return {x, y, z, w}; }
struct __attribute__((aligned(2))) ushort1 {
  unsigned short x;
};
DOJO_DEVICE ushort1 make_ushort1(unsigned short x) { return {x}; }
struct __attribute__((aligned(4))) ushort2 {
  unsigned short x, y;
};
DOJO_DEVICE ushort2 make_ushort2(unsigned short x, unsigned short y) { return {x, y}; }
struct __attribute__((aligned(2))) ushort3 {
  unsigned short x, y, z;
};
DOJO_DEVICE ushort3 make_ushort3(unsigned short x, unsigned short y, unsigned short z) { return {x, y, z}; }
struct __attribute__((aligned(8))) ushort4 {
  unsigned short x, y, z, w;
};
DOJO_DEVICE ushort4 make_ushort4(unsigned short x, unsigned short y, unsigned short z, unsigned short w) { return {x, y, z, w}; }
struct __attribute__((aligned(4))) int1 {
  int x;
};
DOJO_DEVICE int1 make_int1(int x) { return {x}; }
struct __attribute__((aligned(8))) int2 {
  int x, y;
};
DOJO_DEVICE int2 make_int2(int x, int y) { return {x, y}; }
struct __attribute__((aligned(4))) int3 {
  int x, y, z;
};
DOJO_DEVICE int3 make_int3(int x, int y, int z) { return {x, y, z}; }
struct __attribute__((aligned(16))) int4 {
  int x, y, z, w;
};
DOJO_DEVICE int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
struct __attribute__((aligned(4))) uint1 {
  unsigned int x;
};
DOJO_DEVICE uint1 make_uint1(unsigned int x) { return {x}; }
struct __attribute__((aligned(8))) uint2 {
  unsigned int x, y;
};
DOJO_DEVICE uint2 make_uint2(unsigned int x, unsigned int y) { return {x, y}; }
struct __attribute__((aligned(4))) uint3 {
  unsigned int x, y, z;
};
DOJO_DEVICE uint3 make_uint3(unsigned int x, unsigned int y, unsigned int z) { return {x, y, z}; }
struct __attribute__((aligned(16))) uint4 {
  unsigned int x, y, z, w;
};
DOJO_DEVICE uint4 make_uint4(unsigned int x, unsigned int y, unsigned int z, unsigned int w) { return {x, y, z, w}; }
struct __attribute__((aligned(8))) long1 {
  long x;
};
DOJO_DEVICE long1 make_long1(long x) { return {x}; }
struct __attribute__((aligned(16))) long2 {
  long x, y;
};
DOJO_DEVICE long2 make_long2(long x, long y) { return {x, y}; }
struct __attribute__((aligned(8))) long3 {
  long x, y, z;
};
DOJO_DEVICE long3 make_long3(long x, long y, long z) { return {x, y, z}; }
struct __attribute__((aligned(16))) long4 {
  long x, y, z, w;
};
DOJO_DEVICE long4 make_long4(long x, long y, long z, long w) { return {x, y, z, w}; }
struct __attribute__((aligned(8))) ulong1 {
  unsigned long x;
};
DOJO_DEVICE ulong1 make_ulong1(unsigned long x) { return {x}; }
struct __attribute__((aligned(16))) ulong2 {
  unsigned long x, y;
};
DOJO_DEVICE ulong2 make_ulong2(unsigned long x, unsigned long y) { return {x, y}; }
struct __attribute__((aligned(8))) ulong3 {
  unsigned long x, y, z;
};
DOJO_DEVICE ulong3 make_ulong3(unsigned long x, unsigned long y, unsigned long z) { return {x, y, z}; }
struct __attribute__((aligned(16))) ulong4 {
  unsigned long x, y, z, w;
};
DOJO_DEVICE ulong4 make_ulong4(unsigned long x, unsigned long y, unsigned long z, unsigned long w) { return {x, y, z, w}; }
struct __attribute__((aligned(8))) longlong1 {
  long long x;
};
DOJO_DEVICE longlong1 make_longlong1(long long x) { return {x}; }
struct __attribute__((aligned(16))) longlong2 {
  long long x, y;
};
DOJO_DEVICE longlong2 make_longlong2(long long x, long long y) { return {x, y}; }
struct __attribute__((aligned(8))) longlong3 {
  long long x, y, z;
};
DOJO_DEVICE longlong3 make_longlong3(long long x, long long y, long long z) { return {x, y, z}; }
struct __attribute__((aligned(16))) longlong4 {
  long long x, y, z, w;
};
DOJO_DEVICE longlong4 make_longlong4(long long x, long long y, long long z, long long w) { return {x, y, z, w}; }
struct __attribute__((aligned(8))) ulonglong1 {
  unsigned long long x;
};
DOJO_DEVICE ulonglong1 make_ulonglong1(unsigned long long x) { return {x}; }
struct __attribute__((aligned(16))) ulonglong2 {
  unsigned long long x, y;
};
DOJO_DEVICE ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) { return {x, y}; }
struct __attribute__((aligned(8))) ulonglong3 {
  unsigned long long x, y, z;
};
DOJO_DEVICE ulonglong3 make_ulonglong3(unsigned long long x, unsigned long long y, unsigned long long z) { return {x, y, z}; }
struct __attribute__((aligned(16))) ulonglong4 {
  unsigned long long x, y, z, w;
};
DOJO_DEVICE ulonglong4 make_ulonglong4(unsigned long long x, unsigned long long y, unsigned long long z, unsigned long long w) { return {x, y, z, w}; }
struct __attribute__((aligned(4))) float1 {
  float x;
};
DOJO_DEVICE float1 make_float1(float x) { return {x}; }
struct __attribute__((aligned(8))) float2 {
  float x, y;
};
DOJO_DEVICE float2 make_float2(float x, float y) { return {x, y}; }
struct __attribute__((aligned(4))) float3 {
  float x, y, z;
};
DOJO_DEVICE float3 make_float3(float x, float y, float z) { return {x, y, z}; }
struct __attribute__((aligned(16))) float4 {
  float x, y, z, w;
};
DOJO_DEVICE float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
struct __attribute__((aligned(8))) double1 {
  double x;
};
DOJO_DEVICE double1 make_double1(double x) { return {x}; }
struct __attribute__((aligned(16))) double2 {
  double x, y;
};
DOJO_DEVICE double2 make_double2(double x, double y) { return {x, y}; }
struct __attribute__((aligned(8))) double3 {
  double x, y, z;
};
DOJO_DEVICE double3 make_double3(double x, double y, double z) { return {x, y, z}; }
struct __attribute__((aligned(16))) double4 {
  double x, y, z, w;
};
DOJO_DEVICE double4 make_double4(double x, double y, double z, double w) { return {x, y, z, w}; }

struct dim3 {
  unsigned int x, y, z;
  DOJO_MEMBER constexpr dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1) : x(a), y(b), z(c) {}
  DOJO_MEMBER constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  DOJO_MEMBER constexpr operator uint3() const { return {x, y, z}; }
};
