import PluginKit
import PromisesAPI
import TestSupport
import Testing

@testable import Promises

/// Sharing a location after the node ended on the way, or from several devices of a person.
struct InterruptedTests {
    @Test func `no location is shared after a crash until the person says so`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            try friends.ben.locate(metresNorth: 1000)
            try await network.settle()
            await friends.ben.start()
            try await network.settle()
            #expect(try await friends.ben.sharing(id) == .interrupted)
            #expect(
                try await friends.ben.news().contains("Dinner: your location is now hidden"))
            try friends.ben.locate(metresNorth: 10)
            try await network.pass(seconds: 6)
            #expect(try await friends.ann.person(friends.ben, in: id)?.arrivedMs == nil)
            try await friends.ben.call(PromiseCommands.share, .init(id))
            try await network.settle()
            #expect(try await friends.ann.person(friends.ben, in: id)?.rank == 1)
            #expect(
                try await !friends.ben.news().contains("Dinner: your location is now hidden"))
        }
    }

    /// Writes that Ben set out with a device before this run of his node.
    private func departed(
        _ friends: Friends, _ id: Key, with device: DeviceID?, secondsAgo: Int64 = 0
    ) async throws {
        let space = try #require(
            try await friends.ben.rows(
                "SELECT descriptor FROM waggle_space WHERE lower(hex(id)) = ?", [.text(id.string)]
            ).first?.descriptor("descriptor"))
        var fields: [String: Value] = [
            "departed_ms": .integer(
                friends.ben.time(in: .seconds(-secondsAgo)).milliseconds),
            "departed_latitude": .real(Friends.location.latitude),
            "departed_longitude": .real(Friends.location.longitude),
        ]
        fields["departed_device"] = device.map { .bytes($0.bytes) }
        try await friends.ben.write(
            [.own(collection: Promises.attendance.name, fields: fields)], in: space)
        try await friends.network.settle()
    }

    /// Writes a choice of Ben to share his location or not, made on any of his devices, and lets
    /// his other devices receive it.
    private func say(
        _ isWanted: Bool, _ friends: Friends, _ id: Key, takingOver device: DeviceID? = nil,
        at time: Timestamp? = nil
    ) async throws {
        var fields: [String: Value] = [
            "promise": .bytes(try await friends.ben.space(of: id).id.bytes),
            "is_wanted": .boolean(isWanted),
        ]
        if let device {
            let standing = try await friends.ben.show(id).summary.atMs
            fields["device"] = .bytes(device.bytes)
            fields["at_ms"] = .integer((time ?? standing).milliseconds)
        }
        try await friends.ben.write(
            [
                .create(
                    collection: Promises.sharing.name, nonce: friends.ben.random.nonce(),
                    fields: fields)
            ], in: .own(friends.ben.me.person))
        try await friends.network.settle()
    }

    @Test func `the device that set out sends the location, and no other device withdraws it`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            try await departed(friends, id, with: friends.cem.me.device)
            #expect(try await friends.ben.sharing(id) == .elsewhere)
            #expect(
                try await !friends.ben.news().contains("Dinner: your location is now hidden"))
            let sent = await network.sentCount("promise", to: friends.ann)
            try friends.ben.locate(metresNorth: 1000)
            try await friends.setLinks(of: friends.ben, isUp: false)
            try await friends.setLinks(of: friends.ben, isUp: true)
            try await network.pass(seconds: 6)
            #expect(await network.sentCount("promise", to: friends.ann) == sent)
            try await friends.ben.call(PromiseCommands.share, .init(id))
            try await network.settle()
            #expect(try await friends.ben.sharing(id) == .sharing)
            #expect(await network.sentCount("promise", to: friends.ann) > sent)
        }
    }

    @Test func `a departure that names this device, or none, was interrupted here`() async throws {
        for isNamed in [true, false] {
            try await TestNetwork.with { network in
                let friends = try await Friends.meeting(on: network)
                let id = try await friends.promise(inSeconds: 1800)
                try await departed(friends, id, with: isNamed ? friends.ben.me.device : nil)
                #expect(try await friends.ben.sharing(id) == .interrupted)
            }
        }
    }

    @Test func `a departure under an earlier key of this device was interrupted here`()
        async throws
    {
        // A device that sets out with the earlier key after this device has its new one is another
        // device.
        for (secondsAgo, state) in [(Int64(1000), PromiseSharing.interrupted), (0, .elsewhere)] {
            try await TestNetwork.with { network in
                let friends = try await Friends.meeting(on: network)
                // The time begins before any person wrote a record by their own clock.
                friends.ann.clock.setWall(friends.ann.time(in: .seconds(-1000)))
                let id = try await friends.promise(inSeconds: 1800)
                friends.ben.setFormerDevices([friends.cem.me.device])
                await friends.ben.start()
                try await departed(
                    friends, id, with: friends.cem.me.device, secondsAgo: secondsAgo)
                #expect(try await friends.ben.sharing(id) == state)
                #expect(
                    try await friends.ben.news().contains("Dinner: your location is now hidden")
                        == (state == .interrupted))
                // A device that still has the earlier key is told that this device continues.
                try await friends.ben.call(PromiseCommands.share, .init(id))
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
                try await friends.ben.call(PromiseCommands.share, .init(id))
                #expect(try await friends.ben.sharing(id) == .sharing)
            }
            await friends.ben.start()
            #expect(try await friends.ben.sharing(id) == .interrupted)
            #expect(
                try await friends.ben.news().contains("Dinner: your location is now hidden"))
            let kept = "SELECT device FROM promises_sharing WHERE device IS NOT NULL"
            let devices = try await friends.ben.rows(kept).map { $0.device("device") }
            #expect(devices == [friends.ben.me.device], "to go on twice is one taking over")
            // No other person stores which of his devices it is.
            #expect(try await friends.ann.rows(kept).isEmpty)
        }
    }

    @Test func `only the device that took over last sends the location of its person`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            let other = friends.cem.me.device
            try friends.ben.locate(metresNorth: 1000)
            try await network.settle()
            #expect(try await friends.ben.sharing(id) == .sharing)
            try await say(true, friends, id, takingOver: other)
            #expect(try await friends.ben.sharing(id) == .elsewhere)
            let sent = await network.sentCount("promise", to: friends.ann)
            try friends.ben.locate(metresNorth: 800)
            try await network.pass(seconds: 40)
            #expect(await network.sentCount("promise", to: friends.ann) == sent)
            try await friends.ben.call(PromiseCommands.share, .init(id))
            try await network.settle()
            #expect(try await friends.ben.sharing(id) == .sharing)
            // A takeover for another time than the present one does not count.
            try await say(true, friends, id, takingOver: other, at: Timestamp(milliseconds: 1))
            #expect(try await friends.ben.sharing(id) == .sharing)
            // An earlier key that is still in use belongs to another device.
            friends.ben.setFormerDevices([other])
            await friends.ben.start()
            #expect(try await friends.ben.sharing(id) == .interrupted)
            try await say(true, friends, id, takingOver: other)
            #expect(try await friends.ben.sharing(id) == .elsewhere)
        }
    }

    @Test func `my last choice on any device counts, and peers remove the location`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            try friends.ben.locate(metresNorth: 1000)
            try await network.settle()
            for isWanted in [true, false, true, false] {
                try await say(isWanted, friends, id)
                #expect(try await friends.ben.sharing(id) == (isWanted ? .sharing : .stopped))
                try await network.pass(seconds: 6)
                let shown = try await friends.ann.person(friends.ben, in: id)
                #expect((shown?.location != nil) == isWanted)
            }
        }
    }

    @Test func `the location that one device sent is removed when another one stops sharing`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            try friends.ben.locate(metresNorth: 1000)
            try await network.settle()
            #expect(try await friends.ann.person(friends.ben, in: id)?.location != nil)
            // The first device may have no power, or a new key.
            try await friends.ann.plugin(Promises.self)?.received(
                TopicMessage(
                    topic: Promises.topic,
                    from: Peer(device: friends.cem.me.device, person: friends.ben.me.person),
                    space: try await friends.ben.space(of: id),
                    body: SharedLocationMessage.gone.encoded))
            #expect(try await friends.ann.person(friends.ben, in: id)?.location == nil)
        }
    }
}
