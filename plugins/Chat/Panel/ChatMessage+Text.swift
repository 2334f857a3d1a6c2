import ChatAPI
import Contract

extension ChatMessage {
    /// The delivery state in words; nil for a message of another person.
    var stateText: String? {
        switch state {
        case .queued: localized("Will send when you meet")
        case .sent: localized("Sent")
        case .delivered:
            if let read, read.value > 0 {
                localized("Read by \(read) of \(receivers?.value ?? 0)")
            } else {
                localized("Delivered")
            }
        case .read: localized("Read")
        case .unknown, nil: nil
        }
    }

    /// The author's name for the reader.
    var authorText: String { isMine ? localized("You") : name?.string ?? localized("Someone") }
}

extension ChatRoom {
    /// The last message on one line.
    var lastLine: String {
        guard let lastText else { return localized("No messages yet") }
        return (lastIsMine == true ? localized("You: ") : "") + ChatText.oneLine(lastText.string)
    }

    /// The key that decides the colour of the room's avatar.
    var avatarKey: String { (person ?? id).string }
}
