import ControlAPI
import FeaturesAPI
import struct Foundation.FileAttributeKey
import class Foundation.FileManager
import Identity
import Node
import NodeTestSupport
import PluginKit
import Records
import TestSupport
import Testing

@testable import Sync

/// Tests floods: the node neither grows nor stops answering.
@Suite(.serialized) struct FloodTests {
    @Test func `twenty thousand repeated batches leave the file as it is`() async throws {
        let mate = try await HostileMate.capture()
        let before = try await mate.pairCounts()
        let run = try mate.chain(of: 100)
        let peer = try await mate.link()
        let push = Message.push(Push(channel: 0, run: run))
        _ = try await peer.answers(to: [push, push])
        #expect(try await mate.pairCounts().batches == before.batches + 100)
        let bytesCount = mate.victimFilesBytesCount
        for _ in 0..<10 { _ = try await peer.answers(to: [Message](repeating: push, count: 20)) }
        #expect(try await mate.pairCounts().batches == before.batches + 100)
        #expect(mate.victimFilesBytesCount == bytesCount)
        try await mate.end()
    }

    @Test func `four of six batches with one number are kept, and the mate's fork is reported`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let before = try await mate.pairCounts()
        let peer = try await mate.link()
        for number in 1...6 {
            let run = try mate.run([HostileMate.numbered(number)])
            _ = try await peer.answers(to: [.push(Push(channel: 0, run: run))])
        }
        #expect(try await mate.pairCounts().batches == before.batches + 4)
        _ = try await mate.victim.call(WalkCommands.list)
        try await mate.end()
    }

    @Test func `a peer that requests everything again and again does not delay others`()
        async throws
    {
        let mate = try await HostileMate.capture()
        let before = try await mate.pairCounts()
        let peer = try await mate.link()
        let question = Message.vector(Vector(channel: 0, logs: []))
        for _ in 0..<2000 { try await peer.send(question) }
        _ = try await mate.victim.call(WalkCommands.list)
        #expect(try await mate.pairCounts() == before)
        try await mate.end()
    }
}

extension HostileMate {
    /// Returns an operation without effect, a different one for each number.
    static func numbered(_ number: Int) -> Operation {
        Operation(
            collection: harmless.collection, entity: harmless.entity,
            action: .set(field: 1, .integer(Int64(number))))
    }

    /// Returns batches that continue the mate's log in the pair, with a signature of the last.
    func chain(of count: Int) throws -> Run {
        var links: [Run.Link] = []
        var previous = head.hash
        var signature: Signature?
        let start = HostilePeer.now() + .seconds(1)
        for index in 0..<count {
            let body = BatchBody([HostileMate.numbered(index)])
            let stamp = Stamp(start + .milliseconds(index))
            let header = BatchHeader(
                space: pair.id, log: head.log, number: head.number + 1 + UInt64(index),
                previous: previous, epoch: 0, stamp: stamp,
                bodyHash: Digest.body.hash(body.encoded))
            links.append(.init(stamp: stamp, body: body))
            signature = try identity.key.sign(header.signedBytes)
            previous = header.hash
        }
        return Run(
            log: head.log, firstNumber: head.number + 1, epoch: 0, batches: links,
            signature: try #require(signature))
    }

    /// The length of the victim's database file and SQLite's log together, in bytes.
    var victimFilesBytesCount: Int {
        ["", "-wal"].reduce(0) { sum, suffix in
            let path = victim.home.replicaFile + suffix
            let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            return sum + (size ?? 0)
        }
    }
}
