public import PluginKit

/// The choices of the person about notices on the desktop.
public struct NoticePreferences: Hashable, Sendable {
    /// The amount that a notice says. Other people may see the screen.
    public enum Level: String, CaseIterable, Sendable {
        /// Names and texts.
        case everything
        /// Names and no texts.
        case names
        /// Only that there is something new.
        case new
    }

    /// The amount that notices say.
    public var level: Level
    /// The time in which nothing is shown.
    public var quiet: QuietHours?
    /// The kinds that are not shown.
    public var off: Set<InboxKind>

    /// Creates preferences; without arguments everything is shown at all times.
    public init(
        level: Level = .everything, quiet: QuietHours? = nil, off: Set<InboxKind> = []
    ) {
        self.level = level
        self.quiet = quiet
        self.off = off
    }
}
