// Records what a device gives for every instruction of the truth table:
//   truth_recorder cuda:0 FILE "note"     (GPU, driver, date)
#include <cstdio>

#include "core/device.hpp"
#include "cuda/cuda_device.hpp"
#include "instructions.hpp"

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--ptx") {
    std::fputs(dojo::truth::module_text().c_str(), stdout);
    return 0;
  }
  if (argc < 4) {
    std::fprintf(stderr, "usage: truth_recorder DEVICE FILE NOTE\n");
    return 2;
  }
  dojo::cuda::register_cuda();
  try {
    std::vector<std::string> failed;
    dojo::truth::Recording r;
    r.note = argv[3];
    r.words = dojo::truth::run_all(argv[1], &failed);
    for (const auto& op : dojo::truth::instructions()) r.names.push_back(op.text);
    dojo::truth::save_recording(argv[2], r);
    for (const auto& f : failed) std::printf("failed: %s\n", f.c_str());
    std::printf("%zu instructions recorded, %zu failed\n", r.names.size(), failed.size());
    return failed.empty() ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}
