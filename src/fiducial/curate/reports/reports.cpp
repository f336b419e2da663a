#include <map>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/curate/reports/report_asks.h"
#include "fiducial/curate/reports/report_sources.h"
#include "fiducial/findings/report_grounding.h"
#include "fiducial/text/sentences.h"

namespace fiducial {

namespace {

// The deepest paths that each sentence of a report speaks of.
using SentencePaths = std::vector<std::vector<std::string>>;

// What a report says of a place, and where.
struct PlaceText {
  std::string words;
  std::vector<SourceSpan> sources;
};

// The text of every place a report speaks of, and of all places above it; "" is the whole scan.
std::map<std::string, PlaceText> region_texts(std::string_view findings,
                                              const std::vector<Sentence>& sentences,
                                              const SentencePaths& paths) {
  const SentenceCodes codes(findings, 'F');
  std::map<std::string, PlaceText> texts;
  const auto append = [&texts, &codes](const std::string& path, std::string_view words,
                                       const TextSpan& span) {
    PlaceText& text = texts[path];
    append_joined(text.words, std::string(words) + ".", " ");
    text.sources.push_back(codes.source(span));
  };
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const std::string_view words = sentences[i].content.of(findings);
    if (words.empty()) continue;
    append("", words, sentences[i].content);
    std::map<std::string, bool> closed;
    for (const std::string& path : paths[i]) {
      for (const std::string& each : with_ancestors(path)) closed[each] = true;
    }
    for (const auto& [path, said] : closed) append(path, words, sentences[i].content);
  }
  return texts;
}

// Grounds one table of reports.
class GroundingRun {
 public:
  GroundingRun(StageCall& call, OutputFile& table) : call_(call), table_(table) {}

  Result<ItemStatus> add(const ReportRow& row) {
    const std::string_view text = row.texts.front().text;
    const std::vector<Sentence> sentences = split_sentences(text, SentenceRule::published);
    SentencePaths paths;
    for (const Sentence& sentence : sentences) paths.push_back(grounder_.paths(sentence.content.of(text)));
    ItemStatus status;
    if (call_.flag("ask")) {
      FIDUCIAL_TRY(status, take_reply(row, sentences, paths));
      if (status.status != "ok") return status;
    }
    for (const auto& [path, said] : region_texts(text, sentences, paths)) {
      FIDUCIAL_TRY_DONE(table_.write(csv_row_of({row.id, path, said.words, sources_text(said.sources)})));
    }
    return status;
  }

  Json summary() const { return call_.flag("ask") ? call_.agreement().json() : Json(Json::Object{}); }

 private:
  // A model's paths in place of those of the rules, counted where they are the same.
  Result<ItemStatus> take_reply(const ReportRow& row, const std::vector<Sentence>& sentences,
                                SentencePaths& paths) {
    const Json numbered = numbered_sentences(row.texts.front().text, sentences);
    FIDUCIAL_TRY(const CheckedReply reply,
                 ask_for(call_, place_request("reports", numbered, known_paths()), row.id));
    if (!reply.usable) return reply.status;
    ItemStatus status = check_places(reply.value, numbered);
    for (std::size_t i = 0; i < sentences.size() && !status.is_failure(); ++i)
      status = check_mirrored(decimal(i), strings_at(reply.value, decimal(i)), paths[i]);
    if (status.is_failure()) return status;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      if (sentences[i].content.size() == 0) continue;
      std::vector<std::string> said = deepest(strings_at(reply.value, decimal(i)));
      call_.agreement().add(said == paths[i], status);
      paths[i] = std::move(said);
    }
    return status;
  }

  StageCall& call_;
  OutputFile& table_;
  ReportGrounder grounder_;
};

Outcome run_reports(StageCall& call) {
  FIDUCIAL_TRY(OutputFile * table, call.output().add("region_report.csv"));
  FIDUCIAL_TRY_DONE(table->write_heading("Volumename,Anatomy,Sentence,Sources\n"));
  GroundingRun run(call, *table);
  FIDUCIAL_TRY_DONE(for_each_report(
      call, {.text_column = call.text("text-column"), .findings_only = true, .unique_names = true},
      [&run](const ReportRow& row) { return run.add(row); }));
  call.summary() = run.summary();
  return done();
}

}  // namespace

Stage reports_stage() {
  return {.name = "reports",
          .summary = "Ground reports: the text of every anatomical path they speak of, and of all above it",
          .example = "fiducial curate reports reports.csv -o grounded",
          .inputs = {reports_input()},
          .options = {text_column_option(), ask_option()},
          .asks = true,
          .writes_folder = true,
          .resumes = true,
          .by_rows = true,
          .run = run_reports};
}

}  // namespace fiducial
