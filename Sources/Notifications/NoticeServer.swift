public import PluginKit

/// The program that shows notices on a desktop. It may be absent, and may come and go.
///
/// Nothing here waits for it. What it could not be told is told when it is there, unless it was
/// withdrawn meanwhile.
public protocol NoticeServer: Sendable {
    /// The acts of the person on notices. The stream ends after ``stop()``.
    var events: AsyncStream<NoticeEvent> { get }
    /// Shows a notice in place of the one with the same tag.
    func show(_ notice: ShownNotice)
    /// Removes a notice.
    func withdraw(_ tag: NoticeTag)
    /// Opens the page of a subject in the window, which is started if it is not running.
    /// - Parameter token: what the server gave to let a window come to the front.
    func open(_ subject: InboxSubject, token: String?)
    /// Removes all notices and ends.
    func stop() async
}

/// A name of a notice; a new one replaces the one with the same name.
public enum NoticeTag: Hashable, Sendable {
    /// The notice about one item of the inbox.
    case subject(InboxSubject)
    /// The one notice that stands for all that are not shown alone.
    case summary
}

/// A notice as the desktop shows it: with the texts that the person's settings permit, within
/// their limits.
public struct ShownNotice: Hashable, Sendable {
    /// Its name.
    public let tag: NoticeTag
    /// The first line.
    public let title: String
    /// The text below; it may be empty.
    public let body: String
    /// The words on the buttons.
    public let actions: [String]

    /// Creates a notice; texts are cut to their limits, and lose control characters.
    public init(tag: NoticeTag, title: String, body: String = "", actions: [String] = []) {
        func cut(_ text: String, _ max: Int) -> String {
            TextRule(characters: 1...max, hasInvisible: false)
                .clip(String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })) ?? ""
        }
        self.tag = tag
        let line = cut(title, NoticeLimits.titleCharactersMax)
        self.title = line.isEmpty ? "Waggle" : line
        self.body = cut(body, NoticeLimits.bodyCharactersMax)
        self.actions = actions.map { cut($0, NoticeLimits.labelCharactersMax) }
    }
}

/// Something that the person did with a notice.
public enum NoticeEvent: Hashable, Sendable {
    /// Pressed the notice itself.
    case opened(NoticeTag, token: String?)
    /// Pressed the button at this index.
    case pressed(NoticeTag, action: Int)
    /// Closed it, or it went away by itself.
    case closed(NoticeTag)
}
