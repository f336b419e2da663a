#include "fiducial/curate/reports/presence_questions.h"

#include <algorithm>
#include <array>
#include <set>

namespace fiducial {

namespace {

using QuestionKey = std::pair<std::uint32_t, std::uint32_t>;

// The share of questions that the most frequent answer of their key gets right.
template <typename KeyOf>
double share_of_commonest(const std::vector<PresenceQuestion>& questions, const KeyOf& key_of) {
  std::map<QuestionKey, std::array<std::size_t, 2>> counts;
  for (const PresenceQuestion& question : questions) ++counts[key_of(question)][question.present ? 1 : 0];
  std::size_t right = 0;
  for (const auto& [key, count] : counts) right += std::max(count[0], count[1]);
  return questions.empty() ? 0 : static_cast<double>(right) / static_cast<double>(questions.size());
}

}  // namespace

std::uint32_t PresencePool::id_of(std::string_view name) {
  const auto known = ids_.find(name);
  if (known != ids_.end()) return known->second;
  const auto id = static_cast<std::uint32_t>(names_.size());
  ids_.emplace(std::string(name), id);
  names_.emplace_back(name);
  return id;
}

void PresencePool::add(std::uint32_t volume, std::string_view path, std::string_view finding, bool present) {
  questions_.push_back({volume, id_of(path), id_of(finding), present});
  note_mention(questions_.back().finding, volume);
}

void PresencePool::note_mention(std::uint32_t finding, std::uint32_t volume) {
  std::vector<std::uint32_t>& volumes = mentions_[finding];
  if (volumes.empty() || volumes.back() != volume) volumes.push_back(volume);
}

void PresencePool::mention(std::uint32_t volume, std::string_view finding) {
  note_mention(id_of(finding), volume);
}

std::vector<PresenceQuestion> PresencePool::silent(std::uint32_t volumes, PythonRandom& random) const {
  std::map<QuestionKey, std::array<std::size_t, 2>> counts;
  for (const PresenceQuestion& question : questions_) {
    ++counts[{question.path, question.finding}][question.present ? 1 : 0];
  }
  std::vector<PresenceQuestion> out;
  for (const auto& [key, count] : counts) {
    if (count[1] <= count[0]) continue;
    const std::vector<std::uint32_t>& speaking = mentions_.at(key.second);
    std::vector<std::uint32_t> others;
    for (std::uint32_t volume = 0; volume < volumes; ++volume) {
      if (!std::binary_search(speaking.begin(), speaking.end(), volume)) others.push_back(volume);
    }
    const std::size_t wanted = std::min(count[1] - count[0], others.size());
    for (const std::size_t at : random.sample(others.size(), wanted)) {
      out.push_back({others[at], key.first, key.second, false});
    }
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const PresenceQuestion& a, const PresenceQuestion& b) { return a.volume < b.volume; });
  return out;
}

std::vector<PresenceQuestion> PresencePool::balanced(PythonRandom& random) const {
  std::set<QuestionKey> stated;
  for (const PresenceQuestion& question : questions_) {
    if (question.present) stated.emplace(question.volume, question.finding);
  }
  std::map<QuestionKey, std::array<std::vector<std::size_t>, 2>> by_key;
  for (std::size_t i = 0; i < questions_.size(); ++i) {
    if (!questions_[i].present && stated.contains({questions_[i].volume, questions_[i].finding})) continue;
    by_key[{questions_[i].path, questions_[i].finding}][questions_[i].present ? 1 : 0].push_back(i);
  }
  std::vector<std::size_t> kept;
  for (const auto& [key, answers] : by_key) {
    const std::size_t count = std::min(answers[0].size(), answers[1].size());
    for (const std::vector<std::size_t>& each : answers) {
      for (const std::size_t at : random.sample(each.size(), count)) kept.push_back(each[at]);
    }
  }
  std::sort(kept.begin(), kept.end());
  std::vector<PresenceQuestion> out;
  out.reserve(kept.size());
  for (const std::size_t at : kept) out.push_back(questions_[at]);
  return out;
}

BlindAccuracy blind_accuracy(const std::vector<PresenceQuestion>& questions) {
  return {.by_finding = share_of_commonest(questions,
                                           [](const auto& each) {
                                             return QuestionKey{0, each.finding};
                                           }),
          .by_finding_and_region = share_of_commonest(questions,
                                                      [](const auto& each) {
                                                        return QuestionKey{each.path, each.finding};
                                                      }),
          .by_majority = share_of_commonest(questions, [](const auto&) {
            return QuestionKey{0, 0};
          })};
}

}  // namespace fiducial
