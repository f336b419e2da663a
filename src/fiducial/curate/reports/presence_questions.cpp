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

void PresencePool::add(std::uint32_t volume, std::string_view path, std::string_view finding, bool present,
                       const AnswerWords& words) {
  questions_.push_back({volume, id_of(path), id_of(finding), present, words});
  note_mention(questions_.back().finding, volume);
}

void PresencePool::describe(std::string_view term, std::string_view finding) {
  const std::uint32_t id = id_of(term);
  described_.emplace(id, id_of(finding));
}

std::uint32_t PresencePool::finding_of(std::uint32_t term) const {
  const auto known = described_.find(term);
  return known == described_.end() ? term : known->second;
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
    if (count[1] <= count[0] || described_.contains(key.second)) continue;
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

std::vector<PresenceQuestion> PresencePool::absent_at(const Key& key, const Answers& denied) const {
  std::vector<PresenceQuestion> out;
  for (std::string_view path = names_[key.first]; !path.empty();) {
    const auto id = ids_.find(path);
    const auto found = id == ids_.end() ? denied.end() : denied.find({id->second, finding_of(key.second)});
    if (found != denied.end()) {
      for (const std::size_t at : found->second) out.push_back(questions_[at]);
    }
    const std::size_t above = path.rfind('/');
    path = path.substr(0, above == std::string_view::npos ? 0 : above);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const PresenceQuestion& a, const PresenceQuestion& b) { return a.volume < b.volume; });
  const auto same_volume = [](const PresenceQuestion& a, const PresenceQuestion& b) {
    return a.volume == b.volume;
  };
  out.erase(std::unique(out.begin(), out.end(), same_volume), out.end());
  for (PresenceQuestion& question : out) {
    question.path = key.first;
    question.finding = key.second;
  }
  return out;
}

std::vector<PresenceQuestion> PresencePool::balanced(PythonRandom& random) const {
  std::set<Key> has;  // volume and finding
  for (const PresenceQuestion& question : questions_) {
    if (question.present) has.emplace(question.volume, question.finding);
  }
  Answers stated;
  Answers denied;
  for (std::size_t i = 0; i < questions_.size(); ++i) {
    const PresenceQuestion& question = questions_[i];
    if (!question.present && has.contains({question.volume, question.finding})) continue;
    (question.present ? stated : denied)[{question.path, question.finding}].push_back(i);
  }
  std::vector<PresenceQuestion> out;
  for (const auto& [key, present] : stated) {
    const std::vector<PresenceQuestion> absent = absent_at(key, denied);
    const std::size_t count = std::min(present.size(), absent.size());
    for (const std::size_t at : random.sample(absent.size(), count)) out.push_back(absent[at]);
    for (const std::size_t at : random.sample(present.size(), count)) out.push_back(questions_[present[at]]);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const PresenceQuestion& a, const PresenceQuestion& b) { return a.volume < b.volume; });
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
