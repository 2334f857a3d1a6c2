/// What "drop show" answers: how far the node's drop has come.
struct DropSession: Decodable, Equatable, Sendable {
    enum Phase: String, Sendable {
        case idle, finding, exchanging, deciding, waiting, mates, declined, failed, cancelled

        /// Whether something is going on that can be cancelled.
        var isActive: Bool { self == .finding || self == .exchanging || self == .deciding }
    }

    /// The other side, as far as it is known.
    struct Peer: Decodable, Equatable, Sendable {
        var device: String
        var suffix: String
        var card: CardFields?

        /// What to call them.
        var name: String {
            card?.rows.first { $0.label == CardFields.label(of: "nickname") }?.value
                ?? "Somebody (\(suffix))"
        }
    }

    var phase: Phase
    var id: String?
    var share: Bool?
    /// Seconds that were left of the phase when the node answered.
    var secondsLeft: Int?
    var checkCode: String?
    var peer: Peer?
    /// "accept" or "decline", once this side has said so.
    var myAnswer: String?
    /// Why it failed, as a sentence.
    var reason: String?
    /// Whether somebody has begun a drop with this device and waits for its press.
    var incoming: Bool?
    /// Those who pressed Drop at the same time, where they are several and one has to be chosen.
    var candidates: [Peer]?

    static let idle = DropSession(phase: .idle)

    /// Whether somebody waits for this side to begin.
    var isInvitation: Bool { phase == .idle && incoming == true && peer != nil }

    /// The check code in two groups, as it is read aloud.
    var spelledCheckCode: String? {
        checkCode.map { code in
            code.count == 6 ? "\(code.prefix(3)) \(code.suffix(3))" : code
        }
    }
}

extension DropSession.Phase: Decodable {
    /// Reads a phase; one that this panel does not know counts as failed, so that nothing waits.
    init(from decoder: any Decoder) throws {
        let name = try decoder.singleValueContainer().decode(String.self)
        self = Self(rawValue: name) ?? .failed
    }
}

/// What "drop preview" answers: exactly what Share would send.
struct DropPreview: Decodable, Equatable, Sendable {
    var fields: CardFields
    var keptPrivate: [String]

    /// The fields that stay here, in words, or nil where none does.
    var keptPrivateText: String? {
        guard !keptPrivate.isEmpty else { return nil }
        return keptPrivate.map { CardFields.label(of: $0).lowercased() }.joined(separator: ", ")
    }
}

/// Somebody a drop can be aimed at, as "nearby list" tells.
struct DropCandidate: Decodable, Equatable, Sendable {
    var device: String
    var suffix: String
    var name: String?
    var mate: Bool
    var dropOpen: Bool

    /// What to call them in a list.
    var label: String {
        let name = name ?? "Somebody (\(suffix))"
        return dropOpen ? "\(name), waiting for a drop" : name
    }
}

/// The people of "nearby list".
struct DropCandidates: Decodable, Equatable, Sendable {
    var people: [DropCandidate]
}

/// The body of "drop start".
struct DropStart: Encodable, Equatable, Sendable {
    var to: String?
    var share: Bool
}
