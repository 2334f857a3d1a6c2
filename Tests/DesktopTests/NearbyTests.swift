import Contract
import FeaturesAPI
import PanelKit
import PanelTestSupport
import Testing

@testable import Desktop

struct NearbyTests {
    private func person(
        _ name: String?, distanceMetres: Double? = nil, bearing: Double? = nil, isMate: Bool = false
    ) -> NearbyList.Person {
        NearbyList.Person(
            device: key("d"), suffix: KeySuffix(key("d")), name: name,
            dogName: name.map { $0 + "'s dog" },
            mate: isMate, isOpenToMeet: false, distanceMetres: distanceMetres,
            bearingDegrees: bearing,
            sinceMs: .example)
    }

    private func announced(
        _ name: String, isMate: Bool = false, trouble: ConnectionTrouble? = nil
    ) -> NearbyList.Announced {
        NearbyList.Announced(
            tag: .example, name: name, mate: isMate, sinceMs: .example, trouble: trouble)
    }

    @Test func `the headline counts everyone, and a row counts those who show no name`() {
        #expect(NearbyList(people: []).summary == "Nobody is nearby")
        #expect(NearbyList(people: []).unnamedTitle == nil)
        let one = NearbyList(people: [], unnamedCount: 1)
        #expect(one.summary == "1 person nearby")
        #expect(one.unnamedTitle == "1 person")
        let four = NearbyList(people: [person("Ann"), person("Bo")], unnamedCount: 2)
        #expect(four.summary == "4 people nearby")
        #expect(four.unnamedTitle == "2 more people")
        let named = NearbyList(people: [], announced: [announced("Zoe")], unnamedCount: 1)
        #expect(named.summary == "2 people nearby")
        #expect(named.unnamedTitle == "1 more person")
    }

    @Test func `a person who shows a name may be dropped with before they are linked`() {
        let zoe = NearbyEntry(announced("Zoe"), now: .example)
        #expect(zoe.title == "Zoe" && zoe.detail == "Here, not connected yet")
        #expect(zoe.offers == [.announced(.example)])
        let mate = NearbyEntry(announced("Mina", isMate: true), now: .example)
        #expect(mate.detail == "Here, connecting…" && mate.offers.isEmpty)
        let later = NearbyEntry(announced("Zoe"), now: .example + .seconds(300))
        #expect(later.detail == "Here, not connected yet · here for 5 min")
    }

    @Test func `a person who is linked and no mate may be blocked, and a mate written to`() {
        var ann = person("Ann")
        func offers() -> [Offer] {
            NearbyEntry(ann, isOnlyUnnamed: true, way: nil, now: .example).offers
        }
        #expect(offers() == [.device(key("d"))])
        ann.person = key("a")
        #expect(offers() == [.device(key("d")), .stranger(key("a"), name: "Ann")])
        ann.name = nil
        ann.dogName = nil
        #expect(offers() == [.device(key("d")), .stranger(key("a"), name: "Someone nearby")])
        ann.mate = true
        #expect(offers() == [.person(key("a")), .device(key("d"))])
    }

    @Test func `a person who cannot be reached has the cause and what fixes it`() {
        let trouble = ConnectionTrouble(.silent, cause: "No answer.", fix: "Come closer.")
        #expect(
            NearbyEntry(announced("Zoe", trouble: trouble), now: .example).detail
                == "No answer. Come closer.")
        var ann = person("Ann", isMate: true)
        ann.trouble = trouble
        let entry = NearbyEntry(ann, isOnlyUnnamed: true, way: "1 km east", now: .example)
        #expect(entry.detail == "No answer. Come closer.")
    }

    @Test func `a row has the names that are known, and a key only to tell two people apart`() {
        #expect(person("Ann").title() == "Ann · Ann's dog")
        #expect(person(nil).title() == "Someone nearby")
        #expect(person(nil).title(isOnlyUnnamed: false) == "Someone nearby (dddddd)")
        #expect(person(nil, isMate: true).title() == "A mate without a name")
        #expect(person(nil).detail(way: nil, now: .example) == "Name hidden")
    }

    @Test func `the way to a mate is that of the location that they share`() {
        let detail = person("Ann", isMate: true).detail(way: "1.03 km east", now: .example)
        #expect(detail == "1.03 km east")
    }

    @Test func `a distance or direction that is not known is absent and not zero`() {
        let now = Timestamp.example + .seconds(180)
        #expect(
            person("Ann", distanceMetres: 499, bearing: 40).detail(way: nil, now: now)
                == "499 m north-east · here for 3 min")
        #expect(
            person("Ann", distanceMetres: 12.4).detail(way: nil, now: now)
                == "12 m · here for 3 min")
        #expect(
            person("Ann", distanceMetres: -1, bearing: 0).detail(way: nil, now: now)
                == "here for 3 min")
        #expect(person("Ann").detail(way: nil, now: .example + .seconds(59)) == "just arrived")
    }

    @Test func `a measured way has its age, and replaces that by the location that they share`() {
        var list = NearbyList(people: [person("Ann", isMate: true)])
        list.people[0].person = key("a")
        func detail() -> String { list.people[0].detail(way: "1.03 km east", now: .example) }
        let way = MeasuredWay(
            device: key("d"), distanceMetres: 0.12, turnDegrees: -44, ageSeconds: 0)
        list.show([way])
        #expect(detail() == "12 cm ahead to the left, just now")
        #expect(list.byPerson([way]) == [key("a"): way])
        list.show([MeasuredWay(device: key("d"), distanceMetres: 2.4, ageSeconds: 3)])
        #expect(detail() == "2 m, 3 s ago")
        list.show([MeasuredWay(device: key("d"), turnDegrees: 180, ageSeconds: 0)])
        #expect(detail() == "behind you, just now")
        list.show([MeasuredWay(device: key("e"), distanceMetres: 2.4, ageSeconds: 3)])
        #expect(detail() == "1.03 km east")
    }

    @Test func `a line breaks between its parts, and inside of a part only if it is long`() {
        #expect(
            "890 m north · here for 5 min".keepingParts
                == "890\u{00A0}m\u{00A0}north · here\u{00A0}for\u{00A0}5\u{00A0}min")
        #expect("No answer. Come closer.".keepingParts == "No answer. Come closer.")
    }

    @Test(arguments: [
        (0.0, "north"), (22.4, "north"), (22.6, "north-east"), (337.6, "north"), (360, "north"),
        (-90, "west"), (725, "north"), (180, "south"),
    ])
    func `an angle has the name of the nearest of eight directions`(degrees: Double, name: String) {
        #expect(CompassPoint(degrees: degrees)?.name == name)
    }

    @Test(arguments: [Double.nan, .infinity])
    func `an angle that is not finite has no direction`(degrees: Double) {
        #expect(CompassPoint(degrees: degrees) == nil)
    }
}
