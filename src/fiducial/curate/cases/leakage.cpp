#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/curate/cases/leak_judgement.h"
#include "fiducial/curate/engine/stage_call.h"

namespace fiducial {

namespace {

constexpr const char* leakage_system_words =
    "You look for diagnosis labels that a clinical history gives away. Use the options as a dictionary of "
    "labels only. "
    "A leak is a place where the history states one of them: L3 by its own name; L2 by a synonym, an "
    "acronym, an eponym "
    "or a translation; L1 with uncertainty. Signs, risk factors and findings that merely suggest a diagnosis "
    "are no leak. "
    "Answer with JSON: has_leak, leaked_options (letters), evidence (option, level, quote, start, end: "
    "characters from 0, "
    "half-open, quoted verbatim), non_leak_reason (or null).";

Json leakage_reply_schema() {
  const Json text = Json::object({{"type", "string"}});
  const Json place = Json::object({{"type", "integer"}, {"minimum", 0}});
  Json evidence = Json::object(
      {{"type", "object"},
       {"properties", Json::object({{"option", text},
                                    {"level", Json::object({{"enum", Json::array({"L1", "L2", "L3"})}})},
                                    {"quote", text},
                                    {"start", place},
                                    {"end", place}})},
       {"required", Json::array({"option", "level", "quote", "start", "end"})}});
  return Json::object(
      {{"type", "object"},
       {"properties",
        Json::object({{"has_leak", Json::object({{"type", "boolean"}})},
                      {"leaked_options", Json::object({{"type", "array"}, {"items", text}})},
                      {"evidence", Json::object({{"type", "array"}, {"items", std::move(evidence)}})},
                      {"non_leak_reason", Json::object({{"type", Json::array({"string", "null"})}})}})},
       {"required", Json::array({"has_leak"})}});
}

ModelRequest request_for(const ExposedCase& item) {
  std::string user = "Options:\n";
  for (const LetteredOption& option : item.options) user += option.letter + ") " + option.text + "\n";
  user += "\nClinical history:\n" + item.history;
  return {.prompt = "leakage/1",
          .system = leakage_system_words,
          .user = std::move(user),
          .schema = leakage_reply_schema()};
}

Json texts_json(const std::vector<std::string>& letters, const ExposedCase& item) {
  Json out = Json::Array{};
  for (const LetteredOption& option : item.options) {
    if (std::find(letters.begin(), letters.end(), option.letter) != letters.end()) out.push(option.text);
  }
  return out;
}

Json field_or_null(const Json& item, const char* name) {
  return item.find(name) != nullptr ? *item.find(name) : Json();
}

// The row of one item, with the members of the published script.
Json row_json(const Item& item, const ExposedCase& seen, const LeakJudgement& judge,
              const ModelReply& reply) {
  const bool with_key =
      seen.key && std::find(judge.letters.begin(), judge.letters.end(), *seen.key) != judge.letters.end();
  Json src_key = field_or_null(item.value, "src_key");
  if (src_key.is_null() && !item.key.empty()) src_key = item.key;
  return Json::object(
      {{"title", field_or_null(item.value, "title")},
       {"src_key", std::move(src_key)},
       {"has_leak", judge.has_leak},
       {"leaked_options", Json::strings(judge.letters)},
       {"leaked_option_texts", texts_json(judge.letters, seen)},
       {"non_leak_reason", judge.reason},
       {"includes_correct_answer", with_key},
       {"correct_answer", seen.key ? Json(*seen.key) : Json()},
       {"correct_answer_text", seen.key_text},
       {"tokens", Json::object({{"prompt", reply.prompt_tokens}, {"completion", reply.completion_tokens}})}});
}

Json mention_json(const LabelMention& mention, const ExposedCase& item) {
  return Json::object({{"option", item.options[mention.label].letter},
                       {"level", to_string(mention.level)},
                       {"quote", mention.text},
                       {"start", static_cast<std::int64_t>(mention.begin)},
                       {"end", static_cast<std::int64_t>(mention.end)},
                       {"negated", mention.is_negated},
                       {"uncertain", mention.is_uncertain},
                       {"cue", mention.cue}});
}

Json mentions_json(const std::vector<LabelMention>& mentions, const ExposedCase& item) {
  Json out = Json::Array{};
  for (const LabelMention& mention : mentions) out.push(mention_json(mention, item));
  return out;
}

class LeakageStage {
 public:
  LeakageStage(StageCall& call, LabelSynonyms synonyms) : call_(call), synonyms_(std::move(synonyms)) {}

  Outcome run() {
    const Path path = call_.text("CASES");
    const ItemRules rules{.skips_bad_lines = !call_.strict(), .breaks_at_separators = !call_.strict()};
    FIDUCIAL_TRY(ItemReader reader, call_.open_items("CASES", path, rules));
    FIDUCIAL_TRY(OutputFile * rows, call_.output().add_main(".jsonl"));
    while (true) {
      FIDUCIAL_TRY(const std::optional<Item> item, reader.next());
      if (!item) break;
      const bool is_case =
          !first_text(item->value, history_fields).empty() || item->value.find("options") != nullptr;
      if (is_case) FIDUCIAL_TRY_DONE(detect(*item, *rows));
    }
    if (items_ == 0)
      return Error(ErrorCode::too_many_failures, "there are no cases", Place{.path = path.string()});
    return call_.close_items("CASES", path, reader);
  }

 private:
  // Whether the judge is to be asked: by the published rules always, else where replies or a model are named.
  bool has_judge() const {
    return !call_.strict() || call_.request().replay || !call_.request().model.empty();
  }

  Outcome detect(const Item& item, OutputFile& rows) {
    ++items_;
    const ExposedCase seen = exposed_case(item.value);
    const std::vector<LabelMention> mentions =
        call_.strict() ? mentions_in(seen) : std::vector<LabelMention>();
    ModelReply reply;
    LeakJudgement judge = leaks_by_search(mentions, seen);
    ItemStatus status;
    if (has_judge()) {
      judge = {};
      FIDUCIAL_TRY(const std::optional<ModelReply> found, call_.ask(request_for(seen), item.id()));
      if (!found) return done();
      reply = *found;
      if (reply.error.empty()) judge = judged_leaks(reply.value, seen, call_.strict());
      if (!reply.error.empty()) status = {.status = "error", .code = "judge_error", .detail = reply.error};
      if (!judge.objection.empty())
        status = {.status = "invalid", .code = "reply_invalid", .detail = judge.objection};
    }
    if (!call_.strict() && status.is_failure()) {
      judge = {.reason = "validation_failed"};
      status = {.code = "validation_failed"};
    }
    Json row = row_json(item, seen, judge, reply);
    if (call_.strict()) {
      complete(row, status, judge, has_leak_by_search(mentions));
      row.set("prescan", mentions_json(mentions, seen));
    }
    FIDUCIAL_TRY_DONE(call_.record(item.index, item.id(), status));
    return rows.write(row.compact() + "\n");
  }

  std::vector<LabelMention> mentions_in(const ExposedCase& seen) const {
    std::vector<std::string> labels;
    for (const LetteredOption& option : seen.options) labels.push_back(option.text);
    return label_mentions(seen.history, labels, synonyms_);
  }

  // What strict rows say beside the published ones: the status, and the judge's evidence.
  void complete(Json& row, ItemStatus& status, const LeakJudgement& judge, bool is_found) const {
    if (status.is_failure()) row.set("has_leak", nullptr).set("includes_correct_answer", nullptr);
    if (!status.is_failure() && is_found) status.code = "label_in_history";
    if (!status.is_failure() && judge.has_leak && has_judge()) status.code = "judged_leak";
    for (const Json& each : *judge.evidence.as_array()) {
      if (flag_at(each, "verbatim") == false) status.code = "quote_not_verbatim";
    }
    row.set("status", status.status).set("judged", has_judge()).set("evidence", judge.evidence);
  }

  StageCall& call_;
  LabelSynonyms synonyms_;
  std::int64_t items_ = 0;
};

Outcome run_leakage(StageCall& call) {
  LabelSynonyms synonyms;
  if (call.has("synonyms")) {
    FIDUCIAL_TRY(const std::string text, call.read_input("synonyms", call.text("synonyms")));
    FIDUCIAL_TRY(synonyms, LabelSynonyms::parse(text).in_file(call.text("synonyms")));
  }
  return LeakageStage(call, std::move(synonyms)).run();
}

}  // namespace

Stage leakage_stage() {
  return {.name = "leakage",
          .summary = "Find diagnoses that the history gives away: by a search, and by a judge's replies",
          .example = "fiducial curate leakage cases.json --replay replies.jsonl -o leaks.jsonl",
          .inputs = {{.name = "CASES",
                      .help = "Cases with a history and options (JSON, JSONL)",
                      .required = true}},
          .options = {{.name = "synonyms",
                       .help = "Names that mean the same, a group a line, separated by |",
                       .is_path = true}},
          .asks = true,
          .run = run_leakage};
}

}  // namespace fiducial
