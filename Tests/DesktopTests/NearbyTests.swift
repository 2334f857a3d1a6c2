import Contract
import FeaturesAPI
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

    @Test func `the headline counts everybody, and a line says how many hide their names`() {
        #expect(NearbyList(people: []).summary == "Nobody is nearby")
        #expect(NearbyList(people: []).unnamedText == nil)
        let one = NearbyList(people: [], unnamedCount: 1)
        #expect((one.summary, one.unnamedText) == ("1 person nearby", "They hide their name."))
        let four = NearbyList(people: [person("Ann"), person("Bo")], unnamedCount: 2)
        #expect(four.summary == "4 people nearby")
        #expect(four.unnamedText == "2 more people hide their names.")
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
