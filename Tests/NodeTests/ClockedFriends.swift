import Features
import PluginHost
import PluginKit
import Records
import TestSupport
import Testing

@testable import Node

/// Three people who run the plugins of this build on a clock that the test moves. They experience
/// events that would take hours on a real node, such as promises that end.
struct ClockedFriends {
    let record: AnswerRecord
    let network: TestNetwork
    let ann: TestHost
    let ben: TestHost
    let cem: TestHost

    /// Lets three people meet and use every feature.
    static func spendADay(_ record: AnswerRecord) async throws {
        try await TestNetwork.with { network in
            var hosts: [TestHost] = []
            for seed in 1...3 as ClosedRange<UInt64> {
                hosts.append(try await network.host(seed: seed, PluginCatalogue.all))
            }
            let friends = ClockedFriends(
                record: record, network: network, ann: hosts[0], ben: hosts[1], cem: hosts[2])
            try await friends.introduce()
            try await friends.drop()
            try await friends.meet()
            try await friends.locate()
            try await friends.walk()
            try await friends.talk()
            try await friends.keepAPromise()
            try await friends.part()
        }
    }

    /// Performs a command, lets its effects arrive, and records the answer.
    @discardableResult
    private func call(
        _ host: TestHost, _ noun: String, _ verb: String, _ arguments: [String: JSONValue] = [:]
    ) async throws -> JSONValue {
        let answer = try await host.run(noun, verb, arguments)
        try record.record(noun, verb, answer)
        try await network.settle()
        return answer
    }

    private func key(_ host: TestHost) -> JSONValue { .string(host.me.person.description) }

    private func introduce() async throws {
        for (host, name) in [(ann, "Ann"), (ben, "Ben"), (cem, "Cem")] {
            try await call(
                host, "me", "edit",
                [
                    "nickname": .string(name), "dogName": "Bori", "age": 3, "sex": "female",
                    "neutered": true, "size": "small", "keywords": ["smart", "shy"],
                ])
        }
        try await call(ann, "nearby", "list")
        for (one, other) in [(ann, ben), (ann, cem), (ben, cem)] {
            try await network.setLink(one, other, isUp: true)
        }
        try await call(ben, "visibility", "everyone")
        ann.setNearby([
            NearbyDevice(
                device: cem.me.device, person: cem.me.person, distanceMetres: 12,
                bearingDegrees: 90, since: .min)
        ])
        try await call(ann, "nearby", "list")
        ann.setNearby([])
    }

    /// Two people choose the third, who must choose between them; then two drop, and one declines.
    private func drop() async throws {
        let target: [String: JSONValue] = ["to": .string(cem.me.device.description)]
        for host in [ann, ben] { try await call(host, "drop", "start", target) }
        try await network.pass(seconds: 1)
        try await call(cem, "drop", "show")
        try await call(cem, "drop", "start")
        try await call(cem, "drop", "show")
        for host in [cem, ann, ben] { _ = try? await call(host, "drop", "cancel") }
        try await network.pass(seconds: 30)
        for host in [ann, ben] { try await call(host, "drop", "start") }
        try await network.pass(seconds: 3)
        try await call(ann, "drop", "accept")
        try await call(ben, "drop", "show")
        try await call(ben, "drop", "decline")
        try await call(ann, "drop", "show")
        try await call(ann, "drop", "preview")
        try await call(ann, "me", "edit", ["keptPrivate": ["age"]])
        try await call(ann, "drop", "preview")
    }

    /// Ann becomes a mate of the two others.
    private func meet() async throws {
        for (number, other) in [(1, ben), (2, cem)] as [(UInt8, TestHost)] {
            let meeting = try #require(Bytes16([UInt8](repeating: number, count: 16)))
            for (one, another) in [(ann, other), (other, ann)] {
                let mine = try #require(one.plugin(CoreFeatures.self))
                let theirs = try #require(another.plugin(CoreFeatures.self))
                try await mine.proposeMate(
                    another.me.person, meeting: meeting, card: try await theirs.myCard())
                try await network.settle()
            }
        }
    }

    private func locate() async throws {
        try await call(
            ben, "location", "set", ["latitude": 37.5, "longitude": 127, "accuracyMetres": 5])
        try await network.pass(seconds: 1)
        try await call(ann, "mates", "list")
    }

    private func walk() async throws {
        let request: [String: JSONValue] = [
            "to": key(ben), "latitude": 37.5, "longitude": 127, "locationName": "Park",
            "message": "Walk?",
        ]
        try await call(ann, "walk", "ask", request)
        let at = JSONValue.integer((ann.clock.wallTime + .seconds(3600)).milliseconds)
        let asked = try await call(ann, "walk", "ask", request.merging(["atMs": at]) { $1 })
        let id = try #require(asked["id"])
        try await call(ben, "inbox", "list")
        try await call(ben, "walk", "accept", ["id": id])
        try await call(ann, "walk", "note", ["id": id, "note": "East gate"])
        for host in [ann, ben] { try await call(host, "walk", "list") }
    }

    /// Two people talk alone and in a group, which one leaves.
    private func talk() async throws {
        let room = key(ann)
        let start = try #require(try await call(ann, "chat", "follow")["after"])
        for text in ["Hello", "Hello again", "And hello"] {
            try await call(ben, "chat", "send", ["room": room, "text": .string(text)])
        }
        try await call(ann, "chat", "follow", ["after": start])
        try await call(ann, "chat", "page", ["room": key(ben)])
        let page = try await call(ann, "chat", "open", ["room": key(ben), "limit": 1])
        let before = try #require(page["before"])
        let older = ["room": key(ben), "before": before, "limit": 1]
        try await call(ann, "chat", "page", older)
        try await call(ann, "chat", "search", ["text": "hello", "limit": 1])
        try await call(ben, "chat", "page", ["room": room])

        let group = try #require(try await call(ann, "group", "create", ["name": "Walkers"])["id"])
        try await call(ann, "group", "invite", ["group": group, "person": key(ben)])
        try await call(ben, "group", "list")
        try await call(ben, "group", "accept", ["group": group])
        try await call(ben, "group", "note", ["group": group, "text": "At nine"])
        try await call(ben, "group", "show", ["group": group])
        try await call(ann, "chat", "send", ["room": group, "text": "Hello all"])
        try await call(ann, "chat", "rooms")
        try await call(ben, "group", "leave", ["group": group])
        for host in [ann, ben] { try await call(host, "chat", "rooms") }
    }

    /// A person is on the way, arrives and is late or not; the day after, the ledger knows.
    private func keepAPromise() async throws {
        let at = ann.clock.wallTime + .seconds(1861)
        let promise = try await self.promise(at: at)
        try await call(ann, "promise", "today")
        try reportFix(metresNorth: 2000)
        try await network.pass(seconds: 62)
        try reportFix(metresNorth: 900)
        try await network.pass(seconds: 6)
        let reference = ["promise": promise]
        try await call(ann, "promise", "show", reference)
        try reportFix(metresNorth: 5)
        try await network.pass(seconds: 6)
        for verb in ["show", "watch", "result"] { try await call(ann, "promise", verb, reference) }
        try await call(ben, "promise", "list")
        try await confirmAMovedPromise()
        // One second before its time, it belongs to today in every time zone.
        try await network.skip(seconds: Int((at - ann.clock.wallTime).components.seconds) - 1)
        try await call(ann, "promise", "today")
        // The list of past ones has ten on a page.
        for _ in 1...10 { _ = try await self.promise(at: at + .seconds(3600)) }
        for host in [ann, ben, cem] { host.clock.setWall(at + .seconds(20_000)) }
        try await network.pass(seconds: 1)
        try await call(ann, "promise", "list", ["past": true])
        try await call(ann, "promise", "result", reference)
        try await call(ann, "promise", "ledger")
    }

    private func confirmAMovedPromise() async throws {
        let moved = try await promise(at: ann.clock.wallTime + .seconds(7200))
        let earlier = JSONValue.integer((ann.clock.wallTime + .seconds(3600)).milliseconds)
        try await call(ann, "promise", "edit", ["promise": moved, "atMs": earlier])
        try await network.settle()
        try await call(ben, "promise", "show", ["promise": moved])
        try await call(ben, "promise", "confirm", ["promise": moved, "atMs": earlier])
        try await call(ann, "promise", "delete", ["promise": moved])
    }

    private func promise(at time: Timestamp) async throws -> JSONValue {
        let made = try await call(
            ann, "promise", "create",
            [
                "title": "Han river", "atMs": .integer(time.milliseconds), "latitude": 37.5665,
                "longitude": 126.978, "locationName": "Bridge", "penalty": 100, "with": [key(ben)],
            ])
        let id = try #require(made["id"])
        try await call(ben, "promise", "accept", ["promise": id])
        return id
    }

    /// A receiver at Ben reports a location so far north of the promise's.
    private func reportFix(metresNorth metres: Double) throws {
        let degrees = metres / Point.earthRadiusMetres * 180 / .pi
        ben.locate(
            Fix(
                point: try Point(latitude: 37.5665 + degrees, longitude: 126.978),
                accuracyMetres: 5, at: ben.clock.wallTime))
    }

    private func part() async throws {
        try await call(
            ann, "mates", "block", ["person": key(cem), "reason": "other", "text": "Enough"])
        try await call(ann, "mates", "blocked")
    }
}
