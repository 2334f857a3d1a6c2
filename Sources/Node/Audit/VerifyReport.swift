internal import NodeAPI
internal import PluginKit
internal import Records
internal import Replica

/// The result of `verify`.
struct VerifyReport: Sendable {
    /// A space as a linked peer reports it.
    struct Row: Sendable {
        let space: SpaceDescriptor
        let device: DeviceID
        let mine: Bytes16
        /// Nil if the peer reports no digest.
        let theirs: Bytes16?

        var isEqual: Bool { mine == theirs }
    }

    /// Batches that were damaged on this disk.
    struct Damage: Sendable {
        let space: SpaceDescriptor
        let range: DamagedRange
        /// Whether they have since been fetched from a peer.
        let isMended: Bool
    }

    /// Content that was damaged on this disk.
    struct Content: Sendable {
        let damaged: DamagedContent
        /// Whether it has since been fetched from a peer.
        let isMended: Bool
    }

    var at: Timestamp
    var peers: [DeviceID] = []
    var rows: [Row] = []
    var damage: [Damage] = []
    var content: [Content] = []
    /// The number of batches whose hashes were compared with peers'.
    var auditedCount = 0
    /// The number of batches that differed between the two sides.
    var differingCount = 0

    /// Whether everything compared is equal and no damage remains.
    var isContent: Bool {
        rows.allSatisfy(\.isEqual) && damage.allSatisfy(\.isMended)
            && content.allSatisfy(\.isMended) && differingCount == 0
    }

    private func count(where isMended: (Bool) -> Bool) -> Int {
        Int(damage.filter { isMended($0.isMended) }.reduce(0) { $0 + $1.range.count })
    }

    /// The advice about damage that remains; nil if none remains.
    var advice: Sentence? { batchAdvice ?? contentAdvice }

    private var contentAdvice: Sentence? {
        let left = content.count { !$0.isMended }
        guard left > 0 else { return nil }
        let photos = Sentence(
            count: left, one: "1 photo was", other: "\(NumberText.grouped(left)) photos were")
        return "\(photos) damaged on the disk and removed. Meet a member who has the same photo: "
            + "Waggle then fetches it again by itself."
    }

    private var batchAdvice: Sentence? {
        let left = count { !$0 }
        guard left > 0 else { return nil }
        let changes = Sentence(
            count: left, one: "1 stored change is",
            other: "\(NumberText.grouped(left)) stored changes are")
        return "\(changes) damaged, and no linked member has sent an intact copy. Meet a member "
            + "who has one: Waggle then asks for it by itself. If nobody has one, 'waggle repair' "
            + "drops the damaged changes and those that the same device wrote after them. "
            + "Everything else continues to work."
    }

    /// The answer of the command.
    var answer: Verification {
        Verification(
            equal: rows.allSatisfy(\.isEqual), content: isContent, audited: auditedCount,
            differing: differingCount, damaged: count { _ in true }, mended: count { $0 },
            advice: advice, peers: peers.map { Key($0) }, spaces: rows.map(\.answer),
            batches: damage.map(\.answer), photos: content.map(\.answer))
    }

    /// The part of the report that `status` shows.
    var summary: NodeStatus.Audit {
        NodeStatus.Audit(
            atMs: at, content: isContent,
            audited: auditedCount, damaged: count { _ in true }, mended: count { $0 },
            advice: advice)
    }
}

extension VerifyReport.Row {
    fileprivate var answer: Verification.Comparison {
        Verification.Comparison(
            id: Key(space.id), kind: .init(space.kind), device: Key(device), equal: isEqual,
            mine: DigestDigits(digits: Hexadecimal.text(mine.bytes)),
            theirs: theirs.map { DigestDigits(digits: Hexadecimal.text($0.bytes)) })
    }
}

extension VerifyReport.Content {
    var answer: DamagedPhoto {
        DamagedPhoto(
            hash: Key(damaged.hash), bytes: damaged.bytesCount,
            space: damaged.named.map { Key($0.space) }, mended: isMended)
    }
}

extension VerifyReport.Damage {
    fileprivate var answer: Verification.Damage {
        Verification.Damage(
            space: Key(space.id), kind: .init(space.kind), device: Key(range.log.device),
            first: Int(clamping: range.numbers.lowerBound),
            last: Int(clamping: range.numbers.upperBound), mended: isMended)
    }
}
