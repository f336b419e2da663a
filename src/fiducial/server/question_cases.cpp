#include <algorithm>
#include <map>
#include <mutex>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/medthinkvqa/answer_predictions.h"
#include "fiducial/image/picture.h"
#include "fiducial/server/case_source.h"
#include "fiducial/server/taken_span.h"
#include "fiducial/tasks/diagnosis/step_verdicts.h"

namespace fiducial {

namespace {

std::string type_of(const std::string& bytes) {
  switch (sniffed_format(as_bytes(bytes))) {
    case PictureFormat::jpeg:
      return "image/jpeg";
    case PictureFormat::png:
      return "image/png";
    case PictureFormat::gif:
      return "image/gif";
    case PictureFormat::bmp:
      return "image/bmp";
    case PictureFormat::webp:
      return "image/webp";
    default:
      return "application/octet-stream";
  }
}

// A text, or null where there is none.
Json text_json(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json step_json(std::string_view step, const std::string& text, const std::string& reference) {
  return Json::object(
      {{"step", step}, {"text", text}, {"reference", text_json(reference)}, {"verdict", Json()}});
}

// What a model wrote on the way, beside what the experts wrote there.
Json steps_json(const AnswerPrediction& said, const DiagnosisCase& entry) {
  Json out{Json::Array{}};
  if (said.steps) {
    for (std::size_t i = 0; i < said.steps->findings.size(); ++i) {
      Json step = step_json("findings", said.steps->findings[i],
                            i < entry.images.size() ? entry.images[i].caption : "");
      out.push(std::move(step.set("image", static_cast<std::int64_t>(i + 1))));
    }
    if (!said.steps->summary.empty()) out.push(step_json("summary", said.steps->summary, entry.findings));
  }
  if (!said.cut_steps.empty()) {
    for (const std::string& text : said.cut_steps) out.push(step_json("reasoning", text, ""));
  } else if (!said.reasoning.empty()) {
    out.push(step_json("reasoning", said.reasoning, entry.discussion));
  }
  if (said.discussion) out.push(step_json("discussion", *said.discussion, entry.discussion));
  return out;
}

// A step with what a judge said of it.
Json judged_json(const JudgedStep& step) {
  const StepVerdict& verdict = step.verdict;
  Json errors{Json::Array{}};
  for (std::size_t i = 0; i < verdict.error_types.size(); ++i) {
    if (verdict.error_types[i]) errors.push(std::string(step_error_types[i].label));
  }
  const bool is_told = verdict.status == VerdictStatus::ok;
  return Json::object({{"number", static_cast<std::int64_t>(step.number)},
                       {"text", step.text},
                       {"verdict", !is_told             ? std::string(to_string(verdict.status))
                                   : verdict.is_factual ? std::string("factual")
                                                        : std::string("false")},
                       {"critical", is_told ? Json(verdict.is_critical) : Json()},
                       {"errors", std::move(errors)},
                       {"reason", text_json(verdict.reason)}});
}

// The judge's verdicts on the steps of a case, by strict rules.
Json judged_steps_json(const VerdictTable& verdicts, const AnswerPredictions& predictions,
                       const DiagnosisCase& entry) {
  const auto of_case = verdicts.find(entry.number);
  const auto said = predictions.by_number.find(entry.number);
  Json out{Json::Array{}};
  if (of_case == verdicts.end()) return out;
  const std::string reasoning = said == predictions.by_number.end() ? "" : said->second.reasoning;
  for (const JudgedStep& step : judged_steps(&of_case->second, reasoning, Scorer::strict))
    out.push(judged_json(step));
  return out;
}

void add_reply(Json& answer, const AnswerPredictions& predictions, const DiagnosisCase& entry) {
  const auto found = predictions.by_number.find(entry.number);
  if (found == predictions.by_number.end()) return;
  const AnswerPrediction& said = found->second;
  if (said.reply) answer.set("reply", *said.reply);
  const std::string letter = text_at(answer, "letter");
  if (said.reply && letter.size() == 1) {
    if (const auto span = taken_span(*said.reply, entry.options, letter[0])) {
      answer.set("taken", Json::object({{"start", static_cast<std::int64_t>(span->begin)},
                                        {"end", static_cast<std::int64_t>(span->end)}}));
    }
  }
  if (said.rationale) answer.set("rationale", *said.rationale);
  answer.set("steps", steps_json(said, entry));
}

class QuestionCases final : public CaseSource {
 public:
  static Result<std::unique_ptr<CaseSource>> open(const DatasetAdapter& adapter, const Path& folder) {
    auto out = std::make_unique<QuestionCases>();
    FIDUCIAL_TRY(out->dataset_, adapter.open_questions(folder));
    for (const std::string& name : out->dataset_->split_names()) {
      FIDUCIAL_TRY(DiagnosisSplit split, out->dataset_->read_split(name));
      for (DiagnosisCase& entry : split.cases) out->add(name, std::move(entry));
    }
    return {std::move(out)};
  }

  std::string_view kind() const override { return "questions"; }
  const std::vector<CaseEntry>& entries() const override { return entries_; }

  Result<Json> members(std::size_t at, const CaseAsked& asked) const override {
    const DiagnosisCase& entry = cases_[at];
    Json images{Json::Array{}};
    std::int64_t slot = 0;
    for (const CaseImage& image : entry.images) {
      ++slot;
      images.push(Json::object({{"slot", slot},
                                {"label", image.id},
                                {"caption", text_json(image.caption)},
                                {"modality", text_json(image.modality)},
                                {"sub_modality", text_json(image.sub_modality)},
                                {"url", asked.address + "/images/" + decimal(slot)}}));
    }
    return Json::object(
        {{"question", Json::object({{"history", entry.history},
                                    {"options", Json::strings(entry.options)},
                                    {"key", entry.has_key() ? Json(std::string(1, entry.key)) : Json()},
                                    {"findings", text_json(entry.findings)},
                                    {"discussion", text_json(entry.discussion)},
                                    {"icd", Json::strings(std::array{entry.icd_chapter, entry.icd_block,
                                                                     entry.icd_category})},
                                    {"interval", text_json(entry.interval)},
                                    {"images", std::move(images)},
                                    {"answers", answers_json(at, asked)}})}});
  }

  std::size_t pictures(std::size_t at) const override { return cases_[at].images.size(); }
  Result<ServedPicture> picture(std::size_t at, std::size_t number) const override {
    FIDUCIAL_TRY(std::string bytes,
                 dataset_->read_picture(entries_[at].split, cases_[at].images.at(number - 1).path));
    std::string type = type_of(bytes);
    return ServedPicture{std::move(type), std::move(bytes)};
  }

 private:
  using Predictions = std::shared_ptr<const AnswerPredictions>;
  using Verdicts = std::shared_ptr<const VerdictTable>;

  Json answers_json(std::size_t at, const CaseAsked& asked) const {
    Json out{Json::Array{}};
    for (const RunAbout& run : asked.runs) {
      const bool has_value = run.value.has_value();
      Json one = Json::object({{"run", run.id},
                               {"system", run.system},
                               {"letter", run.letter},
                               {"rule", run.rule},
                               {"correct", has_value ? Json(*run.value > 0) : Json()},
                               {"status", run.status}});
      const Result<Predictions> predictions = predictions_of(run.material);
      one.set("problem", predictions.ok() ? Json() : Json(predictions.error().text()));
      for (const char* key : {"reply", "rationale", "taken"}) one.set(key, {});
      for (const char* key : {"steps", "judged"}) one.set(key, Json::Array{});
      if (predictions.ok()) {
        add_reply(one, **predictions, cases_[at]);
        add_verdicts(one, run.material, **predictions, cases_[at]);
      }
      out.push(std::move(one));
    }
    return out;
  }

  // Of runs that were scored with a judge's verdicts.
  void add_verdicts(Json& answer, const RunMaterial& run, const AnswerPredictions& predictions,
                    const DiagnosisCase& entry) const {
    const Json::Array* inputs = find_array(*run.plan, "inputs");
    if (inputs == nullptr) return;
    for (const Json& input : *inputs) {
      if (text_at(input, "role") != "verdicts") continue;
      const Result<Verdicts> verdicts = verdicts_of(run, input);
      if (verdicts.ok()) answer.set("judged", judged_steps_json(**verdicts, predictions, entry));
      if (!verdicts.ok() && answer.find("problem")->is_null()) answer.set("problem", verdicts.error().text());
    }
  }

  Result<std::shared_ptr<const VerdictTable>> verdicts_of(const RunMaterial& run, const Json& input) const {
    const std::string digest = text_at(input, "sha256");
    const std::lock_guard lock(mutex_);
    if (const auto found = verdicts_.find(digest); found != verdicts_.end()) return found->second;
    FIDUCIAL_TRY(const Path path, run.find_file(text_at(input, "file"), digest));
    FIDUCIAL_TRY(const RecordFile file, read_records(path));
    FIDUCIAL_TRY(VerdictTable read, verdict_table(file.records, path.filename().string()));
    Verdicts kept = std::make_shared<const VerdictTable>(std::move(read));
    verdicts_[digest] = kept;
    return kept;
  }

  // A file is read once for all cases.
  Result<Predictions> predictions_of(const RunMaterial& run) const {
    const Json* planned = run.plan->find("predictions");
    if (planned == nullptr) return invalid_data("plan.json names no predictions");
    const std::string digest = text_at(*planned, "sha256");
    const std::lock_guard lock(mutex_);
    if (const auto found = predictions_.find(digest); found != predictions_.end()) return found->second;
    FIDUCIAL_TRY(const Path path, run.find_file(text_at(*planned, "file"), digest));
    FIDUCIAL_TRY(AnswerPredictions read, read_answer_predictions(path, true));
    resolve_opaque_ids(read, cases_);
    auto kept = std::make_shared<const AnswerPredictions>(std::move(read));
    predictions_[digest] = kept;
    return Predictions(kept);
  }

  void add(const std::string& split, DiagnosisCase entry) {
    const std::string number = decimal(entry.number);
    const bool is_taken =
        std::ranges::any_of(entries_, [&](const CaseEntry& other) { return other.id == number; });
    CaseEntry out{.id = is_taken ? split + "-" + number : number,
                  .name = entry.title,
                  .split = split,
                  .title = entry.title,
                  .patient = entry.title,
                  .counts = {{"images", static_cast<std::int64_t>(entry.images.size())},
                             {"options", static_cast<std::int64_t>(entry.options.size())}},
                  .groups = {},
                  .text = entry.history + "\n"};
    for (const std::string& option : entry.options) out.text += option + "\n";
    std::vector<std::string> modalities;
    for (const CaseImage& image : entry.images) {
      if (std::ranges::find(modalities, image.modality) == modalities.end())
        modalities.push_back(image.modality);
    }
    out.groups = {{"icd_chapter", {entry.icd_chapter}}, {"modality", std::move(modalities)}};
    if (entry.has_key()) {
      out.groups.push_back({"longitudinal", {entry.is_longitudinal ? "yes" : "no"}});
      out.groups.push_back({"key", {std::string(1, entry.key)}});
    }
    entries_.push_back(std::move(out));
    cases_.push_back(std::move(entry));
  }

  std::unique_ptr<DiagnosisDataset> dataset_;
  std::vector<DiagnosisCase> cases_;
  std::vector<CaseEntry> entries_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, Predictions> predictions_;  // by the hash of their file
  mutable std::map<std::string, Verdicts> verdicts_;        // by the digest of their file
};

}  // namespace

CaseSourceKind questions_case_source() {
  return {.kind = "questions",
          .reads = [](const DatasetAdapter& adapter) { return adapter.open_questions != nullptr; },
          .open = QuestionCases::open};
}

}  // namespace fiducial
