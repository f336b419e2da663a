#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/curate/cases/leakage_reply.h"
#include "fiducial/curate/engine/stage_call.h"
#include "fiducial/text/label_mentions.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

constexpr std::initializer_list<const char*> history_fields = {"CLINICAL_HISTORY", "clinical_history",
                                                               "ClinicalHistory", "history", "History"};

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

// One item as the detector sees it.
struct Exposed {
  std::string history;
  std::vector<LetteredOption> options;
  std::optional<std::string> key;
  std::string key_text;
};

Exposed exposed(const Json& item) {
  Exposed out{.history = first_text(item, history_fields)};
  for (const char* name : {"options", "gpt_options"}) {
    if (out.options.empty() && item.find(name) != nullptr) out.options = judged_options(*item.find(name));
  }
  out.key =
      key_letter(first_text(item, {"correct_answer", "correct_answer_letter", "gt_letter"}), out.options);
  for (const LetteredOption& option : out.options) {
    if (out.key == option.letter) out.key_text = option.text;
  }
  if (out.key_text.empty()) out.key_text = first_text(item, {"correct_answer_text"});
  return out;
}

ModelRequest request_for(const Exposed& item) {
  std::string user = "Options:\n";
  for (const LetteredOption& option : item.options) user += option.letter + ") " + option.text + "\n";
  user += "\nClinical history:\n" + item.history;
  return {.prompt = "leakage/1",
          .system = leakage_system_words,
          .user = std::move(user),
          .schema = leakage_reply_schema()};
}

// The text between two characters, or nothing where there are none.
std::optional<std::string> characters(std::string_view text, std::int64_t begin, std::int64_t end) {
  std::int64_t count = 0;
  std::optional<std::size_t> from;
  for (std::size_t at = 0;; at += first_code_point(text.substr(at)).bytes, ++count) {
    if (count == begin) from = at;
    if (count == end && from) return std::string(text.substr(*from, at - *from));
    if (at >= text.size()) return std::nullopt;
  }
}

// What a judge says, once it was held against its schema and against the history.
struct Judged {
  std::string objection;  // empty where the reply can be used
  bool has_leak = false;
  std::vector<std::string> letters;
  Json evidence = Json::Array{};
  Json reason;
};

Judged judged(const Json& reply, const Exposed& item, bool strict) {
  Judged out;
  const std::optional<bool> flag = flag_at(reply, "has_leak");
  if (!flag) return {.objection = "expected has_leak to be true or false"};
  const Json* named = reply.find("leaked_options");
  if (named != nullptr && named->as_array() == nullptr)
    return {.objection = "expected leaked_options to be a list"};
  out.letters = leaked_letters(named, item.options);
  out.has_leak = *flag && !out.letters.empty();
  if (const Json* reason = reply.find("non_leak_reason")) out.reason = *reason;
  const Json::Array* evidence = find_array(reply, "evidence");
  if (!strict || evidence == nullptr) return out;
  for (const Json& each : *evidence) {
    const Json* begin = each.find("start");
    const Json* end = each.find("end");
    const std::string quote = scalar_text(each.find("quote")).value_or("");
    const bool placed =
        begin != nullptr && begin->as_integer() != nullptr && end != nullptr && end->as_integer() != nullptr;
    Json checked = each;
    if (checked.as_object() == nullptr) return {.objection = "expected evidence to be a list of objects"};
    checked.set("verbatim",
                placed && characters(item.history, *begin->as_integer(), *end->as_integer()) == quote);
    out.evidence.push(std::move(checked));
  }
  return out;
}

Json texts_json(const std::vector<std::string>& letters, const Exposed& item) {
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
Json row_json(const Item& item, const Exposed& seen, const Judged& judge, const ModelReply& reply) {
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

Json mention_json(const LabelMention& mention, const Exposed& item) {
  return Json::object({{"option", item.options[mention.label].letter},
                       {"level", to_string(mention.level)},
                       {"quote", mention.text},
                       {"start", static_cast<std::int64_t>(mention.begin)},
                       {"end", static_cast<std::int64_t>(mention.end)},
                       {"negated", mention.is_negated},
                       {"uncertain", mention.is_uncertain},
                       {"cue", mention.cue}});
}

Json mentions_json(const std::vector<LabelMention>& mentions, const Exposed& item) {
  Json out = Json::Array{};
  for (const LabelMention& mention : mentions) out.push(mention_json(mention, item));
  return out;
}

// A diagnosis that is denied is not given away.
bool has_leak_by_search(const std::vector<LabelMention>& mentions) {
  return std::any_of(mentions.begin(), mentions.end(),
                     [](const LabelMention& mention) { return !mention.is_negated; });
}

// What a search says where no judge was asked: options in their order, each once.
Judged found_by_search(const std::vector<LabelMention>& mentions, const Exposed& item) {
  Judged out{.has_leak = has_leak_by_search(mentions)};
  for (std::size_t i = 0; i < item.options.size(); ++i) {
    const bool is_named = std::any_of(mentions.begin(), mentions.end(), [i](const LabelMention& mention) {
      return mention.label == i && !mention.is_negated;
    });
    if (is_named) out.letters.push_back(item.options[i].letter);
  }
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
    const Exposed seen = exposed(item.value);
    const std::vector<LabelMention> mentions =
        call_.strict() ? mentions_in(seen) : std::vector<LabelMention>();
    ModelReply reply;
    Judged judge = found_by_search(mentions, seen);
    ItemStatus status;
    if (has_judge()) {
      judge = {};
      FIDUCIAL_TRY(const std::optional<ModelReply> found, call_.ask(request_for(seen), item.id()));
      if (!found) return done();
      reply = *found;
      if (reply.error.empty()) judge = judged(reply.value, seen, call_.strict());
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

  std::vector<LabelMention> mentions_in(const Exposed& seen) const {
    std::vector<std::string> labels;
    for (const LetteredOption& option : seen.options) labels.push_back(option.text);
    return label_mentions(seen.history, labels, synonyms_);
  }

  // What strict rows say beside the published ones: the status, and the judge's evidence.
  void complete(Json& row, ItemStatus& status, const Judged& judge, bool is_found) const {
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
  return {
      .name = "leakage",
      .summary = "Find diagnoses that the history gives away: by a search, and by a judge's replies",
      .example = "fiducial curate leakage cases.json --replay replies.jsonl -o leaks.jsonl",
      .inputs = {{.name = "CASES",
                  .help = "Cases with a history and options (JSON, JSONL)",
                  .required = true}},
      .options = {{.name = "synonyms", .help = "Names that mean the same, a group a line, separated by |"}},
      .asks = true,
      .run = run_leakage};
}

}  // namespace fiducial
