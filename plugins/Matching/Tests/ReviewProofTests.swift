import MatchingAPI
import PluginKit
import Records
import Testing

@testable import Matching

/// Every proof that can be put together from what three people signed about two matches.
@Suite struct ReviewProofTests {
    private typealias Statement = (signer: PersonID, content: MatchStatement, bytes: [UInt8])

    private let people = MatchWorld.people.map(\.person)

    /// Each person's facts and reviews of everyone, also of themselves.
    private var statements: [Statement] {
        let matches = [UInt8(3), 4].compactMap {
            Bytes16([UInt8](repeating: $0, count: 16)).map { MatchID(raw: $0) }
        }
        return people.flatMap { signer in
            matches.flatMap { match in
                people.flatMap { other in
                    [
                        MatchStatement.fact(match, with: other, at: Timestamp(milliseconds: 5)),
                        .review(match, of: other, marks: [.useful], text: ""),
                    ].map { (signer, $0, signer.bytes + $0.encoded) }
                }
            }
        }
    }

    @Test func `a proof holds only if both people signed the match that the review is about`()
        async
    {
        let (all, subject) = (statements, people[1])
        var heldCount = 0
        for review in all {
            for authorFact in all {
                for subjectFact in all {
                    let proof = ReviewProof(
                        review: review.bytes, authorFact: authorFact.bytes,
                        subjectFact: subjectFact.bytes)
                    let holds = await proof.check(about: subject, PlainStatements()) != nil
                    guard holds == isReal(review, authorFact, subjectFact, subject) else {
                        Issue.record("\(review) \(authorFact) \(subjectFact)")
                        return
                    }
                    heldCount += holds ? 1 : 0
                }
            }
        }
        // Two authors, and two matches.
        #expect(heldCount == 4)
    }

    /// The rule, written independently of the product: the author reviews another person, and both
    /// signed the same match with each other.
    private func isReal(
        _ review: Statement, _ authorFact: Statement, _ subjectFact: Statement,
        _ subject: PersonID
    ) -> Bool {
        guard case .review(let match, of: subject, _, _) = review.content else { return false }
        let at = Timestamp(milliseconds: 5)
        return review.signer != subject && authorFact.signer == review.signer
            && subjectFact.signer == subject
            && authorFact.content == .fact(match, with: subject, at: at)
            && subjectFact.content == .fact(match, with: review.signer, at: at)
    }
}

/// Statements whose signature is the key of the signer.
private struct PlainStatements: StatementAccess {
    func sign(_ content: [UInt8]) async throws -> [UInt8] { content }

    func check(_ statement: [UInt8]) async -> CheckedStatement? {
        PersonID(bytes: Array(statement.prefix(32))).map {
            CheckedStatement(person: $0, content: Array(statement.dropFirst(32)))
        }
    }
}
