import Records
import Testing

@Suite struct DigestTests {
    private let purposes: [Digest] = [
        .person, .space, .collection, .entity, .ownEntity, .header, .body, .dot, .logs,
        .founding, .deviceEntry, .deviceConsent, .recoveryCheck, .recoverySeed, .batchSignature,
        .joinCheck, .joinKey, .joinProof, .recoveryQuestion, .audit, .token, .tag, .commitment,
        .checkCode,
    ]

    @Test func `every purpose has its own prefix of 32 bytes`() {
        #expect(purposes.allSatisfy { $0.prefix.count == 32 })
        #expect(Set(purposes.map(\.prefix)).count == purposes.count)
    }

    @Test func `the same bytes have another hash for every purpose`() {
        #expect(Set(purposes.map { $0.hash([1, 2, 3]) }).count == purposes.count)
    }

    @Test func `only the control collection has the number 0`() {
        for name in ["", "neighbours.edge/1", "a", "b"] {
            #expect(CollectionID(name: name) != .control)
        }
    }
}
