import ChatAPI
import Contract
import PanelKit

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

    /// The name of its photo for the reader.
    var photoText: String {
        isMine ? localized("Photo from you") : localized("Photo from \(authorText)")
    }

    /// The photo, which a command of the node shows or saves.
    @MainActor
    func viewedPhoto(
        _ content: @escaping @MainActor (ShowPhoto) async throws -> PhotoContent
    ) -> ViewedPhoto {
        ViewedPhoto(
            title: photoText, sides: photo, key: "photo \(id)", sender: isMine ? nil : authorText
        ) { save in
            try await content(ShowPhoto(id: RecordPrefix(id), save: save))
        }
    }

    /// The text as it is shown; nil for a photo without words.
    var shownText: String? {
        photo != nil && text.string.isEmpty ? nil : ChatText.shown(text.string)
    }

    /// The message as a screen reader says it: "Photo" stands before its text.
    var spokenText: String {
        guard photo != nil else { return ChatText.shown(text.string) }
        return text.string.isEmpty ? localized("Photo") : localized("Photo: \(text.string)")
    }

    /// The message on one line.
    var line: String { ChatText.oneLine(text.string, photo: photo) }

    /// The author's name for the reader.
    var authorText: String { isMine ? localized("You") : name?.string ?? localized("Someone") }
}

extension ChatRoom {
    /// The last message on one line.
    var lastLine: String {
        guard let lastText else { return localized("No messages yet") }
        return (lastIsMine == true ? localized("You: ") : "")
            + ChatText.oneLine(lastText.string, photo: lastPhoto)
    }

    /// The key that decides the colour of the room's avatar.
    var avatarKey: String { (person ?? id).string }
}
