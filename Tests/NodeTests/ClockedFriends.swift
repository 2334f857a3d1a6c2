import ChatAPI
import Features
import FeaturesAPI
import PluginHost
import PluginKit
import PromisesAPI
import ProximityDropAPI
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
            try await friends.measure()
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
    private func call<Request, Answer>(
        _ host: TestHost, _ command: Command<Request, Answer>, _ request: Request
    ) async throws -> Answer {
        let answer = try await record.recording(host).call(command, request)
        try await network.settle()
        return answer
    }

    /// Performs a command without parameters in the same way.
    @discardableResult
    private func call<Answer>(
        _ host: TestHost, _ command: Command<NoParameters, Answer>
    ) async throws -> Answer {
        try await call(host, command, NoParameters())
    }

    private func key(_ host: TestHost) -> NameOrKey { NameOrKey(host.me.person) }

    private func introduce() async throws {
        for (host, name) in [(ann, "Ann"), (ben, "Ben"), (cem, "Cem")] {
            try await call(
                host, ProfileCommands.edit,
                .init(
                    nickname: Nickname(name), dogName: Text("Bori"), age: Whole(3), sex: .female,
                    neutered: true, size: .small, keywords: DogKeywords([.smart, .shy])))
        }
        try await call(ann, NearbyCommands.list)
        for (one, other) in [(ann, ben), (ann, cem), (ben, cem)] {
            try await network.setLink(one, other, isUp: true)
        }
        try await call(ben, NearbyCommands.showToEveryone)
        var shownName = AnnouncedFields()
        shownName.insert("n", Array("Zoe".utf8))
        shownName.insert("g", Array("Max".utf8))
        let tag = try AnnouncedTag("0123456789abcdef")
        let trouble = ConnectionTrouble(.unreachable, cause: "No answer.", fix: "Wait.")
        ann.setNearby([
            NearbyDevice(
                device: cem.me.device, person: cem.me.person, distanceMetres: 12,
                bearingDegrees: 90, since: .min, trouble: trouble),
            NearbyDevice(
                device: nil, person: nil, tag: tag, fields: shownName, since: .min,
                trouble: trouble),
        ])
        try await call(ann, NearbyCommands.list)
        ann.setReach(.dialling(failure: trouble), of: tag)
        try await call(ann, DropCommands.start, .init(to: NameOrKey("Zoe")))
        try await call(ann, DropCommands.cancel)
        ann.setNearby([])
    }

    /// One person measures the way to another, and waits for a device that is held to theirs.
    private func measure() async throws {
        try await call(
            ann, RangingCommands.source, .init(source: .recorded, file: FilePath("/recording")))
        try await call(ann, DropCommands.start, .init(ranged: true))
        try ann.range(
            RangeReport(
                device: ben.me.device, distanceMetres: 0.4, direction: [1, 0, 0],
                uncertaintyMetres: 0.02))
        try await network.pass(seconds: 1)
        try await call(ann, DropCommands.show)
        try await call(ann, RangingCommands.measure)
        try await call(ann, NearbyCommands.list)
        try await call(ann, DropCommands.cancel)
        ann.setRanging(
            RangingProvider(
                choice: .device, state: .failed("It broke."), refusedCount: 1,
                lastRefusal: .notLinked))
        try await call(ann, RangingCommands.show)
        ann.setRanging(.none)
    }

    /// Two people choose the third, who must choose between them; then two drop, and one declines.
    private func drop() async throws {
        for host in [ann, ben] {
            try await call(host, DropCommands.start, .init(to: NameOrKey(cem.me.device)))
        }
        try await network.pass(seconds: 1)
        try await call(cem, DropCommands.show)
        try await call(cem, DropCommands.start, .init())
        try await call(cem, DropCommands.show)
        for host in [cem, ann, ben] { _ = try? await call(host, DropCommands.cancel) }
        try await network.pass(seconds: 30)
        for host in [ann, ben] { try await call(host, DropCommands.start, .init()) }
        try await network.pass(seconds: 3)
        try await call(ann, DropCommands.accept)
        try await call(ben, DropCommands.show)
        try await call(ben, DropCommands.decline)
        try await call(ann, DropCommands.show)
        try await call(ann, DropCommands.preview)
        try await call(ann, ProfileCommands.edit, .init(keptPrivate: [.age]))
        try await call(ann, DropCommands.preview)
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
            ben, LocationCommands.set,
            .init(
                latitude: Latitude(37.5), longitude: Longitude(127),
                accuracyMetres: AccuracyMetres(5)))
        try await network.pass(seconds: 1)
        try await call(ann, MateCommands.list)
    }

    private func walk() async throws {
        var request = try AskForWalk(
            to: key(ben), latitude: Latitude(37.5), longitude: Longitude(127),
            locationName: Text("Park"), message: Text("Walk?"))
        try await call(ann, WalkCommands.ask, request)
        request.atMs = ann.clock.wallTime + .seconds(3600)
        let id = try await call(ann, WalkCommands.ask, request).id
        try await call(ben, InboxCommands.list)
        try await call(ben, WalkCommands.accept, .init(id: RecordPrefix(id)))
        try await call(ann, WalkCommands.note, .init(id: RecordPrefix(id), note: Text("East gate")))
        for host in [ann, ben] { try await call(host, WalkCommands.list) }
    }

    /// Two people talk alone and in a group, which one leaves.
    private func talk() async throws {
        let room = key(ann)
        let start = try await call(ann, ChatCommands.follow, .init()).after
        for text in ["Hello", "Hello again", "And hello"] {
            try await call(ben, ChatCommands.send, .init(room: room, text: MessageText(text)))
        }
        try await call(ann, ChatCommands.follow, .init(after: start))
        try await call(ann, ChatCommands.page, .init(room: key(ben)))
        let page = try await call(
            ann, ChatCommands.open, .init(room: key(ben), limit: MessageCount(1)))
        let before = try #require(page.before)
        try await call(
            ann, ChatCommands.page,
            .init(room: key(ben), before: before, limit: MessageCount(1)))
        try await call(
            ann, ChatCommands.search, .init(text: SearchText("hello"), limit: MessageCount(1)))
        try await call(ben, ChatCommands.page, .init(room: room))

        let created = try await call(ann, GroupCommands.create, .init(name: Text("Walkers")))
        let group = NameOrKey(created.id)
        try await call(ann, GroupCommands.invite, .init(group: group, person: key(ben)))
        try await call(ben, GroupCommands.list)
        try await call(ben, GroupCommands.accept, .init(group: group))
        try await call(ben, GroupCommands.note, .init(group: group, text: Text("At nine")))
        try await call(ben, GroupCommands.show, .init(group: group))
        try await call(ann, ChatCommands.send, .init(room: group, text: MessageText("Hello all")))
        try await call(ann, ChatCommands.rooms)
        try await call(ben, GroupCommands.leave, .init(group: group))
        for host in [ann, ben] { try await call(host, ChatCommands.rooms) }
    }

    /// A person is on the way, arrives and is late or not; the day after, the ledger knows.
    private func keepAPromise() async throws {
        let at = ann.clock.wallTime + .seconds(1861)
        let promise = try await self.promise(at: at)
        try await call(ann, PromiseCommands.today)
        try reportFix(metresNorth: 2000)
        try await network.pass(seconds: 62)
        try reportFix(metresNorth: 900)
        try await network.pass(seconds: 6)
        let reference = PromiseReference(promise: promise)
        try await call(ann, PromiseCommands.show, reference)
        try reportFix(metresNorth: 5)
        try await network.pass(seconds: 6)
        try await call(ann, PromiseCommands.show, reference)
        try await call(ann, PromiseCommands.result, reference)
        try await call(ben, PromiseCommands.list, .init())
        try await confirmAMovedPromise()
        // One second before its time, it belongs to today in every time zone.
        try await network.skip(seconds: Int((at - ann.clock.wallTime).components.seconds) - 1)
        try await call(ann, PromiseCommands.today)
        // The list of past ones has ten on a page.
        for _ in 1...10 { _ = try await self.promise(at: at + .seconds(3600)) }
        for host in [ann, ben, cem] { host.clock.setWall(at + .seconds(20_000)) }
        try await network.pass(seconds: 1)
        try await call(ann, PromiseCommands.list, .init(past: true))
        try await call(ann, PromiseCommands.result, reference)
        try await call(ann, PromiseCommands.ledger)
    }

    private func confirmAMovedPromise() async throws {
        let moved = try await promise(at: ann.clock.wallTime + .seconds(7200))
        let earlier = ann.clock.wallTime + .seconds(3600)
        try await call(ann, PromiseCommands.edit, .init(promise: moved, atMs: earlier))
        try await network.settle()
        try await call(ben, PromiseCommands.show, .init(promise: moved))
        try await call(ben, PromiseCommands.confirm, .init(promise: moved, atMs: earlier))
        try await call(ann, PromiseCommands.delete, .init(promise: moved))
    }

    private func promise(at time: Timestamp) async throws -> NameOrKey {
        let made = try await call(
            ann, PromiseCommands.create,
            .init(
                title: Text("Han river"), atMs: time, latitude: Latitude(37.5665),
                longitude: Longitude(126.978), locationName: Text("Bridge"), penalty: Whole(100),
                with: [key(ben)]))
        let promise = NameOrKey(made.summary.id)
        try await call(ben, PromiseCommands.accept, .init(promise: promise))
        return promise
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
            ann, MateCommands.block, .init(person: key(cem), reason: .other, text: Text("Enough")))
        try await call(ann, MateCommands.blocked)
    }
}
