#include <array>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/curate/cases/even_selection.h"
#include "fiducial/curate/cases/length_balance.h"
#include "fiducial/curate/engine/item_fields.h"
#include "fiducial/curate/engine/stage_call.h"
#include "fiducial/datasets/medthinkvqa/raw_row.h"

namespace fiducial {

namespace {

void write_question(Json& item, const CroppedCase& question) {
  Json options = Json::Object{};
  for (std::size_t i = 0; i < question.options.size(); ++i)
    options.set(option_letter(i), question.options[i]);
  item.set("options", std::move(options));
  item.set("correct_answer", option_letter(*question.key))
      .set("correct_answer_text", question.options[*question.key]);
  if (item.find("correct_answer_letter") != nullptr)
    item.set("correct_answer_letter", option_letter(*question.key));
  if (item.find("n_options") != nullptr) item.set("n_options", static_cast<std::int64_t>(options_wanted));
}

struct Counted {
  std::array<std::int64_t, options_wanted> letters{};
  std::int64_t longest = 0;

  void add(const CroppedCase& question) {
    ++letters.at(*question.key);
    longest += key_is_longest(question) ? 1 : 0;
  }
  Json json() const {
    Json keys = Json::Object{};
    for (std::size_t i = 0; i < options_wanted; ++i) keys.set(option_letter(i), letters[i]);
    return Json::object({{"keys", std::move(keys)}, {"key_is_longest", longest}});
  }
};

// Cases that can be balanced, each beside its question.
struct BalancedCases {
  std::vector<Item> items;
  std::vector<LengthQuestion> questions;
};

Result<BalancedCases> read_balanced(StageCall& call, ItemReader& reader) {
  BalancedCases out;
  while (true) {
    FIDUCIAL_TRY(std::optional<Item> item, reader.next());
    if (!item) return out;
    Result<LengthQuestion> question = length_question(item->value);
    if (!question.ok()) {
      FIDUCIAL_TRY_DONE(call.record(item->index, item->id(), rejected(question.error().message(), "")));
      continue;
    }
    out.questions.push_back(*std::move(question));
    out.items.push_back(*std::move(item));
  }
}

std::vector<std::string> labels_by(const std::string& kind, const Json& item) {
  std::set<std::string> out;
  if (kind == "icd_chapter") {
    out.insert(first_text(item, {"ICD Chapter"}));
  } else {
    for (const auto& [name, value] : *item.as_object()) {
      const auto slot = medthinkvqa::find_slot_field(name);
      const std::string* text = value.as_string();
      if (slot && slot->text == &medthinkvqa::RawSlot::modality && text != nullptr && !text->empty())
        out.insert(*text);
    }
  }
  if (out.empty()) out.insert("");
  return {out.begin(), out.end()};
}

// Leaves as many cases as are asked for, evenly by what is asked for; the others are removed.
Outcome select_cases(StageCall& call, BalancedCases& cases) {
  const std::vector<std::string>& kinds = call.texts("by");
  if (!call.has("select")) {
    return kinds.empty() ? done() : bad_usage("curate balance: --by needs --select, the number of cases");
  }
  FIDUCIAL_TRY(const std::int64_t count, call.integer("select"));
  if (count < 1) return bad_usage("curate balance: --select is " + decimal(count) + ", expected 1 or more");
  std::vector<CaseLabels> labels;
  for (const Item& item : cases.items) {
    CaseLabels& own = labels.emplace_back();
    for (const std::string& kind : kinds) own.push_back(labels_by(kind, item.value));
  }
  BalancedCases kept;
  const auto chosen = evenly_selected(labels, static_cast<std::size_t>(count), call.random());
  auto next = chosen.begin();
  for (std::size_t i = 0; i < cases.items.size(); ++i) {
    if (next == chosen.end() || *next != i) {
      const ItemStatus status{.status = "removed", .code = "not_selected"};
      FIDUCIAL_TRY_DONE(call.record(cases.items[i].index, cases.items[i].id(), status));
      continue;
    }
    ++next;
    kept.items.push_back(std::move(cases.items[i]));
    kept.questions.push_back(std::move(cases.questions[i]));
  }
  cases = std::move(kept);
  return done();
}

Outcome run_balance(StageCall& call) {
  const Path path = call.text("CASES");
  FIDUCIAL_TRY(ItemReader reader, call.open_items("CASES", path));
  FIDUCIAL_TRY(OutputFile * file, call.output().add_main(reader.form().extension()));
  ItemWriter writer(*file, reader.form());
  FIDUCIAL_TRY(BalancedCases cases, read_balanced(call, reader));
  FIDUCIAL_TRY_DONE(select_cases(call, cases));
  std::vector<Item>& items = cases.items;
  const std::vector<LengthQuestion>& questions = cases.questions;
  const std::vector<std::size_t> ranks = length_targets(questions, call.random());
  const std::vector<std::size_t> letters = balanced_targets(questions.size(), call.random());
  Counted after;
  for (std::size_t i = 0; i < items.size(); ++i) {
    CroppedCase chosen{.options = distractors(questions[i], ranks[i], call.random()), .key = 0};
    chosen.options.insert(chosen.options.begin(), questions[i].key);
    chosen = placed_at(chosen, letters[i], call.random());
    after.add(chosen);
    write_question(items[i].value, chosen);
    const ItemStatus status{
        .status = "changed",
        .facts = Json::object({{"longer_distractors", static_cast<std::int64_t>(ranks[i])}})};
    FIDUCIAL_TRY_DONE(call.record(items[i].index, items[i].id(), status));
    FIDUCIAL_TRY_DONE(writer.write(items[i]));
  }
  call.summary() = after.json();
  FIDUCIAL_TRY_DONE(writer.finish());
  return call.close_items("CASES", path, reader);
}

}  // namespace

Stage balance_stage() {
  return {.name = "balance",
          .summary = "Choose and order five options so that neither the key's length nor its letter tells",
          .example =
              "fiducial curate balance cases.jsonl -o balanced.jsonl --seed 42 --select 720 --by icd_chapter "
              "--by "
              "modality",
          .inputs = {{.name = "CASES",
                      .help = "Cases with five options or more (JSON, JSONL)",
                      .required = true}},
          .options = {{.name = "select", .help = "Keep so many cases", .kind = StageOption::Kind::integer},
                      {.name = "by",
                       .help = "Keep them evenly by this: icd_chapter or modality; may be repeated",
                       .kind = StageOption::Kind::texts,
                       .choices = {"icd_chapter", "modality"}}},
          .draws = true,
          .run = run_balance};
}

}  // namespace fiducial
