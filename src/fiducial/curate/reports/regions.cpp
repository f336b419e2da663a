#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/curate/reports/report_asks.h"
#include "fiducial/curate/reports/report_sources.h"
#include "fiducial/findings/sentence_regions.h"

namespace fiducial {

namespace {

std::string joined_regions(const SentenceRegions& answer, const ConceptRules& rules) {
  return joined(answer.regions, ";", [&](const std::size_t region) { return rules.names()[region]; });
}

Json reason_json(const SentenceRegions& answer, const ConceptRules& rules) {
  using Reason = SentenceRegions::Reason;
  if (answer.reason == Reason::continues) return "goes on about the sentence before";
  if (answer.reason == Reason::heads) return "heads the sentence after";
  if (answer.reason == Reason::model) return "a model placed it";
  if (answer.reason == Reason::none) return "no rule places it";
  Json out = Json::Object{};
  for (std::size_t i = 0; i < answer.regions.size(); ++i) {
    out.set(rules.names()[answer.regions[i]], rules.rules()[answer.rules[i]].text);
  }
  return out;
}

// Divides one table of reports.
class RegionRun {
 public:
  RegionRun(StageCall& call, OutputFile& regions, OutputFile* explanations)
      : call_(call), regions_(regions), explanations_(explanations) {}

  Result<ItemStatus> add(const ReportRow& row) {
    const std::string_view text = row.texts.front().text;
    const std::vector<Sentence> sentences = split_sentences(text, SentenceRule::published);
    codes_ = SentenceCodes(text, row.texts.front().section);
    std::vector<SentenceRegions> answers = divider_.divide(text, sentences);
    ItemStatus status;
    if (call_.flag("ask")) {
      FIDUCIAL_TRY(status, take_reply(row, sentences, answers));
      if (status.status != "ok") return status;
    }
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      if (sentences[i].content.size() == 0) continue;
      ++sentences_;
      if (!answers[i].regions.empty()) ++placed_;
      FIDUCIAL_TRY_DONE(regions_.write(csv_row_of({row.id, decimal(i), sentences[i].content.of(text),
                                                   joined_regions(answers[i], divider_.rules()),
                                                   sources_text({codes_.source(sentences[i].content)})})));
      if (explanations_ != nullptr) FIDUCIAL_TRY_DONE(explain(row, i, sentences[i], answers[i]));
    }
    return status;
  }

  Json summary() const {
    Json out = Json::object(
        {{"sentences", sentences_},
         {"placed", placed_},
         {"coverage",
          sentences_ == 0 ? Json() : Json(static_cast<double>(placed_) / static_cast<double>(sentences_))}});
    if (call_.flag("ask")) out.set("replies", call_.agreement().json());
    return out;
  }

  RowMemory memory() {
    return {.save =
                [this] {
                  return Json::array({sentences_, placed_});
                },
            .restore = [this](const Json& state) -> Outcome {
              FIDUCIAL_TRY(const Json::Array* counts, expect_array(state, "/state"));
              if (counts->size() != 2) return invalid_data("expected two counts in the checkpoint");
              FIDUCIAL_TRY(sentences_, expect_integer((*counts)[0], "/state/0"));
              FIDUCIAL_TRY(placed_, expect_integer((*counts)[1], "/state/1"));
              return done();
            }};
  }

 private:
  // A model's regions in place of those of the rules, counted where they are the same.
  Result<ItemStatus> take_reply(const ReportRow& row, const std::vector<Sentence>& sentences,
                                std::vector<SentenceRegions>& answers) {
    const std::vector<std::string>& names = divider_.rules().names();
    const Json numbered = numbered_sentences(row.texts.front().text, sentences);
    FIDUCIAL_TRY(const CheckedReply reply, ask_for(call_, place_request("regions", numbered, names), row.id));
    if (!reply.usable) return reply.status;
    ItemStatus status = check_places(reply.value, numbered);
    if (status.is_failure()) return status;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      if (sentences[i].content.size() == 0) continue;
      std::vector<std::size_t> regions;
      for (const std::string& name : strings_at(reply.value, decimal(i))) {
        regions.push_back(
            static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin()));
      }
      std::sort(regions.begin(), regions.end());
      regions.erase(std::unique(regions.begin(), regions.end()), regions.end());
      call_.agreement().add(regions == answers[i].regions, status);
      answers[i] = {.regions = std::move(regions), .rules = {}, .reason = SentenceRegions::Reason::model};
    }
    return status;
  }

  Outcome explain(const ReportRow& row, std::size_t index, const Sentence& sentence,
                  const SentenceRegions& answer) {
    const Json line = Json::object({{"Volumename", std::string(row.id)},
                                    {"SentenceIndex", static_cast<std::int64_t>(index)},
                                    {"sentence", codes_.at(sentence.content.begin)},
                                    {"column", std::string(row.texts.front().column)},
                                    {"begin", static_cast<std::int64_t>(sentence.content.begin)},
                                    {"end", static_cast<std::int64_t>(sentence.content.end)},
                                    {"Regions", joined_regions(answer, divider_.rules())},
                                    {"reason", reason_json(answer, divider_.rules())}});
    return explanations_->write(line.compact() + "\n");
  }

  StageCall& call_;
  OutputFile& regions_;
  OutputFile* explanations_;
  ReportDivider divider_;
  SentenceCodes codes_{"", 'F'};  // of the report that is read
  std::int64_t sentences_ = 0;
  std::int64_t placed_ = 0;
};

Outcome run_regions(StageCall& call) {
  FIDUCIAL_TRY(OutputFile * regions, call.output().add_main(".csv"));
  OutputFile* explanations = nullptr;
  if (call.flag("explain")) {
    FIDUCIAL_TRY(explanations, call.output().add("explain.jsonl"));
  }
  FIDUCIAL_TRY_DONE(regions->write_heading("Volumename,SentenceIndex,Sentence,Regions,Sources\n"));
  RegionRun run(call, *regions, explanations);
  FIDUCIAL_TRY_DONE(for_each_report(
      call, {.text_column = call.text("text-column"), .findings_only = true},
      [&run](const ReportRow& row) { return run.add(row); }, run.memory()));
  call.summary() = run.summary();
  return done();
}

}  // namespace

Stage regions_stage() {
  return {.name = "regions",
          .summary = "Place every sentence of the findings in the ten regions of RadGenome-Chest CT",
          .example = "fiducial curate regions reports.csv -o regions.csv --explain",
          .inputs = {reports_input()},
          .options = {text_column_option(),
                      {.name = "explain",
                       .help = "Also write OUT.explain.jsonl: why each sentence is where it is",
                       .kind = StageOption::Kind::flag},
                      ask_option()},
          .asks = true,
          .writes_file = true,
          .resumes = true,
          .by_rows = true,
          .run = run_regions};
}

}  // namespace fiducial
