#include "fiducial/datasets/radgenome/blind.h"

#include <algorithm>
#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/cases/grounded_case.h"

namespace fiducial::radgenome {

namespace {

// Questions of one key and answer, as a range of the sorted list.
struct AnswerBlock {
  std::uint32_t answer = 0;
  std::array<std::int64_t, 2> by_half{};
};

using QuestionIterator = std::vector<BlindQuestion>::const_iterator;

std::vector<AnswerBlock> blocks_of(QuestionIterator begin, QuestionIterator end,
                                   const std::vector<std::uint8_t>& halves) {
  std::vector<AnswerBlock> out;
  for (auto at = begin; at != end; ++at) {
    if (out.empty() || out.back().answer != at->answer) out.push_back({at->answer, {}});
    ++out.back().by_half[halves[at->patient]];
  }
  return out;
}

// The answer that a half gives most often; the first where several are.
const AnswerBlock* commonest(const std::vector<AnswerBlock>& blocks, std::size_t half) {
  const AnswerBlock* best = nullptr;
  for (const AnswerBlock& block : blocks) {
    if (block.by_half[half] > (best == nullptr ? 0 : best->by_half[half])) best = &block;
  }
  return best;
}

std::array<std::uint32_t, 2> commonest_of_all(const std::vector<BlindQuestion>& questions,
                                              const std::vector<std::uint8_t>& halves) {
  std::map<std::uint32_t, AnswerBlock> counts;
  for (const BlindQuestion& question : questions) {
    ++counts.try_emplace(question.answer, AnswerBlock{question.answer, {}})
          .first->second.by_half[halves[question.patient]];
  }
  std::vector<AnswerBlock> blocks;
  blocks.reserve(counts.size());
  for (const auto& [answer, block] : counts) blocks.push_back(block);
  std::array<std::uint32_t, 2> out{};
  for (std::size_t half = 0; half < 2; ++half) {
    const AnswerBlock* best = commonest(blocks, half);
    out.at(half) = best == nullptr ? 0 : best->answer;
  }
  return out;
}

// How many questions are answered right, each half by what was learnt from the other.
std::int64_t right_answers(const std::vector<BlindQuestion>& sorted,
                           const std::vector<std::uint8_t>& halves) {
  const std::array<std::uint32_t, 2> usual = commonest_of_all(sorted, halves);
  std::int64_t right = 0;
  for (auto begin = sorted.begin(); begin != sorted.end();) {
    const auto end =
        std::find_if(begin, sorted.end(), [&](const BlindQuestion& each) { return each.key != begin->key; });
    const std::vector<AnswerBlock> blocks = blocks_of(begin, end, halves);
    for (std::size_t half = 0; half < 2; ++half) {
      const AnswerBlock* learnt = commonest(blocks, half);
      const std::uint32_t guess = learnt != nullptr ? learnt->answer : usual.at(half);
      for (const AnswerBlock& block : blocks) {
        if (block.answer == guess) right += block.by_half[1 - half];
      }
    }
    begin = end;
  }
  return right;
}

std::uint64_t mixed(std::uint32_t a, std::uint32_t b) { return (static_cast<std::uint64_t>(a) << 32U) | b; }

// Numbers from 0 in the order in which values first come.
class OrderOfAppearance {
 public:
  std::uint32_t number_of(std::uint64_t value) {
    return numbers_.emplace(value, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

// Questions of a split with numbers for patients, keys and answers. They follow from the rows of a table, so
// that its baselines are the same whatever tables are read beside it.
class BlindQuestions {
 public:
  explicit BlindQuestions(const Split& split) : split_(split), patients_(split.volumes.size()) {
    TextPool names;
    for (std::uint32_t i = 0; i < split.volumes.size(); ++i) {
      patients_[i] = names.id_of(patient_of(split.volumes.text(i)));
    }
  }

  template <typename KeyOf, typename AnswerOf>
  std::vector<BlindQuestion> of(const PooledTable& table, const KeyOf& key_of,
                                const AnswerOf& answer_of) const {
    OrderOfAppearance patients, keys, answers;
    std::vector<BlindQuestion> out;
    out.reserve(table.rows.size());
    for (const PooledRow& row : table.rows) {
      out.push_back({patients.number_of(patients_[row.volume]), keys.number_of(key_of(row)),
                     answers.number_of(answer_of(row))});
    }
    return out;
  }

  const Split& split() const { return split_; }

 private:
  const Split& split_;
  std::vector<std::uint32_t> patients_;  // by volume
};

std::uint64_t no_key(const PooledRow&) { return 0; }
std::uint64_t finding_key(const PooledRow& row) { return row.finding; }
std::uint64_t place_key(const PooledRow& row) { return row.place; }
std::uint64_t question_key(const PooledRow& row) { return mixed(row.place, row.finding); }
std::uint32_t whole_answer(const PooledRow& row) { return row.answer; }

}  // namespace

std::vector<std::uint8_t> halved_patients(std::size_t patients, Random& random) {
  std::vector<std::uint32_t> order(patients);
  for (std::size_t i = 0; i < patients; ++i) order[i] = static_cast<std::uint32_t>(i);
  for (std::size_t i = patients; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::vector<std::uint8_t> out(patients);
  for (std::size_t i = 0; i < patients; ++i) out[order[i]] = i < patients / 2 ? 0 : 1;
  return out;
}

std::optional<double> blind_accuracy(std::vector<BlindQuestion> questions, std::uint64_t seed) {
  std::uint32_t patients = 0;
  for (const BlindQuestion& each : questions) patients = std::max(patients, each.patient + 1);
  if (patients < 2) return std::nullopt;
  std::sort(questions.begin(), questions.end(), [](const BlindQuestion& a, const BlindQuestion& b) {
    return a.key != b.key ? a.key < b.key : a.answer < b.answer;
  });
  Random random(seed, "blind");
  std::int64_t right = 0;
  for (int i = 0; i < blind_halvings; ++i)
    right += right_answers(questions, halved_patients(patients, random));
  return static_cast<double>(right) / (blind_halvings * static_cast<double>(questions.size()));
}

BlindBaselines blind_baselines(const Split& split, std::uint64_t seed) {
  const BlindQuestions questions(split);
  BlindBaselines out;
  const auto add = [&](TableKind kind, const char* known, const char* measure, auto key_of, auto answer_of) {
    const PooledTable* table = split.find(kind);
    if (table == nullptr || table->rows.empty()) return;
    out.values.push_back({std::string(layout_of(kind).task), known, measure,
                          static_cast<std::int64_t>(table->rows.size()),
                          blind_accuracy(questions.of(*table, key_of, answer_of), seed)});
  };
  TextPool heads;
  std::vector<std::uint32_t> head_of_text(split.texts.size());
  for (std::uint32_t i = 0; i < split.texts.size(); ++i) {
    head_of_text[i] = heads.id_of(head_of(split.texts.text(i)));
  }
  const auto head_answer = [&head_of_text](const PooledRow& row) { return head_of_text[row.answer]; };
  add(TableKind::presence, "nothing", "accuracy", no_key, whole_answer);
  add(TableKind::presence, "finding", "accuracy", finding_key, whole_answer);
  add(TableKind::presence, "finding_and_region", "accuracy", question_key, whole_answer);
  add(TableKind::abnormality, "nothing", "exact", no_key, whole_answer);
  add(TableKind::abnormality, "region", "exact", place_key, whole_answer);
  add(TableKind::location, "nothing", "exact", no_key, whole_answer);
  add(TableKind::location, "finding", "exact", finding_key, whole_answer);
  add(TableKind::location, "nothing", "head", no_key, head_answer);
  add(TableKind::location, "finding", "head", finding_key, head_answer);
  add(TableKind::disorders, "nothing", "exact", no_key, whole_answer);
  return out;
}

const BlindBaselines::Value* BlindBaselines::find(std::string_view task, std::string_view known,
                                                  std::string_view measure) const {
  for (const Value& each : values) {
    if (each.task == task && each.known == known && each.measure == measure) return &each;
  }
  return nullptr;
}

Json BlindBaselines::json() const {
  Json::Object out;
  for (const Value& each : values) {
    if (out.empty() || out.back().first != each.task) {
      out.emplace_back(each.task, Json::object({{"questions", each.questions}}));
    }
    out.back().second.set(each.measure + "_by_" + each.known, each.value ? Json(*each.value) : Json());
  }
  return out;
}

std::string BlindBaselines::text() const {
  std::string out;
  std::string task;
  for (const Value& each : values) {
    if (!each.value) continue;
    out += each.task == task ? ", " : (out.empty() ? "" : "\n") + std::string("  ") + each.task + ": ";
    task = each.task;
    out += each.measure + " " + fixed(*each.value, 4) +
           (each.known == "nothing" ? " by the commonest answer" : " by " + each.known);
  }
  return out.empty() ? out : "without the image:\n" + out + "\n";
}

}  // namespace fiducial::radgenome
