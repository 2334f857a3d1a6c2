internal import MatchingAPI
internal import PluginKit

/// A review together with what shows that its match was real: the signed facts of both people.
///
/// Its encoding is the three statements, each with its length: the review, its author's fact, and
/// the fact of the person it is about. So someone who never met either of them can check that the
/// two said that they matched. It does not show that they met.
struct ReviewProof: Hashable, Sendable {
    /// The statements, as they are sent.
    let review: [UInt8]
    let authorFact: [UInt8]
    let subjectFact: [UInt8]

    /// The proof's bytes.
    var encoded: [UInt8] {
        [review, authorFact, subjectFact].reduce(into: []) { bytes, statement in
            bytes.append(varint: UInt64(statement.count))
            bytes += statement
        }
    }

    init(review: [UInt8], authorFact: [UInt8], subjectFact: [UInt8]) {
        self.review = review
        self.authorFact = authorFact
        self.subjectFact = subjectFact
    }

    /// Reads exactly one proof; nil if it is none.
    init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let parts = try? Self.parts(&reader), reader.isAtEnd else { return nil }
        self.init(review: parts[0], authorFact: parts[1], subjectFact: parts[2])
    }

    private static func parts(_ reader: inout ByteReader) throws(RecordFault) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        for _ in 0..<3 {
            let count = try reader.count(
                "a statement's bytes", limit: ReviewLimits.statementBytesMax)
            parts.append(Array(try reader.bytes(count)))
        }
        return parts
    }

    /// Checks all three statements: the review is about the person, and both signed the same match
    /// with each other. Returns nil if anything does not fit.
    func check(
        about subject: PersonID, _ statements: any StatementAccess
    ) async -> CheckedReview? {
        guard let review = await CheckedReview(review, statements), review.subject == subject,
            let mine = await statements.check(subjectFact), mine.person == subject,
            let theirs = await statements.check(authorFact), theirs.person == review.author,
            case .fact(review.match, with: review.author, _) = MatchStatement(
                decoding: mine.content),
            case .fact(review.match, with: subject, let at) = MatchStatement(
                decoding: theirs.content)
        else { return nil }
        return review.matched(at)
    }
}

/// A review whose signature was checked.
struct CheckedReview: Hashable, Sendable {
    let author: PersonID
    let subject: PersonID
    let match: MatchID
    let marks: [ReviewMark]
    let text: String?
    /// The time of the match, as its author signed it.
    private(set) var matchedAt = Timestamp.min

    /// Checks a signed review; nil if it is none, or about its author.
    init?(_ statement: [UInt8], _ statements: any StatementAccess) async {
        guard let checked = await statements.check(statement) else { return nil }
        self.init(checked)
    }

    /// Reads the content of a checked statement.
    init?(_ checked: CheckedStatement) {
        guard
            case .review(let match, let subject, let marks, let text) = MatchStatement(
                decoding: checked.content), subject != checked.person
        else { return nil }
        author = checked.person
        self.subject = subject
        self.match = match
        self.marks = ReviewMark.allCases.filter(marks.contains)
        self.text = TextsOfOthers.review(text)
        guard !self.marks.isEmpty || self.text != nil else { return nil }
    }

    /// Returns the review with the time of its match.
    func matched(_ at: Timestamp) -> CheckedReview {
        var review = self
        review.matchedAt = at
        return review
    }
}
