// The entry of every test program. With $WARPDOJO_TEST_TIMES=FILE each case appends a line to that file:
// processor seconds (of this process and of the workers that it has waited for), seconds by the clock, name.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

double processor_seconds() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    getrusage(who, &used);
    for (const timeval& t : {used.ru_utime, used.ru_stime})
      seconds += double(t.tv_sec) + 1e-6 * double(t.tv_usec);
  }
  return seconds;
}

class CaseTimes : public doctest::IReporter {
 public:
  explicit CaseTimes(const doctest::ContextOptions&) {}
  void test_case_start(const doctest::TestCaseData& data) override {
    name_ = data.m_name;
    processor_ = processor_seconds();
    clock_ = std::chrono::steady_clock::now();
  }
  void test_case_end(const doctest::CurrentTestCaseStats&) override {
    const char* path = std::getenv("WARPDOJO_TEST_TIMES");
    FILE* file = path ? std::fopen(path, "a") : nullptr;
    if (!file) return;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - clock_;
    std::fprintf(file, "%.2f\t%.2f\t%s\n", processor_seconds() - processor_, passed.count(), name_);
    std::fclose(file);
  }
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  const char* name_ = "";
  double processor_ = 0;
  std::chrono::steady_clock::time_point clock_;
};

}  // namespace

REGISTER_LISTENER("case times", 1, CaseTimes);
