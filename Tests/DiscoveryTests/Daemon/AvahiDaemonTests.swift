import Discovery
import Foundation
import Logging
import Testing

/// Tests discovery with real Avahi daemons, each in its own namespace.
@Suite(.enabled(if: TestNetwork.isPossible, "needs root, avahi-daemon and dbus-daemon"))
struct AvahiDaemonTests {
    @Test func `two hosts find each other, hear of changes and dial`() async throws {
        let network = try TestNetwork()
        defer { network.remove() }
        async let first = #expect(
            processExitsWith: .success
        ) { [network = network as TestNetwork] in
            try await Self.firstHost(of: network)
        }
        async let second = #expect(
            processExitsWith: .success
        ) { [network = network as TestNetwork] in
            try await Self.secondHost(of: network)
        }
        _ = await (first, second)
    }

    /// Finds the second host, dials it, opens a drop, and sees the tag change and the goodbye.
    private static func firstHost(of network: TestNetwork) async throws {
        let host = try TestHost(0, of: network)
        try host.startBus()
        try host.startDaemon()
        let discovery = AvahiDiscovery(logger: Logger(label: "first"))
        var events = EventReader(discovery)
        try host.start(discovery, announcing: .sample(1))
        let other = try #require(
            await events.sighting {
                $0.announcement?.tag == .sample(2)
                    && $0.endpoints.contains { $0.host.hasPrefix("fe80:") }
                    && $0.endpoints.contains { $0.host == "10.77.0.2" }
            })
        for endpoint in other.endpoints {
            #expect(endpoint.interface?.name == "eth0")
            #expect(try host.canDial(endpoint), "\(endpoint) must take a connection")
        }
        discovery.update(.sample(1, dropOpen: true))
        #expect(await events.sighting { $0.announcement?.tag == .sample(3) } != nil)
        discovery.update(.sample(1, seeking: true))
        #expect(await events.loses("waggle-0000000000000003"))
        await discovery.stop()
    }

    /// Waits to be found, changes its tag when the first host opens a drop, and ends when the first
    /// host looks for company.
    private static func secondHost(of network: TestNetwork) async throws {
        let host = try TestHost(1, of: network)
        try host.startBus()
        try host.startDaemon()
        let listener = try host.listen()
        defer { listener.end() }
        let discovery = AvahiDiscovery(logger: Logger(label: "second"))
        var events = EventReader(discovery)
        try host.start(discovery, announcing: .sample(2, port: listener.port))
        #expect(await events.sighting { $0.announcement == .sample(1, dropOpen: true) } != nil)
        discovery.update(.sample(3, port: listener.port))
        #expect(await events.sighting { $0.announcement == .sample(1, seeking: true) } != nil)
        await discovery.stop()
        // The state is reported before the end, and no event follows it.
        #expect(await events.reaches(.stopped))
        #expect(await events.first { _ in true } == nil)
    }

    @Test func `discovery waits for a bus and a daemon that start late or end`() async throws {
        let network = try TestNetwork()
        defer { network.remove() }
        await #expect(processExitsWith: .success) { [network = network as TestNetwork] in
            let host = try TestHost(0, of: network)
            let discovery = AvahiDiscovery(logger: Logger(label: "waiting"))
            var events = EventReader(discovery)
            let name = "waggle-0000000000000001"
            try host.start(discovery, announcing: .sample(1))
            #expect(await events.reaches(.noBus))
            #expect(await DoctorProbes.daemon() == .noBus)
            try host.startBus()
            #expect(await events.reaches(.noDaemon))
            #expect(await DoctorProbes.daemon() == .noDaemon)
            try host.startDaemon()
            #expect(await events.reaches(.announcing(instance: name)))
            #expect(await DoctorProbes.daemon() == .running)
            host.stopDaemon()
            #expect(await events.reaches(.noDaemon))
            try host.startDaemon()
            #expect(await events.reaches(.announcing(instance: name)))
            await discovery.stop()
        }
    }

    @Test func `a name in use is not claimed`() async throws {
        let network = try TestNetwork()
        defer { network.remove() }
        await #expect(processExitsWith: .success) { [network = network as TestNetwork] in
            let host = try TestHost(0, of: network)
            try host.startBus()
            try host.startDaemon()
            let watcher = AvahiDiscovery(logger: Logger(label: "watcher"))
            var seen = EventReader(watcher)
            try host.start(watcher, announcing: .sample(9))
            #expect(await seen.reaches(.announcing(instance: "waggle-0000000000000009")))
            let name = "waggle-0000000000000001"
            let other = try host.publish(
                instance: name, text: ["v=1", "t=0000000000000005"])
            defer { host.end(other) }
            #expect(await seen.sighting { $0.instance == name } != nil)

            let discovery = AvahiDiscovery(logger: Logger(label: "renamed"))
            var events = EventReader(discovery)
            try host.start(discovery, announcing: .sample(1))
            #expect(await events.reaches(.renamed(instance: name + "-2")))
            #expect(await seen.sighting { $0.announcement == .sample(1) } != nil)
            await discovery.stop()
            #expect(await seen.loses(name + "-2"))
            await watcher.stop()
        }
    }
}
