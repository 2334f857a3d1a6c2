import ControlAPI
import Daemon
import FeaturesAPI
import Foundation
import Identity
import Logging
import NodeTestSupport
import PluginHost
import PluginKit
import Records
import Replica
import Synchronization
import TestSupport
import Testing

@testable import Node
@testable import Sync

/// Providers of measured distances on a whole node.
@Suite struct RangingTests {
    /// A provider that measures each linked device once, sends it a token, and records its runs.
    private final class FakeRadio: RangingSource {
        private let state = Mutex((changes: [RangingChange](), runs: 0, ended: 0))
        let distance: Double

        init(distance: Double) { self.distance = distance }

        var changes: [RangingChange] { state.withLock { $0.changes } }
        /// The number of runs that have begun and have not ended.
        var runningCount: Int { state.withLock { $0.runs - $0.ended } }
        var runsCount: Int { state.withLock { $0.runs } }

        func run(
            _ changes: AsyncStream<RangingChange>, _ tell: @Sendable (RangingNews) async -> Void
        ) async throws {
            state.withLock { $0.runs += 1 }
            defer { state.withLock { $0.ended += 1 } }
            for await change in changes {
                state.withLock { $0.changes.append(change) }
                guard case .linked(let device) = change else { continue }
                await tell(.token(Array(repeating: 1, count: 513), to: device))
                await tell(.token([1, 2], to: device))
                await tell(.measured(RangeReport(device: device, distanceMetres: distance)))
            }
        }
    }

    /// Runs a test with a node that has this provider, on a clock that the test moves.
    private func withNode(
        _ radio: FakeRadio, _ body: (Node, VirtualClock) async throws -> Void
    ) async throws {
        var logger = Logger(label: "node")
        logger.logLevel = .critical
        let home = try RunningNode.founded()
        defer { try? FileManager.default.removeItem(atPath: home.directory) }
        let identity = try NodeIdentity.load(from: home)
        let settings = try NodeSettings(home: home, usesAvahi: false)
        let (_, stopRequest) = AsyncStream.makeStream(of: Never.self)
        let clock = VirtualClock()
        let real = try Surroundings.real(of: identity.key, settings, logger)
        let node = try Node(
            settings: settings, identity: identity, plugins: [],
            surroundings: Surroundings(
                transport: real.transport, discovery: nil, clock: clock, random: SystemRandom(),
                receiver: real.receiver, ranging: radio, photos: DrawnPhotos(), logger: logger),
            stopRequest: stopRequest)
        try await node.prepare(port: 0)
        await node.startRanging()
        try await body(node, clock)
        await node.measure(for: .zero, askedBy: "a")
        try await node.replica.close()
    }

    @Test func `the provider runs while a plugin asks, and ends within 1 s of the last question`()
        async throws
    {
        let radio = FakeRadio(distance: 0.5)
        try await withNode(radio) { node, clock in
            await node.continueRanging()
            #expect(await node.rangingProvider.state == .resting && radio.runsCount == 0)
            await node.measure(for: .seconds(2), askedBy: "a")
            await node.measure(for: .seconds(5), askedBy: "b")
            #expect(await node.rangingProvider.state == .measuring)
            clock.advance(by: .seconds(4))
            await node.continueRanging()
            #expect(await node.rangingProvider.state == .measuring)
            clock.advance(by: .seconds(1))
            // A running node does this once a second.
            await node.continueRanging()
            #expect(await node.rangingProvider.state == .resting)
            #expect(await eventually { radio.runsCount == 1 && radio.runningCount == 0 })
            await node.measure(for: .seconds(2), askedBy: "a")
            #expect(await eventually { radio.runsCount == 2 })
            await node.measure(for: .zero, askedBy: "a")
            #expect(await node.rangingProvider.state == .resting)
            #expect(await eventually { radio.runningCount == 0 })
        }
    }

    @Test func `each link has its measurement and its token, and a lost link ends only its own`()
        async throws
    {
        let radio = FakeRadio(distance: 0.5)
        try await withNode(radio) { node, _ in
            let one = try await node.addRanged(id: 1)
            let other = try await node.addRanged(id: 2)
            await node.hear([7], from: one)
            await node.measure(for: .seconds(30), askedBy: "a")
            #expect(await eventually { await node.measurements().count == 2 })
            await node.hear([8], from: one)
            await node.hear(Array(repeating: 9, count: 513), from: other)
            await node.lose(one)
            await node.hear([9], from: one)
            let expected = Set<RangingChange>([
                .linked(one), .token([7], from: one), .linked(other), .token([8], from: one),
                .lost(one),
            ])
            #expect(await eventually { Set(radio.changes) == expected })
            #expect(radio.changes.last == .lost(one) && radio.changes.count == 5)
            #expect(await Array(node.measurements().keys) == [other])
        }
    }

    @Test(arguments: [-1, .nan, .infinity, 1e300]) func `a provider that lies is counted and shown`(
        _ distance: Double
    ) async throws {
        let radio = FakeRadio(distance: distance)
        try await withNode(radio) { node, _ in
            _ = try await node.addRanged(id: 1)
            await node.measure(for: .seconds(30), askedBy: "a")
            #expect(await eventually { await node.rangingProvider.refusedCount == 1 })
            #expect(await node.measurements().isEmpty)
        }
    }

    @Test func `a file that is no recording is refused with its fault, and nothing changes`()
        async throws
    {
        let node = try await RunningNode.start()
        let key = String(repeating: "ab", count: 32)
        let bad = [
            ("", "is empty"), ("no", "Line 1"),
            (String(repeating: "x", count: 1 << 20), "longer than 4096 bytes"),
        ]
        let path = try FilePath(node.home.directory + "/recording")
        for (text, reason) in bad {
            try text.write(toFile: path.string, atomically: false, encoding: .utf8)
            for source in [ChooseRangingSource.Source.recorded, .simulated] {
                await #expect {
                    try await node.call(RangingCommands.source, .init(source: source, file: path))
                } throws: { fault in
                    guard case .refused(let sentence)? = fault as? CommandFault else {
                        return false
                    }
                    return sentence.english.contains(reason)
                }
            }
        }
        await #expect {
            try await node.call(
                RangingCommands.source, .init(source: .recorded, file: FilePath("/dev/zero")))
        } throws: { ($0 as? CommandFault)?.code == "notFound" }
        await #expect(throws: CommandFault.self) {
            try await node.call(RangingCommands.source, .init(source: .device))
        }
        #expect(try await node.call(RangingCommands.show).source == .off)
        try #"{"seconds": 0, "device": "\#(key)", "distanceMetres": 1}"#
            .write(toFile: path.string, atomically: false, encoding: .utf8)
        try await node.call(RangingCommands.source, .init(source: .recorded, file: path))
        try await node.call(RangingCommands.measure)
        // There is no event for either.
        let isRefused = await eventually {
            let status = try? await node.call(RangingCommands.show)
            return status?.refusal?.string == "A measured device is not linked to this one."
                && status?.refusedCount == 1
        }
        #expect(isRefused)
        let isResting = await eventually {
            (try? await node.call(RangingCommands.show))?.state == .resting
        }
        #expect(isResting, "the last request for measurements is not over")
        try await node.remove()
    }
}

extension Node {
    /// Registers a link with a new peer, which a provider may measure.
    fileprivate func addRanged(id: UInt64) throws -> DeviceID {
        let active = try ActiveLink.silent(id: id, on: device)
        links[active.peer.device] = active
        ranging.link(active.peer.device)
        return active.peer.device
    }

    /// Receives a token of a peer's provider.
    fileprivate func hear(_ token: [UInt8], from device: DeviceID) async {
        guard let active = links[device] else { return }
        let direct = Direct(topic: ManifestCheck.rangingTopic, counter: 1, body: token)
        let inbox = MessageInbox(room: inboxRoom, person: active.peer.person)
        await inbox.add(wireBytes: 0) { .message(.direct(direct)) }
        inbox.finish()
        await process(inbox, of: active)
    }

    /// Loses the link of a peer.
    fileprivate func lose(_ device: DeviceID) {
        guard let active = links[device] else { return }
        links[device] = nil
        ended(active)
    }
}
