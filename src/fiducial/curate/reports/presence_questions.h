#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fiducial/base/python_random.h"
#include "fiducial/text/vocabulary.h"

namespace fiducial {

// The words of a report that an answer is from: the number of their sentence, and their characters.
struct AnswerWords {
  std::uint32_t sentence = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool is_judged = false;  // they stand in the impression
};

// A yes/no question about a volume, answered by what its report states or denies.
struct PresenceQuestion {
  std::uint32_t volume = 0;
  std::uint32_t path = 0;     // of PresencePool::name()
  std::uint32_t finding = 0;  // likewise
  bool present = true;
  AnswerWords words{};  // none where a report is silent
};

// How well an answer can be guessed from the question alone, by its most frequent answer.
struct BlindAccuracy {
  double by_finding = 0;
  double by_finding_and_region = 0;
  double by_majority = 0;
};

// Collects questions of a corpus, and draws a set whose answers cannot be guessed: for every finding and
// region as many that are stated as that are denied. Silence is no denial and no question.
class PresencePool {
 public:
  // Volumes come in ascending order.
  void add(std::uint32_t volume, std::string_view path, std::string_view finding, bool present,
           const AnswerWords& words = {});

  // Says that a name is a finding with more words ("multiple nodules"): where the finding is denied, so is
  // it.
  void describe(std::string_view term, std::string_view finding);

  // A finding that a volume's report speaks of without a place: it is not silent about it.
  void mention(std::uint32_t volume, std::string_view finding);

  const std::vector<PresenceQuestion>& all() const { return questions_; }
  // By volume. What is denied of a place is denied of all its parts, so a part may be asked about where
  // others have the finding. A finding that a volume has in one place is not asked where it is denied: by
  // volume and finding no two answers differ.
  std::vector<PresenceQuestion> balanced(PythonRandom& random) const;
  // Questions about volumes whose reports never speak of the finding: for every finding and region as many as
  // more are stated than denied, as far as there are volumes. Silence is no proof of absence; they are kept
  // apart.
  std::vector<PresenceQuestion> silent(std::uint32_t volumes, PythonRandom& random) const;
  const std::string& name(std::uint32_t id) const { return names_[id]; }
  // The finding that a name with more words is; itself where it is none.
  std::uint32_t finding_of(std::uint32_t term) const;

 private:
  using Key = std::pair<std::uint32_t, std::uint32_t>;  // path and finding
  using Answers = std::map<Key, std::vector<std::size_t>>;

  std::uint32_t id_of(std::string_view name);
  // The questions, of those that are denied, that answer for a place: its own and those of places above it,
  // one a volume.
  std::vector<PresenceQuestion> absent_at(const Key& key, const Answers& denied) const;
  void note_mention(std::uint32_t finding, std::uint32_t volume);

  std::vector<PresenceQuestion> questions_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> mentions_;  // volumes by finding, ascending
  std::map<std::uint32_t, std::uint32_t> described_;              // findings by their terms
  std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> ids_;
  std::vector<std::string> names_;
};

BlindAccuracy blind_accuracy(const std::vector<PresenceQuestion>& questions);

}  // namespace fiducial
