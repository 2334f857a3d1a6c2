internal import PluginKit
internal import Records
internal import Replica

/// What `verify` found.
struct VerifyReport: Sendable {
    /// A space as a linked peer has it.
    struct Row: Sendable {
        let space: SpaceDescriptor
        let device: DeviceID
        let mine: Bytes16
        /// Nil where the peer names no digest.
        let theirs: Bytes16?

        var isEqual: Bool { mine == theirs }
    }

    /// Batches that were damaged on this disk.
    struct Damage: Sendable {
        let space: SpaceDescriptor
        let range: DamagedRange
        /// Whether they were fetched from a peer since.
        let isMended: Bool
    }

    var atMilliseconds: Int64
    var peers: [DeviceID] = []
    var rows: [Row] = []
    var damage: [Damage] = []
    /// Batches whose hashes were compared with peers'.
    var auditedCount = 0
    /// Batches of which the two sides held different ones.
    var differingCount = 0

    /// Whether all that was compared is equal and nothing stays damaged.
    var isContent: Bool {
        rows.allSatisfy(\.isEqual) && damage.allSatisfy(\.isMended) && differingCount == 0
    }

    private func count(where isMended: (Bool) -> Bool) -> Int64 {
        Int64(damage.filter { isMended($0.isMended) }.reduce(0) { $0 + $1.range.count })
    }

    /// What to do about what stays damaged; nil where nothing does.
    var advice: String? {
        let left = count { !$0 }
        guard left > 0 else { return nil }
        return "\(left) stored change\(left == 1 ? " is" : "s are") damaged, and nobody linked "
            + "now has sent a sound copy. Let the node meet a member who has one: it asks by "
            + "itself. If there is none, 'waggle repair' drops the damaged changes, and what the "
            + "same device wrote after them, and everything else works on."
    }

    /// What the command shows.
    var json: JSONValue {
        .record([
            "equal": .boolean(rows.allSatisfy(\.isEqual)), "content": .boolean(isContent),
            "audited": .integer(Int64(auditedCount)),
            "differing": .integer(Int64(differingCount)),
            "damaged": .integer(count { _ in true }), "mended": .integer(count { $0 }),
            "advice": advice.map { .string($0) },
            "peers": .array(peers.map { .string($0.description) }),
            "spaces": .array(rows.map(\.json)), "batches": .array(damage.map(\.json)),
        ])
    }

    /// What `status` shows of it.
    var summary: JSONValue {
        .record([
            "atMs": .integer(atMilliseconds), "content": .boolean(isContent),
            "audited": .integer(Int64(auditedCount)),
            "damaged": .integer(count { _ in true }), "mended": .integer(count { $0 }),
            "advice": advice.map { .string($0) },
        ])
    }
}

extension VerifyReport.Row {
    fileprivate var json: JSONValue {
        .record([
            "id": .string(space.id.description), "kind": .string(space.kind.word),
            "device": .string(device.description), "equal": .boolean(isEqual),
            "mine": .string(Hexadecimal.text(mine.bytes)),
            "theirs": theirs.map { .string(Hexadecimal.text($0.bytes)) },
        ])
    }
}

extension VerifyReport.Damage {
    fileprivate var json: JSONValue {
        [
            "space": .string(space.id.description), "kind": .string(space.kind.word),
            "device": .string(range.log.device.description),
            "first": .integer(Int64(clamping: range.numbers.lowerBound)),
            "last": .integer(Int64(clamping: range.numbers.upperBound)),
            "mended": .boolean(isMended),
        ]
    }
}
