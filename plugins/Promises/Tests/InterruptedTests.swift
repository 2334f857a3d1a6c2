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
    private func departed(
        _ friends: Friends, _ id: String, with device: DeviceID?, secondsAgo: Int64 = 0
    ) async throws {
        let space = try #require(
            try await friends.ben.rows(
                "SELECT descriptor FROM waggle_space WHERE lower(hex(id)) = ?", [.text(id)]
            ).first?.descriptor("descriptor"))
        var fields: [String: Value] = [
            "departed_ms": .integer(friends.ben.clock.wallMilliseconds - secondsAgo * 1000),
            "departed_latitude": .real(Friends.place.latitude),
            "departed_longitude": .real(Friends.place.longitude),
        ]
        fields["departed_device"] = device.map { .bytes($0.bytes) }
        try await friends.ben.write(
            [.own(collection: Promises.attendance.name, fields: fields)], in: space)
        try await friends.network.settle()
    }

    /// Ben said on some device that he wants to be shown for a promise, or does not, and his other
    /// devices heard of it.
    private func say(
        _ isWanted: Bool, _ friends: Friends, _ id: String, takingOver device: DeviceID? = nil,
        atMs: Int64? = nil
    ) async throws {
        var fields: [String: Value] = [
            "promise": .bytes(try await friends.ben.space(of: id).id.bytes),
            "is_wanted": .boolean(isWanted),
        ]
        if let device {
            let standing = try await friends.ben.show(id)["atMs"]?.integer
            fields["device"] = .bytes(device.bytes)
            fields["at_ms"] = .integer(atMs ?? standing ?? 0)
        }
        try await friends.ben.write(
            [
                .create(
                    collection: Promises.sharing.name, nonce: friends.ben.random.nonce(),
                    fields: fields)
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
        // Whoever sets out with the earlier key after this device has its new one is another.
        for (secondsAgo, state) in [(Int64(1000), "interrupted"), (0, "elsewhere")] {
            try await TestNetwork.with { network in
                let friends = try await Friends.meeting(on: network)
                // The time begins before anybody wrote anything by their own clocks.
                friends.ann.clock.setWall(
                    milliseconds: friends.ann.clock.wallMilliseconds - 1_000_000)
                let id = try await friends.promise(inSeconds: 1800)
                friends.ben.setFormerDevices([friends.cem.me.device])
                await friends.ben.start()
                try await departed(
                    friends, id, with: friends.cem.me.device, secondsAgo: secondsAgo)
                #expect(try await friends.ben.sharing(id) == state)
                #expect(
                    try await friends.ben.news().contains("Dinner: you are not shown any more")
                        == (state == "interrupted"))
                // Whoever has the earlier key yet is told that this device goes on.
                try await friends.ben.run("promise", "share", ["promise": .string(id)])
                let devices = try await friends.ben.rows("SELECT device FROM promises_sharing")
                #expect(devices.map { $0.device("device") } == [friends.ben.me.device])
            }
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
            let kept = "SELECT device FROM promises_sharing WHERE device IS NOT NULL"
            let devices = try await friends.ben.rows(kept).map { $0.device("device") }
            #expect(devices == [friends.ben.me.device], "to go on twice is one taking over")
            // Nobody else holds which device of his it is.
            #expect(try await friends.ann.rows(kept).isEmpty)
        }
    }

    @Test func `the device that took over last shows where its person is, and no other`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            let other = friends.cem.me.device
            try friends.ben.locate(metresNorth: 1000)
            try await network.settle()
            #expect(try await friends.ben.sharing(id) == "sharing")
            try await say(true, friends, id, takingOver: other)
            #expect(try await friends.ben.sharing(id) == "elsewhere")
            let sent = await network.sentCount("promise", to: friends.ann)
            try friends.ben.locate(metresNorth: 800)
            try await network.pass(seconds: 40)
            #expect(await network.sentCount("promise", to: friends.ann) == sent)
            try await friends.ben.run("promise", "share", ["promise": .string(id)])
            try await network.settle()
            #expect(try await friends.ben.sharing(id) == "sharing")
            // For another time than the one that stands nobody took over.
            try await say(true, friends, id, takingOver: other, atMs: 1)
            #expect(try await friends.ben.sharing(id) == "sharing")
            // An earlier key that somebody still uses is another device.
            friends.ben.setFormerDevices([other])
            await friends.ben.start()
            #expect(try await friends.ben.sharing(id) == "interrupted")
            try await say(true, friends, id, takingOver: other)
            #expect(try await friends.ben.sharing(id) == "elsewhere")
        }
    }

    @Test func `what I said last on whichever device counts, and peers drop the position`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            try friends.ben.locate(metresNorth: 1000)
            try await network.settle()
            for isWanted in [true, false, true, false] {
                try await say(isWanted, friends, id)
                #expect(try await friends.ben.sharing(id) == (isWanted ? "sharing" : "stopped"))
                try await network.pass(seconds: 6)
                let shown = try await friends.ann.person(friends.ben, in: id)
                #expect((shown?["position"] != nil) == isWanted)
            }
        }
    }

    @Test func `what one device showed is dropped when another of its person says stop`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            try friends.ben.locate(metresNorth: 1000)
            try await network.settle()
            #expect(try await friends.ann.person(friends.ben, in: id)?["position"] != nil)
            // The first may have lost its battery, or its key.
            try await friends.ann.plugin(Promises.self)?.received(
                TopicMessage(
                    topic: Promises.topic,
                    from: Peer(device: friends.cem.me.device, person: friends.ben.me.person),
                    space: try await friends.ben.space(of: id),
                    body: PositionMessage.gone.encoded))
            #expect(try await friends.ann.person(friends.ben, in: id)?["position"] == nil)
        }
    }
}
