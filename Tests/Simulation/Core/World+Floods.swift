internal import Identity
internal import Records
internal import Replica
internal import Sync
internal import TestSupport

/// A misdeed of a dishonest member that costs others more than it costs the member: few frames
/// with much in them.
enum Flood: String, CaseIterable {
    /// Hundreds of batches dated days ahead, in one run.
    case ahead
    /// Batches with as many accepts and own cuts as fit.
    case controls
    /// More sides of a forked log than are kept.
    case sides
    /// A run from number 1 in the name of a side that continues another log.
    case sideAsBeginning
    /// An erase of everything, and other batches under the numbers of the erase and of the erased.
    case erasedSides
    /// Many records of a collection of which each person has one.
    case ownRecords
    /// Variants of known people's records: with entries by foreign keys, with false signatures, and
    /// with ever more devices of the liar.
    case claims
}

// What a dishonest member does beyond lies. All of it is drawn from a generator of its own.
extension World {
    /// The number of batches of one run that is dated ahead.
    static let batchesAheadMax = 400
    /// The number of control operations in one batch.
    private static let controlsMax = 1200
    /// The number of sides that are signed at once.
    private static let sidesMax = 6

    /// Lets the liar do one of the misdeeds that the seed drew, on one of its links.
    func flood() async throws {
        plan(.flood, after: Int64(floodChance.number(20_000...240_000)))
        guard !isCalm, let liar = nodes.firstIndex(where: \.isLiar), nodes[liar].replica != nil,
            let kind = mix.floods.randomElement(using: &floodChance),
            let (_, link) = nodes[liar].links.sorted(by: { $0.key < $1.key })
                .randomElement(using: &floodChance),
            let end = links[link]?.end(of: liar), let (_, peer) = parties(link, end)
        else { return }
        tally.count("floods")
        tally.count("floods of \(kind.words)")
        trace.record(now, "flood \(kind.rawValue) \(liar)>\(peer)")
        if kind == .claims { return try await claim(liar, peer) }
        guard let target = try await floodTarget(link, end, liar) else { return }
        for run in try await runs(of: kind, target, peer) {
            let message = Message.push(Push(channel: target.channel, run: run))
            links[link]?.ends[end].tell(message)
            send(message, link, end)
        }
    }

    /// The space of a misdeed, and the liar's log there.
    private struct FloodTarget {
        let liar: Int
        let space: SpaceID
        let channel: UInt64
        /// The name and the batches of the log that the liar's replica continues.
        let log: LogName
        let batches: [ReferenceModel.Batch]

        var last: ReferenceModel.Batch? { batches.last }
    }

    private func floodTarget(_ link: Int, _ end: Int, _ liar: Int) async throws -> FloodTarget? {
        guard let replica = nodes[liar].replica, let channels = links[link]?.ends[end].channels,
            let channel = channels.indices.randomElement(using: &floodChance)
        else { return nil }
        let space = channels[channel]
        let own = try await batches(in: space, of: replica)
            .filter { $0.log.device == nodes[liar].device }
        let log = own.max { $0.number < $1.number }?.log ?? LogName(device: nodes[liar].device)
        return FloodTarget(
            liar: liar, space: space, channel: UInt64(channel), log: log,
            batches: own.filter { $0.log == log })
    }

    private func runs(
        of kind: Flood, _ target: FloodTarget, _ peer: Int
    ) async throws -> [Run] {
        switch kind {
        case .ahead: return try await runAhead(target)
        case .controls: return try await continued(target, by: controls(of: target))
        case .ownRecords: return try await continued(target, by: ownRecords(in: target))
        case .sides: return try sides(of: target, at: target.batches.suffix(20))
        case .erasedSides: return try await erasedSides(of: target)
        case .sideAsBeginning: return try await sideAsBeginning(target, known: peer)
        case .claims: return []
        }
    }

    // MARK: Runs

    /// Returns a run of the liar's next batches, and stores it at the liar, so that its numbers are
    /// used up.
    private func continued(
        _ target: FloodTarget, by bodies: [BatchBody], after pause: Duration = .zero
    ) async throws -> [Run] {
        let start = max(
            wall(target.liar), (nodes[target.liar].merged[target.space]?.time ?? .min),
            (target.last?.stamp.time ?? .min)
        )
        let stamps = bodies.indices.map {
            Stamp(start + pause + .milliseconds(Int64($0 + 1)))
        }
        let run = try signed(
            bodies, stamps, target, number: (target.last?.number ?? 0) + 1,
            after: target.last?.hash ?? .none)
        let outcome = try await nodes[target.liar].replica?.merge(
            [(target.space, run)], wallTime: wall(target.liar))
        nodes[target.liar].record(outcome?.commits ?? [])
        try await advance(target.space, at: target.liar)
        return [run]
    }

    private func signed(
        _ bodies: [BatchBody], _ stamps: [Stamp], _ target: FloodTarget, log: LogName? = nil,
        number: UInt64, after previous: BatchHash
    ) throws -> Run {
        try signed(
            bodies, stamps, by: nodes[target.liar].key, in: target.space,
            after: LogHead(log: log ?? target.log, number: number - 1, hash: previous))
    }

    /// Signs batches that follow another one of their log.
    func signed(
        _ bodies: [BatchBody], _ stamps: [Stamp], by key: DeviceKey, in space: SpaceID,
        after previous: LogHead
    ) throws -> Run {
        var hash = previous.hash
        var signature: Signature?
        for (index, body) in bodies.enumerated() {
            let isLast = index == bodies.count - 1
            let batch = try CheckedRun(
                authoring: body, in: space, log: previous.log,
                number: previous.number + 1 + UInt64(index), previous: hash, epoch: 0,
                stamp: stamps[index], sign: { isLast ? try key.sign($0) : .unsigned })
            hash = batch.batches[0].hash
            signature = batch.signature
        }
        guard let signature else { preconditionFailure("a run has a batch") }
        return Run(
            log: previous.log, firstNumber: previous.number + 1, epoch: 0,
            batches: zip(stamps, bodies).map { Run.Link(stamp: $0, body: $1) },
            signature: signature)
    }

    private func noteBody(for target: FloodTarget) -> BatchBody {
        var draw = NoteDraw(people: society.people.map(\.id), chance: floodChance)
        let known =
            notes[target.space]?.randomElement(using: &floodChance)
            ?? EntityID(raw: floodChance.nonce())
        let body = BatchBody([draw.operation(on: known, dots: [])], salt: draw.chance.nonce())
        floodChance = draw.chance
        return body
    }

    private func runAhead(_ target: FloodTarget) async throws -> [Run] {
        let count = floodChance.number(100...World.batchesAheadMax)
        let bodies = (0..<count).map { _ in noteBody(for: target) }
        let days = [2, 30, 3650][floodChance.number(0...2)]
        tally.count("batches dated ahead by floods", count)
        return try await continued(target, by: bodies, after: .seconds(days * 86_400))
    }

    private func controls(of target: FloodTarget) -> [BatchBody] {
        let me = society.people[nodes[target.liar].person].id
        return (0...floodChance.number(0...3)).map { _ in
            let count = floodChance.number(100...World.controlsMax)
            return BatchBody(
                (0..<count).map { _ in
                    guard floodChance.chance(30) else { return Operation(control: .accept) }
                    // A cut of oneself that names a log of nobody limits nothing.
                    let nobody = DeviceID(raw: Bytes32(&floodChance))
                    let head = LogHead(
                        log: LogName(device: nobody), number: 1,
                        hash: BatchHash(raw: Bytes32(&floodChance)))
                    return Operation(control: .cut(me, [head]))
                })
        }
    }

    private func ownRecords(in target: FloodTarget) -> [BatchBody] {
        let collection = RecordCollection.simulatedProfile.id
        return (0...floodChance.number(2...20)).map { index in
            let nonce = floodChance.nonce()
            let entity = Operation.entity(
                in: target.space, of: collection, by: nodes[target.liar].device, nonce: nonce)
            let own = Operation.ownEntity(
                in: target.space, of: collection,
                person: society.people[nodes[target.liar].person].id)
            let isOwn = index == 0
            return BatchBody([
                Operation(
                    collection: collection, entity: isOwn ? own : entity,
                    action: isOwn ? .createOwn : .create(nonce: nonce)),
                Operation(
                    collection: collection, entity: isOwn ? own : entity,
                    action: .set(field: 1, .text("\(index)"))),
            ])
        }
    }

    /// Returns other batches under the number of one of some batches.
    private func sides(
        of target: FloodTarget, at candidates: ArraySlice<ReferenceModel.Batch>
    ) throws -> [Run] {
        guard let forked = candidates.randomElement(using: &floodChance),
            let index = target.batches.firstIndex(of: forked), index > 0 || forked.number == 1
        else { return [] }
        let previous = index > 0 ? target.batches[index - 1] : nil
        return try (0..<floodChance.number(1...World.sidesMax)).compactMap { _ in
            let bodies = (0...floodChance.number(0...2)).map { _ in noteBody(for: target) }
            // A side may not begin before the batch that it continues.
            let first = max(forked.stamp.time, (previous?.stamp.time ?? .min)) + .milliseconds(1)
            let stamps = bodies.indices.map { Stamp(first + .milliseconds(Int64($0))) }
            tally.count("sides signed by floods")
            return try signed(
                bodies, stamps, target, number: forked.number, after: previous?.hash ?? .none)
        }
    }

    private func erasedSides(of target: FloodTarget) async throws -> [Run] {
        guard let replica = nodes[target.liar].replica else { return [] }
        let own = await replica.heads(in: target.space)
            .filter { $0.log.device == nodes[target.liar].device }
        do {
            let commits = try await replica.eraseOwn(
                in: target.space, through: own.map(\.head), wallTime: wall(target.liar))
            for commit in commits { try await authored(commit, at: target.liar) }
            tally.count("erasures by a liar", commits.count)
        } catch is BatchFault {
            return []
        }
        return try sides(of: target, at: target.batches.suffix(6))
    }

    /// Returns a run that begins a log under the name of a side, as the peer knows it.
    private func sideAsBeginning(
        _ target: FloodTarget, known peer: Int
    ) async throws -> [Run] {
        let sides = await nodes[peer].replica?.heads(in: target.space).map(\.log) ?? []
        guard
            let side = sides.filter({
                $0.device == nodes[target.liar].device && $0.branch != .main
            }).randomElement(using: &floodChance)
        else { return [] }
        tally.count("beginnings in the name of a side")
        return [
            try signed(
                [noteBody(for: target)], [Stamp(wall(target.liar))], target, log: side, number: 1,
                after: .none)
        ]
    }

    // MARK: Records of people

    /// Passes the record of a person to a peer, as IDENTITY does, with something false or excessive
    /// in it.
    private func claim(_ liar: Int, _ peer: Int) async throws {
        guard let replica = nodes[peer].replica,
            let victim = society.people.randomElement(using: &floodChance)
        else { return }
        let record = victim.record
        let entries: [DeviceEntry]
        if victim.id == society.liar {
            entries = try moreDevices(of: victim)
        } else if floodChance.chance(50) {
            entries = try (0..<floodChance.number(1...56)).map { _ in
                try DeviceEntry.removing(
                    victim.devices[0].id, from: victim.id, by: DeviceKey(using: &floodChance))
            }
        } else {
            entries = [try falseRemoval(of: victim)]
        }
        let bytes = record.encoded(with: entries.sorted(by: DeviceEntry.isBefore))
        do {
            try await replica.learn([ClaimedPersonRecord(bytes)])
        } catch is IdentityFault {
            tally.count("claims refused")
        }
    }

    /// Returns a removal in the name of the person's first device, which did not sign it.
    private func falseRemoval(of victim: Person) throws -> DeviceEntry {
        let genuine = try DeviceEntry.removing(
            victim.devices[0].id, from: victim.id, by: victim.devices[0])
        var bytes = genuine.encoded
        bytes[bytes.count - 1 - floodChance.number(0...30)] ^= 1
        return try DeviceEntry(decoding: bytes)
    }

    /// Returns additions of new devices by the liar's own key, and removals of some of them.
    private func moreDevices(of liar: Person) throws -> [DeviceEntry] {
        var entries: [DeviceEntry] = []
        for _ in 0..<floodChance.number(10...50) {
            let key = DeviceKey(using: &floodChance)
            let consent = try DeviceConsent(of: key, to: liar.id)
            entries.append(try DeviceEntry.adding(consent, by: liar.devices[0]))
            guard floodChance.chance(20) else { continue }
            entries.append(
                try DeviceEntry.removing(key.id, from: liar.id, by: liar.devices[0]))
        }
        return Array(entries.prefix(Limits.personDevicesMax))
    }
}

extension Flood {
    /// The name in the counts.
    var words: String {
        switch self {
        case .ahead: "batches ahead"
        case .controls: "control operations"
        case .sides: "sides"
        case .sideAsBeginning: "sides as beginnings"
        case .erasedSides: "erased sides"
        case .ownRecords: "own records"
        case .claims: "claims"
        }
    }
}

extension DeviceEntry {
    /// The canonical order of entries of one rank.
    fileprivate static func isBefore(_ one: DeviceEntry, _ other: DeviceEntry) -> Bool {
        one.encoded.lexicographicallyPrecedes(other.encoded)
    }
}

extension PersonRecord {
    /// Returns the bytes of a record with other entries, which nobody checked.
    fileprivate func encoded(with entries: [DeviceEntry]) -> [UInt8] {
        var bytes = founding.encoded + foundingSignature.bytes
        bytes.append(varint: UInt64(entries.count))
        for entry in entries { bytes += entry.encoded }
        return bytes
    }
}

extension Bytes32 {
    /// Draws 32 bytes.
    fileprivate init(_ chance: inout SeededGenerator) {
        guard let drawn = Bytes32(chance.bytes(32)) else {
            preconditionFailure("32 bytes were drawn")
        }
        self = drawn
    }
}

extension Signature {
    /// The signature of a batch that another batch's signature proves.
    fileprivate static var unsigned: Signature {
        guard let none = Signature(repeatElement(0, count: Signature.bytesCount)) else {
            preconditionFailure("a signature of its own length")
        }
        return none
    }
}
