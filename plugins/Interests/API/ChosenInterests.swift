public import Contract

/// The interests that a person chooses: 5 to 10 different ones.
public struct ChosenInterests: Codable, Hashable, Sendable, SchemaDescribing {
    /// The interests, in the order of ``Interest/index``.
    public let interests: [Interest]

    /// The admitted number of interests.
    public static let count = 5...10

    /// Checks the number of the interests.
    /// - Throws: ``CommandFault/usage(_:field:)`` for fewer than 5 or more than 10,
    ///   ``CommandFault/refused(_:)`` for one that is given twice.
    public init(_ interests: [Interest], field: String = "interest") throws(CommandFault) {
        let different = Set(interests)
        if let twice = interests.first(where: { one in interests.count { $0 == one } > 1 }) {
            throw .refused("'\(field)' has '\(twice.rawValue)' twice")
        }
        guard Self.count.contains(different.count) else {
            throw .usage(
                "Choose \(Self.count.lowerBound) to \(Self.count.upperBound) interests; "
                    + "these are \(different.count).", field: field)
        }
        self.interests = different.sorted { $0.index < $1.index }
    }

    private init(checked interests: [Interest]) { self.interests = interests }

    /// Reads and checks the interests.
    public init(from decoder: any Decoder) throws {
        let interests = try decoder.singleValueContainer().decode([Interest].self)
        self = try Self(interests, field: decoder.codingPath.first?.stringValue ?? "interest")
    }

    /// Writes the interests.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(interests)
    }

    /// A list of 5 to 10 interests.
    public static var schema: Schema { .list(Interest.schema, count: count) }
    /// The first five interests.
    public static var example: ChosenInterests {
        ChosenInterests(checked: Array(Interest.allCases.prefix(count.lowerBound)))
    }
}
