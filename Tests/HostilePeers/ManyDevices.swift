import Identity
import Node
import NodeTestSupport
import PluginKit
import Records

@testable import Sync

extension HostileMate {
    /// Returns the mate's record with more devices, and the keys of these.
    func devices(_ count: Int) throws -> (person: PersonRecord, keys: [DeviceKey]) {
        let keys = (0..<count).map { _ in DeviceKey() }
        let person = try keys.reduce(identity.person) { record, key in
            let consent = try DeviceConsent(of: key, to: record.person)
            return try record.adding(.adding(consent, by: identity.key))
        }
        return (person, keys)
    }

    /// Links a node with as many further devices of the mate; the pair is channel 0.
    func links(_ count: Int, with port: UInt16) async throws -> [HostilePeer] {
        let (person, keys) = try devices(count)
        var peers: [HostilePeer] = []
        for key in keys {
            let peer = try await HostilePeer.dial(port, as: key, person)
            try await peer.announce([pair.id])
            _ = try await peer.answers(to: [])
            peers.append(peer)
        }
        return peers
    }
}
