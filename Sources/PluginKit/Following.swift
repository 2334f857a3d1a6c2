/// Asking one query again and again: what is asked next, and which answers are news.
public struct Following: Sendable {
    /// What is asked next.
    public private(set) var question: Arguments
    /// Whether the last answer was news, so that there may be more of it at once.
    public private(set) var hasMore = false

    private let goesOn: Bool
    private var last: JSONValue?

    /// Follows a query that was asked with these arguments.
    public init(_ declaration: CommandDeclaration, _ arguments: Arguments) {
        question = arguments
        goesOn = declaration.parameters.contains { $0.name == Self.cursor && $0.type == .text }
    }

    /// Takes an answer.
    /// - Returns: whether it says anything new.
    public mutating func takes(_ answer: JSONValue) -> Bool {
        guard goesOn, let after = answer[Self.cursor]?.string else {
            defer { last = answer }
            return answer != last
        }
        hasMore = answer.hasElements && question[Self.cursor]?.string != after
        question = question.setting(Self.cursor, to: .string(after))
        return answer.hasElements
    }

    /// What of an answer is for a person: all but where to go on.
    public func news(in answer: JSONValue) -> JSONValue {
        guard goesOn, case .object(var members) = answer else { return answer }
        members[Self.cursor] = nil
        return .object(members)
    }

    /// The parameter, and the member of the answer, by which a query goes on.
    private static let cursor = "after"
}

extension JSONValue {
    /// Whether a list of the object has something in it.
    fileprivate var hasElements: Bool {
        guard case .object(let members) = self else { return false }
        return members.values.contains { $0.array?.isEmpty == false }
    }
}
