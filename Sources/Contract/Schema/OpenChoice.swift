/// A choice in an answer to which a newer node may add values. A program reads a value that it does
/// not know as ``unknown``.
///
///     enum PromiseMedal: String, OpenChoice { case gold, silver, bronze, unknown }
public protocol OpenChoice: Choice {
    /// A value of a newer node. No node writes it.
    static var unknown: Self { get }
}

extension OpenChoice {
    /// Returns the case with this value, or ``unknown``.
    public init(word: String) { self = Self(rawValue: word) ?? .unknown }

    /// Reads a value.
    public init(from decoder: any Decoder) throws {
        self.init(word: try decoder.singleValueContainer().decode(String.self))
    }

    /// One of the known values.
    public static var schema: Schema {
        .text(.choice(allCases.filter { $0 != .unknown }.map(\.rawValue)))
    }
}
