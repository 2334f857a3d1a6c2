import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Features

@Suite struct WalkRequestTests {
    private func now(of host: TestHost, plus span: Duration = .zero) -> Timestamp {
        host.clock.wallTime + span
    }

    @Test func `a request is delivered and accepted, and both people see it`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let id = try await ann.ask(ben)
            #expect(try await ann.walkState(id) == .queued)
            try await network.settle()
            #expect(try await ann.walkState(id) == .delivered)
            #expect(try await ben.walk(id)?.state == .pending)
            #expect(try await ben.walk(id)?.name == "Ann")
            #expect(try await ben.walk(id)?.secondsLeft == 60)
            try await ben.call(WalkCommands.accept, .init(id: RecordPrefix(id)))
            try await network.settle()
            #expect(try await ann.walkState(id) == .accepted)
            #expect(try await ben.walkState(id) == .accepted)
        }
    }

    @Test func `the first six digits of an id name a request and an inbox item`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let (first, second) = (try await ann.ask(ben), try await ann.ask(ben))
            try await network.settle()
            let request = try RecordPrefix(String(first.string.prefix(6)))
            #expect(try await ben.call(WalkCommands.decline, .init(id: request)).id == first)
            #expect(try await ben.walkState(second) == .pending)
            let items = try await ben.inboxItems().filter { !$0.handled }
            #expect(items.map { $0.ref?.string } == [second.string])
            let open = try #require(items.first)
            let item = try RecordPrefix(String(open.id.string.prefix(6)))
            try await ben.call(InboxCommands.handle, .init(id: item))
            #expect(try await ben.inboxItems().allSatisfy(\.handled))
        }
    }

    @Test func `a request runs out after 60 s on both sides, and an event reports it`() async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let id = try await ann.ask(ben)
            try await network.settle()
            try await network.pass(seconds: 59)
            #expect(try await ben.walk(id)?.secondsLeft == 1)
            _ = (ann.drainEvents(), ben.drainEvents())
            try await network.pass(seconds: 1)
            #expect(try await ann.walkState(id) == .expired)
            #expect(try await ben.walkState(id) == .expired)
            #expect(ann.drainEvents().contains("walk") && ben.drainEvents().contains("walk"))
            await #expect(
                throws: CommandFault.conflict(
                    "This walk request is not open any more: it has expired.")
            ) { try await ben.call(WalkCommands.accept, .init(id: RecordPrefix(id))) }
        }
    }

    @Test func `a request that arrives after 60 s is missed and not answered`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            try await network.setLink(ann, ben, isUp: false)
            let id = try await ann.ask(ben)
            try await network.pass(seconds: 70)
            #expect(try await ann.walkState(id) == .notAnswered)
            try await network.setLink(ann, ben, isUp: true)
            #expect(try await ben.walkState(id) == .missed)
            #expect(try await ann.walkState(id) == .notAnswered)
            let item = try await ben.inboxItems().first
            #expect(item?.ref == id.string && item?.actions == [])
        }
    }

    @Test func `an answer given in time counts even if it is delivered late`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let id = try await ann.ask(ben)
            try await network.settle()
            try await network.setLink(ann, ben, isUp: false)
            try await network.pass(seconds: 59)
            try await ben.call(WalkCommands.accept, .init(id: RecordPrefix(id)))
            try await network.pass(seconds: 600)
            #expect(try await ann.walkState(id) == .expired)
            try await network.setLink(ann, ben, isUp: true)
            #expect(try await ann.walkState(id) == .accepted)
            #expect(try await ben.walkState(id) == .accepted)
        }
    }

    @Test func `if cancel and accept are made apart, cancel wins on both sides`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let id = try await ann.ask(ben)
            try await network.settle()
            try await network.setLink(ann, ben, isUp: false)
            try await ben.call(WalkCommands.accept, .init(id: RecordPrefix(id)))
            try await ann.call(WalkCommands.cancel, .init(id: RecordPrefix(id)))
            try await network.setLink(ann, ben, isUp: true)
            #expect(try await ann.walkState(id) == .cancelled)
            #expect(try await ben.walkState(id) == .cancelled)
        }
    }

    @Test func `only mates can be asked`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = (
                try await network.person(seed: 1, "Ann"), try await network.person(seed: 2, "Ben")
            )
            await #expect(
                throws: CommandFault.refused(
                    "Only mates can be asked for a walk; meet this person first.")
            ) { try await ann.ask(ben) }
        }
    }

    @Test func `only the receiver answers and only the sender cancels`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let id = try await ann.ask(ben)
            try await network.settle()
            await #expect(throws: CommandFault.self) {
                try await ann.call(WalkCommands.accept, .init(id: RecordPrefix(id)))
            }
            await #expect(throws: CommandFault.self) {
                try await ben.call(WalkCommands.cancel, .init(id: RecordPrefix(id)))
            }
            #expect(try await ben.walkState(id) == .pending)
        }
    }

    @Test func `a sender's fast clock gives 60 s and not 65`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            ann.clock.setWall(ben.clock.wallTime + .seconds(5))
            let id = try await ann.ask(ben)
            try await network.settle()
            #expect(try await ben.walk(id)?.secondsLeft == 60)
            try await ben.call(WalkCommands.accept, .init(id: RecordPrefix(id)))
            try await network.settle()
            #expect(try await ann.walkState(id) == .accepted)
        }
    }

    @Test func `a request with a time is open until then`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let id = try await ann.ask(ben, at: now(of: ann, plus: .seconds(120)))
            try await network.settle()
            try await network.pass(seconds: 119)
            #expect(try await ben.walkState(id) == .pending)
            try await network.pass(seconds: 1)
            #expect(try await ben.walkState(id) == .expired)
        }
    }

    @Test func `a time that has passed or is too far ahead is refused`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let latest = WalkFacts.aheadMax
            let refusal = CommandFault.refused(
                "The time of a walk must be ahead, by at most 31 days.")
            for time in [
                .min, now(of: ann), now(of: ann, plus: latest + .milliseconds(1)),
                .max,
            ] {
                await #expect(throws: refusal) { try await ann.ask(ben, at: time) }
            }
            for atMs in [Int64.max, .min, -1] {
                await #expect {
                    try await ann.answer(
                        to: WalkCommands.ask.declaration,
                        [
                            "to": .string(ben.me.person.description), "latitude": 1,
                            "longitude": 1, "message": "Walk?", "atMs": .integer(atMs),
                        ])
                } throws: { ($0 as? CommandFault)?.code == "usage" }
            }
            _ = try await ann.ask(ben, at: now(of: ann, plus: latest))
        }
    }

    @Test func `a request without a location is for the user's own`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let request = try AskForWalk(to: NameOrKey(ben.me.person), message: Text("Walk?"))
            let unknown = CommandFault.refused(
                "Your own location is not known: give a latitude and a longitude, or set your "
                    + "location first.")
            await #expect(throws: unknown) { try await ann.call(WalkCommands.ask, request) }
            var half = request
            half.latitude = try Latitude(3)
            let refusal = CommandFault.refused("A location has a latitude and a longitude.")
            await #expect(throws: refusal) { try await ann.call(WalkCommands.ask, half) }
            try await ann.call(
                LocationCommands.set, .init(latitude: Latitude(1), longitude: Longitude(2)))
            let asked = try await ann.call(WalkCommands.ask, request)
            #expect(asked.latitude == 1 && asked.longitude == 2)
            await #expect(throws: refusal) { try await ann.call(WalkCommands.ask, half) }
        }
    }

    @Test func `a location off the Earth is refused with its field`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            await #expect {
                try await ann.answer(
                    to: WalkCommands.ask.declaration,
                    [
                        "to": .string(ben.me.person.description), "latitude": 1,
                        "longitude": 181, "message": "Walk?",
                    ])
            } throws: { error in
                guard case .usage(_, let field) = error as? CommandFault else { return false }
                return field == "longitude"
            }
        }
    }

    @Test func `every request is in the inbox until it is handled`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let id = try await ann.ask(ben)
            try await network.settle()
            let item = try await ben.inboxItems().first
            #expect(item?.title == "Ann asks for a walk")
            #expect(item?.actions == ["accept", "decline"])
            #expect(ben.drainEvents().contains("inbox"))
            try await ben.call(WalkCommands.decline, .init(id: RecordPrefix(id)))
            try await network.settle()
            #expect(try await ben.inboxItems().map(\.handled) == [true])
        }
    }

    @Test func `a request that arrived while the plugin was down is in the inbox at its start`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            ben.stop()
            let id = try await ann.ask(ben)
            try await network.copy(.between(ann.me.person, ben.me.person), ann, ben)
            await ben.start()
            try await network.settle()
            #expect(try await ben.inboxItems().map(\.ref?.string) == [id.string])
        }
    }

    @Test func `a mate's forged requests hide no other person's, whatever their times`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let cid = try await network.person(seed: 3, "Cid")
            try await network.setLink(cid, ben, isUp: true)
            try await network.meet(cid, ben, number: 9)
            let fair = try await cid.ask(ben)
            let own = try await ben.ask(ann)
            try await network.settle()
            let fields: [String: Value] = [
                "receiver": .bytes(ben.me.person.bytes), "latitude": .real(1),
                "longitude": .real(2), "message": .text("Me first"),
                "created_ms": .integer(RecordTimes.milliseconds.upperBound - 1_000_000),
            ]
            for _ in 0..<210 {
                try await ann.write(
                    [
                        .create(
                            collection: Walks.walk.name, nonce: ann.random.nonce(),
                            fields: fields)
                    ], in: .between(ann.me.person, ben.me.person))
            }
            try await network.settle()
            let requests = try await ben.call(WalkCommands.list).requests
            #expect(requests.contains { $0.id == fair })
            #expect(requests.contains { $0.id == own })
            let fromAnn = requests.count { $0.message == "Me first" }
            #expect(fromAnn == StoredWalk.listedPerPersonMax)
            #expect(try await ben.inboxItems().contains { $0.ref == fair.string })
            // A later request is before all of them.
            try await network.pass(seconds: 1)
            let later = try await cid.ask(ben)
            try await network.settle()
            #expect(try await ben.call(WalkCommands.list).requests.first?.id == later)
        }
    }

    @Test func `hostile rows of a mate are omitted or cut and never trap`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let pair = SpaceDescriptor.between(ann.me.person, ben.me.person)
            let fair: [String: Value] = [
                "receiver": .bytes(ben.me.person.bytes), "latitude": .real(1),
                "longitude": .real(2),
                "message": .text("x\u{202e}\n" + String(repeating: "y", count: 3000)),
                "created_ms": .integer(ann.clock.wallTime.milliseconds),
            ]
            let twists: [[String: Value]] = [
                [:], ["latitude": .real(1000)], ["receiver": .bytes(ann.me.person.bytes)],
                ["message": .text(" \n ")], ["created_ms": .null],
                ["created_ms": .integer(RecordTimes.milliseconds.upperBound)],
                ["at_ms": .integer(RecordTimes.milliseconds.upperBound)],
            ]
            for twist in twists {
                let fields = fair.merging(twist) { _, new in new }.filter { $0.value != .null }
                try await ann.write(
                    [
                        .create(
                            collection: Walks.walk.name, nonce: ann.random.nonce(),
                            fields: fields)
                    ], in: pair)
            }
            try await network.settle()
            let requests = try await ben.call(WalkCommands.list).requests
            #expect(requests.count == 3)
            #expect(requests.allSatisfy { $0.message.string.count == 100 })
        }
    }
}
