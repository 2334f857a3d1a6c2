/// The part of a practice mate in a plugin. A practice mate is a second node on the same computer,
/// with which one person tries everything alone; it runs the commands that a person would run.
///
/// ```swift
/// public static var practice: PracticePart? {
///     PracticePart { mate in
///         for wave in try await mate.node.call(WaveCommands.list).waves
///         where await mate.hasThought(about: wave.id.string) {
///             try await mate.node.call(WaveCommands.send, SendWave(to: NameOrKey(wave.from)))
///         }
///     }
/// }
/// ```
public struct PracticePart: Sendable {
    /// Answers everything that waits for the practice mate. It is called about once a second, and
    /// again after an error.
    public let playAlong: @Sendable (any PracticePlayer) async throws -> Void
    /// Erases what the user wrote to the practice mate, on the user's own node.
    public let erase: @Sendable (_ yours: any PracticeNode, _ mate: Key) async throws -> Void

    /// Creates a part.
    public init(
        playAlong: @escaping @Sendable (any PracticePlayer) async throws -> Void,
        erase: @escaping @Sendable (any PracticeNode, Key) async throws -> Void = { _, _ in }
    ) {
        self.playAlong = playAlong
        self.erase = erase
    }
}

/// A practice mate as a plugin sees it.
public protocol PracticePlayer: Sendable {
    /// The practice mate's own node.
    var node: any PracticeNode { get }
    /// The devices nearby whose person waits to meet another, which a plugin's switch says; see
    /// ``Manifest/AnnouncedField/opensMeeting``.
    func devicesOpenToMeet() async throws -> [Key]
    /// Whether a matter has waited for as long as a person thinks. A plugin asks with the same text
    /// for as long as the matter waits.
    func hasThought(about matter: String) async -> Bool
    /// Makes a matter that comes again wait from the beginning.
    func forget(_ matter: String) async
}

/// A node whose commands a practice mate performs.
public protocol PracticeNode: Sendable {
    /// Performs a command by its contract.
    @discardableResult
    func call<Request, Answer>(
        _ command: Command<Request, Answer>, _ request: Request
    ) async throws -> Answer
}

extension PracticeNode {
    /// Performs a command without parameters.
    @discardableResult
    public func call<Answer>(_ command: Command<NoParameters, Answer>) async throws -> Answer {
        try await call(command, NoParameters())
    }
}
