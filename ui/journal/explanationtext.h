#pragma once

#include "mock/mockservice.h"

#include <QString>

namespace wardbench {

/// The match explanation as rich text: what answered or that nothing did, then the stubs, nearest first, with each
/// condition of the nearest one as holding or failing and what the request had. An entry with sequence 0 was asked
/// about only.
QString explanationHtml(const MatchExplanation &explanation, const JournalEntry &entry, const QString &mockName,
                        int responses);

/// A message as it went over the wire, with bodies as text; cut ones say so.
QString requestText(const JournalEntry &entry);
QString responseText(const JournalEntry &entry);

} // namespace wardbench
