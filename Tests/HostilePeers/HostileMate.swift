import ControlAPI
import class Foundation.FileManager
import Identity
import Node
import NodeAPI
import NodeTestSupport
import PluginKit
import Records
import Replica
import TestSupport

@testable import Sync

/// A victim's node and a mate whose keys an attacker has obtained.
struct HostileMate {
    let victim: RunningNode
    let victimPerson: PersonID
    let victimDevice: DeviceID
    let identity: NodeIdentity
    let mateHome: Home
    /// The last batch of the mate's own log in the pair.
    let head: LogHead
    /// The victim's record about the mateship.
    let victimEdge: EntityID

    var pair: SpaceDescriptor { .between(identity.person.person, victimPerson) }
    var me: DeviceID { identity.key.id }

    /// Makes two people mates, ends the mate's node and returns its keys.
    static func capture(
        running plugins: [any Plugin.Type] = PluginCatalogue.all
    ) async throws -> HostileMate {
        let meeting = try await Meeting.mates(running: plugins)
        let person = PersonID(try await meeting.one.person)
        guard let device = DeviceID(try await meeting.one.device.string) else {
            throw CommandFault.failed("no device")
        }
        _ = await eventually {
            (try? await meeting.other.call(NodeCommands.verify, .init()))?.equal == true
        }
        try await meeting.other.stop()
        let identity = try NodeIdentity.load(from: meeting.other.home)
        let replica = try Replica(
            path: meeting.other.home.replicaFile, key: identity.key,
            collections: plugins.flatMap { $0.manifest.collections }, views: [])
        let pair = SpaceDescriptor.between(identity.person.person, person)
        let log = LogName(device: identity.key.id)
        let state = await replica.heads(in: pair.id).first { $0.log == log }
        let head = LogHead(
            log: log, number: state?.high ?? 0, hash: state?.headHash ?? .none)
        let edges = try await replica.read(
            "SELECT entity FROM neighbours_edge WHERE creator = ?", [.bytes(person.bytes)],
            allowedTables: nil)
        guard let edge = edges.first?.entity("entity") else {
            throw CommandFault.failed("the victim has no edge")
        }
        return HostileMate(
            victim: meeting.one, victimPerson: person, victimDevice: device, identity: identity,
            mateHome: meeting.other.home, head: head, victimEdge: edge)
    }

    /// Links with the victim. The pair is channel 0, the victim's card 1, the mate's card 2.
    func link(startCount: UInt64 = 1_000_000) async throws -> HostilePeer {
        let peer = try await HostilePeer.dial(
            victim.port, as: identity.key, identity.person, startCount: startCount)
        try await peer.announce([
            pair.id, SpaceDescriptor.card(victimPerson).id,
            SpaceDescriptor.card(identity.person.person).id,
        ])
        return peer
    }

    /// Returns a signed run that continues the mate's log in the pair.
    func run(
        _ operations: [Operation], log: LogName? = nil, key: DeviceKey? = nil,
        at time: Timestamp = HostilePeer.now() + .seconds(1)
    ) throws -> Run {
        let log = log ?? head.log
        let isOwn = log == head.log
        let number = isOwn ? head.number + 1 : 1
        let body = BatchBody(operations)
        let stamp = Stamp(time)
        let header = BatchHeader(
            space: pair.id, log: log, number: number, previous: isOwn ? head.hash : .none,
            epoch: 0, stamp: stamp, bodyHash: Digest.body.hash(body.encoded))
        return Run(
            log: log, firstNumber: number, epoch: 0, batches: [.init(stamp: stamp, body: body)],
            signature: try (key ?? identity.key).sign(header.signedBytes))
    }

    /// Returns the counts of the pair in the victim's `status`.
    func pairCounts() async throws -> (batches: Int, void: Int, held: Int) {
        let spaces = try await victim.call(NodeCommands.status).spaces
        let space = spaces.first { $0.id == Key(pair.id) }
        return (
            space?.batches.value ?? -1, space?.void.value ?? -1, space?.held.value ?? -1
        )
    }

    func end() async throws {
        try await victim.remove()
        try FileManager.default.removeItem(atPath: mateHome.directory)
    }
}
