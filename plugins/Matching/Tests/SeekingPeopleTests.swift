import MatchingAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Matching

/// Wishes, rounded locations, filters and pauses as values.
@Suite struct SeekingPeopleTests {
    private func peer(_ number: UInt8) -> Peer {
        let raw = Bytes32([UInt8](repeating: number, count: 32)) ?? .zero
        return Peer(device: DeviceID(raw: raw), person: PersonID(raw: raw))
    }

    private func card(_ wishes: [String] = [], north units: Int32? = nil) throws -> MatchCard {
        var bytes: [UInt8] = []
        if let units {
            bytes = (0..<4).reversed().map { UInt8(truncatingIfNeeded: units >> Int32(8 * $0)) }
        }
        var reader = ByteReader(bytes + [0, 0, 0, 0])
        return MatchCard(
            wishes: wishes, location: units == nil ? nil : try RoundedLocation(from: &reader))
    }

    @Test func `people within 700 m or of unknown distance are listed, the near ones first`()
        throws
    {
        var people = SeekingPeople()
        // 699.4 m, 700.5 m and unknown.
        _ = people.receive(try card(north: 629), from: peer(1))
        _ = people.receive(try card(north: 630), from: peer(2))
        _ = people.receive(try card(), from: peer(3))
        _ = people.receive(try card(north: 100), from: peer(4))
        let here = try Point(latitude: 0, longitude: 0)
        let listed = people.listed(wishes: [], location: here, filters: MatchFilters())
        #expect(listed.map(\.person) == [4, 1, 3].map { peer($0).person })
        #expect(people.listed(wishes: [], location: nil, filters: MatchFilters()).count == 4)
    }

    @Test func `a person with whom something is open is listed, hidden and far away or not`() throws
    {
        var people = SeekingPeople()
        _ = people.receive(try card(north: 630), from: peer(1))
        _ = people.receive(try card(north: 5000), from: peer(2))
        let here = try Point(latitude: 0, longitude: 0)
        let listed = people.listed(
            wishes: [], location: here, filters: MatchFilters(gender: .female),
            always: [peer(2).person])
        #expect(listed.map(\.person) == [peer(2).person])
    }

    @Test func `people who were asked and look no longer are listed last, with a limit`()
        throws
    {
        var people = SeekingPeople()
        let count = UInt8(SeekingPeople.goneMax)
        for number in 1...count + 3 { _ = people.receive(try card(), from: peer(number)) }
        let everyone = Set((1...count + 3).map { peer($0).person })
        _ = people.remove(peer(1))
        #expect(people.gone.isEmpty)
        for number in 2...count + 2 { _ = people.remove(peer(number), wasAsked: true) }
        #expect(people.gone.count == SeekingPeople.goneMax)
        let filters = MatchFilters(gender: .female)
        let listed = people.listed(
            wishes: [], location: nil, filters: filters, always: [peer(count + 3).person],
            asked: everyone)
        #expect(listed.map(\.isGone) == [false] + [Bool](repeating: true, count: Int(count)))
        #expect(people.listed(wishes: [], location: nil, filters: MatchFilters()).count == 1)
        _ = people.receive(try card(), from: peer(5))
        let wasGone = people.remove(peer(6).person)
        #expect(people.gone[peer(5).person] == nil && wasGone)
        people.removeAll()
        #expect(people.gone.isEmpty)
    }

    @Test func `of those who look no longer, one with an open request is not dropped`() throws {
        var people = SeekingPeople()
        let count = UInt8(SeekingPeople.goneMax)
        for number in 1...count + 2 { _ = people.receive(try card(), from: peer(number)) }
        let open: Set = [peer(1).person]
        for number in 1...count + 1 {
            _ = people.remove(peer(number), wasAsked: true, open: open)
        }
        #expect(people.gone[peer(1).person] != nil && people.gone[peer(2).person] == nil)
        // One without an open request takes the place of none that has one.
        let all = Set(people.gone.keys)
        _ = people.remove(peer(count + 2), wasAsked: true, open: all)
        #expect(Set(people.gone.keys) == all)
    }

    @Test func `anything shares every wish, and capital letters make no difference`() throws {
        var people = SeekingPeople()
        _ = people.receive(try card(["Tea"]), from: peer(1))
        _ = people.receive(try card([]), from: peer(2))
        _ = people.receive(try card(["run"]), from: peer(3))
        let mine = people.listed(wishes: ["tea"], location: nil, filters: MatchFilters())
        #expect(mine.map(\.shares) == [true, true, false])
        #expect(mine.map(\.person) == [1, 2, 3].map { peer($0).person })
        #expect(mine.first?.shared == ["Tea"])
        let anything = people.listed(wishes: [], location: nil, filters: MatchFilters())
        #expect(anything.map(\.shares) == [true, true, true])
    }

    @Test func `wishes are recommended by their number, and then by the alphabet`() throws {
        var people = SeekingPeople()
        _ = people.receive(try card(["tea", "run"]), from: peer(1))
        _ = people.receive(try card(["Run", "art"]), from: peer(2))
        let wishes = people.recommended(wishes: ["art"])
        #expect(wishes.map(\.wish.string) == ["run", "art", "tea"])
        #expect(
            wishes.map(\.count.value) == [2, 1, 1] && wishes.map(\.mine) == [false, true, false])
    }

    @Test func `a filter hides people who do not give the field, and its ends are included`() {
        var filters = MatchFilters()
        #expect(filters.admits(age: nil, gender: nil))
        filters = MatchFilters(gender: .female)
        #expect(filters.admits(age: nil, gender: .female))
        #expect(!filters.admits(age: nil, gender: .male) && !filters.admits(age: nil, gender: nil))
        filters = MatchFilters(ageMin: 20, ageMax: 30)
        #expect(
            [19, 20, 30, 31].map { filters.admits(age: $0, gender: nil) }
                == [false, true, true, false])
        #expect(!filters.admits(age: nil, gender: nil))
    }

    @Test func `people beyond the limit are not kept, and a person leaves with their last device`()
        throws
    {
        var people = SeekingPeople()
        for number: UInt8 in 0..<200 { _ = people.receive(try card(), from: peer(number)) }
        #expect(people.people.count == SeekingPeople.countMax)
        let second = Peer(device: peer(250).device, person: peer(1).person)
        _ = people.receive(try card(), from: second)
        let isGone = people.remove(peer(1))
        #expect(!isGone && people.people[peer(1).person] != nil)
        let isGoneNow = people.remove(second)
        #expect(isGoneNow && people.people[peer(1).person] == nil)
    }

    @Test func `a rounded location is at most 72 m away everywhere, and rounding again keeps it`()
        throws
    {
        var generator = SeededGenerator(seed: 7)
        var points = [
            try Point(latitude: 90, longitude: 10), try Point(latitude: -90, longitude: 180),
            try Point(latitude: 0, longitude: 180), try Point(latitude: 60, longitude: -179.9999),
            try Point(latitude: 89.9995, longitude: 77),
        ]
        for _ in 0..<500 {
            points.append(
                try Point(
                    latitude: Double(generator.number(-90_000...90_000)) / 1000,
                    longitude: Double(generator.number(-180_000...180_000)) / 1000))
        }
        for point in points {
            let rounded = try #require(RoundedLocation(point).point)
            #expect(point.distanceMetres(to: rounded) < 72, "\(point)")
        }
        let home = try Point(latitude: 37.5665, longitude: 126.978)
        let one = try #require(RoundedLocation(home).point)
        #expect(home.distanceMetres(to: one) > 0)
    }

    @Test func `wishes are 1 to 8 of 1 to 8 characters, each once`() throws {
        #expect(try WishList(typed: "  coffee  run Coffee ").wishes == ["coffee", "run"])
        #expect(try WishList(typed: "").wishes.isEmpty)
        #expect(try WishList(typed: "12345678").wishes.count == 1)
        #expect(throws: CommandFault.self) { try WishList(typed: "123456789") }
        #expect(try WishList(typed: "👨‍👩‍👧‍👦👨‍👩‍👧‍👦 산책").wishes.count == 2)
        #expect(try WishList(typed: "a b c d e f g h").wishes.count == 8)
        #expect(throws: CommandFault.self) { try WishList(typed: "a b c d e f g h i") }
        #expect(try WishList(typed: "a a a a a a a a a").wishes.count == 1)
    }

    @Test func `the pause follows from the last end and their number, whatever the clock says`() {
        func match(_ at: Int64?) -> StoredAgreement {
            StoredAgreement(
                person: peer(1).person, id: .zero, at: .min, proof: [], theirs: nil,
                isOver: true, isUntold: false,
                cancelled: at.map { Timestamp(milliseconds: $0) })
        }
        let now = Timestamp(milliseconds: 1_000_000)
        #expect(MatchPauses([match(nil)]).left(now: now) == .zero)
        #expect(MatchPauses([match(1_000_000)]).left(now: now) == .seconds(60))
        #expect(MatchPauses([match(940_001)]).left(now: now) == .milliseconds(1))
        #expect(MatchPauses([match(940_000)]).left(now: now) == .zero)
        // A clock that was set back by 100 s, by just the cost, by more, and by a year.
        let three = MatchPauses([match(1), match(2), match(1_100_000)])
        #expect(three.left(now: now) == .seconds(180) && three.cancelCount == 3)
        let lefts = [180_000, 180_001, 31_536_000_000].map {
            MatchPauses([match(1), match(2), match(1_000_000 + $0)]).left(now: now)
        }
        #expect(lefts == [.seconds(180), .zero, .zero])
    }
}
