#include "fiducial/cards/card_markdown.h"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "fiducial/base/file.h"
#include "fiducial/base/inflate.h"
#include "fiducial/base/line_reader.h"

namespace fiducial {
namespace {

Json card_named(const std::string& name) {
  return Json::object({{"benchmark_details", Json::object({{"name", name}})}});
}

std::string line_with(const std::string& text, const std::string& label) {
  const std::size_t begin = text.find("**" + label + "**");
  return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

std::string rendered(const Json& card) {
  const Result<std::string> text = render_card(card);
  EXPECT_TRUE(text.ok()) << text.error().text();
  return text.ok() ? *text : "";
}

TEST(Card, prints_what_is_missing_as_the_collection_does) {
  const std::string text = rendered(card_named("B"));
  EXPECT_TRUE(
      text.starts_with("# B\n\n## \U0001f4ca Benchmark Details\n\n**Name**: B\n\n**Overview**: N/A\n"));
  EXPECT_EQ(line_with(text, "Data Licensing"), "**Data Licensing**: Not Applicable");
  EXPECT_EQ(line_with(text, "Domains"), "");
  EXPECT_NE(text.find("**Atlas Risks**:\nNo specific atlas risks defined\n"), std::string::npos);
  EXPECT_TRUE(text.ends_with("**Compliance With Regulations**: Not Applicable\n"));
}

TEST(Card, leaves_out_some_null_texts_and_prints_none_for_others) {
  Json card = card_named("B");
  card.set("purpose_and_intended_users", Json::object({{"limitations", nullptr}}));
  card.set("methodology", Json::object({{"baseline_results", nullptr}}));
  card.set("targeted_risks", Json::object({{"harm", Json::Array{}}, {"demographic_analysis", nullptr}}));
  const std::string text = rendered(card);
  EXPECT_EQ(line_with(text, "Limitations"), "**Limitations**: None");
  EXPECT_EQ(line_with(text, "Baseline Results"), "");
  EXPECT_EQ(line_with(text, "Potential Harm"), "");
  EXPECT_EQ(line_with(text, "Demographic Analysis"), "");
}

TEST(Card, prints_harms_as_a_python_list_and_reads_them_back) {
  Json card = card_named("B");
  const Json harms = Json::array({"plain", "it's", "both ' and \"", "tab\tand \u200b"});
  card.set("targeted_risks", Json::object({{"harm", harms}}));
  const std::string text = rendered(card);
  EXPECT_EQ(line_with(text, "Potential Harm"),
            R"(**Potential Harm**: ['plain', "it's", 'both \' and "', 'tab\tand \u200b'])");
  const Result<Json> back = parse_card(text);
  ASSERT_TRUE(back.ok()) << back.error().text();
  EXPECT_EQ(back->find("targeted_risks")->find("harm")->compact(), harms.compact());
}

TEST(Card, links_and_risks_have_their_own_form) {
  Json card = card_named("B");
  Json details = Json::object(
      {{"name", "B"}, {"resources", Json::array({"https://github.com/a/b", "https://example.org/x"})}});
  card.set("benchmark_details", details);
  const Json risks =
      Json::array({Json::object({{"category", "Fairness"}, {"subcategory", Json::array({"a", "b"})}}),
                   Json::object({{"category", "Privacy"}, {"subcategory", Json::Array{}}})});
  card.set("targeted_risks", Json::object({{"atlas_risks", Json::object({{"risks", risks}})}}));
  const std::string text = rendered(card);
  EXPECT_NE(text.find("- [GitHub Repository](https://github.com/a/b)\n- [Resource](https://example.org/x)\n"),
            std::string::npos);
  EXPECT_NE(text.find("- **Fairness**: a, b\n- **Privacy**\n"), std::string::npos);
  const Result<Json> back = parse_card(text);
  ASSERT_TRUE(back.ok()) << back.error().text();
  EXPECT_EQ(back->find("targeted_risks")->find("atlas_risks")->find("risks")->compact(), risks.compact());
}

TEST(Card, of_our_own_carries_provenance_alerts_and_a_plain_list_of_harms) {
  Json card = card_named("B");
  card.set("targeted_risks", Json::object({{"harm", Json::array({"one", "two"})}}));
  card.set("provenance",
           Json::object({{"benchmark_details", Json::object({{"name", "layout: rexgroundingct"}})}}));
  card.set("alerts", Json::array({Json::object(
                         {{"section", "data"}, {"field", "size"}, {"text", "no evidence in the data"}})}));
  const std::string text = rendered(card);
  EXPECT_NE(text.find("**Potential Harm**:\n- one\n- two\n"), std::string::npos);
  EXPECT_NE(text.find("**Size**: N/A\n\n> \u26a0\ufe0f **Size**: no evidence in the data\n\n"),
            std::string::npos);
  EXPECT_NE(text.find("**Provenance**:\n- name: layout: rexgroundingct\n"), std::string::npos);
  const Result<Json> back = parse_card(text);
  ASSERT_TRUE(back.ok()) << back.error().text();
  EXPECT_EQ(back->find("provenance")->compact(), card.find("provenance")->compact());
  EXPECT_EQ(back->find("alerts")->compact(), card.find("alerts")->compact());
  EXPECT_EQ(rendered(*back), text);
}

TEST(Card, of_our_own_is_refused_where_an_alert_or_a_provenance_is_broken) {
  Json card = card_named("B");
  card.set("provenance",
           Json::object({{"benchmark_details", Json::object({{"name", "layout: rexgroundingct"}})},
                         {"data", Json::object({{"size", "none"}})}}));
  card.set("alerts",
           Json::array({Json::object({{"section", "data"}, {"field", "size"}, {"text", "no evidence"}})}));
  const std::string text = rendered(card);
  const auto line_refused = [&text](const std::string& from, const std::string& to) -> std::int64_t {
    std::string other = text;
    const std::size_t at = other.find(from);
    other.replace(at, from.size(), to);
    const Result<Json> back = parse_card(other);
    const auto line = static_cast<std::int64_t>(
                          std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) +
                      1;
    return back.ok() ? -1 : static_cast<std::int64_t>(back.error().place().line.value_or(0)) - line;
  };
  EXPECT_EQ(line_refused("> \u26a0\ufe0f **Size**", "> \u26a0\ufe0f **Weight**"), 0);
  EXPECT_EQ(line_refused("- size: none", "- size none"), 0);
  EXPECT_EQ(line_refused("## \U0001f52c Methodology", "## Methodology"), 0);
}

TEST(Card, is_refused_where_an_alert_or_a_provenance_would_be_shown_nowhere) {
  const auto error_of = [](const char* member, Json value) {
    Json card = card_named("B");
    if (std::string(member) == "alerts") card.set("provenance", Json::Object{});
    card.set(member, std::move(value));
    const Result<std::string> text = render_card(card);
    return text.ok() ? std::string("ok") : text.error().text();
  };
  const auto alert = [](const char* section, const char* field) {
    return Json::array({Json::object({{"section", section}, {"field", field}, {"text", "t"}})});
  };
  EXPECT_EQ(error_of("alerts", alert("data", "size")), "ok");
  EXPECT_NE(error_of("alerts", alert("data", "colour")).find("/alerts/0/field"), std::string::npos);
  EXPECT_NE(error_of("alerts", alert("date", "size")).find("/alerts/0/section"), std::string::npos);
  EXPECT_NE(error_of("provenance", Json::object({{"date", Json::Object{}}})).find("/provenance/date"),
            std::string::npos);
  EXPECT_NE(
      error_of("provenance", Json::object({{"data", Json::object({{"size", "a\nb"}})}})).find("one line"),
      std::string::npos);
}

TEST(Card, keeps_texts_of_several_lines_that_look_like_markdown) {
  Json card = card_named("B");
  card.set("data",
           Json::object({{"source", "a\n\n- b\n\n**Name**: c\n## Data\n"}, {"size", "**Format**: x"}}));
  const std::string text = rendered(card);
  const Result<Json> back = parse_card(text);
  ASSERT_TRUE(back.ok()) << back.error().text();
  EXPECT_EQ(rendered(*back), text);
}

TEST(Card, says_which_line_is_not_of_the_form) {
  const std::string text = rendered(card_named("B"));
  const auto error_of = [](const std::string& markdown) {
    const Result<Json> card = parse_card(markdown);
    return card.ok() ? std::string("ok") : card.error().text();
  };
  EXPECT_NE(error_of("").find("line 1"), std::string::npos);
  EXPECT_NE(error_of("# B\n\n## Details\n").find("line 3"), std::string::npos);
  EXPECT_NE(error_of("# \xff").find("UTF-8"), std::string::npos);
  std::string other_title = text;
  other_title[2] = 'C';
  EXPECT_NE(error_of(other_title).find("expected \"# B\", found \"# C\""), std::string::npos);
  std::string loose = text;
  loose.insert(text.find("**Name**"), "words\n\n");
  EXPECT_NE(error_of(loose).find("expected a label"), std::string::npos);
  EXPECT_EQ(error_of(text), "ok");
}

TEST(Card, refuses_values_of_another_type_with_their_place) {
  const auto error_of = [](const Json& card) {
    const Result<std::string> text = render_card(card);
    return text.ok() ? std::string("ok") : text.error().text();
  };
  EXPECT_NE(error_of(Json::Array{}).find("object"), std::string::npos);
  Json card = card_named("B");
  card.set("purpose_and_intended_users", Json::object({{"tasks", "one"}}));
  EXPECT_NE(error_of(card).find("/purpose_and_intended_users/tasks"), std::string::npos);
  card.set("purpose_and_intended_users", "text");
  EXPECT_NE(error_of(card).find("/purpose_and_intended_users"), std::string::npos);
}

// Of the collection, where it is there.
class CardCollection : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* pack = std::getenv("FIDUCIAL_DATA_PACK");
    folder_ = Path(pack == nullptr ? "" : pack) / "cards";
    if (pack == nullptr || !std::filesystem::exists(folder_ / "cards.jsonl.gz"))
      GTEST_SKIP() << "SKIPPED: data pack file cards/cards.jsonl.gz not found";
  }

  static std::string right_trimmed(std::string_view text) {
    std::string out;
    for (const char c : text) {
      if (c == '\n') out.resize(out.find_last_not_of(" \t\r") + 1);
      out += c;
    }
    return out;
  }

  Path folder_;
};

TEST_F(CardCollection, is_rendered_exactly_and_read_back) {
  Result<std::unique_ptr<FileStream>> file = FileStream::open(folder_ / "cards.jsonl.gz");
  ASSERT_TRUE(file.ok());
  InflateStream bytes(std::move(file).value(), DeflateWrapper::gzip);
  LineReader lines(bytes, std::size_t{16} << 20);
  int pairs = 0;
  while (true) {
    const auto line = lines.next();
    ASSERT_TRUE(line.ok());
    if (!*line) break;
    const Result<Json> pair = parse_json(**line);
    ASSERT_TRUE(pair.ok());
    ++pairs;
    const std::string& markdown = *pair->find("markdown")->as_string();
    const std::string text = rendered(*pair->find("json"));
    EXPECT_EQ(right_trimmed(text), right_trimmed(markdown));
    const Result<Json> card = parse_card(markdown);
    ASSERT_TRUE(card.ok()) << card.error().text();
    EXPECT_EQ(rendered(*card), text);
  }
  EXPECT_EQ(pairs, 300);
}

TEST_F(CardCollection, gives_the_radgenome_card_byte_for_byte) {
  const Result<std::string> json = read_text_file(folder_ / "RadGenome-Chest_CT.json");
  const Result<std::string> markdown = read_text_file(folder_ / "radgenome-chest_ct.md");
  ASSERT_TRUE(json.ok() && markdown.ok());
  const Result<Json> card = parse_json(*json);
  ASSERT_TRUE(card.ok());
  EXPECT_EQ(rendered(*card), *markdown);
}

}  // namespace
}  // namespace fiducial
