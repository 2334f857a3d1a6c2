import Contract
import FeaturesAPI
import PanelKit
import PanelTestSupport
import Testing

@testable import Desktop

@MainActor
struct PeopleTests {
    private func people(_ mates: MateList.Mate...) -> People {
        let people = People()
        people.mates = mates
        return people
    }

    private func mate(
        _ digit: Character, _ name: String?, called nickname: String? = nil,
        at location: MateList.SharedLocation? = nil
    ) -> MateList.Mate {
        MateList.Mate(
            person: key(digit), suffix: KeySuffix(key(digit)), state: .mate,
            profile: ProfileFields(nickname: name), ownNickname: nickname, present: false,
            location: location)
    }

    private func location(_ latitude: Double, _ longitude: Double) -> MateList.SharedLocation {
        MateList.SharedLocation(
            latitude: latitude, longitude: longitude, atMs: Timestamp(milliseconds: 1000),
            ageSeconds: 0)
    }

    @Test func `two mates with one name show the first digits of their keys and others do not`() {
        let people = people(
            mate("1", "Mina"), mate("2", "Mina"), mate("3", "Jun"))
        #expect(
            people.names == [key("1"): "Mina · 111111", key("2"): "Mina · 222222", key("3"): "Jun"])
    }

    @Test func `a nickname of one's own is shown, and told apart from the names of others`() {
        let people = people(
            mate("1", "Mina", called: "Jun"), mate("2", "Mina"), mate("3", "Jun"))
        #expect(
            people.names == [key("1"): "Jun · 111111", key("2"): "Mina", key("3"): "Jun · 333333"])
    }

    @Test func `a person who is no mate is called by words and not by a key`() {
        let people = people(mate("1", "Mina"))
        #expect(people.name(of: key("1")) == "Mina")
        #expect(people.name(of: key("2")) == "Someone without a name")
    }

    @Test func `only a mate who has answered can be asked`() {
        let people = People()
        #expect(!people.hasMates && !people.isMate(key("1")))
        var waiting = mate("1", "Mina")
        waiting.state = .waiting
        people.mates = [waiting]
        #expect(!people.hasMates && !people.isMate(key("1")))
        people.mates = [waiting, mate("2", "Jun")]
        #expect(people.hasMates && people.isMate(key("2")) && !people.isMate(key("1")))
        people.mates = []
        #expect(!people.hasMates && !people.isMate(key("2")))
    }

    @Test func `a mate on the map offers the person`() {
        let people = people(mate("1", "Mina", at: location(1, 2)))
        let markers = MateText.markers(of: people.mates, people, now: Timestamp(milliseconds: 0))
        #expect(markers.map(\.offer) == [.person(key("1"))])
    }

    @Test(
        arguments: [
            ("mina", nil, "M"), ("미나", nil, "미"), ("«7 dogs»", nil, "7"), ("Mina", "Jun", "J"),
            (nil, "Jun", "J"), (nil, nil, ""), ("🐶", nil, ""),
        ] as [(String?, String?, String)])
    func `a mate on the map has the first letter of their name, or none`(
        name: String?, nickname: String?, letter: String
    ) {
        let people = people(mate("1", name, called: nickname, at: location(1, 2)))
        let markers = MateText.markers(of: people.mates, people, now: Timestamp(milliseconds: 0))
        #expect(markers.map(\.letter) == [letter])
    }

    @Test func `the list is headed by the number of those who have answered`() {
        var waiting = mate("1", "Mina")
        waiting.state = .waiting
        #expect(MateText.heading(of: [waiting]) == "No mates yet")
        #expect(MateText.heading(of: [waiting, mate("2", "Jun")]) == "1 mate")
        #expect(MateText.heading(of: [mate("1", "Mina"), mate("2", "Jun")]) == "2 mates")
    }

    @Test func `a row says the age of a location from a minute on`() {
        var mina = mate("1", "Mina", at: location(1, 2))
        mina.present = true
        func line(_ milliseconds: Int64, way: String? = "890 m north") -> String {
            MateText.whereabouts(
                of: mina, way: way, now: Timestamp(milliseconds: milliseconds))
        }
        #expect(line(60_999) == "Here · 890 m north")
        #expect(line(61_000) == "Here · 890 m north, 1 min ago")
        #expect(line(60_999, way: nil) == "Here now")
        mina.present = false
        #expect(line(60_999) == "Not met again yet · 890 m north")
    }

    @Test func `a measured way is shown in the list, in the details and on the map for 2 s`() {
        var mina = mate("1", "Mina", at: location(1, 2))
        mina.present = true
        let people = people(mina)
        let now = Timestamp(milliseconds: 60_000)
        let way = MeasuredWay(device: key("d"), distanceMetres: 0.4, ageSeconds: 1)
        people.measured = ([key("1"): way], now)
        let text = people.measuredWay(to: key("1"), now: now + .seconds(2))
        #expect(text == "40 cm, 1 s ago")
        #expect(people.measuredWay(to: key("1"), now: now + .milliseconds(2001)) == nil)
        #expect(people.measuredWay(to: key("2"), now: now) == nil)
        #expect(
            MateText.whereabouts(of: mina, way: "9 m", measured: text, now: now)
                == "Here · 40 cm, 1 s ago")
        #expect(MateText.location(of: mina, way: "9 m", measured: text, now: now) == text)
        let markers = MateText.markers(of: people.mates, people, now: now)
        #expect(markers.map(\.detail) == ["40 cm, 1 s ago"])
    }

    @Test func `a fix older than two minutes is drawn as stale`() {
        let people = people(mate("1", "Mina", at: location(1, 2)))
        let fresh = MateText.markers(
            of: people.mates, people, now: Timestamp(milliseconds: 121_000))
        let old = MateText.markers(of: people.mates, people, now: Timestamp(milliseconds: 122_000))
        #expect(fresh.map(\.isStale) == [false])
        #expect(old.map(\.isStale) == [true])
        #expect(old.map(\.detail) == ["2 min ago"])
    }

    @Test func `the way to a location has a distance and a direction, once both are known`() {
        let people = People()
        let east = Coordinate(latitude: 0, longitude: 0.01)
        #expect(people.way(to: east) == nil)
        people.location = MyLocation(source: .hand, state: .known, latitude: 0, longitude: 0)
        #expect(people.way(to: nil) == nil)
        #expect(people.way(to: east) == "1.11 km east")
    }

    @Test(
        arguments: [
            (0, 179.99, 0, -179.99, .east), (0, -179.99, 0, 179.99, .west),
            (37.5, 127, 37.6, 127, .north), (37.5, 127, 37.4, 126.9, .southWest),
            (60, 0, 60, 0, nil),
        ] as [(Double, Double, Double, Double, CompassPoint?)])
    func `the direction between two locations is right across the date line too`(
        latitude: Double, longitude: Double, toLatitude: Double, toLongitude: Double,
        direction: CompassPoint?
    ) throws {
        let start = try #require(Coordinate(latitude: latitude, longitude: longitude))
        let end = try #require(Coordinate(latitude: toLatitude, longitude: toLongitude))
        #expect(start.direction(to: end) == direction)
    }

    @Test func `a distance needs both locations`() throws {
        let people = People()
        let there = Coordinate(latitude: 1, longitude: 0)
        #expect(people.distance(to: there) == nil)
        people.location = MyLocation(source: .hand, state: .known, latitude: 0, longitude: 0)
        #expect(people.distance(to: nil) == nil)
        #expect(try #require(people.distance(to: there)).rounded() == 111_195)
    }
}
