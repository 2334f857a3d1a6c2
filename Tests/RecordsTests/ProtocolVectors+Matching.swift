import MatchingAPI
import Records
import Testing

@testable import Identity
@testable import Matching

// Section 19, statements and matches.
extension ProtocolVectors {
    private var match: MatchID { MatchID(madeBy: first.id, nonce: filled16(0xf6)) }

    /// The statements about a match of the first person with the other one, and the messages.
    var matching: [String: [UInt8]] {
        get throws {
            let (me, them) = (founding.person, otherFounding.person)
            let fact = try signed(.fact(match, with: them, at: time), by: first, of: founding)
            let theirs = try signed(.fact(match, with: me, at: time), by: other, of: otherFounding)
            let review = try signed(
                .review(match, of: them, marks: [.manners, .kindness], text: "고마워요"),
                by: first, of: founding)
            let proof = ReviewProof(review: review, authorFact: fact, subjectFact: theirs)
            let messages = try matchMessages.mapValues(\.encoded)
            return messages.merging([
                "match.fact": fact, "match.review": review, "match.proof": proof.encoded,
            ]) { first, _ in first }
        }
    }

    private var matchMessages: [String: MatchMessage] {
        get throws {
            var place = ByteReader([0, 0x39, 0x53, 0x9e, 0, 0xc1, 0xc1, 0x79])
            let card = MatchCard(
                wishes: ["coffee", "산책"], location: try RoundedLocation(from: &place), age: 24,
                gender: .female, reviewCount: 2)
            let request = MatchID(madeBy: other.id, nonce: filled16(0xf5))
            return [
                "match.card": .card(card), "match.card.empty": .card(MatchCard()),
                "match.quiet": .quiet, "match.request": .request(request, name: "Mari"),
                "match.accept": .accept(request: request, match: match),
                "match.confirm": .confirm(match), "match.over": .over(request, .matched),
                "match.ask-reviews": .askReviews(from: 3),
                "match.no-review": .shownReview(0, count: 0, proof: []),
                "match.has-review": .hasReview(match),
            ]
        }
    }

    private func signed(
        _ content: MatchStatement, by key: DeviceKey, of founding: FoundingRecord
    ) throws -> [UInt8] {
        try SignedStatement(
            content.encoded, topic: "matching", by: key,
            of: PersonRecord(founding: founding, firstDevice: key)
        ).encoded
    }

    /// Expects that the messages and statements of a match are decoded as they were encoded.
    func checkMatchingIsReadBack() throws {
        for (name, message) in try matchMessages {
            #expect(try MatchMessage(decoding: message.encoded) == message, "\(name)")
        }
        for (name, person) in [("match.fact", founding.person), ("match.review", founding.person)] {
            let bytes = try #require(try matching[name])
            var reader = ByteReader(bytes)
            let statement = try SignedStatement(from: &reader, topic: "matching")
            #expect(statement.person == person && reader.isAtEnd, "\(name)")
            let content = try #require(MatchStatement(decoding: statement.content), "\(name)")
            #expect(content.encoded == statement.content, "\(name)")
        }
        let proof = try #require(try matching["match.proof"])
        #expect(ReviewProof(decoding: proof)?.encoded == proof)
    }
}
