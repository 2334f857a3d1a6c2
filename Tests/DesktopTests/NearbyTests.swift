import Contract
import FeaturesAPI
import Testing

@testable import Desktop

struct NearbyTests {
    private func person(_ name: String, distanceMetres: Double? = nil) -> NearbyList.Person {
        NearbyList.Person(
            device: key("d"), suffix: "s", name: name, mate: false, dropOpen: false,
            distanceMetres: distanceMetres, sinceMs: .example)
    }

    @Test func `the nearby line counts all people and names at most three`() {
        let nearby = NearbyList(people: ["Ann", "Bo", "Cy", "Di"].map { person($0) })
        #expect(nearby.summary == "4 people nearby: Ann, Bo, Cy and 1 more.")
        #expect(NearbyList(people: []).summary == "Nobody is nearby.")
    }

    @Test func `a distance that is not known is absent and not zero`() {
        #expect(person("Ann", distanceMetres: 12.4).spelledName == "Ann (12 m)")
        #expect(person("Ann").spelledName == "Ann")
        #expect(person("Ann", distanceMetres: -1).spelledName == "Ann")
    }
}
