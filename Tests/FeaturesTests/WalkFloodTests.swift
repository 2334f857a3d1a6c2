import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Features

/// A mate who sends walk requests one by one, and other notices that would be stored.
@Suite struct WalkFloodTests {
    private static let forgedCount = 200

    private func forge(
        by host: TestHost, to other: TestHost, created: Timestamp, in network: TestNetwork
    ) async throws {
        try await host.write(
            [
                .create(
                    collection: Walks.walk.name, nonce: host.random.nonce(),
                    fields: [
                        "receiver": .bytes(other.me.person.bytes), "latitude": .real(1),
                        "longitude": .real(2), "message": .text("Me first"),
                        "created_ms": .integer(created.milliseconds),
                    ])
            ], in: .between(host.me.person, other.me.person))
        try await network.settle()
    }

    /// The number of batches that a host's own device wrote.
    private func ownBatches(_ host: TestHost) async throws -> Int {
        try await host.rows(
            """
            SELECT b.batch FROM waggle_log l JOIN waggle_batch b
                ON b.batch BETWEEN l.log << 40 AND (l.log + 1 << 40) - 1 WHERE l.device = ?
            """, [.bytes(host.me.device.bytes)]
        ).count
    }

    @Test func `requests of one mate that are over on arrival cause few own batches`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let before = try await ownBatches(ben)
            for _ in 0..<Self.forgedCount {
                try await forge(by: ann, to: ben, created: Timestamp(milliseconds: 0), in: network)
            }
            // Each of the two kinds of writes has its own account.
            let atOnce = try await ownBatches(ben) - before
            #expect(atOnce <= 2 * CausedWrites.perPersonAtOnceMax)
            // The inbox shows also those that are not stored yet.
            let listed = CausedWrites.perPersonAtOnceMax + InboxLimits.waitingPerPersonMax
            #expect(try await ben.inboxItems().count { $0.kind == "walk" } == listed)
            let states = Set(try await ben.call(WalkCommands.list).requests.map(\.state))
            #expect(states == [.missed])
            let intervals = 12
            for _ in 0..<intervals { try await network.skip(seconds: 300) }
            #expect(try await ownBatches(ben) - before <= atOnce + 2 * intervals)
            // Everything that waited is stored. An item that was dropped waits again once its
            // request is recorded as missed.
            let later = listed...(listed + intervals)
            #expect(later.contains(try await ben.inboxItems().count { $0.kind == "walk" }))
            let stored = try await ben.rows("SELECT entity FROM neighbours_inbox").count
            #expect(later.contains(stored))
        }
    }

    @Test func `the sender of many late requests learns in the end that they were missed`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            for _ in 0..<50 {
                try await forge(by: ann, to: ben, created: Timestamp(milliseconds: 0), in: network)
            }
            for _ in 0..<20 { try await network.skip(seconds: 300) }
            let states = try await ann.call(WalkCommands.list).requests.map(\.state)
            #expect(states.count == 50 && states.allSatisfy { $0 == .notAnswered })
        }
    }

    @Test func `another mate's request is stored at once meanwhile`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let cem = try await network.person(seed: 3, "Cem")
            try await network.setLink(ben, cem, isUp: true)
            try await network.meet(ben, cem, number: 8)
            for _ in 0..<50 {
                try await forge(by: ann, to: ben, created: Timestamp(milliseconds: 0), in: network)
            }
            let id = try await cem.ask(ben)
            try await network.settle()
            let stored = try await ben.rows(
                "SELECT entity FROM neighbours_inbox WHERE reference = ?", [.text(id.string)])
            #expect(stored.count == 1)
        }
    }

    @Test func `a request that arrives costs no more when there are many`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let time = Timestamp(milliseconds: 0)
            var rows: [Int] = []
            for _ in 0..<100 {
                _ = ben.resetRowsCount()
                try await forge(by: ann, to: ben, created: time, in: network)
                rows.append(ben.resetRowsCount())
            }
            #expect(rows.max() ?? 0 < 50, "\(rows)")
        }
    }

    @Test func `waiting items are listed, handled, settled and stored together`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.mates()
            let items = (1...40).map { number in
                InboxItem(
                    kind: "test", reference: "\(number)", title: "\(number)", body: "",
                    actions: ["accept"], from: ann.me.person)
            }
            for item in items { try await ben.features.postToInbox(item) }
            let before = try await ownBatches(ben)
            #expect(try await ben.inboxItems().count == 40)
            let references = try await ben.features.inboxReferences(ofKind: "test", among: nil)
            #expect(references.count == 40 && references.values.allSatisfy { !$0 })
            try await ben.features.settleInbox(reference: "40")
            #expect(try await ownBatches(ben) == before)
            let other = try #require(try await ben.inboxItems().first { $0.ref == "39" })
            #expect(other.actions == ["accept"])
            try await ben.call(InboxCommands.handle, .init(id: RecordPrefix(other.id)))
            #expect(try await ownBatches(ben) == before + 1)
            try await network.skip(seconds: 300)
            #expect(try await ownBatches(ben) == before + 2)
            let handled = try await ben.inboxItems().filter(\.handled).compactMap(\.ref?.string)
            #expect(Set(handled) == ["39", "40"])
            #expect(try await ben.rows("SELECT entity FROM neighbours_inbox").count == 40)
        }
    }

    @Test func `any number of people cause few writes at once`() {
        let writes = CausedWrites()
        let permitted = (0..<10_000).count { number in
            let person = PersonID(
                raw: Digest.person.hash([UInt8(number / 256), UInt8(number % 256)]))
            return writes.permit(.person(person), now: .seconds(1))
        }
        #expect(permitted == CausedWrites.atOnceMax)
        #expect(writes.untilRetry(now: .seconds(1)) == CausedWrites.interval)
        #expect(writes.removeRetry(now: .seconds(61)))
        #expect(writes.permit(.nobody("test"), now: .seconds(61)))
        #expect(!writes.permit(.nobody("test"), now: .seconds(61)))
    }
}
