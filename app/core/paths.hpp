#pragma once
#include <filesystem>

namespace dojo {

/// The folder with assets/ and labs/include: $WARPDOJO_ROOT when it has them, else installed_root(), else the
/// checkout that the program was built from.
std::filesystem::path source_root();
/// Where an installed program's data lies: PREFIX/share/warpdojo for PREFIX/bin/warpdojo, wherever PREFIX is.
/// Laid out as a checkout, with a file `version`. Empty for a program in a build folder.
std::filesystem::path installed_root();
/// The program itself: this process's binary when that is warpdojo, else the one of the same build.
std::filesystem::path program_path();
/// The CUDA Toolkit's root (with include/, bin/, lib64/): $CUDAToolkit_ROOT, $CUDA_HOME, the one of the
/// build, /usr/local/cuda; the first that exists, else empty.
std::filesystem::path cuda_root();
/// XDG folders for this program, made on first use: ~/.config/warpdojo, ~/.local/share/warpdojo,
/// ~/.cache/warpdojo, or below $XDG_CONFIG_HOME, $XDG_DATA_HOME, $XDG_CACHE_HOME. Empty when not writable.
std::filesystem::path config_folder();
std::filesystem::path data_folder();
std::filesystem::path cache_folder();

}  // namespace dojo
