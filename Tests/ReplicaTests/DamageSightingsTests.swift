import Testing

@testable import Replica

/// Sightings of damage, and the checks that answer them.
struct DamageSightingsTests {
    @Test func `a check closes the damage that was met before it began`() {
        var sightings = DamageSightings()
        #expect(!sightings.isOpen)
        sightings.recordFound()
        sightings.recordFound()
        #expect(sightings.isOpen)
        sightings.close(through: sightings)
        #expect(!sightings.isOpen)
    }

    @Test func `damage that is found during a check stays open after it`() {
        var sightings = DamageSightings()
        sightings.recordFound()
        let begun = sightings
        sightings.recordFound()
        sightings.close(through: begun)
        #expect(sightings.isOpen)
        sightings.close(through: sightings)
        #expect(!sightings.isOpen)
    }

    @Test func `a check that began earlier and ends later reopens nothing`() {
        var sightings = DamageSightings()
        let first = sightings
        sightings.recordFound()
        sightings.close(through: sightings)
        sightings.close(through: first)
        #expect(!sightings.isOpen)
    }
}
