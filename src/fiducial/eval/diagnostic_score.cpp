#include "fiducial/eval/diagnostic_score.h"

#include <algorithm>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/eval/diagnostic_measures.h"
#include "fiducial/eval/reply_cleanup.h"
#include "fiducial/text/unicode.h"
#include "fiducial/text/wordnet.h"

namespace fiducial {

namespace {

ExtractedAnswer answer_of(const std::string& reply, const DiagnosticCase& entry, Scorer scorer) {
  const std::string_view text = white_space_trimmed(reply);
  if (text.size() == 1 && DiagnosticCase::letters.find(text[0]) != std::string_view::npos) {
    return {text[0], AnswerRule::letter};
  }
  return extract_answer(cleaned_reply(reply, scorer), entry.options);
}

DiagnosticScore scored(const DiagnosticCase& entry, const DiagnosticPrediction* prediction,
                       bool accept_equal_options) {
  DiagnosticScore out{.entry = entry, .right_letters = std::string(1, entry.key)};
  for (std::size_t i = 0; accept_equal_options && i < entry.options.size(); ++i) {
    const char letter = DiagnosticCase::letters[i];
    if (letter != entry.key && entry.options[i] == entry.key_text()) out.right_letters += letter;
  }
  out.is_missing = prediction == nullptr;
  if (out.is_missing || !prediction->reply) return out;
  for (const Scorer scorer : {Scorer::strict, Scorer::official}) {
    out.answers[static_cast<std::size_t>(scorer)] = answer_of(*prediction->reply, entry, scorer);
  }
  return out;
}

// Scores a run part by part.
class RunScorer {
 public:
  RunScorer(const DiagnosticScoreRequest& request, MetricChoice choice, DiagnosticPredictions predictions)
      : request_(request), choice_(std::move(choice)), predictions_(std::move(predictions)) {}

  Result<DiagnosticRun> score(DiagnosticRun run, const std::vector<DiagnosticCase>& cases) {
    run_ = std::move(run);
    score_answers(cases);
    FIDUCIAL_TRY_DONE(score_texts());
    FIDUCIAL_TRY_DONE(score_steps());
    FIDUCIAL_TRY_DONE(score_discussions());
    FIDUCIAL_TRY_DONE(score_baselines());
    FIDUCIAL_TRY_DONE(diagnostic_groups(run_.cases, run_.group_by));
    return std::move(run_);
  }

 private:
  const DiagnosticPrediction* prediction_of(std::int64_t number) const {
    const auto found = predictions_.by_number.find(number);
    return found == predictions_.by_number.end() ? nullptr : &found->second;
  }

  void remark(const std::string& title, const char* code, const std::string& text) {
    run_.remarks.push_back({title, code, text});
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
      add_measures(unavailable_measures(group, run_.cases.size(), reason), run_.primary());
    }
    return done();
  }

  // METEOR with synonyms is part of its group only where there is a WordNet.
  Outcome miss_wordnet() {
    constexpr std::string_view ids = "meteor_nltk_wordnet";
    const std::string reason = "no WordNet was given (--wordnet DIR or auto)";
    for (const MetricContract& contract : diagnostic_contracts()) {
      if (contract.id.starts_with(ids) && choice_.names(contract))
        return Error(ErrorCode::unavailable, contract.id + ": " + reason);
    }
    if (choice_.lists_unavailable())
      add_measures(unavailable_measures(ids, run_.cases.size(), reason), run_.primary());
    return done();
  }

  void score_answers(const std::vector<DiagnosticCase>& cases) {
    std::set<std::int64_t> known;
    for (const DiagnosticCase& entry : cases) {
      known.insert(entry.number);
      run_.cases.push_back(scored(entry, prediction_of(entry.number), request_.accept_equal_options));
      const DiagnosticScore& each = run_.cases.back();
      if (each.is_missing) {
        remark(entry.title, "missing", "no prediction");
      } else if (!each.answer(run_.primary()).letter) {
        remark(entry.title, "invalid", "no single letter from A to E could be found in the answer");
      }
    }
    for (const auto& [number, prediction] : predictions_.by_number) {
      if (known.contains(number)) continue;
      ++run_.unknown_cases;
      remark("Case number " + decimal(number), "unknown_case", "belongs to no case of the split");
    }
    for (const Scorer scorer : run_.scorers()) add_measures(answer_measures(run_.cases, scorer), scorer);
  }

  // Every text that has a reference.
  std::vector<StepTextPair> step_texts() {
    std::vector<StepTextPair> out;
    for (std::size_t at = 0; at < run_.cases.size(); ++at) {
      const DiagnosticCase& entry = run_.cases[at].entry;
      const DiagnosticPrediction* prediction = prediction_of(entry.number);
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
    return out;
  }

  Outcome score_texts() {
    const bool has_steps = std::any_of(predictions_.by_number.begin(), predictions_.by_number.end(),
                                       [](const auto& each) { return each.second.steps.has_value(); });
    if (!has_steps) {
      for (const char* group : {"rouge", "bleu", "meteor", "cider", "radcliq"}) {
        FIDUCIAL_TRY_DONE(miss(group, "no prediction has texts of its steps (prediction_twi)"));
      }
      if (!request_.components && !request_.provider && !request_.wordnet) return done();
      return bad_usage(
          "--components, --provider and --wordnet need predictions with texts of their steps "
          "(prediction_twi)");
    }
    const std::vector<StepTextPair> pairs = step_texts();
    std::optional<WordNet> wordnet;
    if (request_.wordnet) {
      FIDUCIAL_TRY(wordnet, WordNet::open(*request_.wordnet));
      run_.inputs.push_back({"wordnet", "wordnet", wordnet->digest()});
    }
    add_measures(text_measures(pairs, run_.cases.size(), choice_, wordnet ? &*wordnet : nullptr),
                 run_.primary());
    if (!wordnet) FIDUCIAL_TRY_DONE(miss_wordnet());
    if (request_.components || request_.provider) return score_radcliq(pairs);
    return miss("radcliq", "no component scores were given (--components FILE or --provider COMMAND)");
  }

  Result<ComponentTable> read_components(const std::vector<StepTextPair>& pairs) {
    if (request_.components) {
      FIDUCIAL_TRY(const RecordFile file, read_records(*request_.components));
      run_.inputs.push_back({"components", file.name, file.digest});
      return component_table(file.records, request_.components->string());
    }
    std::vector<ComparedText> texts;
    for (const StepTextPair& pair : pairs) {
      if (!pair.prediction.empty()) texts.push_back({pair.text, pair.reference, pair.prediction});
    }
    FIDUCIAL_TRY(const std::vector<Record> records, run_provider(*request_.provider, texts));
    for (const Record& record : records) run_.provided_components += record.fields().compact() + "\n";
    run_.inputs.push_back({"components", components_file, sha256(as_bytes(run_.provided_components))});
    return component_table(records, "provider \"" + request_.provider->command + "\"");
  }

  Outcome score_radcliq(const std::vector<StepTextPair>& pairs) {
    FIDUCIAL_TRY(const ComponentTable components, read_components(pairs));
    std::set<StepText> known;
    for (const StepTextPair& pair : pairs) {
      known.insert(pair.text);
      const std::string place = pair.text.step == 2 ? "summary" : "image " + decimal(pair.text.image);
      const auto found = components.find(pair.text);
      if (pair.prediction.empty()) continue;
      if (found == components.end()) {
        remark(run_.cases[pair.at].entry.title, "no_components", place + ": no component scores");
      } else if (!found->second.values) {
        remark(run_.cases[pair.at].entry.title, "no_components", place + ": " + found->second.error);
      }
    }
    for (const auto& [text, values] : components) {
      if (known.contains(text)) continue;
      remark("Case number " + decimal(text.number), "unknown_text",
             "component scores of a text that the split has no reference for");
    }
    add_measures(radcliq_measures(pairs, run_.cases.size(), components), run_.primary());
    return done();
  }

  Outcome score_steps() {
    if (!request_.verdicts) return miss("steps", "no verdicts were given (--verdicts FILE)");
    FIDUCIAL_TRY(const RecordFile file, read_records(*request_.verdicts));
    run_.inputs.push_back({"verdicts", file.name, file.digest});
    FIDUCIAL_TRY(const VerdictTable verdicts, verdict_table(file.records, request_.verdicts->string()));
    std::set<std::int64_t> known;
    for (std::size_t at = 0; at < run_.cases.size(); ++at) {
      const std::int64_t number = run_.cases[at].entry.number;
      known.insert(number);
      const auto found = verdicts.find(number);
      const CaseVerdicts* of_case = found == verdicts.end() ? nullptr : &found->second;
      const DiagnosticPrediction* prediction = prediction_of(number);
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
      if (known.contains(number)) continue;
      remark("Case number " + decimal(number), "unknown_case", "verdicts for no case of the split");
    }
    for (const Scorer scorer : run_.scorers()) add_measures(step_measures(run_, scorer), scorer);
    return done();
  }

  void read_discussions() {
    for (std::size_t at = 0; at < run_.cases.size(); ++at) {
      const DiagnosticPrediction* prediction = prediction_of(run_.cases[at].entry.number);
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
    if (request_.ratings) {
      FIDUCIAL_TRY(const RecordFile file, read_records(*request_.ratings));
      run_.inputs.push_back({"ratings", file.name, file.digest});
      FIDUCIAL_TRY(run_.ratings, ratings_by_case(file.records, request_.ratings->string()));
    }
    add_measures(discussion_measures(run_), run_.primary());
    if (request_.ratings || !run_.discussions.empty()) return done();
    return miss("discussion", "no ratings were given (--ratings FILE) and no prediction has a discussion");
  }

  Outcome score_baselines() {
    for (const NamedFile& file : request_.baselines) {
      FIDUCIAL_TRY(const DiagnosticPredictions predictions, read_diagnostic_predictions(file.path));
      BaselineScore out{.name = file.name, .file = predictions.file, .digest = predictions.digest};
      for (const DiagnosticScore& each : run_.cases) {
        const auto found = predictions.by_number.find(each.entry.number);
        const DiagnosticScore baseline =
            scored(each.entry, found == predictions.by_number.end() ? nullptr : &found->second,
                   request_.accept_equal_options);
        const Scorer scorer = run_.primary();
        out.missing += baseline.is_missing ? 1 : 0;
        out.invalid += !baseline.is_missing && !baseline.answer(scorer).letter ? 1 : 0;
        out.correct += baseline.is_correct(scorer) ? 1 : 0;
      }
      run_.baselines.push_back(std::move(out));
    }
    return done();
  }

  const DiagnosticScoreRequest& request_;
  MetricChoice choice_;
  DiagnosticPredictions predictions_;
  DiagnosticRun run_;
};

}  // namespace

std::vector<Scorer> DiagnosticRun::scorers() const {
  if (mode == ScoreMode::strict) return {Scorer::strict};
  if (mode == ScoreMode::official) return {Scorer::official};
  return {Scorer::strict, Scorer::official};
}

std::int64_t DiagnosticRun::missing() const {
  return std::count_if(cases.begin(), cases.end(),
                       [](const DiagnosticScore& each) { return each.is_missing; });
}

std::int64_t DiagnosticRun::invalid(Scorer scorer) const {
  return std::count_if(cases.begin(), cases.end(), [scorer](const DiagnosticScore& each) {
    return !each.is_missing && !each.answer(scorer).letter;
  });
}

Result<DiagnosticRun> score_diagnostic_run(const DiagnosticScoreRequest& request) {
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(request.dataset));
  if (adapter->open_questions == nullptr) {
    return bad_usage(request.dataset.string() + ": " + adapter->id + " asks no questions, which this needs");
  }
  FIDUCIAL_TRY(MetricChoice choice, MetricChoice::parse(request.metrics));
  FIDUCIAL_TRY(const std::unique_ptr<DiagnosticDataset> dataset, adapter->open_questions(request.dataset));
  FIDUCIAL_TRY(const std::string name, choose_split(*dataset, request.split));
  FIDUCIAL_TRY(DiagnosticPredictions predictions, read_diagnostic_predictions(request.predictions));
  FIDUCIAL_TRY(const DiagnosticSplit split, dataset->read_split(name));
  DiagnosticRun run{.benchmark = adapter->id,
                    .split = name,
                    .system = request.system.value_or(request.predictions.stem().string()),
                    .mode = request.mode,
                    .metrics = request.metrics,
                    .group_by = request.group_by,
                    .accept_equal_options = request.accept_equal_options,
                    .seed = request.seed,
                    .resamples = request.resamples,
                    .dataset_file = split.file,
                    .dataset_digest = split.digest,
                    .predictions_file = predictions.file,
                    .predictions_digest = predictions.digest};
  return RunScorer(request, std::move(choice), std::move(predictions)).score(std::move(run), split.cases);
}

}  // namespace fiducial
