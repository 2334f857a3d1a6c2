import PluginKit
import TestSupport
import Testing

@testable import Promises

/// Showing where somebody is, where their node ended on the way or they have another device.
struct InterruptedTests {
    @Test func `after a crash nothing is shared until its person says so`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            try friends.ben.locate(metresNorth: 1000)
            try await network.settle()
            await friends.ben.start()
            try await network.settle()
            #expect(try await friends.ben.sharing(id) == "interrupted")
            #expect(
                try await friends.ben.news().contains("Dinner: you are not shown any more"))
            try friends.ben.locate(metresNorth: 10)
            try await network.pass(seconds: 6)
            #expect(try await friends.ann.person(friends.ben, in: id)?["arrivedMs"] == nil)
            try await friends.ben.run("promise", "share", ["promise": .string(id)])
            try await network.settle()
            #expect(try await friends.ann.person(friends.ben, in: id)?["rank"] == 1)
            #expect(
                try await !friends.ben.news().contains("Dinner: you are not shown any more"))
        }
    }

    /// Ben set out with such a device before this start of his node.
    private func departed(_ friends: Friends, _ id: String, with device: DeviceID?) async throws {
        let space = try #require(
            try await friends.ben.rows(
                "SELECT descriptor FROM waggle_space WHERE lower(hex(id)) = ?", [.text(id)]
            ).first?.descriptor("descriptor"))
        var fields: [String: Value] = [
            "departed_ms": .integer(friends.ben.clock.wallMilliseconds),
            "departed_latitude": .real(Friends.place.latitude),
            "departed_longitude": .real(Friends.place.longitude),
        ]
        fields["departed_device"] = device.map { .bytes($0.bytes) }
        try await friends.ben.write(
            [.own(collection: Promises.attendance.name, fields: fields)], in: space)
        try await friends.network.settle()
    }

    /// A device of Ben's was told to go on, and his other ones heard of it.
    private func takeOver(_ friends: Friends, _ id: String, with device: DeviceID) async throws {
        try await friends.ben.write(
            [
                .create(
                    collection: Promises.takeover.name, nonce: friends.ben.random.nonce(),
                    fields: [
                        "promise": .bytes(try await friends.ben.space(of: id).id.bytes),
                        "device": .bytes(device.bytes),
                    ])
            ], in: .own(friends.ben.me.person))
        try await friends.network.settle()
    }

    @Test func `what another device of mine set out with is shown by that one, and not taken back`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            try await departed(friends, id, with: friends.cem.me.device)
            #expect(try await friends.ben.sharing(id) == "elsewhere")
            #expect(
                try await !friends.ben.news().contains("Dinner: you are not shown any more"))
            let sent = await network.sentCount("promise", to: friends.ann)
            try friends.ben.locate(metresNorth: 1000)
            try await friends.setLinks(of: friends.ben, isUp: false)
            try await friends.setLinks(of: friends.ben, isUp: true)
            try await network.pass(seconds: 6)
            #expect(await network.sentCount("promise", to: friends.ann) == sent)
            try await friends.ben.run("promise", "share", ["promise": .string(id)])
            try await network.settle()
            #expect(try await friends.ben.sharing(id) == "sharing")
            #expect(await network.sentCount("promise", to: friends.ann) > sent)
        }
    }

    @Test func `a departure that names this device, or none, was interrupted here`() async throws {
        for isNamed in [true, false] {
            try await TestNetwork.with { network in
                let friends = try await Friends.meeting(on: network)
                let id = try await friends.promise(inSeconds: 1800)
                try await departed(friends, id, with: isNamed ? friends.ben.me.device : nil)
                #expect(try await friends.ben.sharing(id) == "interrupted")
            }
        }
    }

    @Test func `what this device set out with under an earlier key was interrupted here`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            let earlier = friends.cem.me.device
            friends.ben.setFormerDevices([earlier])
            await friends.ben.start()
            try await departed(friends, id, with: earlier)
            #expect(try await friends.ben.sharing(id) == "interrupted")
            #expect(
                try await friends.ben.news().contains("Dinner: you are not shown any more"))
        }
    }

    @Test func `a device that took over and was killed was interrupted`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            let other = friends.cem.me.device
            try await departed(friends, id, with: other)
            try friends.ben.locate(metresNorth: 1000)
            try await network.settle()
            for _ in 1...2 {
                try await friends.ben.run("promise", "share", ["promise": .string(id)])
                #expect(try await friends.ben.sharing(id) == "sharing")
            }
            await friends.ben.start()
            #expect(try await friends.ben.sharing(id) == "interrupted")
            #expect(
                try await friends.ben.news().contains("Dinner: you are not shown any more"))
            let kept = "SELECT device FROM promises_takeover"
            let devices = try await friends.ben.rows(kept).map { $0.device("device") }
            #expect(devices == [friends.ben.me.device], "to go on twice is one taking over")
            // Nobody else holds which device of his it is.
            #expect(try await friends.ann.rows(kept).isEmpty)
        }
    }

    @Test func `what only other devices of mine took over is theirs`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            try await departed(friends, id, with: friends.cem.me.device)
            try await takeOver(friends, id, with: friends.ann.me.device)
            #expect(try await friends.ben.sharing(id) == "elsewhere")
            // What was taken over under an earlier key is this device's.
            friends.ben.setFormerDevices([friends.ann.me.device])
            await friends.ben.start()
            #expect(try await friends.ben.sharing(id) == "interrupted")
        }
    }
}
