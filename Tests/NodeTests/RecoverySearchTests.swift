import Features
import Identity
import PluginKit
import Records
import Testing

@testable import Node
@testable import Sync

/// Tests what a home that waits believes, and what the parts of a recovery permit.
struct RecoverySearchTests {
    private func founded(
        _ words: RecoveryWords, isVouched: Bool
    ) throws -> (key: DeviceKey, record: PersonRecord) {
        let key = DeviceKey()
        let founding = FoundingRecord(firstDevice: key.id, recoveryKey: words.key.publicKey)
        let consent = try DeviceConsent(of: key, to: founding.person)
        let entry = try DeviceEntry.adding(consent, by: words.key)
        return (
            key,
            try PersonRecord(
                founding: founding, firstDevice: key, entries: isVouched ? [entry] : [])
        )
    }

    private func words() -> RecoveryWords {
        var generator = SystemRandomNumberGenerator()
        return RecoveryWords(using: &generator)
    }

    @Test func `a record is believed if the recovery key signed an entry of it`() throws {
        let mine = words()
        let search = RecoverySearch(key: mine.key, wanted: nil)
        try search.check(try founded(mine, isVouched: true).record)
        #expect(throws: RecoveryFault.otherKey) {
            try search.check(try founded(words(), isVouched: true).record)
        }
        // Anyone can name the recovery key of another in a founding record.
        let invented = try founded(mine, isVouched: false).record
        #expect(throws: RecoveryFault.notVouched(invented.person)) { try search.check(invented) }
    }

    @Test func `an older record is believed only with the person's whole key`() throws {
        let mine = words()
        let (old, other) = (
            try founded(mine, isVouched: false).record, try founded(mine, isVouched: true).record
        )
        let search = RecoverySearch(key: mine.key, wanted: old.person)
        try search.check(old)
        #expect(throws: RecoveryFault.otherPerson) { try search.check(other) }
    }

    @Test func `a question proves the key for its two devices only`() throws {
        let (one, other, third) = (DeviceKey().id, DeviceKey().id, DeviceKey().id)
        let question = try RecoveryQuestion(from: one, to: other, by: words().key)
        #expect(question.isSigned(from: one, to: other))
        #expect(!question.isSigned(from: other, to: one))
        #expect(!question.isSigned(from: one, to: third))
        #expect(!question.isSigned(from: third, to: other))
        let forged = RecoveryQuestion(key: words().key.publicKey, signature: question.signature)
        #expect(!forged.isSigned(from: one, to: other))
    }

    @Test func `an entry vouches for the first device without a cost to strangers`() throws {
        let (key, record) = try founded(words(), isVouched: true)
        #expect(record.isVouchedByRecoveryKey)
        #expect(record.recoveredDevices.isEmpty)
        #expect(record.showing(only: key.id).entries.isEmpty)
    }

    private func pairs(_ count: Int) -> [SpaceID] {
        (0..<count).map { _ in SpaceID(raw: DeviceKey().id.raw) }
    }

    @Test func `64 pairs may wait for a batch of this person at a time`() {
        var recovery = Recovery(search: nil, regained: nil)
        let pairs = pairs(Recovery.unprovenMax + 1)
        let expected = pairs.map { recovery.expect($0) }
        #expect(expected.count { $0 } == Recovery.unprovenMax)
        #expect(expected.last == false)
        let again = recovery.expect(pairs[0])
        #expect(again)
        let proven = (recovery.prove(pairs[0]), recovery.prove(pairs[0]))
        #expect(proven == (true, false))
        let next = recovery.expect(pairs[Recovery.unprovenMax])
        #expect(next)
    }

    @Test func `a pair that a peer named is proven by what this person writes`() async throws {
        try await ClockedNode.with(plugins: [CoreFeatures.self]) { clocked in
            let node = clocked.node
            let pair = SpaceDescriptor.between(node.me, PersonID(raw: DeviceKey().id.raw))
            try await node.open(pair)
            #expect(await node.expect(pair.id))
            let edge: [String: Value] = [
                "meeting": .bytes([UInt8](repeating: 1, count: 16)), "proposed_ms": .integer(1),
            ]
            _ = try await node.author(
                [.own(collection: "neighbours.edge/1", fields: edge)], in: pair)
            #expect(await !node.waitsForProof(of: pair.id))
        }
    }

    @Test func `256 pairs may be named in vain, and proven ones do not count`() {
        var recovery = Recovery(search: nil, regained: nil)
        for pair in pairs(Recovery.inventedMax) {
            #expect(recovery.unproven.isEmpty)
            let isExpected = recovery.expect(pair)
            #expect(isExpected)
            _ = recovery.prove(pair)
        }
        for pair in pairs(Recovery.inventedMax) {
            let isExpected = recovery.expect(pair)
            #expect(isExpected)
            recovery.forget(pair)
        }
        let oneMore = recovery.expect(pairs(1)[0])
        #expect(!oneMore)
    }

    @Test func `a device that joined asks mates after ten seconds without its other one`() {
        let (me, mate) = (PersonID(raw: DeviceKey().id.raw), PersonID(raw: DeviceKey().id.raw))
        let regained = Regained(since: .min, person: me, from: DeviceKey().id, at: nil)
        var recovery = Recovery(search: nil, regained: regained)
        #expect(recovery.asks(me) && !recovery.asks(mate))
        let first = recovery.look(isOtherDeviceLinked: false, now: .seconds(3))
        let early = recovery.look(isOtherDeviceLinked: false, now: .milliseconds(12_999))
        #expect(!first && !early && !recovery.asks(mate))
        let late = recovery.look(isOtherDeviceLinked: false, now: .seconds(13))
        let again = recovery.look(isOtherDeviceLinked: false, now: .seconds(14))
        #expect(late && !again && recovery.asks(mate))
        // The other device is back.
        let linked = recovery.look(isOtherDeviceLinked: true, now: .seconds(15))
        #expect(!linked && !recovery.asks(mate) && recovery.asks(me))
        let gone = recovery.look(isOtherDeviceLinked: false, now: .seconds(24))
        #expect(!gone)
        // Once everything is here, no peer is asked.
        let isNews = recovery.regained?.insert(me)
        #expect(isNews == true)
        let over = recovery.look(isOtherDeviceLinked: false, now: .seconds(90))
        #expect(!over && !recovery.asks(me) && !recovery.asks(mate))
    }

    @Test func `a device that joined and is the only one left asks mates at once`() {
        let (me, mate) = (PersonID(raw: DeviceKey().id.raw), PersonID(raw: DeviceKey().id.raw))
        var regained = Regained(since: .min, person: me, from: DeviceKey().id, at: "[::1]:1")
        #expect(regained.isReceiving && regained.joined == me)
        regained.forgetAdder()
        #expect(!regained.isReceiving && regained.joinedFrom == nil && regained.address == nil)
        #expect(Recovery(search: nil, regained: regained).asks(mate))
    }

    @Test func `spaces come in pages, in the order of their ids`() {
        let me = PersonID(raw: DeviceKey().id.raw)
        let all = (0..<2 * Limits.pageSpacesMax + 1).map { _ in
            SpaceDescriptor.between(me, PersonID(raw: DeviceKey().id.raw))
        }
        var (read, last, pages) = ([SpaceDescriptor](), SpaceID(raw: .zero), 0)
        while true {
            let page = SpacePage(of: all + [.own(me), .card(me)], after: last)
            pages += 1
            read += page.spaces
            guard page.hasMore, let end = page.spaces.last else { break }
            last = end.id
        }
        #expect(pages == 3)
        #expect(read == all.sorted { $0.id < $1.id })
    }
}

extension Node {
    fileprivate func expect(_ pair: SpaceID) -> Bool { recovery.expect(pair) }
    fileprivate func waitsForProof(of pair: SpaceID) -> Bool { recovery.unproven.contains(pair) }
}
