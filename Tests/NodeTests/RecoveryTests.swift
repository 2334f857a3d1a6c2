import ChatAPI
import ControlAPI
import FeaturesAPI
import Foundation
import GRDB
import Identity
import InterestsAPI
import NodeAPI
import NodeTestSupport
import PluginKit
import PromisesAPI
import ProximityDropAPI
import Records
import TestSupport
import Testing

@testable import Node

/// People who lost their device and come back by their recovery words, over real links.
@Suite(.serialized) struct RecoveryTests {
    /// Ana, with her words, and her mate Bob.
    private struct Friends {
        let ana, bob: RunningNode
        let words: RecoveryWords

        /// - Parameter isOld: whether an old version made Ana's record, which then has no entry by
        ///   the recovery key.
        static func make(isOld: Bool = false) async throws -> Friends {
            let home = Home(try TestDirectory.newPath("home"))
            let (identity, words) = try NodeIdentity.create(in: home)
            if isOld {
                let old = try PersonRecord(
                    founding: identity.person.founding, firstDevice: identity.key)
                try Data(old.encoded).write(to: URL(filePath: home.personRecordFile))
            }
            let meeting = Meeting(one: try await .start(home), other: try await .start())
            try await meeting.one.call(ProfileCommands.edit, Meeting.profile("Ana", dog: "Rex"))
            try await meeting.other.call(ProfileCommands.edit, Meeting.profile("Bob", dog: "Kit"))
            try await meeting.one.dial(meeting.other)
            for node in [meeting.one, meeting.other] {
                try await node.wait(for: NearbyCommands.list) { $0.people.count == 1 }
            }
            try await meeting.drop()
            return Friends(ana: meeting.one, bob: meeting.other, words: words)
        }

        /// Prepares an empty home with Ana's words, and starts a node on it that dials Bob's.
        func recover(as person: PersonID? = nil) async throws -> RunningNode {
            let home = Home(try TestDirectory.newPath("home"))
            _ = try NodeIdentity.recover(in: home, by: words, as: person)
            let node = try await RunningNode.start(home)
            try await node.dial(bob)
            return node
        }
    }

    /// Waits until a node, which may start again meanwhile, answers as expected.
    private func waits<Answer>(
        _ node: RunningNode, _ query: Command<NoParameters, Answer>,
        _ isWanted: @escaping (Answer) -> Bool
    ) async -> Bool {
        await eventually(seconds: 30) {
            (try? await node.call(query)).map(isWanted) ?? false
        }
    }

    @Test func `words bring mates, messages, groups, promises and the card back`() async throws {
        let friends = try await Friends.make()
        let (ana, bob) = (friends.ana, friends.bob)
        let (me, mate) = (try await ana.person, try await bob.person)
        try await ana.call(
            ChatCommands.send, .init(room: NameOrKey(mate), text: MessageText("hello")))
        let group = try await ana.call(GroupCommands.create, .init(name: Text("Walkers"))).id
        try await ana.call(
            GroupCommands.invite, .init(group: NameOrKey(group), person: NameOrKey(mate)))
        try await bob.wait(for: GroupCommands.list) { $0.groups.first?.state == .invited }
        try await bob.call(GroupCommands.accept, .init(group: NameOrKey(group)))
        try await ana.call(
            GroupCommands.note, .init(group: NameOrKey(group), text: Text("at nine")))
        let tomorrow =
            Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) + .seconds(90_000)
        try await ana.call(
            PromiseCommands.create,
            .init(
                title: Text("Dinner"), atMs: tomorrow,
                latitude: Latitude(37.5), longitude: Longitude(127), with: [NameOrKey(mate)]))
        try await bob.wait(for: PromiseCommands.list, .init()) { $0.promises.count == 1 }
        #expect(
            await eventually { (try? await ana.call(NodeCommands.verify, .init()))?.equal == true })
        try await ana.remove()

        let fresh = try await friends.recover()
        #expect(await waits(fresh, NodeCommands.recovery) { $0.sources.count == 1 })
        #expect(try await fresh.person == me)
        let report = try await fresh.call(NodeCommands.recovery)
        #expect(report.stage == .regaining)
        #expect(report.mates.value == 1)
        #expect(report.groups.value == 2)
        #expect(report.sources.first?.person == mate)
        // His card, which has his name, comes after what makes him a mate.
        #expect(await waits(fresh, NodeCommands.recovery) { $0.sources.first?.name == "Bob" })
        #expect(report.missing.count == 1)
        #expect(try await fresh.call(MateCommands.list).mates.map(\.state) == [.mate])
        let page = try await fresh.call(ChatCommands.page, .init(room: NameOrKey(mate)))
        #expect(page.messages.map(\.text.string) == ["hello"])
        let shown = try await fresh.call(GroupCommands.show, .init(group: NameOrKey(group)))
        #expect(shown.notes.count == 1)
        #expect(await waits(fresh, ProfileCommands.show) { $0.nickname == "Ana" })
        let promises = try await fresh.call(PromiseCommands.list, .init()).promises
        #expect(promises.map(\.title.string) == ["Dinner"])
        // Bob has one mate of that name, and was told of her new device once.
        let mates = try await bob.call(MateCommands.list).mates
        #expect(mates.map(\.person) == [me])
        let items = try await bob.call(InboxCommands.list).items.filter { $0.kind == "mates" }
        #expect(items.map { $0.title.string } == ["Ana has a new device"])
        #expect(items.first?.actions == ["block"])
        // What she writes now reaches him, and what he writes reaches her.
        try await fresh.call(
            ChatCommands.send, .init(room: NameOrKey(mate), text: MessageText("I am back")))
        try await bob.wait(for: ChatCommands.page, .init(room: NameOrKey(me))) {
            $0.messages.map(\.text.string) == ["hello", "I am back"]
        }
        try await fresh.remove()
        try await bob.remove()
    }

    @Test func `a node that waits says so, writes nothing, and goes on after a restart`()
        async throws
    {
        let friends = try await Friends.make()
        try await friends.ana.remove()
        try await friends.bob.stop()
        let home = Home(try TestDirectory.newPath("home"))
        _ = try NodeIdentity.recover(in: home, by: friends.words)
        #expect(home.isRecovering && !home.hasIdentity)
        let waiting = try await RunningNode.start(home)
        let status = try await waiting.call(NodeCommands.status)
        #expect(status.recovery?.sentence.english.hasPrefix("Recovering: ") == true)
        #expect(status.unsettled != nil)
        #expect(try await waiting.call(NodeCommands.recovery).stage == .searching)
        await #expect(throws: CommandFault.self) {
            try await waiting.call(ProfileCommands.edit, .init(nickname: Nickname("Eve")))
        }
        try await waiting.dial(friends.bob)
        try await waiting.stop()
        // The words stay until they have found their person.
        let again = try await RunningNode.start(home)
        let bob = try await RunningNode.start(friends.bob.home, port: friends.bob.port)
        #expect(await waits(again, NodeCommands.recovery) { $0.mates.value == 1 })
        #expect(home.hasIdentity && !home.isRecovering)
        #expect(!FileManager.default.fileExists(atPath: home.recoveringWordsFile))
        #expect(!FileManager.default.fileExists(atPath: home.recoveringDirectory))
        try await again.remove()
        try await bob.remove()
    }

    @Test func `what a mate has comes back when that mate is met, later and once`() async throws {
        let friends = try await Friends.make()
        let eve = try await RunningNode.start()
        try await eve.call(ProfileCommands.edit, Meeting.profile("Eve", dog: "Oak"))
        try await friends.ana.dial(eve)
        try await eve.wait(for: NearbyCommands.list) { !$0.people.isEmpty }
        try await friends.ana.call(DropCommands.start, .init())
        try await eve.call(DropCommands.start, .init())
        for node in [friends.ana, eve] {
            try await node.wait(for: DropCommands.show) { $0.phase == .deciding }
            try await node.call(DropCommands.accept)
        }
        try await eve.wait(for: MateCommands.list) { $0.mates.first?.state == .mate }
        try await friends.ana.wait(for: MateCommands.list) { $0.mates.count == 2 }
        try await friends.ana.remove()

        let fresh = try await friends.recover()
        #expect(await waits(fresh, NodeCommands.recovery) { $0.sources.count == 1 })
        #expect(try await fresh.call(NodeCommands.recovery).mates.value == 1)
        try await fresh.dial(eve)
        #expect(await waits(fresh, NodeCommands.recovery) { $0.sources.count == 2 })
        #expect(try await fresh.call(NodeCommands.recovery).mates.value == 2)
        #expect(try await fresh.call(MateCommands.list).mates.allSatisfy { $0.state == .mate })
        // Neither side ended the mateship because the other edge was late.
        for mate in [friends.bob, eve] {
            #expect(try await mate.call(MateCommands.list).mates.map(\.state) == [.mate])
        }
        for node in [fresh, friends.bob, eve] { try await node.remove() }
    }

    @Test func `what only own devices had comes back from another own device alone`() async throws {
        let friends = try await Friends.make()
        let (ana, bob) = (friends.ana, friends.bob)
        let (me, mate) = (try await ana.person, try await bob.person)
        let eve = try await RunningNode.start()
        try await ana.dial(eve)
        try await ana.wait(for: NearbyCommands.list) { $0.people.count == 2 }
        let blocked = try await eve.person
        let tablet = try await ana.startSecond()
        try await ana.call(
            MateCommands.rename, .init(person: NameOrKey(mate), as: OwnNickname("Bobby")))
        try await ana.call(
            MateCommands.block, .init(person: NameOrKey(blocked), reason: .unpleasant))
        let interests = ChosenInterests.example
        try await ana.call(InterestsCommands.choose, .init(interest: interests))
        #expect(await waits(tablet, InterestsCommands.show) { $0.chosen.count == 5 })
        #expect(await waits(tablet, MateCommands.blocked) { $0.blocked.count == 1 })
        for node in [ana, bob, eve] { try await node.remove() }

        let home = Home(try TestDirectory.newPath("home"))
        _ = try NodeIdentity.recover(in: home, by: friends.words)
        let fresh = try await RunningNode.start(home)
        try await fresh.dial(tablet)
        #expect(await waits(fresh, NodeCommands.recovery) { $0.mates.value == 1 })
        #expect(try await fresh.person == me)
        #expect(
            await waits(fresh, InterestsCommands.show) {
                $0.chosen.map(\.interest.interest) == interests.interests
            })
        let mates = try await fresh.call(MateCommands.list).mates
        #expect(mates.map { $0.shownNickname?.string } == ["Bobby"])
        #expect(mates.map { $0.profile.nickname?.string } == ["Bob"])
        let blocks = try await fresh.call(MateCommands.blocked).blocked
        #expect(blocks.map(\.person) == [blocked] && blocks.first?.reason == .unpleasant)
        #expect(await waits(fresh, ProfileCommands.show) { $0.nickname == "Ana" })
        for node in [fresh, tablet] { try await node.remove() }
    }

    @Test func `someone who began with an old version comes back with their whole key`()
        async throws
    {
        let friends = try await Friends.make(isOld: true)
        let me = try await friends.ana.person
        try await friends.ana.remove()
        let refused = try await friends.recover()
        #expect(
            await waits(refused, NodeCommands.recovery) {
                $0.problem?.sentence.english.contains("--person \(me)") == true
            })
        #expect(refused.home.isRecovering)
        try await refused.remove()
        let fresh = try await friends.recover(as: PersonID(me))
        #expect(await waits(fresh, NodeCommands.recovery) { $0.mates.value == 1 })
        #expect(try await fresh.person == me)
        for node in [fresh, friends.bob] { try await node.remove() }
    }

    @Test func `words that are typed in a new home take the place of its unused person`()
        async throws
    {
        let friends = try await Friends.make()
        let me = try await friends.ana.person
        let text = try Text<1, 512>(friends.words.words.joined(separator: " "))
        // Someone who has a name is in use, and stays.
        await #expect(throws: CommandFault.self) {
            try await friends.bob.call(NodeCommands.beginRecovery, .init(words: text))
        }
        try await friends.ana.remove()
        let fresh = try await RunningNode.start()
        let wrong = try Text<1, 512>("lusab " + text.string)
        await #expect(throws: CommandFault.self) {
            try await fresh.call(NodeCommands.beginRecovery, .init(words: wrong))
        }
        try await fresh.call(NodeCommands.beginRecovery, .init(words: text))
        #expect(await waits(fresh, NodeCommands.recovery) { $0.stage == .searching })
        try await fresh.dial(friends.bob)
        #expect(await waits(fresh, NodeCommands.recovery) { $0.mates.value == 1 })
        #expect(try await fresh.person == me)
        for node in [fresh, friends.bob] { try await node.remove() }
    }

    @Test func `a return that could not be told at once is told at the next start`() async throws {
        let friends = try await Friends.make()
        let home = friends.bob.home
        try await friends.bob.stop()
        // A kill between the record and the notice leaves this.
        let ana = try NodeIdentity.load(from: friends.ana.home).person.person
        try await DatabaseQueue(path: home.replicaFile).write {
            try $0.execute(
                sql: "INSERT INTO returned_person VALUES (?)", arguments: [Data(ana.bytes)])
        }
        let bob = try await RunningNode.start(home)
        try await bob.wait(for: InboxCommands.list) { list in
            list.items.contains { $0.title.string == "Ana has a new device" }
        }
        try await bob.stop()
        let again = try await RunningNode.start(home)
        let items = try await again.call(InboxCommands.list).items
        #expect(items.count { $0.kind == "mates" } == 1)
        for node in [again, friends.ana] { try await node.remove() }
    }

    @Test func `a home that waits begins as a new person instead`() async throws {
        var generator = SystemRandomNumberGenerator()
        let home = Home(try TestDirectory.newPath("home"))
        _ = try NodeIdentity.recover(in: home, by: RecoveryWords(using: &generator))
        let node = try await RunningNode.start(home)
        #expect(try await node.call(NodeCommands.recovery).stage == .searching)
        // From the words to a code, and from there to neither.
        let code = JoinCode(using: &generator)
        try await node.call(PairingCommands.join, .init(code: Text(code.text)))
        #expect(await waits(node, PairingCommands.show) { $0.stage == .searching })
        #expect(home.isJoining && !home.isRecovering)
        let begun = try await node.call(NodeCommands.cancelRecovery)
        #expect(begun.file.string == home.recoveryWordsFile)
        #expect(await waits(node, NodeCommands.status) { $0.unsettled == nil })
        #expect(home.hasIdentity && !home.isWaiting)
        try await node.call(ProfileCommands.edit, .init(nickname: Nickname("Eve")))
        await #expect(throws: CommandFault.self) {
            try await node.call(NodeCommands.cancelRecovery)
        }
        // The kept words are those of the new person.
        let kept = try String(contentsOfFile: home.recoveryWordsFile, encoding: .utf8)
        let founding = try NodeIdentity.load(from: home).person.founding
        #expect(try RecoveryWords.typed(kept).key.publicKey == founding.recoveryKey)
        #expect(try await node.person == Key(founding.person))
        try await node.remove()
    }

    @Test func `words of a new person who was not founded do not outlast the next start`() throws {
        var generator = SystemRandomNumberGenerator()
        let home = Home(try TestDirectory.newPath("home"))
        _ = try NodeIdentity.recover(in: home, by: RecoveryWords(using: &generator))
        try Data("lusab".utf8).write(to: URL(filePath: home.recoveryWordsFile))
        #expect(try NodeIdentity.load(from: home).isWaiting)
        #expect(!FileManager.default.fileExists(atPath: home.recoveryWordsFile))
        try FileManager.default.removeItem(atPath: home.directory)
    }

    @Test func `a stranger does not know the person, and nothing is written there`() async throws {
        let friends = try await Friends.make()
        try await friends.ana.remove()
        let stranger = try await RunningNode.start()
        let home = Home(try TestDirectory.newPath("home"))
        _ = try NodeIdentity.recover(in: home, by: friends.words)
        let waiting = try await RunningNode.start(home)
        try await waiting.dial(stranger)
        #expect(
            await waits(waiting, NodeCommands.recovery) {
                $0.detail.sentence.english.contains("1 device nearby was asked")
            })
        #expect(home.isRecovering)
        for node in [waiting, stranger, friends.bob] { try await node.remove() }
    }

    @Test func `a blocked person is not answered`() async throws {
        let friends = try await Friends.make()
        try await friends.bob.call(
            MateCommands.block, .init(person: NameOrKey(friends.ana.person), reason: .other))
        try await friends.ana.remove()
        let waiting = try await friends.recover()
        #expect(
            await waits(waiting, NodeCommands.recovery) {
                $0.detail.sentence.english.contains("was asked")
            })
        #expect(waiting.home.isRecovering)
        try await waiting.remove()
        try await friends.bob.remove()
    }

    @Test func `a home in use takes no words, and a waiting one takes others`() throws {
        var generator = SystemRandomNumberGenerator()
        let (one, other) = (RecoveryWords(using: &generator), RecoveryWords(using: &generator))
        let used = try RunningNode.founded()
        #expect(throws: CommandFault.self) { try NodeIdentity.recover(in: used, by: one) }
        let home = Home(try TestDirectory.newPath("home"))
        let device = try NodeIdentity.recover(in: home, by: one)
        #expect(try NodeIdentity.recover(in: home, by: other) == device)
        let loaded = try NodeIdentity.load(from: home)
        #expect(loaded.search?.key.publicKey == other.key.publicKey)
        #expect(loaded.person.founding.recoveryKey != other.key.publicKey)
        #expect(throws: CommandFault.self) { try NodeIdentity.create(in: home) }
        let mode =
            try FileManager.default.attributesOfItem(
                atPath: home.recoveringWordsFile)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        for home in [used, home] { try FileManager.default.removeItem(atPath: home.directory) }
    }
}
