internal import Synchronization

/// The id of one acting request. A node that receives a second request with the same id does not
/// perform it again, so a client that got no answer may send the request once more.
///
/// The client draws one id for each action of the user:
///
///     let id = ActionID(using: &generator)
///     let sent = try await client.answer(to: command, arguments, id: id)
///     // No answer? The same call again is safe.
public struct ActionID: Hashable, Sendable {
    /// The id as it is sent.
    public let string: String

    /// The header of a request over the local API that has the id.
    public static let header = "Idempotency-Key"
    /// The numbers of characters that an id may have.
    public static let lengths = 16...64
    /// The pattern of an id, as a regular expression.
    public static let pattern = "^[0-9A-Za-z_-]{16,64}$"

    /// Reads an id: 16 to 64 ASCII letters, digits, hyphens and underscores. Nil if it is not one.
    public init?(_ string: String) {
        let isAdmitted = string.utf8.allSatisfy { byte in
            switch Character(Unicode.Scalar(byte)) {
            case "0"..."9", "a"..."z", "A"..."Z", "-", "_": true
            default: false
            }
        }
        guard isAdmitted, Self.lengths.contains(string.utf8.count) else { return nil }
        self.string = string
    }

    /// Draws an id: 128 bits, as 32 hexadecimal digits.
    public init(using generator: inout some RandomNumberGenerator) {
        let words = (0..<2).map { _ in String(generator.next() as UInt64, radix: 16) }
        string = words.map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
    }
}

/// The request with an id that the present task performs.
///
/// The records that a request creates get their ids from the request's id, so a request that is
/// performed again after a crash finds the record that it created before, and creates no second
/// one.
public final class PerformedAction: Sendable {
    /// The request of the present task; nil if its request has no id.
    @TaskLocal public static var current: PerformedAction?

    /// The id of the request.
    public let id: ActionID
    private let countsByScope = Mutex<[String: Int]>([:])

    /// Begins to perform a request.
    public init(_ id: ActionID) { self.id = id }

    /// Returns how often this was called for a scope before.
    package func number(in scope: String) -> Int {
        countsByScope.withLock { counts in
            defer { counts[scope, default: 0] += 1 }
            return counts[scope, default: 0]
        }
    }
}
