import PluginKit
import Records
import Testing

@testable import Node

/// The room for links with known people.
struct KnownRoomTests {
    private func person(_ number: Int) -> PersonID {
        PersonID(raw: Digest.header.hash([UInt8(number & 255), UInt8(number >> 8)]))
    }

    /// A node's links: a number of devices of each person.
    private func links(_ counts: [PersonID: Int]) throws -> LinkTable {
        var links = LinkTable()
        for (person, count) in counts.sorted(by: { $0.key < $1.key }) {
            for _ in 0..<count {
                let active = try ActiveLink.silent(id: links.newID(), person: person)
                links[active.peer.device] = active
            }
        }
        return links
    }

    /// Returns the answer, with the person whose link is given up.
    private func answer(
        _ counts: [PersonID: Int], to person: PersonID, strangers: Set<PersonID> = [],
        mates: Set<PersonID> = []
    ) throws -> String {
        let room = KnownRoom(
            links: try links(counts), isKnown: { !strangers.contains($0) },
            isMate: mates.contains)
        return switch room.answer(to: person) {
        case .welcome: "welcome"
        case .inPlaceOf(let active): "in place of \(active.peer.person)"
        case .refused: "refused"
        }
    }

    /// As many people as there is room for, with one link each.
    private var crowd: [PersonID: Int] {
        Dictionary(uniqueKeysWithValues: (0..<KnownRoom.linksMax).map { (person($0), 1) })
    }

    @Test func `a person's eighth device is welcome and their ninth is refused`() throws {
        let most = KnownRoom.perPersonMax
        #expect(try answer([person(1): most - 1], to: person(1)) == "welcome")
        #expect(try answer([person(1): most], to: person(1)) == "refused")
    }

    @Test func `a hundred mates with two devices each are welcome`() throws {
        let counts = Dictionary(uniqueKeysWithValues: (0..<100).map { (person($0), 2) })
        #expect(try answer(counts, to: person(0)) == "welcome")
    }

    @Test func `strangers use up no room of known people`() throws {
        let counts = crowd
        #expect(
            try answer(counts, to: person(999), strangers: [person(1)]) == "welcome")
    }

    @Test func `a first link takes the place of a surplus link`() throws {
        var counts = crowd
        counts[person(0)] = nil
        counts[person(7)] = 2
        #expect(try answer(counts, to: person(999)) == "in place of \(person(7))")
        #expect(try answer(counts, to: person(3)) == "refused")
    }

    @Test func `a mate's first link takes the place of a group member's, and not of a mate's`()
        throws
    {
        let counts = crowd
        let others = Set(counts.keys).subtracting([person(5)])
        let mate = person(999)
        #expect(
            try answer(counts, to: mate, mates: others.union([mate]))
                == "in place of \(person(5))")
        #expect(try answer(counts, to: mate, mates: Set(counts.keys).union([mate])) == "refused")
        #expect(try answer(counts, to: mate, mates: others) == "refused")
    }
}
