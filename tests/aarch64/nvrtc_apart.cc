// NVRTC for a program that qemu-user runs: NVIDIA's library is one of this machine's architecture, so a
// process of its own calls it. scripts/aarch64.sh compiles this file twice: as the arm64 library
// libnvrtc.so.13, which writes a request into a file and starts the second, the native program (-DANSWERS),
// which writes the answer. Tests only.
#include <cuda.h>
#include <nvrtc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

/// A file is a row of texts, each behind its length (8 bytes).
using Texts = std::vector<std::string>;

void write_texts(const std::string& file, const Texts& texts) {
  std::ofstream out(file, std::ios::binary);
  for (const std::string& t : texts) {
    const uint64_t n = t.size();
    out.write(reinterpret_cast<const char*>(&n), sizeof n);
    out.write(t.data(), std::streamsize(n));
  }
}
Texts read_texts(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  Texts out;
  for (uint64_t n = 0; in.read(reinterpret_cast<char*>(&n), sizeof n);) {
    out.emplace_back(n, '\0');
    in.read(out.back().data(), std::streamsize(n));
  }
  return out;
}

}  // namespace

#ifdef ANSWERS

// Request: source, name, number of headers, texts of the headers, their names, options. Answer: result, log,
// PTX.
int main(int, char** argv) {
  const Texts asked = read_texts(argv[1]);
  const size_t headers = std::stoul(asked.at(2));
  std::vector<const char*> words;
  for (const std::string& t : asked) words.push_back(t.c_str());
  nvrtcProgram program;
  nvrtcResult result = nvrtcCreateProgram(&program, words[0], words[1], int(headers), words.data() + 3,
                                          words.data() + 3 + headers);
  std::string log, ptx;
  if (result == NVRTC_SUCCESS) {
    const size_t options = 3 + 2 * headers;
    result = nvrtcCompileProgram(program, int(words.size() - options), words.data() + options);
    size_t n = 0;
    nvrtcGetProgramLogSize(program, &n);
    log.resize(n);
    nvrtcGetProgramLog(program, log.data());
    if (result == NVRTC_SUCCESS) {
      nvrtcGetPTXSize(program, &n);
      ptx.resize(n);
      nvrtcGetPTX(program, ptx.data());
    }
  }
  write_texts(argv[2], {std::to_string(result), log, ptx});
}

#else

struct _nvrtcProgram {
  Texts asked;
  std::string log, ptx;
};

extern "C" {

nvrtcResult nvrtcVersion(int* major, int* minor) {
  *major = CUDA_VERSION / 1000, *minor = CUDA_VERSION % 1000 / 10;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int headers,
                               const char* const* texts, const char* const* names) {
  *program = new _nvrtcProgram;
  Texts& asked = (*program)->asked;
  asked = {source, name ? name : "", std::to_string(headers)};
  asked.insert(asked.end(), texts, texts + headers);
  asked.insert(asked.end(), names, names + headers);
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  delete *program;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int count, const char* const* options) {
  char folder[] = "/tmp/nvrtc-apart-XXXXXX";
  const char* answers = std::getenv("WARPDOJO_NVRTC_APART");
  if (!answers || !mkdtemp(folder)) return NVRTC_ERROR_INTERNAL_ERROR;
  const std::string request = std::string(folder) + "/request", answer = std::string(folder) + "/answer";
  Texts asked = p->asked;
  asked.insert(asked.end(), options, options + count);
  write_texts(request, asked);
  const pid_t child = fork();
  if (child == 0) {
    unsetenv("LD_LIBRARY_PATH");  // the arm64 library's folder
    execl(answers, answers, request.c_str(), answer.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  Texts said = read_texts(answer);
  unlink(request.c_str()), unlink(answer.c_str()), rmdir(folder);
  if (said.size() != 3) return NVRTC_ERROR_INTERNAL_ERROR;
  p->log = std::move(said[1]), p->ptx = std::move(said[2]);
  return nvrtcResult(std::stoi(said[0]));
}
nvrtcResult nvrtcGetPTXSize(nvrtcProgram p, size_t* n) {
  *n = p->ptx.size();
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetPTX(nvrtcProgram p, char* to) {
  p->ptx.copy(to, p->ptx.size());
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t* n) {
  *n = p->log.size();
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char* to) {
  p->log.copy(to, p->log.size());
  return NVRTC_SUCCESS;
}
const char* nvrtcGetErrorString(nvrtcResult r) {
  return r == NVRTC_ERROR_COMPILATION ? "NVRTC_ERROR_COMPILATION" : "NVRTC reports an error";
}
}

#endif
