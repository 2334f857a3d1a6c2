@testable import Identity
import Records
@testable import Sync
import Testing

/// The vectors that the code makes from the examples in docs/protocol.md, as hexadecimal by name.
struct ProtocolVectors {
    let first, second, other: DeviceKey
    private let words, otherWords: RecoveryWords
    let founding: FoundingRecord
    let otherFounding: FoundingRecord
    var otherPerson: PersonID { otherFounding.person }
    let time = Timestamp(milliseconds: 1_700_000_000_000)

    init() throws {
        first = try DeviceKey(rawRepresentation: [UInt8](repeating: 1, count: 32))
        second = try DeviceKey(rawRepresentation: [UInt8](repeating: 2, count: 32))
        other = try DeviceKey(rawRepresentation: [UInt8](repeating: 3, count: 32))
        words = RecoveryWords(entropy: try #require(Bytes16(Array(0...15))))
        otherWords = RecoveryWords(entropy: try #require(Bytes16(Array(16...31))))
        founding = FoundingRecord(firstDevice: first.id, recoveryKey: words.key.publicKey)
        otherFounding = FoundingRecord(firstDevice: other.id, recoveryKey: otherWords.key.publicKey)
    }

    /// All vectors by their names on the page.
    var all: [String: String] {
        get throws {
            let parts = [
                people, try records, places, values, try batches, try runs,
                try messages.mapValues { $0.payload(sender: first.id) }, try links, drop,
                try recoveryEntry, try joining, try removals, try correspondence, try matching,
                Self.cofactor.mapValues { Hexadecimal.bytes($0) ?? [] },
            ]
            return parts.reduce(into: [:]) { all, part in
                all.merge(part.mapValues { Hexadecimal.text($0) }) { _, new in new }
            }
        }
    }

    func filled16(_ byte: UInt8) -> Bytes16 {
        Bytes16([UInt8](repeating: byte, count: 16)) ?? .zero
    }

    func filled32(_ byte: UInt8) -> Bytes32 {
        Bytes32([UInt8](repeating: byte, count: 32)) ?? .zero
    }
}

// Sections 2 to 5: digests, people, spaces.
extension ProtocolVectors {
    private var people: [String: [UInt8]] {
        [
            "prefix.header": Digest.header.prefix,
            "header-of-nothing": Digest.header.hash([]).bytes,
            "device.first": first.id.bytes,
            "device.second": second.id.bytes,
            "device.other": other.id.bytes,
            "recovery.key": words.key.publicKey.bytes,
            "recovery.other-key": otherWords.key.publicKey.bytes,
            "recovery.words": Array(words.words.joined(separator: " ").utf8),
            "founding": founding.encoded,
            "person": founding.person.bytes,
            "person.other": otherFounding.person.bytes,
        ]
    }

    private var consent: DeviceConsent {
        get throws { try DeviceConsent(of: second, to: founding.person, name: "laptop") }
    }

    private var added: DeviceEntry { get throws { try .adding(consent, by: first) } }

    private var removed: DeviceEntry {
        get throws { try .removing(second.id, from: founding.person, by: words.key) }
    }

    /// The first person, without entries.
    private var founded: PersonRecord {
        get throws { try PersonRecord(founding: founding, firstDevice: first) }
    }

    var person: PersonRecord {
        get throws { try founded.adding(added).adding(removed) }
    }

    private var records: [String: [UInt8]] {
        get throws {
            [
                "founding.signature": try founded.foundingSignature.bytes,
                "consent": try consent.signature.bytes,
                "entry.add": try added.encoded, "entry.remove": try removed.encoded,
                "person-record": try person.encoded,
            ]
        }
    }

    private var card: SpaceID { SpaceDescriptor.card(founding.person).id }
    private var pair: SpaceDescriptor { .between(founding.person, otherFounding.person) }
    private var group: SpaceDescriptor {
        .group(owner: founding.person, nonce: filled16(0x0a))
    }
    private var edge: CollectionID { CollectionID(name: "neighbours.edge/1") }
    private var profile: CollectionID { CollectionID(name: "neighbours.profile/1") }

    private var entity: EntityID {
        Operation.entity(in: pair.id, of: edge, by: first.id, nonce: filled16(0x0b))
    }

    private var ownEntity: EntityID {
        Operation.ownEntity(in: card, of: profile, person: founding.person)
    }

    private var places: [String: [UInt8]] {
        var collection: [UInt8] = []
        collection.append(bigEndian: edge.rawValue)
        return [
            "space.own": SpaceDescriptor.own(founding.person).id.bytes,
            "space.card": card.bytes,
            "space.pair": pair.id.bytes,
            "space.group": group.id.bytes,
            "space.open": SpaceDescriptor.open(name: "성수동").id.bytes,
            "collection": collection,
            "entity": entity.bytes,
            "entity.own": ownEntity.bytes,
        ]
    }
}

// Section 6: values and batches.
extension ProtocolVectors {
    private var values: [String: [UInt8]] {
        let values: [String: Value] = [
            "null": .null, "false": .boolean(false), "true": .boolean(true),
            "integer.minus-one": .integer(-1), "integer.300": .integer(300),
            "integer.minimum": .integer(.min), "real.one-half": .real(0.5),
            "text.walk": .text("산책"), "text.31": .text(String(repeating: "a", count: 31)),
            "bytes": .bytes([0xca, 0xfe]), "list": .list([.boolean(true), .text("a")]),
            "blob": .bytes(blob),
        ]
        return values.reduce(into: ["blob": blob]) { vectors, entry in
            var bytes: [UInt8] = []
            entry.value.encode(into: &bytes)
            vectors["value.\(entry.key)"] = bytes
        }
    }

    private var blob: [UInt8] {
        Blob(of: Array("waggle".utf8), kind: "image/jpeg")?.encoded ?? []
    }

    private var cardBody: BatchBody {
        BatchBody(
            [.createOwn, .set(field: 1, .text("Mari")), .set(field: 2, .integer(34))].map {
                Operation(collection: profile, entity: ownEntity, action: $0)
            })
    }

    private var walkBody: BatchBody {
        let actions: [Operation.Action] = [
            .create(nonce: filled16(0x0b)),
            .set(field: 1, .real(37.5665)),
            .set(field: 2, .bytes([0xca, 0xfe])),
            .set(field: 3, .list([.boolean(true), .null])),
            .add(field: 4, .text("산책")),
            .remove(field: 4, [Dot(raw: filled16(1)), Dot(raw: filled16(2))]),
            .count(field: 5, -5),
            .set(field: 4095, .null),
        ]
        return BatchBody(
            actions.map { Operation(collection: edge, entity: entity, action: $0) },
            salt: filled16(0x0c))
    }

    private func controlBody(_ head: LogHead) -> BatchBody {
        let actions: [Operation.Action] = [
            .grant(otherFounding.person, .writer), .accept, .cut(otherFounding.person, [head]),
            .erase(head),
        ]
        return BatchBody(
            actions.map { Operation(collection: .control, entity: .control, action: $0) })
    }

    var log: LogName { LogName(device: first.id) }

    private var stamps: [Stamp] {
        get throws {
            let later = UInt64((time + .milliseconds(500)).milliseconds) << 16 | 7
            return [Stamp(time), try #require(Stamp(rawValue: later))]
        }
    }

    private func batch(
        _ number: UInt64, _ body: BatchBody, after previous: BatchHash
    ) throws -> CheckedRun {
        try CheckedRun(
            authoring: body, in: card, log: log, number: number, previous: previous, epoch: 0,
            stamp: stamps[Int(number) - 1], sign: first.sign)
    }

    var one: CheckedRun { get throws { try batch(1, cardBody, after: .none) } }

    var two: CheckedRun {
        get throws { try batch(2, walkBody, after: try one.batches[0].hash) }
    }

    private func head(_ run: CheckedRun) -> LogHead {
        LogHead(log: log, number: run.batches[0].header.number, hash: run.batches[0].hash)
    }

    private var batches: [String: [UInt8]] {
        get throws {
            let (one, two) = (try one, try two)
            return [
                "body.card": cardBody.encoded,
                "body.walk": walkBody.encoded,
                "body.control": controlBody(head(one)).encoded,
                "header.1": one.batches[0].header.encoded,
                "hash.1": one.batches[0].hash.bytes,
                "signature.1": one.signature.bytes,
                "header.2": two.batches[0].header.encoded,
                "hash.2": two.batches[0].hash.bytes,
                "signature.2": two.signature.bytes,
                "dot": Dot(batch: two.batches[0].hash, operationIndex: 4).bytes,
            ]
        }
    }
}

// Section 10: runs and digests.
extension ProtocolVectors {
    var chain: [Run.Link] {
        get throws {
            let stamps = try stamps
            return [
                Run.Link(stamp: stamps[0], body: cardBody),
                Run.Link(stamp: stamps[1], body: walkBody),
            ]
        }
    }

    var ownRun: Run {
        get throws {
            Run(
                log: log, firstNumber: 1, epoch: 0, batches: try chain,
                signature: try two.signature)
        }
    }

    var digest: Bytes16 {
        get throws {
            let hash = try two.batches[0].hash
            return Digest.ofLogs([LogState(log: log, low: 1, high: 2, headHash: hash)])
        }
    }

    private var runs: [String: [UInt8]] {
        get throws {
            let foreign = Run(
                log: LogName(device: first.id, branch: BranchName(raw: filled32(0x0d))),
                firstNumber: 41, epoch: 3, batches: try chain,
                signature: try #require(Signature([UInt8](repeating: 0x0e, count: 64))))
            let whole = try chain
            let erased = Run(
                log: log, firstNumber: 1, epoch: 0,
                batches: [
                    whole[0],
                    Run.Link(stamp: whole[1].stamp, content: .erased(whole[1].content.bodyHash)),
                ], signature: try two.signature)
            var (ownBytes, foreignBytes): ([UInt8], [UInt8]) = ([], [])
            var erasedBytes: [UInt8] = []
            erased.encode(into: &erasedBytes, sender: first.id)
            try ownRun.encode(into: &ownBytes, sender: first.id)
            foreign.encode(into: &foreignBytes, sender: other.id)
            return [
                "run.own": ownBytes, "run.foreign": foreignBytes, "run.erased": erasedBytes,
                "digest.empty": Digest.ofLogs([]).bytes, "digest": try digest.bytes,
            ]
        }
    }
}

// Sections 11 and 12: messages and tags.
extension ProtocolVectors {
    private var token: Token {
        Token(card, sender: filled16(0xa1), receiver: filled16(0xb2))
    }

    private var hello: Hello {
        get throws {
            Hello(
                versions: 1...1, bootID: filled16(0xc3), startCount: 300,
                replicaEpoch: filled16(0xd4), nonce: filled16(0xa1), wallTime: time,
                port: 47_100,
                person: ClaimedPersonRecord(try founded))
        }
    }

    private var vector: Vector {
        get throws {
            let end = head(try two)
            let state = LogState(log: end.log, low: 1, high: end.number, headHash: end.hash)
            return Vector(channel: 0, logs: [Vector.Reach(state)])
        }
    }

    private var recoveryEntry: [String: [UInt8]] {
        get throws {
            let consent = try DeviceConsent(of: second, to: founding.person)
            return ["recovery.entry": try DeviceEntry.adding(consent, by: words.key).encoded]
        }
    }

    private var announced: AnnouncedFields {
        var fields = AnnouncedFields()
        fields.insert("n", Array("Mari".utf8))
        fields.insert("f", Array("d".utf8))
        fields.insert("xyz", [0x00, 0xff])
        return fields
    }

    private var request: ContentRequest {
        ContentRequest(
            channel: 1, hash: BlobHash(of: Array("waggle".utf8)), offset: Limits.blobPieceBytes)
    }

    private var messages: [String: Message] {
        get throws {
            let hashes = try one.batches[0].hash.bytes + two.batches[0].hash.bytes
            let have = Have(
                round: .question, entries: [Have.Entry(token: token, digest: try digest)])
            let audit = Audit(
                channel: 0, log: log, from: 1, through: 2, hash: Digest.audit.hash(hashes))
            let ephemeral = Ephemeral(
                channel: 1, topic: "location", counter: 2, expiry: .milliseconds(120_000),
                body: [1, 2, 3])
            let others: [String: Message] = [
                "hello": .hello(try hello), "have": .have(have), "vector": .vector(try vector),
                "push": .push(Push(channel: 0, run: try ownRun)),
                "acknowledge": .acknowledge(try vector), "none": .none(channel: 300),
                "identity": .identity([.init(try person)]), "ephemeral": .ephemeral(ephemeral),
                "direct": .direct(Direct(topic: "drop", counter: 1, body: [0xff])),
                "direct.ranging": .direct(Direct(topic: "ranging", counter: 1, body: [1, 2])),
                "pong": .pong(nonce: 1, wallTime: time),
                "dial-back": .dialBack(nonce: 2, port: 47_100),
                "dial-result": .dialResult(nonce: 2, .refused), "audit": .audit(audit),
                "bye": .bye(.replaced),
                "presence": .presence(
                    Presence(dropOpen: true, nickname: "Mari", dogName: "보리")),
                "announced": .announced(announced),
                "recovery.question": .recoveryQuestion(
                    try RecoveryQuestion(from: second.id, to: other.id, by: words.key)),
                "recovery.answer.none": .recoveryAnswer(nil),
                "ask-spaces": .askSpaces(after: group.id),
                "spaces": .spaces(SpacePage(of: [pair, group], after: SpaceID(raw: .zero))),
                "want": .want(request),
                "piece": .piece(ContentPiece(request: request, bytes: Array("wag".utf8))),
                "lacking": .lacking(request),
                "seek": .seek(
                    Seek(
                        channel: 1, hops: 7,
                        blobs: [SoughtBlob(hash: request.hash, bytesCount: 6)])),
                "found": .found(Found(channel: 1, hashes: [request.hash])),
            ]
            return others.merging(try joinMessages.merging(openMessages) { one, _ in one }) {
                one, _ in one
            }
        }
    }

    private var links: [String: [UInt8]] {
        get throws {
            let ping = Message.ping(nonce: 1)
            let payload = ping.payload(sender: first.id)
            var (frame, tokenBytes, hour): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
            frame.append(bigEndian: UInt32(payload.count + 1))
            tokenBytes.append(bigEndian: token.rawValue)
            hour.append(bigEndian: 472_222 as UInt64)
            let tag = Digest.tag.hash(filled32(0xe5).bytes + first.id.bytes + hour)
            return [
                "frame.ping": frame + [ping.type] + payload, "token": tokenBytes,
                "tag": Array(tag.bytes.prefix(8)),
            ]
        }
    }

    /// Expects that each payload is decoded to the message it was encoded from.
    func checkMessagesAreReadBack() throws {
        for (name, message) in try messages {
            let payload = message.payload(sender: first.id)
            let read = try Message(type: message.type, payload: payload, sender: first.id)
            #expect(read == message, "\(name)")
        }
    }
}
