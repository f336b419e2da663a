#include "fiducial/datasets/radgenome/audit.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"
#include "fiducial/base/temporary_folder.h"
#include "fiducial/datasets/radgenome/blind.h"
#include "fiducial/datasets/radgenome/size_text.h"
#include "fiducial/datasets/radgenome/statistics.h"
#include "fiducial/datasets/radgenome/word_guess.h"

namespace fiducial::radgenome {

namespace {

// Tables of a folder, written as given.
class Tables {
 public:
  Tables& with(const std::string& name, const std::string& text) {
    EXPECT_TRUE(write_file(folder_.path() / name, text).ok());
    return *this;
  }
  const Path& path() const { return folder_.path(); }
  Result<Split> read(TableUse use = TableUse::audit) const {
    FIDUCIAL_TRY(const TableFolder tables, TableFolder::open(path()));
    return read_split(tables, tables.split_names().front(), use);
  }

 private:
  TemporaryFolder folder_;
};

const AuditCheck& check_of(const std::vector<AuditCheck>& checks, const LintRule& rule,
                           const std::string& table = "") {
  static const AuditCheck none;
  for (const AuditCheck& check : checks) {
    if (check.rule->code == rule.code && (table.empty() || check.table.find(table) != std::string::npos))
      return check;
  }
  ADD_FAILURE() << "no check " << rule.code;
  return none;
}

std::int64_t detail(const AuditCheck& check, const char* name) {
  const Json* value = check.details.find(name);
  return value != nullptr && value->as_integer() != nullptr ? *value->as_integer() : -1;
}

std::string error_of(const Tables& tables) {
  const Result<Split> split = tables.read();
  return split.ok() ? "" : split.error().text();
}

// The tables of the data pack, read once; nothing where it is not there.
const Split* packed_split() {
  static const std::optional<Split> split = []() -> std::optional<Split> {
    const char* pack = std::getenv("FIDUCIAL_DATA_PACK");
    if (pack == nullptr || !std::filesystem::exists(Path(pack) / "radgenome/vqa_presence.csv.gz"))
      return std::nullopt;
    Result<TableFolder> folder = TableFolder::open(Path(pack) / "radgenome");
    Result<Split> read = read_split(*folder, "all", TableUse::audit);
    return *std::move(read);
  }();
  return split ? &*split : nullptr;
}

#define FIDUCIAL_NEED_PACK       \
  if (packed_split() == nullptr) \
  GTEST_SKIP() << "SKIPPED: data pack file radgenome/vqa_presence.csv.gz not found"

}  // namespace

TEST(RadgenomeTables, are_found_by_split_in_their_published_folder) {
  Tables tables;
  std::filesystem::create_directories(tables.path() / "radgenome_files");
  tables.with("radgenome_files/train_vqa_size.csv", "Volumename,Anatomy,Abnormality,Size\n")
      .with("radgenome_files/validation_case_disorders.csv",
            "Volumename,Disorders\nvalid_1_a_1.nii.gz,no findings\n");
  const Result<TableFolder> folder = TableFolder::open(tables.path());
  ASSERT_TRUE(folder.ok());
  EXPECT_EQ(folder->split_names(), (std::vector<std::string>{"train", "validation"}));
  EXPECT_EQ(*folder->choose_split(std::nullopt), "validation");
  EXPECT_FALSE(folder->choose_split("test").ok());
}

TEST(RadgenomeTables, accept_a_byte_order_mark_and_carriage_returns) {
  Tables tables;
  tables.with(
      "vqa_presence.csv",
      "\xEF\xBB\xBFVolumename,Anatomy,Finding,Presence\r\nvalid_1_a_1.nii.gz,lung,\"mass, nodule\",No.\r\n");
  const Result<Split> split = tables.read();
  ASSERT_TRUE(split.ok()) << split.error().text();
  EXPECT_EQ(split->find(TableKind::presence)->rows.size(), 1U);
}

TEST(RadgenomeTables, name_file_line_and_column_of_what_is_broken) {
  const std::string header = "Volumename,Anatomy,Abnormality\n";
  EXPECT_NE(error_of(Tables().with("vqa_abnormality.csv", header + "v,a,x \"y\n")).find("line 2"),
            std::string::npos);
  EXPECT_NE(error_of(Tables().with("vqa_abnormality.csv", header + "v,a\n")).find("expected 3 cells"),
            std::string::npos);
  EXPECT_NE(error_of(Tables().with("vqa_abnormality.csv", header + "v,a,\xFF\n")).find("UTF-8"),
            std::string::npos);
  EXPECT_NE(error_of(Tables().with("vqa_abnormality.csv", header + ",a,b\n")).find("name of a volume"),
            std::string::npos);
  const std::string renamed =
      error_of(Tables().with("vqa_abnormality.csv", "volumename,Anatomy,Abnormality\n"));
  EXPECT_NE(renamed.find("expected a column \"Volumename\", found only volumename"), std::string::npos)
      << renamed;
  const std::string twice = error_of(Tables().with("vqa_size.csv", "").with("vqa_size.csv.gz", ""));
  EXPECT_NE(twice.find("vqa_size.csv and vqa_size.csv.gz"), std::string::npos) << twice;
}

TEST(RadgenomeTables, read_a_cell_of_ten_megabytes) {
  Tables tables;
  tables.with("region_report.csv",
              "Volumename,Anatomy,Sentence\nvalid_1_a_1.nii.gz,,\"" + std::string(10'000'000, 'a') + "\"\n");
  const Result<Split> split = tables.read(TableUse::whole);
  ASSERT_TRUE(split.ok());
  EXPECT_EQ(split->texts.text(split->find(TableKind::region_report)->rows[0].answer).size(), 10'000'000U);
}

TEST(VolumeNames, are_parsed_by_their_four_fields) {
  const auto name = find_volume_name("train_1022_a_11.nii.gz");
  ASSERT_TRUE(name.has_value());
  EXPECT_EQ(name->patient, 1022);
  EXPECT_EQ(name->reconstruction, 11);
  for (const char* wrong : {"train_1_a", "train_x_a_1", "other_1_a_1", "train_1_a_1_1", "train__a_1", ""}) {
    EXPECT_FALSE(find_volume_name(wrong).has_value()) << wrong;
  }
}

TEST(RadgenomeAudit, finds_what_is_wrong_with_small_tables) {
  Tables tables;
  tables
      .with("vqa_abnormality.csv",
            "Volumename,Anatomy,Abnormality\ntrain_1_a_1.nii.gz,lung,nodule\ntrain_1_a_1.nii.gz,lung/"
            "lung,\"nodule, "
            "mass\"\ntrain_1_a_11.nii.gz,heart/heart,no findings\n")
      .with("vqa_presence.csv",
            "Volumename,Anatomy,Finding,Presence\ntrain_1_a_1.nii.gz,lung,nodule,Yes.\ntrain_1_a_1.nii.gz,"
            "lung,\"nodule, "
            "natural\",No.\ntrain_1_a_1.nii.gz,lung,nodule,Maybe\n")
      .with("vqa_size.csv",
            "Volumename,Anatomy,Abnormality,Size\ntrain_1_a_1.nii.gz,lung,nodule,170 "
            "in\ntrain_1_a_1.nii.gz,lung,cyst,5 "
            "mm\ntrain_1_a_1.nii.gz,pleura,cyst,2-3 mm\n");
  const Result<Split> split = tables.read();
  ASSERT_TRUE(split.ok());
  const std::vector<AuditCheck> checks = audit_split(*split);
  EXPECT_EQ(check_of(checks, lint_rules::ancestor_missing).count, 1);
  EXPECT_EQ(check_of(checks, lint_rules::ancestor_lacks_atoms).count, 1);
  EXPECT_EQ(check_of(checks, lint_rules::head_differs).count, 1);
  EXPECT_EQ(check_of(checks, lint_rules::selected_by_suffix).count, 1);
  EXPECT_EQ(check_of(checks, lint_rules::scan_twice).count, 1);
  EXPECT_EQ(check_of(checks, lint_rules::yes_and_no).count, 1);
  EXPECT_EQ(check_of(checks, lint_rules::negated_normal).count, 1);
  EXPECT_EQ(check_of(checks, lint_rules::presence_answer).count, 1);
  EXPECT_EQ(check_of(checks, lint_rules::size_unit).count, 1);
  EXPECT_EQ(check_of(checks, lint_rules::size_range).count, 1);
  EXPECT_EQ(check_of(checks, lint_rules::size_of_other_finding).count, 1);
  EXPECT_EQ(check_of(checks, lint_rules::size_without_abnormality).count, 1);
}

TEST(RadgenomeAudit, knows_words_that_are_no_findings_beyond_the_published_ones) {
  Tables tables;
  tables
      .with("vqa_abnormality.csv",
            "Volumename,Anatomy,Abnormality\ntrain_1_a_1.nii.gz,heart,slightly wider\n"
            "train_1_a_1.nii.gz,breast,left breast\ntrain_1_a_1.nii.gz,lung,nodule\n")
      .with("vqa_presence.csv",
            "Volumename,Anatomy,Finding,Presence\ntrain_1_a_1.nii.gz,lung,natural appearance,No.\n"
            "train_1_a_1.nii.gz,breast,\"mass, right breast\",No.\ntrain_1_a_1.nii.gz,lung,pneumonia,No.\n");
  const Result<Split> split = tables.read();
  ASSERT_TRUE(split.ok());
  const std::vector<AuditCheck> checks = audit_split(*split);
  EXPECT_EQ(check_of(checks, lint_rules::negated_normal).count, 0);
  EXPECT_EQ(check_of(checks, lint_rules::negated_normal).broken(), 2);
  EXPECT_EQ(check_of(checks, lint_rules::positive_without_context).count, 0);
  EXPECT_EQ(check_of(checks, lint_rules::positive_without_context).broken(), 2);
}

TEST(RadgenomeAudit, suspects_a_label_that_far_too_many_volumes_have) {
  std::string rows = "Volumename,Anatomy,Abnormality\n";
  for (int i = 1; i <= 100; ++i) {
    const std::string volume = "train_" + decimal(i) + "_a_1.nii.gz";
    rows += volume + ",lung," + (i <= 60 ? "bronchiectasis" : "nodule") + "\n";
  }
  const Result<Split> split = Tables().with("vqa_abnormality.csv", rows).read();
  ASSERT_TRUE(split.ok());
  std::vector<std::string> suspected;
  for (const AuditCheck& check : audit_split(*split)) {
    const Json* finding = check.details.find("finding");
    if (check.rule->code == lint_rules::negation_suspected.code && check.count > 0)
      suspected.push_back(*finding->as_string() + " " + decimal(check.count));
  }
  EXPECT_EQ(suspected, std::vector<std::string>{"Bronchiectasis 60"});
}

TEST(BlindAccuracy, is_perfect_where_the_question_tells_and_chance_where_it_does_not) {
  std::vector<BlindQuestion> telling, fair;
  for (std::uint32_t i = 0; i < 400; ++i) {
    telling.push_back({i / 2, i % 2, i % 2});
    fair.push_back({i / 2, 0, i % 2});
  }
  EXPECT_DOUBLE_EQ(*blind_accuracy(telling, 0), 1.0);
  EXPECT_DOUBLE_EQ(*blind_accuracy(fair, 0), 0.5);
  EXPECT_FALSE(blind_accuracy({{0, 0, 0}}, 0).has_value());
}

TEST(WordAccuracy, finds_the_word_that_tells_in_wordings_that_never_return) {
  std::vector<WordedQuestion> telling, fair;
  std::vector<std::vector<std::uint32_t>> words;
  for (std::uint32_t i = 0; i < 40; ++i) {
    words.push_back({i % 2, i + 2});  // the first word goes with the answer, the second occurs once
    telling.push_back({i, i, i % 2 == 0});
    fair.push_back({i, i, i / 2 % 2 == 0});
  }
  EXPECT_DOUBLE_EQ(*word_accuracy(telling, words, 0), 1.0);
  EXPECT_LT(*word_accuracy(fair, words, 0), 0.65);
  EXPECT_FALSE(word_accuracy({{0, 0, true}}, words, 0).has_value());
}

TEST(SizeText, takes_a_unit_that_is_written_once_for_both_numbers) {
  EXPECT_EQ(find_size("1.2 x 0.8 cm")->mm[1], 8);
  EXPECT_FALSE(find_size("170 in").has_value());
  EXPECT_FALSE(find_size("about 7 mm").has_value());
  EXPECT_EQ(find_size_in("It is about 7 mm wide.")->mm[0], 7);
  EXPECT_DOUBLE_EQ(size_difference_mm(*find_size("1.2 x 0.8 cm"), *find_size("8x10 mm")), 1);
  EXPECT_DOUBLE_EQ(size_difference_mm(*find_size("7x5 mm"), *find_size("9 mm")), 2);
  EXPECT_DOUBLE_EQ(size_difference_mm(*find_size("2-3 mm"), *find_size("2.5 mm")), 0);
  EXPECT_DOUBLE_EQ(size_difference_mm(*find_size("2-3 mm"), *find_size("5 mm")), 2);
  EXPECT_DOUBLE_EQ(size_difference_of_none_mm(*find_size("7x5 mm")), 6);
}

TEST(RadgenomePack, has_the_rows_of_the_published_subset) {
  FIDUCIAL_NEED_PACK;
  const Split& split = *packed_split();
  EXPECT_EQ(split.find(TableKind::abnormality)->rows.size(), 40'241U);
  EXPECT_EQ(split.find(TableKind::location)->rows.size(), 24'516U);
  EXPECT_EQ(split.find(TableKind::presence)->rows.size(), 45'962U);
  EXPECT_EQ(split.find(TableKind::size)->rows.size(), 1'232U);
  EXPECT_EQ(split.find(TableKind::disorders)->rows.size(), 2'000U);
  EXPECT_EQ(split.volumes.size(), 2'000U);
  EXPECT_EQ(table_statistics(split).front().patients, 1'611);
}

TEST(RadgenomePack, is_closed_under_ancestors) {
  FIDUCIAL_NEED_PACK;
  const std::vector<AuditCheck> checks = audit_split(*packed_split());
  const auto expect = [&](const LintRule& rule, std::int64_t count, std::int64_t of, const char* table = "") {
    EXPECT_EQ(check_of(checks, rule, table).count, count) << rule.code;
    EXPECT_EQ(check_of(checks, rule, table).of, of) << rule.code;
  };
  expect(lint_rules::question_repeated, 0, 40'241, "abnormality");
  expect(lint_rules::location_differs, 0, 24'516);
  expect(lint_rules::presence_differs, 0, 24'516);
  expect(lint_rules::ancestor_missing, 0, 27'599);
  expect(lint_rules::ancestor_lacks_atoms, 0, 27'599);
  expect(lint_rules::head_differs, 0, 9'602);
  expect(lint_rules::node_differs, 0, 11'639);
  expect(lint_rules::parent_has_own_atoms, 1'544, 21'312);
  expect(lint_rules::size_has_ancestor, 48, 802);
  expect(lint_rules::question_repeated, 0, 2'000, "disorders");
  EXPECT_EQ(detail(check_of(checks, lint_rules::location_differs), "identical"), 24'516);
}

TEST(RadgenomePack, has_the_faults_that_the_audit_must_count) {
  FIDUCIAL_NEED_PACK;
  const std::vector<AuditCheck> checks = audit_split(*packed_split());
  const AuditCheck& conflicts = check_of(checks, lint_rules::yes_and_no);
  EXPECT_EQ(conflicts.count, 85);
  EXPECT_EQ(detail(conflicts, "volumes"), 38);
  EXPECT_EQ(detail(conflicts, "identical_questions"), 28);
  EXPECT_EQ(check_of(checks, lint_rules::question_repeated, "size").count, 4);
  EXPECT_EQ(check_of(checks, lint_rules::size_without_abnormality).count, 47);
  EXPECT_EQ(check_of(checks, lint_rules::size_of_other_finding).count, 10);
  EXPECT_EQ(detail(check_of(checks, lint_rules::size_of_other_finding), "not_even_within_its_text"), 8);
  EXPECT_EQ(check_of(checks, lint_rules::size_unit).count, 3);
  EXPECT_EQ(check_of(checks, lint_rules::size_range).count, 5);
  const AuditCheck& disorders = check_of(checks, lint_rules::disorders_contradict);
  EXPECT_EQ(disorders.count, 246);
  EXPECT_EQ(disorders.of, 307);
  EXPECT_EQ(detail(disorders, "only_in_heart"), 78);
  EXPECT_EQ(check_of(checks, lint_rules::negated_normal).count, 431);
  EXPECT_EQ(detail(check_of(checks, lint_rules::negated_normal), "stated_atoms"), 3'814);
  EXPECT_EQ(detail(check_of(checks, lint_rules::negated_normal), "denied_atoms"), 416);
  const AuditCheck& bare = check_of(checks, lint_rules::positive_without_context);
  EXPECT_EQ(detail(bare, "wider than normal"), 307);
  EXPECT_EQ(detail(bare, "larger than normal"), 142);
  EXPECT_EQ(detail(bare, "cardiothoracic index"), 76);
  const AuditCheck& pericardium = check_of(checks, lint_rules::negation_suspected);
  EXPECT_EQ(pericardium.count, 981);
  EXPECT_EQ(pericardium.of, 1'391);
  EXPECT_EQ(detail(pericardium, "exact_atom"), 969);
  EXPECT_EQ(check_of(checks, lint_rules::asks_several).count, 14'792);
  EXPECT_EQ(check_of(checks, lint_rules::location_ambiguous).count, 8'004);
  EXPECT_EQ(check_of(checks, lint_rules::location_ambiguous).of, 10'338);
  EXPECT_EQ(check_of(checks, lint_rules::selected_by_suffix).count, 1);
}

TEST(RadgenomePack, has_masks_for_all_but_four_of_its_places) {
  FIDUCIAL_NEED_PACK;
  const std::vector<AuditCheck> checks = audit_split(*packed_split());
  EXPECT_EQ(check_of(checks, lint_rules::path_unknown, "abnormality").count, 0);
  const AuditCheck& masks = check_of(checks, lint_rules::mask_missing, "abnormality");
  EXPECT_EQ(masks.count, 4);
  EXPECT_EQ(detail(masks, "own_mask"), 30'553);
  EXPECT_EQ(detail(masks, "region_mask"), 3'620 + 3'024 + 1'916 + 1'023);
  EXPECT_EQ(detail(masks, "whole_scan"), 101);
}

TEST(RadgenomePack, is_answered_without_the_image) {
  FIDUCIAL_NEED_PACK;
  const BlindBaselines blind = blind_baselines(*packed_split(), 0);
  EXPECT_NEAR(*blind.find("presence", "finding", "accuracy")->value, 0.953, 0.002);
  EXPECT_NEAR(*blind.find("presence", "nothing", "accuracy")->value, 0.533, 0.002);
  EXPECT_NEAR(*blind.find("abnormality", "region", "exact")->value, 0.437, 0.01);
  EXPECT_NEAR(*blind.find("location", "finding", "exact")->value, 0.196, 0.005);
  EXPECT_NEAR(*blind.find("location", "finding", "head")->value, 0.653, 0.015);
}

#undef FIDUCIAL_NEED_PACK

}  // namespace fiducial::radgenome
