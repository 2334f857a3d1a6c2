import Links
import PluginKit
import Records
import Testing

@testable import Node

/// The room for links with strangers.
struct StrangersRoomTests {
    /// A node's links with strangers, one from each of so many addresses.
    private func links(_ count: Int, from host: String? = nil) throws -> LinkTable {
        var links = LinkTable()
        for number in 0..<count {
            let active = try ActiveLink.silent(
                id: links.newID(), host: host ?? "192.0.2.\(number)")
            links[active.peer.device] = active
        }
        return links
    }

    private func room(_ links: LinkTable, known: Set<PersonID> = []) -> StrangersRoom {
        StrangersRoom(links: links, isKnown: known.contains, isStranger: { _ in true })
    }

    private func answer(
        _ room: StrangersRoom, host: String? = "192.0.2.99", isSeeking: Bool = false,
        sought: Set<UInt64> = []
    ) -> String {
        switch room.answer(to: host, isSeeking: isSeeking, isSought: { sought.contains($0.id) }) {
        case .welcome: "welcome"
        case .inPlaceOf(let active): "in place of \(active.id)"
        case .refused: "refused"
        }
    }

    @Test func `the eighth stranger is welcome and the ninth is refused`() throws {
        #expect(answer(room(try links(DialPlan.strangersMax - 1))) == "welcome")
        #expect(answer(room(try links(DialPlan.strangersMax))) == "refused")
    }

    @Test func `the fourth stranger from one address is welcome and the fifth is refused`() throws {
        let host = "192.0.2.1"
        let most = DialPlan.strangersPerAddressMax
        #expect(answer(room(try links(most - 1, from: host)), host: host) == "welcome")
        #expect(answer(room(try links(most, from: host)), host: host) == "refused")
    }

    @Test func `people who are known use up no room`() throws {
        let links = try links(DialPlan.strangersMax)
        let known = try #require(links.values.first).peer.person
        #expect(answer(room(links, known: [known])) == "welcome")
    }

    @Test func `who seeks others gives up the oldest link with a person who does not`() throws {
        let room = room(try links(DialPlan.strangersMax))
        #expect(answer(room, isSeeking: true, sought: [1, 2]) == "in place of 3")
        #expect(answer(room, isSeeking: true, sought: Set(1...8)) == "refused")
    }

    @Test func `surplus links are the oldest`() throws {
        #expect(room(try links(DialPlan.strangersMax)).surplus.isEmpty)
        #expect(room(try links(DialPlan.strangersMax + 2)).surplus.map(\.id) == [1, 2])
    }

    @Test func `a link to an address that was entered is not given up`() throws {
        var links = LinkTable()
        for _ in 0...DialPlan.strangersMax {
            let id = links.newID()
            let active = try ActiveLink.silent(
                id: id, host: "192.0.2.\(id)", targetKey: id == 1 ? "typed" : nil)
            links[active.peer.device] = active
        }
        let room = StrangersRoom(
            links: links, isKnown: { _ in false }, isStranger: { $0 != "typed" })
        #expect(room.surplus.map(\.id) == [2])
        #expect(answer(room, isSeeking: true) == "in place of 2")
    }
}

/// The links of a node as a whole.
struct LinkTableTests {
    @Test func `a clock counts if its person is trusted and it is not off by a day`() throws {
        var links = LinkTable()
        for offset in [Duration.seconds(5), .seconds(7), .seconds(100_000)] {
            let active = try ActiveLink.silent(id: links.newID(), offset: offset)
            links[active.peer.device] = active
        }
        let untrusted = try #require(links.values.first { $0.clockOffset == .seconds(7) })
        let offsets = links.clockOffsets { $0 != untrusted.peer.person }
        #expect(offsets == [.seconds(5)])
    }

    @Test func `strangers who dialled are counted apart from those who were dialled`() throws {
        var links = LinkTable()
        for isDialled in [true, false, false] {
            let active = try ActiveLink.silent(id: links.newID(), isDialled: isDialled)
            links[active.peer.device] = active
        }
        #expect(links.strangersAcceptedCount { _ in false } == 2)
        #expect(links.strangersAcceptedCount { _ in true } == 0)
    }

    @Test func `a quiet link is pinged every 15 seconds, and asked at pauses that grow`() throws {
        var active = try ActiveLink.silent(id: 1)
        var (pings, questions): ([Int], [Int]) = ([], [])
        for tick in 0...60 {
            let (isPingDue, question) = active.tend(now: .milliseconds(tick * 500))
            if isPingDue { pings.append(tick * 500) }
            if question != nil { questions.append(tick * 500) }
            #expect(active.tendingDue > .milliseconds(tick * 500))
        }
        #expect(pings == [15_000, 30_000])
        #expect(questions == [0, 500, 1500, 3500, 7500, 15_500])
    }
}
