#include "fiducial/tasks/diagnosis/answer_scorer.h"

#include <algorithm>
#include <set>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/eval/inputs/reply_cleanup.h"
#include "fiducial/eval/judge/judge_panel.h"
#include "fiducial/eval/judge/judge_run.h"
#include "fiducial/eval/judge/judged_scores.h"
#include "fiducial/metrics/text_metric.h"
#include "fiducial/tasks/diagnosis/answer_measures.h"
#include "fiducial/text/unicode.h"
#include "fiducial/text/wordnet.h"

namespace fiducial {

namespace {

// Why no letter was found, with the beginning of the reply.
std::string no_answer_text(const AnswerPrediction& prediction, AnswerRule rule) {
  constexpr std::size_t longest_shown = 60;
  if (!prediction.reply) {
    return prediction.has_answer_field ? "the line has no \"prediction\"; its \"answer\" is not read"
                                       : "the line has no \"prediction\"";
  }
  std::string shown = white_space_collapsed(*prediction.reply);
  if (shown.size() > longest_shown) {
    std::size_t end = longest_shown;
    while (end > 0 && (static_cast<unsigned char>(shown[end]) & 0xC0U) == 0x80U) --end;
    shown = shown.substr(0, end) + " ...";
  }
  const char* reason = rule == AnswerRule::ambiguous ? "commits to no single option: "
                       : rule == AnswerRule::refused ? "refuses to answer: "
                                                     : "no letter from A to E could be found in ";
  return reason + Json(shown).compact();
}

AnsweredCase scored(const DiagnosisCase& entry, const AnswerPrediction* prediction,
                    bool accept_equal_options) {
  AnsweredCase out{.entry = entry, .right_letters = std::string(1, entry.key)};
  for (std::size_t i = 0; accept_equal_options && i < entry.options.size(); ++i) {
    const char letter = DiagnosisCase::letters[i];
    if (letter != entry.key && entry.options[i] == entry.key_text()) out.right_letters += letter;
  }
  out.is_missing = prediction == nullptr;
  if (out.is_missing || !prediction->reply) return out;
  for (const Scorer scorer : {Scorer::strict, Scorer::official}) {
    out.answers[static_cast<std::size_t>(scorer)] =
        extract_answer(cleaned_reply(*prediction->reply, scorer), entry.options, accept_equal_options);
  }
  return out;
}

// Scores a split part by part.
class SplitScorer {
 public:
  SplitScorer(const TaskCall& call, MetricChoice choice, AnswerPredictions predictions)
      : call_(call), choice_(std::move(choice)), predictions_(std::move(predictions)), mode_(call.mode()) {}

  Result<AnsweredSplit> score(const std::vector<DiagnosisCase>& cases) {
    score_answers(cases);
    FIDUCIAL_TRY_DONE(score_texts(cases));
    FIDUCIAL_TRY_DONE(score_steps(cases));
    FIDUCIAL_TRY_DONE(score_discussions());
    FIDUCIAL_TRY_DONE(score_continuations());
    FIDUCIAL_TRY_DONE(score_baselines());
    return std::move(run_);
  }

 private:
  Scorer primary() const { return mode_ == ScoreMode::official ? Scorer::official : Scorer::strict; }
  std::vector<Scorer> scorers() const {
    if (mode_ == ScoreMode::strict) return {Scorer::strict};
    if (mode_ == ScoreMode::official) return {Scorer::official};
    return {Scorer::strict, Scorer::official};
  }

  const AnswerPrediction* prediction_of(std::int64_t number) const {
    const auto found = predictions_.by_number.find(number);
    return found == predictions_.by_number.end() ? nullptr : &found->second;
  }

  void remark(const std::string& title, const char* code, const std::string& text,
              Remark::Kind kind = Remark::Kind::oddity) {
    run_.remarks.push_back({title, code, text, kind});
  }

  void add_measures(std::vector<CaseMeasure> more, Scorer scorer) {
    auto& all = run_.measures[static_cast<std::size_t>(scorer)];
    for (CaseMeasure& measure : more) {
      if (choice_.wants(measure.slot, *measure.contract)) all.push_back(std::move(measure));
    }
  }

  // What is wanted but lacks its input: an error where it was asked for by name, and told of in "all".
  Outcome miss(std::string_view group, const std::string& reason) {
    if (choice_.insists_on(group)) return Error(ErrorCode::unavailable, std::string(group) + ": " + reason);
    if (choice_.lists_unavailable()) {
      add_measures(unavailable_measures(group, run_.cases.size(), reason), primary());
    }
    return done();
  }

  // What needs synonyms is part of its group only where there is a WordNet.
  Outcome miss_wordnet() {
    const std::string reason = "no WordNet was given (--wordnet DIR or auto)";
    for (const TextMetric* metric : text_metrics_of("diagnosis")) {
      if (!metric->needs_synonyms) continue;
      for (const MetricContract& contract : diagnosis_contracts()) {
        if (contract.id.starts_with(metric->contract.id) && choice_.names(contract))
          return Error(ErrorCode::unavailable, contract.id + ": " + reason);
      }
      if (choice_.lists_unavailable())
        add_measures(unavailable_measures(metric->contract.id, run_.cases.size(), reason), primary());
    }
    return done();
  }

  void score_answers(const std::vector<DiagnosisCase>& cases) {
    std::set<std::int64_t> known;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const DiagnosisCase& entry = cases[i];
      known.insert(entry.number);
      if (!call_.holds(entry.title)) continue;
      run_.cases.push_back(scored(entry, prediction_of(entry.number), call_.flag("accept-equal-options")));
      AnsweredCase& each = run_.cases.back();
      each.position = static_cast<std::int64_t>(i);
      if (each.is_missing) {
        remark(entry.title, "missing", "no prediction", Remark::Kind::failure);
      } else if (!each.answer(primary()).letter) {
        const AnswerRule rule = each.answer(primary()).rule;
        remark(entry.title, unanswered_code(rule), no_answer_text(*prediction_of(entry.number), rule),
               Remark::Kind::failure);
      }
    }
    for (const Error& error : predictions_.skipped) {
      const std::string about = "line " + decimal(error.place().line.value_or(0));
      if (call_.in_shard(about)) remark(about, skipped_line_code, "left out: " + error.message());
    }
    for (const auto& [number, prediction] : predictions_.by_number) {
      if (!known.contains(number)) remark_unknown(number, "belongs to no case of the split");
    }
    for (const Scorer scorer : scorers()) add_measures(answer_measures(run_.cases, scorer), scorer);
  }

  void remark_unknown(std::int64_t number, const char* text, const char* code = unknown_case_code) {
    const std::string about = "Case number " + decimal(number);
    if (call_.in_shard(about)) remark(about, code, text);
  }

  // Every text that has a reference; of cases that other shards score only the references.
  std::vector<StepTextPair> step_texts(const std::vector<DiagnosisCase>& cases) {
    std::vector<StepTextPair> out;
    std::size_t next = 0;
    for (const DiagnosisCase& entry : cases) {
      const bool is_here = next < run_.cases.size() && run_.cases[next].entry.number == entry.number;
      if (!is_here && !call_.lists(entry.title)) continue;
      add_step_texts(entry, is_here ? std::optional(next) : std::nullopt, out);
      if (is_here) ++next;
    }
    return out;
  }

  void add_step_texts(const DiagnosisCase& entry, std::optional<std::size_t> at,
                      std::vector<StepTextPair>& out) {
    const AnswerPrediction* prediction = at ? prediction_of(entry.number) : nullptr;
    const ThinkingSteps* steps = prediction != nullptr && prediction->steps ? &*prediction->steps : nullptr;
    for (std::size_t i = 0; i < entry.images.size(); ++i) {
      if (entry.images[i].caption.empty()) continue;
      const bool is_there = steps != nullptr && i < steps->findings.size();
      out.push_back({at,
                     {entry.number, 1, static_cast<int>(i) + 1},
                     entry.images[i].caption,
                     is_there ? steps->findings[i] : ""});
    }
    if (!entry.findings.empty()) {
      out.push_back({at, {entry.number, 2, 0}, entry.findings, steps != nullptr ? steps->summary : ""});
    }
    if (steps != nullptr && steps->findings.size() != entry.images.size()) {
      remark(entry.title, "steps",
             "expected " + decimal(entry.images.size()) + " per-image findings, found " +
                 decimal(steps->findings.size()));
    }
  }

  Outcome score_texts(const std::vector<DiagnosisCase>& cases) {
    const bool has_steps = std::any_of(predictions_.by_number.begin(), predictions_.by_number.end(),
                                       [](const auto& each) { return each.second.steps.has_value(); });
    if (!has_steps) {
      std::vector<std::string> groups = text_groups_of("diagnosis");
      groups.emplace_back("radcliq");
      for (const std::string& group : groups) {
        FIDUCIAL_TRY_DONE(miss(group, "no prediction has texts of its steps (prediction_twi)"));
      }
      if (!call_.given("components") && !call_.given("provider") && !call_.given("wordnet")) return done();
      return bad_usage(
          "--components, --provider and --wordnet need predictions with texts of their steps "
          "(prediction_twi)");
    }
    FIDUCIAL_TRY_DONE(call_.go_on());
    const std::vector<StepTextPair> pairs = step_texts(cases);
    std::optional<WordNet> wordnet;
    if (const auto folder = call_.path("wordnet")) {
      FIDUCIAL_TRY(wordnet, WordNet::open(*folder));
      run_.inputs.push_back({"wordnet", "", "wordnet", wordnet->digest()});
    }
    FIDUCIAL_TRY(std::vector<CaseMeasure> measures,
                 text_measures(call_, pairs, run_.cases.size(), choice_, wordnet ? &*wordnet : nullptr));
    add_measures(std::move(measures), primary());
    if (!wordnet) FIDUCIAL_TRY_DONE(miss_wordnet());
    if (call_.given("components") || call_.given("provider")) return score_radcliq(pairs);
    return miss("radcliq", "no component scores were given (--components FILE or --provider COMMAND)");
  }

  // What was predicted for a step; a text that was not written is not compared.
  static std::vector<ComparedText> texts_of_step(const std::vector<StepTextPair>& pairs, int step) {
    std::vector<ComparedText> out;
    for (const StepTextPair& pair : pairs) {
      if (pair.text.step == step && !pair.prediction.empty())
        out.push_back({pair.text, pair.reference, pair.prediction});
    }
    return out;
  }

  Result<ComponentTable> read_components(const std::vector<StepTextPair>& pairs) {
    if (const auto path = call_.path("components")) {
      FIDUCIAL_TRY(const RecordFile file, read_records(*path));
      run_.inputs.push_back({"components", "", file.name, file.digest});
      return component_table(file.records, path->string());
    }
    ComponentProvider provider{.command = call_.text("provider")};
    if (call_.given("provider-timeout-s"))
      provider.timeout_s = static_cast<int>(call_.integer("provider-timeout-s"));
    // Once a step: what a provider weighs words by depends on all texts that it is given.
    FIDUCIAL_TRY(const Json piece, call_.kept_or_made("provider", [&]() -> Result<Json> {
      std::string lines;
      for (const int step : {1, 2}) {
        FIDUCIAL_TRY(const std::vector<Record> said, run_provider(provider, texts_of_step(pairs, step)));
        for (const Record& record : said) lines += record.fields().compact() + "\n";
      }
      return Json::object({{"lines", std::move(lines)}});
    }));
    run_.provided_components = text_at(piece, "lines");
    FIDUCIAL_TRY(const std::vector<Record> records, parse_jsonl_records(run_.provided_components));
    run_.inputs.push_back({"components", "", components_file, sha256(as_bytes(run_.provided_components))});
    return component_table(records, "provider \"" + provider.command + "\"");
  }

  Outcome score_radcliq(const std::vector<StepTextPair>& pairs) {
    FIDUCIAL_TRY(const ComponentTable components, read_components(pairs));
    std::set<StepText> known;
    for (const StepTextPair& pair : pairs) {
      known.insert(pair.text);
      const std::string place = pair.text.step == 2 ? "summary" : "image " + decimal(pair.text.image);
      const auto found = components.find(pair.text);
      if (pair.prediction.empty() || !pair.at) continue;
      if (found == components.end()) {
        remark(run_.cases[*pair.at].entry.title, "no_components", place + ": no component scores");
      } else if (!found->second.values) {
        remark(run_.cases[*pair.at].entry.title, "no_components", place + ": " + found->second.error);
      }
    }
    for (const auto& [text, values] : components) {
      if (known.contains(text)) continue;
      remark_unknown(text.number, "component scores of a text that the split has no reference for",
                     "unknown_text");
    }
    add_measures(radcliq_measures(pairs, run_.cases.size(), components), primary());
    return done();
  }

  // Who judged, and whether a certificate vouches for it.
  Outcome read_judge(const std::vector<Record>& verdicts, const Path& path) {
    std::optional<Certificate> certificate;
    if (const auto given = call_.path("certificate")) {
      FIDUCIAL_TRY(certificate, read_certificate(*given));
      run_.inputs.push_back({"certificate", "", given->filename().string(), certificate->digest});
    }
    FIDUCIAL_TRY(run_.judge, judge_of_verdicts(verdicts, certificate).in_file(path.string()));
    FIDUCIAL_TRY(Json panel, agreement_of_panel(*call_.path("verdicts")));
    if (!panel.is_null()) run_.judge.set("panel", std::move(panel));
    const Path given = *call_.path("verdicts");
    if (certificate || !is_there(given / probes_file_name)) return done();
    FIDUCIAL_TRY(const JudgeRun run, read_judge_run(given));
    if (!run.probes.repeats.empty()) run_.judge.set("spread", spread_json(run));
    return done();
  }

  Outcome score_steps(const std::vector<DiagnosisCase>& cases) {
    const auto given = call_.path("verdicts");
    if (!given) return miss("steps", "no verdicts were given (--verdicts FILE)");
    FIDUCIAL_TRY_DONE(call_.go_on());
    const Path path = verdicts_file(*given);
    FIDUCIAL_TRY(const RecordFile file, read_records(path));
    run_.inputs.push_back({"verdicts", "", file.name, file.digest});
    FIDUCIAL_TRY(const VerdictTable verdicts, verdict_table(file.records, path.string()));
    FIDUCIAL_TRY_DONE(read_judge(file.records, path));
    std::set<std::int64_t> known;
    for (const DiagnosisCase& entry : cases) known.insert(entry.number);
    for (std::size_t at = 0; at < run_.cases.size(); ++at) {
      const std::int64_t number = run_.cases[at].entry.number;
      const auto found = verdicts.find(number);
      const CaseVerdicts* of_case = found == verdicts.end() ? nullptr : &found->second;
      const AnswerPrediction* prediction = prediction_of(number);
      const std::string reasoning = prediction == nullptr ? "" : prediction->reasoning;
      JudgedCase judged{.at = at};
      for (const Scorer scorer : {Scorer::strict, Scorer::official}) {
        judged.steps[static_cast<std::size_t>(scorer)] = judged_steps(of_case, reasoning, scorer);
      }
      for (const JudgedStep& step : judged.steps[0]) {
        if (step.verdict.status != VerdictStatus::invalid) continue;
        remark(run_.cases[at].entry.title, "invalid_verdict",
               "step " + decimal(step.number) + ": " + step.verdict.reason);
      }
      run_.judged.push_back(std::move(judged));
    }
    for (const auto& [number, of_case] : verdicts) {
      if (!known.contains(number))
        remark_unknown(number, "verdicts for no case of the split", "unknown_verdicts");
    }
    for (const Scorer scorer : scorers()) add_measures(step_measures(run_, scorer), scorer);
    return done();
  }

  // What a model made of the first halves of histories.
  Outcome score_continuations() {
    const bool has_any = std::any_of(predictions_.by_number.begin(), predictions_.by_number.end(),
                                     [](const auto& each) { return each.second.similarity.has_value(); });
    if (!has_any) return miss("contamination", "no prediction continues its history (run --workflow meld)");
    std::vector<std::optional<double>> similarities;
    similarities.reserve(run_.cases.size());
    for (const AnsweredCase& each : run_.cases) {
      const AnswerPrediction* prediction = prediction_of(each.entry.number);
      similarities.push_back(prediction == nullptr ? std::nullopt : prediction->similarity);
    }
    add_measures(contamination_measures(similarities), primary());
    return done();
  }

  void read_discussions() {
    for (std::size_t at = 0; at < run_.cases.size(); ++at) {
      const AnswerPrediction* prediction = prediction_of(run_.cases[at].entry.number);
      if (prediction == nullptr || !prediction->discussion) continue;
      run_.discussions.push_back({at, parse_discussion(*prediction->discussion)});
      const Discussion& written = run_.discussions.back().discussion;
      const auto tell = [&](const char* what, const std::vector<std::size_t>& headings) {
        for (const std::size_t heading : headings) {
          remark(run_.cases[at].entry.title, "discussion",
                 std::string(discussion_headings.at(heading)) + ": " + what);
        }
      };
      tell("heading missing", written.missing());
      tell("heading repeated", written.repeated());
      tell("heading out of order", written.out_of_order());
    }
  }

  Outcome score_discussions() {
    read_discussions();
    auto path = call_.path("ratings");
    if (path) {
      if (is_folder(*path)) *path /= ratings_file_name;
      FIDUCIAL_TRY(const RecordFile file, read_records(*path));
      run_.inputs.push_back({"ratings", "", file.name, file.digest});
      FIDUCIAL_TRY(run_.ratings, ratings_by_case(file.records, path->string()));
    }
    add_measures(discussion_measures(run_), primary());
    if (path || !run_.discussions.empty()) return done();
    return miss("discussion", "no ratings were given (--ratings FILE) and no prediction has a discussion");
  }

  Outcome score_baselines() {
    for (const auto& [name, path] : call_.named_paths("baseline")) {
      FIDUCIAL_TRY(AnswerPredictions predictions, read_answer_predictions(path));
      for (const AnsweredCase& each : run_.cases) resolve_opaque_ids(predictions, std::span(&each.entry, 1));
      BaselineAnswers out{.name = name, .file = predictions.file, .digest = predictions.digest};
      for (const AnsweredCase& each : run_.cases) {
        const auto found = predictions.by_number.find(each.entry.number);
        out.cases.push_back(scored(each.entry,
                                   found == predictions.by_number.end() ? nullptr : &found->second,
                                   call_.flag("accept-equal-options")));
      }
      run_.inputs.push_back({"baseline", name, out.file, out.digest});
      run_.baselines.push_back(std::move(out));
    }
    return done();
  }

  const TaskCall& call_;
  MetricChoice choice_;
  AnswerPredictions predictions_;
  ScoreMode mode_;
  AnsweredSplit run_;
};

}  // namespace

Result<AnsweredSplit> score_answers(const TaskCall& call, const std::vector<DiagnosisCase>& cases,
                                    AnswerPredictions predictions) {
  FIDUCIAL_TRY(MetricChoice choice, MetricChoice::parse(call.texts("metrics")));
  return SplitScorer(call, std::move(choice), std::move(predictions)).score(cases);
}

}  // namespace fiducial
