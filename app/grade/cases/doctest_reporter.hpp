#pragma once
// doctest itself and a reporter that tells a Listener, for the one file of `grade --tests` (harness.hpp
// includes this). Nothing of it prints: what a test case says goes into its messages.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

namespace dojo::harness {

class DoctestReporter : public doctest::IReporter {
 public:
  static inline Listener* listener = nullptr;
  static inline size_t next = 0;  ///< index of the test case that starts next

  explicit DoctestReporter(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData& in) override {
    std::vector<TestCase> all;
    for (unsigned i = 0; i < in.num_data; ++i)
      all.push_back({in.data[i]->m_name, points_at(in.data[i]->m_file.c_str(), in.data[i]->m_line)});
    listener->found(all);
  }
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_start(const doctest::TestCaseData&) override { messages_.clear(); }
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats& s) override {
    listener->ended(next++, s.testCaseSuccess, messages_);
  }
  void test_case_exception(const doctest::TestCaseException& e) override {
    add(with_contexts({}, e.error_string.c_str()));
  }
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData& a) override {
    if (!a.m_failed) return;
    std::string words = a.m_expr;
    words += a.m_threw ? std::string(" threw ") + a.m_exception.c_str()
                       : std::string(" fails: ") + a.m_decomp.c_str();
    add(with_contexts(place(a.m_file, a.m_line), words));
  }
  void log_message(const doctest::MessageData& m) override {
    if (m.m_severity != doctest::assertType::is_warn)
      add(with_contexts(place(m.m_file, m.m_line), m.m_string.c_str()));
  }
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  static std::string place(const char* file, int line) {
    const std::string path = file;
    return path.substr(path.rfind('/') + 1) + ":" + std::to_string(line) + ": ";
  }
  /// The instructor's own words (INFO, REQUIRE_MESSAGE) first: "mine.cpp:8: WORDS (run.ok() fails: false)".
  static std::string with_contexts(const std::string& place, const std::string& words) {
    std::ostringstream own;
    for (int i = 0; i < get_num_active_contexts(); ++i) {
      if (i) own << ". ";
      get_active_contexts()[i]->stringify(&own);
    }
    return place + (own.str().empty() ? words : own.str() + " (" + words + ")");
  }
  void add(std::string words) {
    if (messages_.size() < 20) messages_.push_back(std::move(words));
  }
  std::vector<std::string> messages_;
};

}  // namespace dojo::harness

/// Lists the test cases (`first` < 0), or runs those from index `first` on.
extern "C" __attribute__((visibility("default"))) void warpdojo_run_tests(dojo::harness::Listener* listener,
                                                                          int first) {
  using dojo::harness::DoctestReporter;
  DoctestReporter::listener = listener;
  DoctestReporter::next = size_t(std::max(first, 0));
  static const bool known = doctest::registerReporter<DoctestReporter>("warpdojo", 1, true) == 0;
  (void)known;
  doctest::Context context;
  context.setOption("reporters", "warpdojo");
  context.setOption("order-by", "file");
  context.setOption("no-breaks", true);
  context.setOption("no-colors", true);
  const char* const list[] = {"tests", "--list-test-cases"};
  if (first < 0)
    context.applyCommandLine(2, list);
  else
    context.setOption("first", first + 1);  // doctest counts from 1
  context.run();
}
