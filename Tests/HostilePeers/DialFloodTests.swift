import ControlAPI
import Discovery
import class Foundation.FileManager
import Identity
import Links
import Logging
import NodeAPI
import NodeTestSupport
import PeerLink
import PluginKit
import Records
import Replica
import Synchronization
import TestSupport
import Testing

@testable import Node

/// Tests announcements that repeat a mate's visible tag and name many addresses.
@Suite(.serialized) struct DialFloodTests {
    @Test func `1024 announcements of a mate's tag open eight connections and 120 a minute`()
        async throws
    {
        let meeting = try await Meeting.mates()
        let mate = try #require(DeviceID(try await meeting.other.device.string))
        // Only announcements lead to the mate from now on.
        try await meeting.one.call(
            NodeCommands.removePeer, .init(address: Text(meeting.other.address)))
        try await meeting.one.stop()
        let lan = try CrowdedLAN(home: meeting.one.home)
        let node = try await lan.startNode()
        let tag = try #require(await node.lan.tags.mates.first { $0.value == mate }?.key)
        let person = PersonID(try await meeting.other.person)
        let key = try #require(await node.relations.tagKeys[person])
        let hour = TagSchedule.hour(wallTime: HostilePeer.now())
        let present = TagSchedule.tag(key: key, device: mate, hour: hour)
        #expect(await node.lan.tags.mates[present] == mate)
        for number in 0..<1024 {
            lan.announce(number, tag: try #require(DeviceTag(tag)), honest: nil)
        }
        #expect(await eventually { lan.openMax == DialPlan.diallingPerDeviceMax })
        try await Task.sleep(for: .seconds(10))
        #expect(lan.openMax == DialPlan.diallingPerDeviceMax)
        let minutes = Int(lan.begun.duration(to: .now) / .seconds(60)) + 2
        #expect(lan.dialsCount <= minutes * DialBudget.perDeviceAndMinuteMax)
        try await lan.end(node)
        try await meeting.other.remove()
    }

    @Test func `a mate who is announced after 40 others with the same tag is linked`() async throws
    {
        let meeting = try await Meeting.mates()
        let mate = try #require(DeviceID(try await meeting.other.device.string))
        // Only announcements lead to the mate from now on.
        try await meeting.one.call(
            NodeCommands.removePeer, .init(address: Text(meeting.other.address)))
        try await meeting.one.stop()
        let lan = try CrowdedLAN(home: meeting.one.home)
        let node = try await lan.startNode()
        let tag = try #require(await node.lan.tags.mates.first { $0.value == mate }?.key)
        for number in 0...40 {
            lan.announce(
                number, tag: try #require(DeviceTag(tag)),
                honest: number == 40 ? meeting.other.port : nil)
        }
        for _ in 0..<240 where await node.links[mate] == nil {
            try await Task.sleep(for: .milliseconds(500))
        }
        #expect(await node.links[mate] != nil)
        try await lan.end(node)
        try await meeting.other.remove()
    }

    @Test func `a mate whose new tag is not recognised is found while strangers use all room`()
        async throws
    {
        let meeting = try await Meeting.mates()
        let mate = try #require(DeviceID(try await meeting.other.device.string))
        // Only announcements lead to the mate from now on.
        try await meeting.one.call(
            NodeCommands.removePeer, .init(address: Text(meeting.other.address)))
        try await meeting.one.stop()
        let lan = try CrowdedLAN(home: meeting.one.home, silence: .seconds(60))
        let node = try await lan.startNode()
        func unknownTag() throws -> DeviceTag {
            try #require(DeviceTag(Array(SystemRandom().bytes(8))))
        }
        for number in 0..<DialPlan.strangersMax {
            lan.announce(number, tag: try unknownTag(), honest: nil)
        }
        #expect(await eventually { lan.openMax == DialPlan.strangersMax })
        lan.announce(DialPlan.strangersMax, tag: try unknownTag(), honest: meeting.other.port)
        #expect(await eventually { await node.links[mate] != nil })
        try await lan.end(node)
        try await meeting.other.remove()
    }

    @Test func `an address of another device is dialled once for a mate`()
        async throws
    {
        let meeting = try await Meeting.mates()
        let mate = try #require(DeviceID(try await meeting.other.device.string))
        // Only announcements lead to the mate from now on.
        try await meeting.one.call(
            NodeCommands.removePeer, .init(address: Text(meeting.other.address)))
        try await meeting.one.stop()
        let impostor = try await RunningNode.start()
        let lan = try CrowdedLAN(home: meeting.one.home)
        let node = try await lan.startNode()
        let tag = try #require(await node.lan.tags.mates.first { $0.value == mate }?.key)
        lan.announce(0, tag: try #require(DeviceTag(tag)), honest: impostor.port)
        #expect(await eventually { lan.dialsCount > 0 })
        // The first pauses are 0.5 s, 1 s and 2 s.
        try await Task.sleep(for: .seconds(5))
        #expect(lan.dialsCount == 1)
        try await lan.end(node)
        try await impostor.remove()
        try await meeting.other.remove()
    }

    @Test func `a mate who comes back in a flood of announcements is dialled in the same minute`()
        async throws
    {
        let meeting = try await Meeting.mates()
        let mate = try #require(DeviceID(try await meeting.other.device.string))
        // Only announcements lead to the mate from now on.
        try await meeting.one.call(
            NodeCommands.removePeer, .init(address: Text(meeting.other.address)))
        try await meeting.one.stop()
        // The node's clock is moved by so little that the whole test is one of its minutes.
        let clock = VirtualClock(wallTime: HostilePeer.now())
        let lan = try CrowdedLAN(home: meeting.one.home, clock: clock, silence: .zero)
        let node = try await lan.startNode()
        let bytes = try #require(await node.lan.tags.mates.first { $0.value == mate }?.key)
        let tag = try #require(DeviceTag(bytes))
        lan.announce(0, tag: tag, honest: meeting.other.port)
        #expect(await eventually { await isLinked(node, mate, lan, clock, until: .seconds(20)) })

        lan.withdraw(0)
        // Else the node may dial the mate once more when the link ends.
        #expect(await eventually { await node.lan.sightings.isEmpty })
        let (home, port) = (meeting.other.home, meeting.other.port)
        try await meeting.other.stop()
        #expect(await eventually { await node.links[mate] == nil })
        for number in 1...600 {
            let stranger = try #require(DeviceTag(Array(SystemRandom().bytes(8))))
            lan.announce(number, tag: number.isMultiple(of: 2) ? tag : stranger, honest: nil)
        }
        // Each dial ends by itself, which takes longer beside the other suites. An address that
        // did not answer is due again after a pause.
        #expect(
            await eventually(seconds: 60) {
                if clock.uptime < .seconds(30) { clock.advance(by: .milliseconds(50)) }
                lan.look()
                return lan.dialsCount == DialBudget.unprovenPerMinuteMax
            })

        let again = try await RunningNode.start(home, port: port)
        lan.announce(0, tag: tag, honest: port)
        #expect(await eventually { await isLinked(node, mate, lan, clock, until: .seconds(40)) })
        #expect(lan.dialsCount == DialBudget.unprovenPerMinuteMax + 1)
        try await lan.end(node)
        try await again.remove()
    }

    /// Moves a node's clock on, up to a time, and returns whether the node is linked with a device.
    private func isLinked(
        _ node: Node, _ device: DeviceID, _ lan: CrowdedLAN, _ clock: VirtualClock,
        until end: Duration
    ) async -> Bool {
        if clock.uptime < end { clock.advance(by: .milliseconds(100)) }
        lan.look()
        return await node.links[device] != nil
    }
}

/// A LAN on which any host can announce anything. Dials to 127.0.0.1 use real TLS; all other
/// addresses keep a connection open for a while, a second by default, and never answer.
private final class CrowdedLAN: Transport, Discovery {
    private struct Counts {
        var open = 0
        var openMax = 0
        var dials = 0
    }

    let begun = ContinuousClock.now
    let events: AsyncStream<DiscoveryEvent>
    private let feed: AsyncStream<DiscoveryEvent>.Continuation
    private let real: TLSTransport
    private let identity: NodeIdentity
    private let home: Home
    private let clock: any NodeClock
    private let silence: Duration
    private let counts = Mutex(Counts())
    private let running = Mutex<Task<Void, Never>?>(nil)

    init(
        home: Home, clock: any NodeClock = SystemClock(), silence: Duration = .seconds(1)
    ) throws {
        (self.home, self.clock, self.silence) = (home, clock, silence)
        identity = try NodeIdentity.load(from: home)
        real = TLSTransport(try LinkEndpoint(key: identity.key.privateKey, logger: .quiet))
        (events, feed) = AsyncStream.makeStream()
    }

    /// The most connections that were open at a time, and the dials of all.
    var openMax: Int { counts.withLock(\.openMax) }
    var dialsCount: Int { counts.withLock(\.dials) }

    func startNode() async throws -> Node {
        let (_, stopRequest) = AsyncStream.makeStream(of: Never.self)
        let node = try Node(
            settings: try NodeSettings(home: home, listenPort: 0, usesAvahi: false),
            identity: identity, plugins: PluginCatalogue.all,
            surroundings: Surroundings(
                transport: self, discovery: self, clock: clock, random: SystemRandom(),
                receiver: { _, _ in NoReceiver() }, photos: DrawnPhotos(), logger: .quiet),
            stopRequest: stopRequest)
        let listener = try await listen(port: 0)
        try await node.prepare(port: listener.port)
        running.withLock { $0 = Task { await node.run(listener: listener) } }
        return node
    }

    func end(_ node: Node) async throws {
        let run = running.withLock { $0 }
        run?.cancel()
        feed.finish()
        await run?.value
        try await node.replica.close()
        try FileManager.default.removeItem(atPath: home.directory)
    }

    /// Announces a tag at 16 addresses, or at the port of a real node.
    func announce(_ number: Int, tag: DeviceTag, honest: UInt16?) {
        let port = honest ?? 47_100
        let addresses =
            honest.map { ["127.0.0.1:\($0)"] }
            ?? (1...16).map { "192.0.2.\($0):\(1024 + number)" }
        let sighting = Sighting(
            instance: "waggle-\(number)", announcement: Announcement(tag: tag, port: port),
            endpoints: addresses.compactMap { Endpoint($0) })
        feed.yield(.appeared(sighting))
    }

    /// Withdraws an announcement.
    func withdraw(_ number: Int) { feed.yield(.disappeared(instance: "waggle-\(number)")) }

    /// Makes the node look for due dials without any change on the LAN.
    func look() { feed.yield(.stateChanged(.quiet)) }

    func dial(
        _ address: LinkAddress, expecting: DeviceID?
    ) async throws(LinkFault) -> any DeviceLink {
        counts.withLock {
            $0.dials += 1
            $0.open += 1
            $0.openMax = max($0.openMax, $0.open)
        }
        defer { counts.withLock { $0.open -= 1 } }
        if address.host == "127.0.0.1" {
            return try await real.dial(address, expecting: expecting)
        }
        try? await Task.sleep(for: silence)
        throw .cannotConnect("nobody answers")
    }

    func listen(port: UInt16) async throws(ListenFault) -> any LinkArrivals {
        try await real.listen(port: port)
    }

    func start(announcing announcement: Announcement) {}
    func update(_ announcement: Announcement) {}
    func stop() async {}
}
