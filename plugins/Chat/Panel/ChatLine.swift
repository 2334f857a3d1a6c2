import ChatAPI
import Contract
import Foundation

/// One line of a conversation as it is shown.
enum ChatLine: Equatable, Sendable {
    /// The day of the messages below, such as "Today".
    case day(ChatDay, String)
    /// "You read up to here."
    case divider
    case message(ChatBubble)

    /// Identifies the line for as long as it is shown, whatever it says.
    enum ID: Hashable {
        case day(ChatDay)
        case divider
        case message(RecordKey)
    }

    /// The identity of the line.
    var id: ID {
        switch self {
        case .day(let day, _): .day(day)
        case .divider: .divider
        case .message(let bubble): .message(bubble.message.id)
        }
    }
}

/// A message with what is written around it. Messages of one author in one minute are a group: the
/// author is above the first, the time and the delivery state under the last.
struct ChatBubble: Equatable, Sendable {
    let message: ChatMessage
    /// Whether it is the first of its group.
    var isFirst = true
    /// The author's name above it, in a room of several people.
    var author: String?
    /// The time and the delivery state under it; nil unless it is the last of its group.
    var caption: String?
    /// Whether it is the message that was searched for.
    var isFound = false
}

extension ChatTimeline {
    /// Returns the lines of the loaded messages, the oldest first.
    func lines(now: Timestamp, in zone: TimeZone = .autoupdatingCurrent) -> [ChatLine] {
        var lines: [ChatLine] = []
        var before: ChatMessage?
        let (messages, divider) = (shown, shownDivider)
        for (index, message) in messages.enumerated() {
            let day = ChatDay(message.atMs, in: zone)
            if before.map({ ChatDay($0.atMs, in: zone) }) != day {
                lines.append(.day(day, ChatText.day(message.atMs, now: now, in: zone)))
            }
            let isFirstUnread = message.id == divider
            if isFirstUnread { lines.append(.divider) }
            let after = messages.indices.contains(index + 1) ? messages[index + 1] : nil
            var bubble = ChatBubble(message: message, isFound: message.id == found)
            bubble.isFirst = isFirstUnread || !isGroup(before, message)
            if bubble.isFirst, !message.isMine, room?.kind == .group {
                bubble.author = message.authorText
            }
            if !isGroup(message, after) || after?.id == divider {
                bubble.caption = [ChatText.time(message.atMs, in: zone), message.stateText]
                    .compactMap { $0 }.joined(separator: " · ")
            }
            lines.append(.message(bubble))
            before = message
        }
        return lines
    }

    /// Whether two messages below each other belong together.
    private func isGroup(_ one: ChatMessage?, _ other: ChatMessage?) -> Bool {
        guard let one, let other else { return false }
        let minutes = [one, other].map { $0.atMs.milliseconds / 60_000 }
        return one.from == other.from && minutes[0] == minutes[1]
            && one.stateText == other.stateText
    }
}

/// The difference between the lines that are shown and those to be shown. Only lines that are made
/// or changed cost anything: a message that arrives makes one and changes the caption of another.
struct ChatLineChanges: Equatable {
    /// Lines that were not shown.
    private(set) var made: [ChatLine] = []
    /// Lines that were shown and say something else now.
    private(set) var changed: [ChatLine] = []
    /// Lines that are shown no longer.
    private(set) var removed: [ChatLine.ID] = []

    /// Compares two lists of lines.
    init(from old: [ChatLine], to new: [ChatLine]) {
        var left = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for line in new {
            guard let shown = left.removeValue(forKey: line.id) else {
                made.append(line)
                continue
            }
            if shown != line { changed.append(line) }
        }
        removed = old.map(\.id).filter { left[$0] != nil }
    }
}
