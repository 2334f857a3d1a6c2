import Identity
import Records

@testable import Matching
@testable import Posts

// Messages of strangers about matches, reviews and posts.
extension FuzzTarget {
    /// A card leaves out what cannot be shown, so it may be shorter when it is encoded again.
    static let match = FuzzTarget("match") { bytes in
        let message = try MatchMessage(decoding: bytes)
        if case .card = message {
            try require(
                try MatchMessage(decoding: message.encoded) == message, "a card changes")
        } else {
            try require(message.encoded == bytes, "a message about a match has two encodings")
        }
    }

    /// The three statements in a proof are checked as they are when it arrives: each has a content
    /// with one encoding, and costs at most two signatures and two for each entry.
    static let proof = FuzzTarget("proof", costing: .large.checking(3 * statementChecksMax)) {
        bytes in
        guard let proof = ReviewProof(decoding: bytes) else { return }
        try require(proof.encoded == bytes, "a proof has two encodings")
        for part in [proof.review, proof.authorFact, proof.subjectFact] {
            var reader = ByteReader(part)
            guard let statement = try? SignedStatement(from: &reader, topic: "matching") else {
                continue
            }
            try requireOneEncoding(statement.content)
        }
    }

    private static let statementChecksMax = 2 + 2 * SignedStatement.entriesMax

    /// The content of a statement about a match, or of one about a request to an author.
    static let agreed = FuzzTarget("agreed") { bytes in
        try requireOneEncoding(bytes)
        if let content = CorrespondenceStatement(decoding: bytes) {
            try require(content.encoded == bytes, "a request to an author has two encodings")
        }
    }

    private static func requireOneEncoding(_ content: [UInt8]) throws {
        guard let statement = MatchStatement(decoding: content) else { return }
        try require(statement.encoded == content, "a statement about a match has two encodings")
    }

    static let letter = FuzzTarget("letter") { bytes in
        try require(
            try CorrespondenceMessage(decoding: bytes).encoded == bytes,
            "a message to an author has two encodings")
    }

    /// Capital digits are read too, so the text may change once.
    static let cursor = FuzzTarget("cursor") { bytes in
        guard let cursor = PostCursor(String(decoding: bytes, as: UTF8.self)) else { return }
        try require(PostCursor(cursor.text) == cursor, "a cursor changes")
    }
}
