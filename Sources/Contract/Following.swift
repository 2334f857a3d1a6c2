/// The state of a repeated query: its next arguments, and whether an answer contains anything new.
public struct Following: Sendable {
    /// The arguments of the next repetition.
    public private(set) var question: Arguments
    /// Whether the last answer contained anything new, so that the next one may at once contain
    /// more.
    public private(set) var hasMore = false

    private let goesOn: Bool
    private var last: JSONValue?

    /// Creates the state of a query that was asked with these arguments.
    public init(_ declaration: CommandDeclaration, _ arguments: Arguments) {
        question = arguments
        goesOn = declaration.parameters.contains { $0.name == Self.cursor && !$0.isList }
    }

    /// Processes an answer.
    /// - Returns: whether it contains anything new.
    public mutating func receive(_ answer: JSONValue) -> Bool {
        guard goesOn, let after = answer[Self.cursor]?.string else {
            defer { last = answer }
            return answer != last
        }
        hasMore = answer.hasElements && question[Self.cursor]?.string != after
        question = question.setting(Self.cursor, to: .string(after))
        return answer.hasElements
    }

    /// Returns the part of an answer for a person: everything but the cursor.
    public func news(in answer: JSONValue) -> JSONValue {
        guard goesOn, case .object(var members) = answer else { return answer }
        members[Self.cursor] = nil
        return .object(members)
    }

    /// The name of the parameter, and of the answer's member, at which a query continues.
    private static let cursor = "after"
}

extension JSONValue {
    /// Whether any list of the object has elements.
    fileprivate var hasElements: Bool {
        guard case .object(let members) = self else { return false }
        return members.values.contains { $0.array?.isEmpty == false }
    }
}
