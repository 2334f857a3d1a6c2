import Links
import Node
import NodeAPI
import NodeTestSupport
import PeerLink
import PluginKit
import Records
import TestSupport
import Testing

@testable import Identity
@testable import Sync

/// Tests floods of person records: each may hold 113 signatures, which are dear to check.
@Suite(.serialized) struct RecordFloodTests {
    /// A made-up person's record with as many signatures as there is room for.
    private func dear() throws -> ClaimedPersonRecord {
        let (key, person) = try HostilePeer.stranger()
        let entries = try (0..<Limits.personDevicesMax).map { _ in
            try DeviceEntry.adding(try DeviceConsent(of: DeviceKey(), to: person.person), by: key)
        }
        return .init(
            try PersonRecord(founding: person.founding, firstDevice: key, entries: entries))
    }

    /// The longest time in which the local API answers during a flood, on a machine that may stop
    /// the process at any time. Before records were compared, it was half a minute.
    private static let slowestAnswerMax: Duration = .seconds(10)
    /// The number of answers that are measured.
    private static let answersCount = 101

    @Test func `a node answers while four strangers send records with 100 000 signatures`()
        async throws
    {
        let victim = try await Victim.start()
        let message = Message.identity(try (0..<17).map { _ in try dear() })
        var attackers: [Attacker] = []
        for number in 1...4 {
            attackers.append(
                try await Attacker.greeted(by: victim.port, from: "127.0.0.\(number + 1)"))
        }
        let before = victim.processorSeconds
        let floods = attackers.map { (link: $0.link, frame: $0.frame(of: message)) }
        async let flooding: Void = withTaskGroup(of: Void.self) { group in
            for flood in floods {
                group.addTask {
                    for _ in 0..<14 { try? await flood.link.send(flood.frame) }
                }
            }
        }
        let slowest = try await slowestAnswer(of: victim)
        await flooding
        // 56 frames with 1921 signatures each cost more than 5 s to check on any machine of today.
        #expect(victim.processorSeconds - before < 4)
        #expect(slowest <= Self.slowestAnswerMax)
        for attacker in attackers { attacker.link.close(because: .closed) }
        try await victim.remove()
    }

    @Test func `a mate's flood of strangers' records costs neither checks nor writes`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let victim = try await mate.victimAsProcess()
        let peer = try await HostilePeer.dial(
            victim.port, as: mate.identity.key, mate.identity.person)
        try await peer.announce([mate.pair.id])
        _ = try await peer.answers(to: [])
        let message = Message.identity(try (0..<17).map { _ in try dear() })
        let frame = Frame(
            type: message.type, payload: message.payload(sender: mate.identity.key.id))
        let (stored, before) = (try await victim.storedAtRest(), victim.processorSeconds)
        for _ in 0..<40 { try await peer.link.send(frame) }
        // The link handles four records a second, so most of them wait; the API does not.
        for _ in 0..<40 {
            _ = try await victim.status()
            try await Task.sleep(for: .milliseconds(50))
        }
        // 40 frames with 1921 signatures each cost more than 5 s to check.
        #expect(victim.processorSeconds - before < 4)
        #expect(try await victim.stored() == stored)
        peer.close()
        try await victim.remove()
        mate.removeHome()
    }

    @Test func `a node answers while a mate sends their record with 100 000 signatures`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let victim = try await mate.victimAsProcess()
        let peer = try await HostilePeer.dial(
            victim.port, as: mate.identity.key, mate.identity.person)
        try await peer.announce([mate.pair.id])
        _ = try await peer.answers(to: [])
        let person = mate.identity.person
        let variants = try (0..<17).map { _ in
            let entries = try (0..<Limits.personDevicesMax).map { _ in
                try DeviceEntry.adding(
                    try DeviceConsent(of: DeviceKey(), to: person.person), by: mate.identity.key)
            }
            return try person.claim(entries.dropLast(person.entries.count).map(\.self))
        }
        let message = Message.identity(variants)
        let frame = Frame(
            type: message.type, payload: message.payload(sender: mate.identity.key.id))
        let before = victim.processorSeconds
        async let flooding: Void = {
            for _ in 0..<56 where (try? await peer.link.send(frame)) == nil { break }
        }()
        let slowest = try await slowestAnswer(of: victim)
        peer.close()
        await flooding
        #expect(victim.processorSeconds - before < 4)
        #expect(slowest <= Self.slowestAnswerMax)
        try await victim.remove()
        mate.removeHome()
    }

    /// Returns the longest of the times in which the local API answers.
    private func slowestAnswer(of victim: Victim) async throws -> Duration {
        var slowest = Duration.zero
        for _ in 0..<Self.answersCount {
            slowest = max(
                slowest, try await ContinuousClock().measure { _ = try await victim.status() })
        }
        return slowest
    }

    @Test func `256 variants of a known person's record, without its keys, cost no write`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let peer = try await mate.link()
        _ = try await peer.answers(to: [])
        let thief = DeviceKey()
        let variants = try (0..<256).map { _ in
            try mate.identity.person.claim([
                .removing(DeviceKey().id, from: mate.identity.person.person, by: thief)
            ])
        }
        let before = try await mate.victim.stored()
        for start in stride(from: 0, to: variants.count, by: 16) {
            _ = try await peer.answers(to: [
                .identity(Array(variants[start..<start + 16]))
            ])
        }
        #expect(try await mate.victim.stored() == before)
        try await mate.end()
    }

    @Test func `a home on its third key is linked though its public record was stuffed`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let founder = mate.identity.key
        let person = mate.identity.person.person
        let (second, third) = (DeviceKey(), DeviceKey())
        let rightful = [
            try DeviceEntry.adding(try DeviceConsent(of: second, to: person), by: founder),
            try DeviceEntry.adding(try DeviceConsent(of: third, to: person), by: second),
        ]
        var low = DeviceKey()
        while second.id < low.id { low = DeviceKey() }
        // With the entry of the recovery key, the record then has as many as it may have.
        let removals = try (0..<55).map { _ in
            try DeviceEntry.removing(DeviceKey().id, from: person, by: low)
        }
        let stuffed = try mate.identity.person.claim(
            Array(removals.prefix(54)) + rightful.prefix(1))
        let peer = try await mate.link()
        _ = try await peer.answers(to: [.identity([stuffed])])
        let rest = try mate.identity.person.claim(removals)
        _ = try await peer.answers(to: [.identity([rest])])
        peer.close()
        let record = try rightful.reduce(mate.identity.person) { try $0.adding($1) }
        let home = try await HostilePeer.dial(mate.victim.port, as: third, record)
        _ = try await home.answers(to: [])
        let links = try await mate.victim.call(NodeCommands.status).links
        #expect(links.contains { $0.device == Key(third.id) })
        home.close()
        try await mate.end()
    }

    @Test func `peers cannot make a node's own HELLO longer`() async throws {
        let mate = try await HostileMate.capture()
        let peer = try await mate.link()
        let own = try PersonRecord(decoding: peer.theirs.person.encoded)
        let thief = DeviceKey()
        let stuffed = try own.claim(
            try (0..<55).map { _ in
                try DeviceEntry.removing(DeviceKey().id, from: own.person, by: thief)
            })
        _ = try await peer.answers(to: [.identity([stuffed])])
        peer.close()
        let again = try await mate.link()
        #expect(again.theirs.person == peer.theirs.person)
        again.close()
        try await mate.end()
    }
}

extension PersonRecord {
    /// Returns this record's bytes with these entries more, even those that a record would drop.
    fileprivate func claim(_ more: [DeviceEntry]) throws -> ClaimedPersonRecord {
        let all = PersonRecord.inOrder(entries + more, founding: founding)
        return try ClaimedPersonRecord(
            founding.encoded + foundingSignature.bytes + [UInt8(all.count)]
                + all.flatMap(\.encoded))
    }
}
