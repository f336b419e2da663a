#pragma once

#include "fiducial/text/answer_mentions.h"

namespace fiducial {

// What the words behind a mention say of it.
enum class MentionVerdict { open, supported, indicated, rejected };

// What is said of a group behind it: "is correct", "can be excluded".
MentionVerdict verdict_after(AnswerSentence tokens, const MentionGroup& group);

// Whether what stands before a group denies it: "not A", "cannot be A", "rather than A".
bool is_denied_before(AnswerSentence tokens, const MentionGroup& group);

// What is said of it holds under a condition, or was thought before.
bool is_hypothetical(AnswerSentence tokens, const MentionGroup& group);

// "Everything but B is excluded"
bool is_spared(AnswerSentence tokens, const MentionGroup& group);

}  // namespace fiducial
