import ChatAPI
import ControlAPI
import FeaturesAPI
import Foundation
import GRDB
import Identity
import NodeAPI
import NodeTestSupport
import PluginKit
import PromisesAPI
import ProximityDropAPI
import TestSupport
import Testing

@testable import Node

/// Performs every command on a node with data, and checks each answer against its schema.
@Suite(.serialized) struct CommandContractTests {
    /// A node whose answers are recorded.
    struct Caller: CommandPerformer {
        let node: RunningNode
        let record: AnswerRecord

        func answer(
            to command: CommandDeclaration, _ values: [String: JSONValue]
        ) async throws -> JSONValue {
            try await record.recording(node).answer(to: command, values)
        }

        /// Repeats a query until the answer is as expected, and records every answer.
        func wait<Answer>(
            for query: Command<NoParameters, Answer>, until isWanted: (Answer) -> Bool
        ) async {
            let isThere = await eventually { (try? await call(query)).map(isWanted) == true }
            #expect(isThere)
        }

        /// The key of the node's owner.
        var person: Key { get async throws { try await node.person } }
    }

    /// The plugins of which this walk performs every command: all but those that have such a walk
    /// among their own tests, as `script/new-plugin` makes it.
    private static let walked = PluginCatalogue.all.filter { !hasOwnWalk($0) }

    private static func hasOwnWalk(_ plugin: any Plugin.Type) -> Bool {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../plugins/\(plugin)/Tests")
        let files = try? FileManager.default.contentsOfDirectory(
            at: tests, includingPropertiesForKeys: nil)
        return (files ?? []).contains { file in
            let text = try? String(contentsOf: file, encoding: .utf8)
            return text?.contains("record.missingRoutes.isEmpty") == true
        }
    }

    /// The members that this walk cannot see, each with the condition for seeing it.
    private static let unreachable = [
        "status show.storage.full": "a mate who wrote too much; FillTests send as much",
        "status show.unsettled": "an older copy of the home; RestoredHomeTests restore one",
        "status show.unsettledSentence": "as above",
        "status show.spaces.nextDueMs": "a peer whose clock is ahead; ClockTests of the replica",
        "status show.spaces.forkedDevices": "two copies of a home; RestoredHomeTests run them",
        "status show.overAllowance":
            "someone who writes too much; NeighbourhoodAllowanceTests have one",
        "status show.overAllowance.neighbourhood": "as above",
        "status show.overAllowance.person": "as above",
        "status show.overAllowance.device": "as above",
        "status show.overAllowance.untilMs": "as above",
        "doctor run.checks.fix": "something amiss on this machine; DoctorTests make it",
        "doctor run.checks.fix.command": "something amiss on this machine; DoctorTests make it",
        "recovery show.sinceMs": "someone who came back; RecoveryTests bring one back",
        "recovery show.problem": "a device that lies; RecoveryQuestionTests",
        "recovery show.problemSentence": "as above",
        "recovery show.sources": "someone who came back; RecoveryTests bring one back",
        "recovery show.sources.person": "as above",
        "recovery show.sources.suffix": "as above",
        "recovery show.sources.name": "as above",
        "recovery show.sources.mate": "as above",
        "recovery show.sources.groups": "as above",
        "recovery show.sources.changes": "as above",
        "recovery show.missing": "someone who came back; RecoveryTests bring one back",
        "recovery show.missingSentence": "as above",
        "recovery show.missingSentences": "as above",
        "drop start.elsewhere.name": "a drop with a person on another device; TwoDevicesTests",
        "drop start.meeting": "two people who look and share interests; MeetingTests",
        "drop start.meeting.common": "as above",
        "drop start.meeting.commonSentence": "as above",
        "drop start.meeting.topic": "as above",
        "drop start.meeting.topicSentence": "as above",
        "promise create.sharingDevice": "two devices on the way; TwoDevicesTests of the plugin",
        "promise list.promises.sharingDevice": "as above",
        "device list.caution": "someone who came back; RecoveryTests bring one back",
        "device list.cautionSentence": "as above",
        "repair run.findings": "a torn database file, which a node may not open at all",
    ]

    @Test func `every text and number of an answer or an event has a limit`() {
        var unlimited: [String] = []
        func visit(_ schema: Schema, _ path: String) {
            switch schema {
            case .object(let members, _):
                // The sentence beside a text has the limits of its reader.
                let besides = Set(members.map { Sentence.member(beside: $0.name) })
                for member in members where !besides.contains(member.name) {
                    visit(member.schema, "\(path).\(member.name)")
                }
            case .list(let part, _), .map(let part): visit(part, path)
            case .any, .number(nil), .text(.any): unlimited.append(path)
            case .integer(let range):
                if range.lowerBound == .min || range.upperBound == .max { unlimited.append(path) }
            case .boolean, .number, .text: break
            }
        }
        for declaration in CommandCatalogue.declarations {
            visit(declaration.result, "\(declaration.noun) \(declaration.verb)")
        }
        for event in EventCatalogue.declarations { visit(event.body, event.topic) }
        #expect(unlimited.isEmpty)
    }

    @Test func `every answer and event conforms to its schema, and all of them are seen`()
        async throws
    {
        let (record, events) = (
            AnswerRecord(of: CommandCatalogue.declarations(of: Self.walked)),
            EventRecord(of: EventCatalogue.declarations(of: Self.walked))
        )
        let meeting = try await Meeting.linked()
        let following = [meeting.one, meeting.other].map(events.follow)
        let (ana, bob) = (
            Caller(node: meeting.one, record: record), Caller(node: meeting.other, record: record)
        )
        for each in [ana, bob] { try await choosePhoto(each) }
        try await drop(ana, bob)
        try await photos(ana, bob)
        try await profiles(ana)
        try await walks(ana, bob)
        try await files(ana, bob)
        try await groups(ana, bob)
        try await neighbourhoods(ana)
        try await mutedWords(ana)
        try await chat(ana, bob)
        try await promises(ana, bob)
        try await care(ana)
        try await endings(ana, bob)
        try await damage(meeting.other, record)
        try await deletions(record)
        try await devices(ana, events)
        try await recovery(record)
        try await joining(record)
        try await ClockedFriends.spendADay(record)
        #expect(record.missingRoutes.isEmpty, "these commands were not performed")
        let unseen = record.unseenMembers.filter { Self.unreachable[$0] == nil }
        #expect(unseen.isEmpty, "no answer had these members")
        for each in following { each.cancel() }
        #expect(events.missingTopics == ["lost"], "no event came under these topics")
        for node in [meeting.one, meeting.other] {
            try? FileManager.default.removeItem(atPath: node.home.directory)
        }
    }

    private func drop(_ ana: Caller, _ bob: Caller) async throws {
        try await ana.call(DropCommands.preview)
        try await ana.call(DropCommands.start, .init())
        try await ana.call(DropCommands.cancel)
        try await ana.call(DropCommands.start, .init())
        try await bob.call(DropCommands.start, .init())
        for side in [ana, bob] {
            try await side.node.wait(for: DropCommands.show) { $0.phase == .deciding }
            await side.wait(for: DropCommands.show) { $0.peer?.photo == true }
            try await side.call(DropCommands.photo)
        }
        try await bob.call(DropCommands.decline)
        try await ana.node.wait(for: DropCommands.show) { $0.phase == .declined }
        try await ana.call(DropCommands.start, .init())
        try await bob.call(DropCommands.start, .init())
        for side in [ana, bob] {
            try await side.node.wait(for: DropCommands.show) { $0.phase == .deciding }
        }
        for side in [ana, bob] { try await side.call(DropCommands.accept) }
        for side in [ana, bob] {
            try await side.node.wait(for: MateCommands.list) {
                $0.mates.first?.state == .mate
            }
        }
    }

    private func profiles(_ ana: Caller) async throws {
        try await ana.call(
            ProfileCommands.edit, .init(keywords: DogKeywords([.shy, .smart]), keptPrivate: [.age]))
        try await ana.call(ProfileCommands.show)
        try await ana.call(NodeCommands.status)
        try await ana.call(NodeCommands.addPeer, .init(address: Text("127.0.0.1:9")))
        try await ana.call(NodeCommands.listPeers)
        try await ana.call(NodeCommands.removePeer, .init(address: Text("127.0.0.1:9")))
        try await ana.call(NearbyCommands.showToEveryone)
        try await ana.call(NearbyCommands.visibility)
        try await ana.call(NearbyCommands.showToMates)
        try await ana.call(NearbyCommands.list)
        try await ana.call(
            LocationCommands.set,
            .init(
                latitude: Latitude(37.5), longitude: Longitude(127),
                accuracyMetres: AccuracyMetres(5)))
        try await ana.call(LocationCommands.show)
        try await ana.call(MateCommands.list)
        try await ana.call(MateCommands.blocked)
        try await ana.call(NodeCommands.verify, .init())
        try await ana.call(NodeCommands.diagnose)
    }

    private func ask(_ ana: Caller, _ bob: Caller) async throws -> RecordKey {
        let walk = try await ana.call(
            WalkCommands.ask,
            .init(
                to: NameOrKey(bob.person), latitude: Latitude(37.5), longitude: Longitude(127.0),
                locationName: Text("Park"), message: Text("Walk?")))
        try await bob.node.wait(for: WalkCommands.list) {
            $0.requests.contains { $0.id == walk.id }
        }
        return walk.id
    }

    private func walks(_ ana: Caller, _ bob: Caller) async throws {
        let accepted = try await ask(ana, bob)
        try await bob.call(WalkCommands.accept, .init(id: RecordPrefix(accepted)))
        try await ana.call(
            WalkCommands.note, .init(id: RecordPrefix(accepted), note: Text("East gate")))
        try await bob.call(WalkCommands.decline, .init(id: RecordPrefix(ask(ana, bob))))
        try await ana.call(WalkCommands.cancel, .init(id: RecordPrefix(ask(ana, bob))))
        try await ana.call(WalkCommands.list)
        let items = try await bob.call(InboxCommands.list)
        let item = try #require(items.items.first?.id)
        try await bob.call(InboxCommands.handle, .init(id: RecordPrefix(item)))
        try await ana.call(WalkCommands.erase, .init(id: RecordPrefix(accepted)))
    }

    private func groups(_ ana: Caller, _ bob: Caller) async throws {
        var created: [NameOrKey] = []
        for name in ["Walkers", "Talkers", "Runners"] {
            let group = try await ana.call(GroupCommands.create, .init(name: Text(name))).id
            created.append(NameOrKey(group))
            try await ana.call(
                GroupCommands.invite, .init(group: NameOrKey(group), person: NameOrKey(bob.person)))
            try await bob.node.wait(for: GroupCommands.list) {
                $0.groups.contains { $0.id == group && $0.state == .invited }
            }
        }
        let (first, second, third) = (created[0], created[1], created[2])
        try await bob.call(GroupCommands.accept, .init(group: first))
        try await bob.call(GroupCommands.decline, .init(group: second))
        let note = try await ana.call(
            GroupCommands.note, .init(group: first, text: Text("At nine")))
        try await ana.call(GroupCommands.show, .init(group: first))
        try await ana.call(GroupCommands.erase, .init(group: first, note: RecordPrefix(note.id)))
        try await ana.call(GroupCommands.list)
        try await bob.call(GroupCommands.leave, .init(group: first))
        try await ana.call(GroupCommands.remove, .init(group: third, person: NameOrKey(bob.person)))
    }

    private func chat(_ ana: Caller, _ bob: Caller) async throws {
        let room = NameOrKey(try await bob.person)
        let sent = try await ana.call(
            ChatCommands.send, .init(room: room, text: MessageText("Hello\nthere")))
        try await ana.call(ChatCommands.rooms)
        try await ana.call(ChatCommands.open, .init(room: room, limit: MessageCount(10)))
        try await ana.call(ChatCommands.page, .init(room: room))
        try await ana.call(ChatCommands.search, .init(text: SearchText("hello")))
        try await ana.call(ChatCommands.follow, .init(room: room))
        try await ana.call(ChatCommands.delete, .init(id: RecordPrefix(sent.id)))
    }

    private func promises(_ ana: Caller, _ bob: Caller) async throws {
        let now = try await ana.call(NodeCommands.status).nowMs
        let made = try await ana.call(
            PromiseCommands.create,
            .init(
                title: Text("Han river"), atMs: now + .seconds(3600), latitude: Latitude(37.5),
                longitude: Longitude(127), locationName: Text("Bridge"), penalty: Whole(100),
                with: [NameOrKey(bob.person)]))
        let promise = NameOrKey(made.summary.id)
        let reference = PromiseReference(promise: promise)
        try await bob.node.wait(for: PromiseCommands.list, .init()) {
            $0.promises.contains { $0.id == made.summary.id }
        }
        // Only a person who declined can be asked again.
        try await bob.call(PromiseCommands.leave, reference)
        try await ana.node.wait(for: PromiseCommands.show, reference) {
            $0.people.contains { $0.state == .left }
        }
        try await ana.call(
            PromiseCommands.invite, .init(promise: promise, with: [NameOrKey(bob.person)]))
        try await bob.node.wait(for: PromiseCommands.show, reference) {
            $0.summary.state == .invited
        }
        try await bob.call(PromiseCommands.accept, .init(promise: promise))
        try await ana.call(PromiseCommands.edit, .init(promise: promise, title: Text("Han")))
        try await ana.call(PromiseCommands.show, reference)
        try await ana.call(PromiseCommands.result, reference)
        try await ana.call(PromiseCommands.list, .init())
        try await ana.call(PromiseCommands.today)
        try await ana.call(PromiseCommands.ledger)
        try await ana.call(PromiseCommands.list, .init(past: true))
        try await ana.call(PromiseCommands.stop, reference)
        try await ana.call(PromiseCommands.share, reference)
        try await bob.call(PromiseCommands.leave, reference)
        try await ana.call(PromiseCommands.delete, reference)
    }

    private func care(_ ana: Caller) async throws {
        let directory = NSTemporaryDirectory() + "waggle-care-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        try await ana.call(NodeCommands.backup, .init(file: FilePath(directory + "/backup")))
        try await ana.call(NodeCommands.export, .init(file: FilePath(directory + "/export")))
        try FileManager.default.removeItem(atPath: directory)
        try ana.node.damagePhotos()
        try await ana.call(NodeCommands.repair, .init())
        try await ana.call(NodeCommands.storage)
        try await ana.call(NodeCommands.setStorage, .init(totalMebibytes: Whole(4096)))
        try await ana.call(ConfigCommands.list)
        let level = try SettingName("notifications.level")
        try await ana.call(ConfigCommands.set, .init(name: level, value: SettingValue("names")))
        try await ana.call(ConfigCommands.get, .init(name: level))
        try await ana.call(LocationCommands.clear)
        try await ana.call(
            LocationCommands.source, .init(source: .gpsd, address: Text("127.0.0.1:1")))
        await ana.wait(for: LocationCommands.show) { $0.state == .away }
        let track = NSTemporaryDirectory() + "waggle-track-\(UUID().uuidString.prefix(8))"
        let point = "<trkpt lat=\"37.5\" lon=\"127\"><time>2026-05-01T09:00:00Z</time></trkpt>"
        try "<gpx><trk><trkseg>\(point)</trkseg></trk></gpx>".write(
            toFile: track, atomically: false, encoding: .utf8)
        try await ana.call(LocationCommands.source, .init(source: .gpx, file: FilePath(track)))
        await ana.wait(for: LocationCommands.show) { $0.state == .ended }
        try FileManager.default.removeItem(atPath: track)
        try await ana.call(LocationCommands.source, .init(source: .hand))
        try await ana.call(RangingCommands.source, .init(source: .off))
    }

    private func endings(_ ana: Caller, _ bob: Caller) async throws {
        let other = try await ana.person
        try await bob.call(
            MateCommands.rename, .init(person: NameOrKey(other), as: OwnNickname("Neighbour")))
        // Blocking a person also ends the mateship.
        try await bob.call(MateCommands.list)
        try await bob.call(MateCommands.remove, .init(person: NameOrKey(other)))
        try await bob.call(
            MateCommands.block,
            .init(person: NameOrKey(other), reason: .other, text: Text("Enough")))
        try await bob.call(MateCommands.blocked)
        try await bob.call(MateCommands.unblock, .init(person: NameOrKey(other)))
        try await ana.call(NodeCommands.deleteMe, .init(yes: true))
    }

    /// Ends a node, damages a batch of its mate on its disk, and starts it again alone.
    private func damage(_ node: RunningNode, _ record: AnswerRecord) async throws {
        let device = try await node.device
        try await node.stop()
        let queue = try DatabaseQueue(path: node.home.replicaFile)
        try await queue.write { database in
            try database.execute(
                sql: """
                    UPDATE batch SET body = CAST(body || x'EE' AS BLOB) WHERE id = (
                        SELECT min(batch.id) FROM batch JOIN log ON log.number = batch.id >> 40
                        WHERE lower(hex(log.device)) <> ? AND EXISTS (
                            SELECT 1 FROM batch later WHERE later.id = batch.id + 1))
                    """, arguments: [device.string])
            #expect(database.changesCount == 1)
        }
        try queue.close()
        try node.damagePhotos()
        let again = Caller(node: try await RunningNode.start(node.home), record: record)
        try await again.call(NodeCommands.verify, .init())
        try await again.call(NodeCommands.status)
        try await again.call(NodeCommands.repair, .init())
        try await again.call(NodeCommands.stop)
        try await again.node.stop()
    }

    /// Deletes a person whose mate is linked, and one whose mate is away.
    private func deletions(_ record: AnswerRecord) async throws {
        for isLinked in [true, false] {
            let meeting = try await Meeting.mates()
            let mate = try await meeting.other.person
            if !isLinked { try await meeting.other.remove() }
            let answer = try await Caller(node: meeting.one, record: record)
                .call(NodeCommands.deleteMe, .init(yes: true))
            #expect(answer.confirmed == (isLinked ? [mate] : []))
            #expect(answer.unconfirmed == (isLinked ? [] : [mate]))
            try await meeting.one.remove()
            if isLinked { try await meeting.other.remove() }
        }
    }
}
