/// The name of an inbox item: there is one item for each kind and reference. A click on the notice
/// about it carries this name from the node to the window, as a text such as `walk/1b5d2e`.
public struct InboxSubject: Hashable, Sendable {
    /// The kind of the item, as in `walk`.
    public let kind: InboxKind
    /// The id of the item's subject.
    public let reference: String

    /// Names an item.
    public init(_ kind: InboxKind, _ reference: String) {
        self.kind = kind
        self.reference = reference
    }

    /// The inbox itself.
    public static let inbox = InboxSubject("inbox", "")
}

extension InboxSubject: LosslessStringConvertible {
    /// The longest text that is read, in bytes.
    public static let textBytesMax = 256

    /// Reads a text from outside; nil if it names no item.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.textBytesMax, parts.count == 2,
            let kind = try? InboxKind(String(parts[0]))
        else { return nil }
        self.init(kind, String(parts[1]))
    }

    /// The text that ``init(_:)-(String)`` reads.
    public var description: String { "\(kind)/\(reference)" }
}
