import Testing

@testable import Records

/// Counts the steps of evaluating a large group.
struct MembershipCostTests {
    private let space = SpaceDescriptor.group(owner: person(0), nonce: .zero)

    private static func filled(_ number: Int) -> Bytes32 {
        Digest.header.hash([UInt8(number & 255), UInt8(number >> 8 & 255), UInt8(number >> 16)])
    }

    private static func person(_ number: Int) -> PersonID { PersonID(raw: filled(number)) }

    /// Returns what one person does in the first batch of their log.
    private func facts(of number: Int, _ actions: [Operation.Action]) -> [ControlFact] {
        let log = LogName(device: DeviceID(raw: Self.filled(number)))
        let batch = BatchName(log: log, number: 1, hash: BatchHash(raw: Self.filled(number)))
        return actions.enumerated().map { index, action in
            ControlFact(
                author: Self.person(number), batch: batch,
                stamp: Stamp(rawValue: UInt64(number)) ?? .max, index: index, action: action)
        }
    }

    @Test func `a chain of owners costs one history for each person, however long it is`() {
        let (ownersCount, writersCount) = (200, 20_000)
        var facts: [ControlFact] = []
        for number in 0..<ownersCount {
            let next = Operation.Action.grant(Self.person(number + 1), .owner)
            facts += self.facts(of: number, number == 0 ? [next] : [.accept, next])
        }
        let writers = ownersCount + 1..<ownersCount + 1 + writersCount
        facts += self.facts(of: 0, writers.map { .grant(Self.person($0), .writer) })
        let membership = Membership(of: space, facts: facts)
        #expect(membership.members.count == ownersCount + 1 + writersCount)
        #expect(membership.level(of: Self.person(ownersCount)) == ownersCount)
        #expect(membership.historiesCount == ownersCount + 1 + writersCount)
    }
}
