# Debian's cross compiler for AArch64 and a folder with Debian's arm64 packages (scripts/aarch64.sh makes both
# ready). What the build or the tests run is run by qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
if(NOT DEFINED WARPDOJO_SYSROOT)
  set(WARPDOJO_SYSROOT "$ENV{WARPDOJO_SYSROOT}")
endif()
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WARPDOJO_SYSROOT)
set(CMAKE_SYSROOT ${WARPDOJO_SYSROOT})
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)  # the CUDA Toolkit's headers, the same on every architecture
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64;-L;${WARPDOJO_SYSROOT}")
set(ENV{PKG_CONFIG_DIR} "")
set(ENV{PKG_CONFIG_LIBDIR}
  "${WARPDOJO_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${WARPDOJO_SYSROOT}/usr/share/pkgconfig")
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${WARPDOJO_SYSROOT})
