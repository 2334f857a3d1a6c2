import Contract
import FeaturesAPI
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
            mate: isMate, dropOpen: false, distanceMetres: distanceMetres, bearingDegrees: bearing,
            sinceMs: .example)
    }

    @Test func `the headline counts everyone, and a line says how many show no name`() {
        #expect(NearbyList(people: []).summary == "Nobody is nearby")
        #expect(NearbyList(people: []).unlinkedText == nil)
        let one = NearbyList(people: [], unnamedCount: 1)
        #expect((one.summary, one.unlinkedText) == ("1 person nearby", "They show no name."))
        let four = NearbyList(people: [person("Ann"), person("Bo")], unnamedCount: 2)
        #expect(four.summary == "4 people nearby")
        #expect(four.unlinkedText == "2 more people show no name.")
    }

    @Test(arguments: [
        (["Zoe"], "Zoe is here, but not connected yet."),
        (["Zoe", "Moe"], "Zoe and Moe are here, but not connected yet."),
        (["A", "B", "C", "D"], "A, B, C and 1 other are here, but not connected yet."),
        (["A", "B", "C", "D", "E"], "A, B, C and 2 others are here, but not connected yet."),
    ])
    func `people who show a name are named before they are linked`(names: [String], text: String) {
        let list = NearbyList(people: [], announcedNames: names)
        #expect(list.unlinkedText == text)
        #expect(list.summary == "\(names.count) \(names.count == 1 ? "person" : "people") nearby")
        let mixed = NearbyList(people: [], announcedNames: names, unnamedCount: 1)
        #expect(mixed.unlinkedText == text + " 1 more person shows no name.")
    }

    @Test func `a row has the names that are known`() {
        #expect(person("Ann").title == "Ann · Ann's dog")
        #expect(person(nil).title == "Person nearby (dddddd)")
        #expect(person(nil, isMate: true).title == "dddddd")
    }

    @Test func `a distance or direction that is not known is absent and not zero`() {
        let now = Timestamp.example + .seconds(180)
        #expect(
            person("Ann", distanceMetres: 499, bearing: 40).detail(now: now)
                == "499 m north-east · here for 3 min")
        #expect(person("Ann", distanceMetres: 12.4).detail(now: now) == "12 m · here for 3 min")
        #expect(person("Ann", distanceMetres: -1, bearing: 0).detail(now: now) == "here for 3 min")
        #expect(person("Ann").detail(now: .example + .seconds(59)) == "here just now")
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
