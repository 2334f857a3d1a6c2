import FeaturesAPI
import Identity
import Links
import NodeAPI
import NodeTestSupport
import PluginHost
import PluginKit
import Records
import Replica
import TestSupport
import Testing

@testable import Node
@testable import Sync

/// A neighbourhood with a crowd of authors, most of whom nobody here knows. One link brings them
/// all, as that of a newcomer's first neighbour does.
@Suite(.serialized, .timeLimit(.minutes(2))) struct OpenCrowdTests {
    private let space = SpaceDescriptor.open(name: "seongsu")

    /// An author with one post.
    private struct Author {
        let record: PersonRecord
        let log: LogName
        let prefix: UInt64
        let run: Run

        init(in space: SpaceDescriptor, title: String) throws {
            let (key, record) = try HostilePeer.stranger()
            var written = WrittenLog(key, in: space.id)
            let collection = CollectionID(name: "posts.post/1")
            let entity = Operation.entity(
                in: space.id, of: collection, by: record.person, nonce: .zero)
            let actions: [Operation.Action] = [
                .create(nonce: .zero), .set(field: 1, .text("give-away")),
                .set(field: 2, .text(title)),
            ]
            try written.write(
                actions.map { Operation(collection: collection, entity: entity, action: $0) },
                at: HostilePeer.now(), salt: .zero)
            guard case .push(let push) = try written.push(), let last = written.batches.last else {
                throw LinkFault.closed
            }
            self.record = record
            log = LogName(device: key.id)
            prefix = last.hash.prefix
            run = push.run
        }

        var offered: OfferedLog { OfferedLog(log: log, low: 1, high: 1, prefix: prefix) }
    }

    /// Answers a node's questions about the crowd until it has asked for so many pieces, and for
    /// some seconds more.
    /// - Returns: the people whose logs were asked for, in that order.
    private func serve(
        _ crowd: [Author], to peer: HostilePeer, count: Int, furtherSeconds: Int
    ) async throws -> [PersonID] {
        let byLog = Dictionary(crowd.map { ($0.log, $0) }, uniquingKeysWith: { first, _ in first })
        let digest = Bytes16(prefixOf: peer.key.id.raw)
        var order: [PersonID] = []
        var end: ContinuousClock.Instant?
        // The node goes on asking for what is left, so a message comes soon after the end.
        while order.count < crowd.count, end.map({ .now < $0 }) ?? true {
            guard let message = await peer.messages(until: { _ in true }).last else {
                throw LinkFault.closed
            }
            guard case .ask(let question) = message else { continue }
            guard case .piece(let ask, _) = question.subject else {
                let logs = crowd.map(\.offered).sorted { $0.log < $1.log }
                let offer = Offer(channel: 0, digest: digest, part: .lastPage, logs: logs)
                try await peer.send(.offer(offer))
                continue
            }
            let author = try #require(byLog[ask.log])
            order.append(author.record.person)
            if order.count == count { end = .now + .seconds(furtherSeconds) }
            try await peer.send(
                .passed(
                    Passed(
                        channel: 0, record: ClaimedPersonRecord(author.record), previous: .none,
                        run: author.run)))
        }
        return order
    }

    @Test func `people who are known come first of 900 authors, and the others are bounded`()
        async throws
    {
        let victim = try await OpenVictim.start(try RunningNode.founded())
        let client = victim.node
        let crowd = try (0..<900).map { try Author(in: space, title: "post \($0)") }
        let met = [crowd[17], crowd[450], crowd[899]].map(\.record)
        let known = met.map(\.person)
        for record in met { try await client.remember(record) }
        try await client.join("Seongsu")
        let (key, person) = try HostilePeer.stranger()
        let peer = try await HostilePeer.dial(victim.port, as: key, person)
        let entry = Have.Entry(
            token: peer.token(space.id), digest: Bytes16(prefixOf: key.id.raw))
        let began = ContinuousClock.now
        try await peer.send(.have(Have(round: .announcement, entries: [entry])))
        let order = try await serve(
            crowd, to: peer, count: OpenLimits.piecesPerMinute, furtherSeconds: 5)
        // A minute's pieces may come at once. Then a minute's part is added for each second, and
        // the last one may be begun before it is paid for.
        let minutes = (ContinuousClock.now - began) / .seconds(60)
        let most = Double(OpenLimits.piecesPerMinute) * (1 + minutes) + 1
        #expect(Double(order.count) <= most)
        #expect(Set(order.prefix(3)) == Set(known))
        #expect(Set(order).count == order.count, "nobody is asked for twice")
        // The records of all of them are here, and nobody became known by that.
        let isStored = await eventually { await client.authorsCount(in: self.space) >= 590 }
        #expect(isStored)
        for person in order where !known.contains(person) {
            if await client.isKnown(person) { Issue.record("a stranger became known") }
        }
        peer.close()
        try await victim.end()
    }
}

extension Node {
    /// Writes a fact to a person, so that they are one whom this person met.
    fileprivate func remember(_ record: PersonRecord) async throws {
        let person = record.person
        try await replica.learn(record)
        let fact = AgreementFact(id: Bytes16(prefixOf: person.raw), name: "Ann", proof: [1])
        try await host.core?.storeFact(fact, of: .correspondence, with: person)
    }

    fileprivate func join(_ name: String) async throws {
        _ = try await author(
            [
                .create(
                    collection: "neighbours.neighbourhood/1", nonce: SystemRandom().nonce(),
                    fields: ["name": .text(name), "at_ms": .integer(1)])
            ], in: .own(me))
    }

    /// The number of people whose logs are here.
    fileprivate func authorsCount(in space: SpaceDescriptor) async -> Int {
        let heads = await replica.heads(in: space.id)
        return Set(heads.map(\.log.device)).count
    }
}
