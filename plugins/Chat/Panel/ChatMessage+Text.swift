import ChatAPI
import Contract

extension ChatMessage {
    /// The delivery state in words; nil for a message of another person.
    var stateText: String? {
        switch state {
        case .queued: "will send when you meet"
        case .sent: "sent"
        case .delivered:
            if let read, read.value > 0 {
                "read by \(read) of \(receivers?.value ?? 0)"
            } else {
                "delivered"
            }
        case .read: "read"
        case .unknown, nil: nil
        }
    }
}

extension ChatRoom {
    /// The last message on one line.
    var lastLine: String {
        guard let lastText else { return "No messages yet" }
        return (lastIsMine == true ? "You: " : "") + ChatText.oneLine(lastText.string)
    }

    /// The room's name for a screen reader.
    var spoken: String {
        unread == 0 ? title.string : "\(title), \(unread) unread"
    }
}
