// Records what a device gives for every instruction of the truth table:
//   truth_recorder cuda:0 FILE "note" [SET]     (note: GPU, driver, date; SET: 1 or 2, 2 when left out)
#include <cstdio>
#include <cstdlib>

#include "core/device.hpp"
#include "cuda/cuda_device.hpp"
#include "instructions.hpp"
#include "simt/device/register.hpp"

int main(int argc, char** argv) {
  if (argc >= 2 && std::string(argv[1]) == "--ptx") {
    std::fputs(dojo::truth::module_text(argc > 2 ? std::atoi(argv[2]) : 2).c_str(), stdout);
    return 0;
  }
  if (argc < 4) {
    std::fprintf(stderr, "usage: truth_recorder DEVICE FILE NOTE [SET]\n");
    return 2;
  }
  dojo::cuda::register_cuda();
  dojo::simt::register_simt();
  try {
    const int set = argc > 4 ? std::atoi(argv[4]) : 2;
    std::vector<std::string> failed;
    dojo::truth::Recording r;
    r.note = argv[3];
    r.words = dojo::truth::run_all(argv[1], &failed, set);
    for (const auto& op : dojo::truth::instructions(set)) r.names.push_back(op.text);
    dojo::truth::save_recording(argv[2], r);
    for (const auto& f : failed) std::printf("failed: %s\n", f.c_str());
    std::printf("%zu instructions recorded, %zu failed\n", r.names.size(), failed.size());
    return failed.empty() ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}
