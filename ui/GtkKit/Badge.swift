/// The number of things that wait somewhere, as a small text beside a title.
///
/// ```swift
/// Badge(count: 120).text              // "99+"
/// Badge(count: 3).name(of: "Chat")    // "Chat (3)"
/// ```
public struct Badge: Equatable, Sendable {
    /// The number; 0 shows nothing.
    public var count: Int

    /// Creates a badge.
    public init(count: Int) { self.count = count }

    /// The text; empty for 0.
    public var text: String {
        count <= 0 ? "" : count > Self.countMax ? "\(Self.countMax)+" : "\(count)"
    }

    /// Returns the title as a screen reader says it, with the whole number.
    public func name(of title: String) -> String {
        count <= 0 ? title : "\(title) (\(count))"
    }

    /// The largest number that is shown in full.
    private static let countMax = 99
}
