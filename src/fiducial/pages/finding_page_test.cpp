#include "fiducial/pages/finding_page.h"

#include <gtest/gtest.h>

#include "fiducial/base/temporary_folder.h"
#include "fiducial/eval/outputs/summary_values.h"
#include "fiducial/pages/finding_pictures.h"

namespace fiducial {
namespace {

Json slot(double value, int n) {
  return Json::object({{"value", value},
                       {"metric", "dice"},
                       {"ci95", Json::array({value / 2, value})},
                       {"n", n},
                       {"n_undefined", 0},
                       {"n_failed", 0},
                       {"better", "higher"},
                       {"version", 1}});
}

Json example_page_summary() {
  const Json slots = Json::object({{"dice_per_case", slot(0.5, 2)}, {"dice_per_finding", slot(0.25, 3)}});
  return Json::object(
      {{"benchmark", "rexgroundingct"},
       {"split", "test"},
       {"mode", "strict"},
       {"system", "<b>mine</b>"},
       {"metrics", slots},
       {"official", slots},
       {"groups", Json::object({{"category", Json::object({{"2d", slots}})}})},
       {"counts", Json::object({{"cases", 2}, {"findings", 3}, {"missing", 1}, {"failed", 0}})},
       {"orientation", Json()},
       {"remarks",
        Json::array({Json::object(
            {{"case", "<script>.nii.gz"}, {"code", "missing"}, {"text", "no prediction of this name"}})})},
       {"provenance", Json::object({{"tool", "fiducial"}, {"seed", 0}})}});
}

// Lists nothing: pictures have nowhere to come from.
class EmptyDataset final : public GroundedDataset {
 public:
  const Path& folder() const override { return folder_; }
  const std::string& file_name() const override { return name_; }
  const Digest& digest() const override { return digest_; }
  std::vector<std::string> split_names() const override { return {}; }
  const std::vector<GroundedCase>* find_split(std::string_view) const override { return nullptr; }
  std::string mask_name(const GroundedCase&) const override { return ""; }
  Result<StoredFile> open_mask(const GroundedCase&) const override { return invalid_data("nothing here"); }
  std::optional<Path> find_volume(const Path&, const GroundedCase&) const override { return std::nullopt; }

 private:
  Path folder_;
  std::string name_;
  Digest digest_;
};

std::string page_of(const ReportInput& input) {
  const TemporaryFolder folder;
  const EmptyDataset dataset;
  const auto predictions = PredictionFiles::open(folder.path());
  return report_page(input, {dataset, "test", *predictions, std::nullopt}, Executor(1));
}

ReportFinding finding(const char* name, double dice, bool scored = true) {
  return {
      .case_name = name, .category = "2d", .scored = scored, .dice = dice, .groups = {{"category", "2d"}}};
}

TEST(ReportPage, needs_nothing_from_elsewhere) {
  const std::string page = page_of({.summary = example_page_summary(), .findings = {finding("a", 0.5)}});
  for (const char* outside : {"http:", "https:", "<script", "<link", "@import", "url("}) {
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  }
}

TEST(ReportPage, escapes_names_from_outside) {
  const std::string page =
      page_of({.summary = example_page_summary(), .command = {"fiducial", "--system", "it's <b>"}});
  EXPECT_EQ(page.find("<b>mine"), std::string::npos);
  EXPECT_NE(page.find("&lt;b&gt;mine&lt;/b&gt;"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;.nii.gz"), std::string::npos);
  EXPECT_NE(page.find("fiducial --system &#39;it&#39;\\&#39;&#39;s &lt;b&gt;&#39;"), std::string::npos);
}

TEST(ReportPage, tells_what_is_missing) {
  const std::string page = page_of({.summary = example_page_summary()});
  EXPECT_NE(page.find("1 of 2 predictions not scored"), std::string::npos);
  EXPECT_NE(page.find("no prediction of this name"), std::string::npos);
}

TEST(ReportPage, says_which_turn_of_the_axes_fits_better) {
  Json summary = example_page_summary();
  summary.set("orientation", Json::object({{"transform", "flip x"},
                                           {"dice_as_is", 0.01},
                                           {"dice_transformed", 0.75},
                                           {"cases", Json::array({"a", "b"})}}));
  const std::string page = page_of({.summary = summary});
  EXPECT_NE(page.find("2 of 2 cases fit better under &ldquo;flip x&rdquo;"), std::string::npos);
  EXPECT_NE(page.find("0.750"), std::string::npos);
}

TEST(ReportPage, shows_every_finding_as_a_dot_unless_it_is_private) {
  ReportInput input{.summary = example_page_summary(), .findings = {finding("a", 0.5), finding("b", 0.25)}};
  EXPECT_NE(page_of(input).find("<title>b, finding 0: Dice 0.250</title>"), std::string::npos);
  input.findings.clear();
  input.is_private = true;
  const std::string page = page_of(input);
  EXPECT_EQ(page.find("<circle"), std::string::npos);
  EXPECT_EQ(page.find("Weakest findings"), std::string::npos);
}

TEST(ReportPage, shows_a_finding_without_a_picture_when_its_masks_cannot_be_read) {
  const std::string page = page_of({.summary = example_page_summary(), .findings = {finding("a", 0.5)}});
  EXPECT_NE(page.find("Weakest findings"), std::string::npos);
  EXPECT_EQ(page.find("<figure>"), std::string::npos);
}

TEST(Extremes, are_the_lowest_and_highest_dice_with_ties_by_name) {
  const std::vector<ReportFinding> findings = {finding("d", 0), finding("a", 0), finding("c", 1),
                                               finding("b", 1), finding("e", 0.5)};
  const Extremes extremes = extremes_of(findings, 2, 1);
  ASSERT_EQ(extremes.worst.size(), 2U);
  ASSERT_EQ(extremes.best.size(), 1U);
  EXPECT_EQ(extremes.worst[0]->case_name, "a");
  EXPECT_EQ(extremes.worst[1]->case_name, "d");
  EXPECT_EQ(extremes.best[0]->case_name, "b");
}

TEST(Extremes, show_no_finding_twice_and_none_that_was_not_scored) {
  const std::vector<ReportFinding> findings = {finding("a", 0.2), finding("b", 0.4), finding("c", 0, false)};
  const Extremes extremes = extremes_of(findings, 6, 3);
  EXPECT_EQ(extremes.worst.size() + extremes.best.size(), 2U);
  EXPECT_EQ(extremes.worst[0]->case_name, "a");
}

TEST(SlotTitle, falls_back_to_the_words_of_the_slot) {
  EXPECT_EQ(slot_title("hd95_pooled_per_finding"), "hd95 pooled per finding");
}

}  // namespace
}  // namespace fiducial
