import Discovery
import Testing

struct FixedAddressesTests {
    @Test func `an address appears, disappears, and the events end with the stop`() async throws {
        let endpoint = try #require(Endpoint("192.0.2.7:4711"))
        let discovery = FixedAddresses([endpoint, endpoint])
        var events = discovery.events.makeAsyncIterator()
        discovery.start(announcing: try #require(Announcement(tag: .sample(1), port: 1)))
        #expect(await events.next() == .stateChanged(.quiet))
        let sighting = Sighting(
            instance: "192.0.2.7:4711", announcement: nil, endpoints: [endpoint])
        #expect(await events.next() == .appeared(sighting))
        #expect(discovery.remove(endpoint))
        #expect(!discovery.remove(endpoint))
        #expect(await events.next() == .disappeared(instance: "192.0.2.7:4711"))
        await discovery.stop()
        #expect(await events.next() == .stateChanged(.stopped))
        #expect(await events.next() == nil)
    }

    @Test func `the list accepts as many addresses as its limit and not one more`() throws {
        let discovery = FixedAddresses()
        for port in 1...DiscoveryLimits.sightingsMax {
            #expect(discovery.add(try #require(Endpoint("h:\(port)"))))
        }
        #expect(!discovery.add(try #require(Endpoint("i:1"))))
    }
}
