import Identity
import PluginKit
import Records
import Sync

/// Measures how much two replicas send to find that they are equal, with real sessions and frames.
struct EqualCheckMeasure {
    private static let frameHeaderBytes = 5

    /// Two ends that share `spaces` equal spaces, and the bytes that each has sent.
    private struct Pair {
        var ends: [SyncSession]
        var bytes = [0, 0]
        var frames = [0, 0]
    }

    func run() throws -> JSONValue {
        let (few, many) = (try check(spaces: 1), try check(spaces: 1001))
        let perSpace = zip(many.bytes, few.bytes).map { Double($0 - $1) / 1000 }
        return [
            "bytesPerSpace": .number(perSpace.max() ?? 0),
            "bytesOfOneSpace": .integer(Int64(few.bytes.max() ?? 0)),
            "framesEachWay": .integer(Int64(many.frames.max() ?? 0)),
        ]
    }

    private func check(spaces count: Int) throws -> Pair {
        guard let one = Bytes16([UInt8](repeating: 1, count: 16)),
            let other = Bytes16([UInt8](repeating: 2, count: 16))
        else { throw BenchFault.usage("a nonce") }
        var pair = Pair(ends: [
            SyncSession(localNonce: one, remoteNonce: other),
            SyncSession(localNonce: other, remoteNonce: one),
        ])
        let shared = (0..<count).map { number in
            SharedSpace(
                space: SpaceDescriptor.open(name: "bench \(number)").id, digest: Digest.ofLogs([]),
                logs: [])
        }
        // Both announce the spaces, then one asks whether all are still equal.
        for end in 0...1 { try pass(pair.ends[end].share(shared), from: end, &pair) }
        (pair.bytes, pair.frames) = ([0, 0], [0, 0])
        try pass(pair.ends[0].askDigests(onlyUnknown: false), from: 0, &pair)
        guard shared.allSatisfy({ pair.ends[0].isInSync($0.space) }) else {
            throw BenchFault.usage("equal spaces are not in sync")
        }
        return pair
    }

    private func pass(_ effects: [SyncSession.Effect], from end: Int, _ pair: inout Pair) throws {
        for case .send(let message) in effects {
            let sender = Household.Node.first.key.id
            let payload = message.payload(sender: sender)
            pair.bytes[end] += payload.count + EqualCheckMeasure.frameHeaderBytes
            pair.frames[end] += 1
            let read = try Message(type: message.type, payload: payload, sender: sender)
            try pass(pair.ends[1 - end].receive(read), from: 1 - end, &pair)
        }
    }
}
