import PluginKit
import Records
import Testing

/// Groups that I have not joined make nobody known.
@Suite struct RelationshipsTests {
    private func person(_ number: UInt8) -> PersonID {
        PersonID(raw: Digest.entity.hash([number]))
    }

    private func group(_ number: UInt8) -> SpaceDescriptor {
        .group(owner: person(9), nonce: Bytes16(prefixOf: Digest.entity.hash([number])))
    }

    /// I am 0, the inviter is 1, a mate in the group is 2, and 3 is only in the group.
    private func relationships() -> Relationships {
        var all = Relationships()
        all.add(RelationKind("mate", shares: [.pair, .cards]), with: person(2))
        for number: UInt8 in 1...2 {
            all.groups[group(number)] = [person(0), person(1), person(2), person(3)]
            all.inviters[group(number)] = person(1)
        }
        return all
    }

    @Test func `a group that I have not joined is shared with its inviter and those I know`() {
        var all = relationships()
        all.restrict([group(1).id], me: person(0))
        #expect(all.groups[group(1)] == [person(0), person(1), person(2)])
        #expect(all.groups[group(2)] == [person(0), person(1), person(2), person(3)])
        #expect(all.spaces(sharedWith: person(3), me: person(0)) == [group(2)])
    }

    @Test func `a neighbourhood makes nobody known and is shared with nobody by itself`() {
        var all = Relationships()
        all.neighbourhoods = [.open(name: "seongsu")]
        #expect(!all.isKnown(person(1)))
        #expect(all.spaces(sharedWith: person(1), me: person(0)).isEmpty)
        #expect(!all.spaces(sharedWith: person(0), me: person(0)).contains { $0.kind == .open })
    }

    @Test func `the inviter is known, and a member of no other group is not`() {
        var all = relationships()
        all.restrict([group(1).id, group(2).id], me: person(0))
        #expect(all.isKnown(person(1)) && all.isKnown(person(2)) && !all.isKnown(person(3)))
        #expect(all.spaces(sharedWith: person(0), me: person(0)).contains(group(1)))
    }

    @Test func `an inviter with whom the group is not shared stays unknown`() {
        var all = relationships()
        all.groups[group(1)] = [person(0), person(2)]
        all.groups[group(2)] = nil
        all.restrict([group(1).id], me: person(0))
        #expect(!all.isKnown(person(1)))
    }

    @Test func `my own devices share my pairs, and the cards that come with them`() {
        var all = relationships()
        all.add(RelationKind("waiting", shares: [.pair]), with: person(4))
        let mine = Set(all.spaces(sharedWith: person(0), me: person(0)))
        #expect(
            mine == [
                .own(person(0)), .card(person(0)), .between(person(0), person(2)),
                .card(person(2)), .between(person(0), person(4)), group(1), group(2),
            ])
        #expect(!all.spaces(sharedWith: person(2), me: person(0)).contains(.own(person(0))))
    }
}
