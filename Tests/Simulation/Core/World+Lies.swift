internal import Identity
internal import Records
internal import Replica
internal import Sync
internal import TestSupport

// The messages of a dishonest device. It has a normal node, and sends more than that.
extension World {
    /// Kinds of lies.
    private enum Lie: Int, CaseIterable {
        /// A batch in another device's name with its own signature, or a signature of other bytes.
        case forged
        /// A batch in its own name with operations that it may not write.
        case unruly
        /// A VECTOR or ACK with batches that no device has.
        case boastful
        /// Requests for spaces whose tokens it must not know.
        case nosy
        /// A frame with a changed byte.
        case garbled
        /// Frames that were sent before.
        case repeated
        /// Batches dated ahead, or before all others.
        case misdated
    }

    /// Sends a lie on one of the liar's links.
    func lie() async throws {
        plan(.lie, within: 5000...120_000)
        guard !isCalm, let liar = nodes.firstIndex(where: \.isLiar), nodes[liar].replica != nil,
            let (_, link) = nodes[liar].links.sorted(by: { $0.key < $1.key })
                .randomElement(using: &chance),
            let end = links[link]?.end(of: liar), parties(link, end) != nil
        else { return }
        tally.count("lies")
        for frame in try await frames(link, end) {
            tellAlso(frame, link, end)
            send(frame, link, end)
        }
    }

    private func frames(_ link: Int, _ end: Int) async throws -> [VirtualLink.Frame] {
        if mix.isTwoFaced, chance.chance(15) { return try await secondFace(link, end) }
        let lie = Lie.allCases[chance.number(0...Lie.allCases.count - 1)]
        return try await frames(of: lie, link, end)
    }

    /// Records the ends of logs in a lie, because an honest device continues after them as after
    /// true ones.
    private func tellAlso(_ frame: VirtualLink.Frame, _ link: Int, _ end: Int) {
        guard let (liar, _) = parties(link, end),
            let said = try? Message(
                type: frame.type, payload: frame.payload, sender: nodes[liar].device)
        else { return }
        links[link]?.ends[end].tell(said)
    }

    private func frames(
        of lie: Lie, _ link: Int, _ end: Int
    ) async throws -> [VirtualLink.Frame] {
        guard let state = links[link], let (liar, peer) = parties(link, end) else { return [] }
        let said = state.ends[end].sent
        switch lie {
        case .forged, .unruly, .misdated: return try await push(lie, link, end)
        case .boastful:
            let device = nodes.randomElement(using: &chance)?.device ?? nodes[liar].device
            let reach = Boast(
                channel: UInt64(chance.number(0...state.ends[end].channels.count)), device: device,
                number: UInt64(chance.number(1...100)), prefix: chance.next())
            return [VirtualLink.Frame(type: chance.chance(50) ? 3 : 5, payload: reach.payload)]
        case .nosy: return nosyFrames(liar, peer, state.ends[end])
        case .garbled:
            guard var payload = said.randomElement(using: &chance)?.payload, !payload.isEmpty else {
                return []
            }
            payload[chance.number(0...payload.count - 1)] ^= UInt8(chance.number(1...255))
            return [VirtualLink.Frame(type: UInt8(chance.number(2...16)), payload: payload)]
        case .repeated:
            let old = (oldFrames[liar] ?? []) + said
            return (0...3).compactMap { _ in old.randomElement(using: &chance) }
        }
    }

    /// A VECTOR or ACK about one log, as bytes.
    private struct Boast {
        let channel: UInt64
        let device: DeviceID
        let number, prefix: UInt64

        var payload: [UInt8] {
            var bytes: [UInt8] = []
            bytes.append(varint: channel)
            bytes.append(varint: 1)
            device.raw.append(to: &bytes)
            BranchName.main.raw.append(to: &bytes)
            bytes.append(varint: 1)
            bytes.append(varint: number)
            bytes.append(bigEndian: prefix)
            return bytes
        }
    }

    /// Returns HAVE with the tokens of all spaces, then VECTORs on their channels.
    private func nosyFrames(
        _ liar: Int, _ peer: Int, _ end: VirtualLink.End
    ) -> [VirtualLink.Frame] {
        let spaces = society.people.indices.flatMap { self.spaces(of: $0).map(\.id) }
        let named = Set(spaces).subtracting(end.channels).sorted()
        var have: [UInt8] = [UInt8(chance.number(0...2))]
        have.append(varint: UInt64(named.count))
        for space in named {
            have.append(
                bigEndian: Token(space, sender: end.nonces.local, receiver: end.nonces.remote)
                    .rawValue)
            chance.nonce().append(to: &have)
        }
        var frames = [VirtualLink.Frame(type: 2, payload: have)]
        for channel in 0..<end.channels.count + named.count {
            var vector: [UInt8] = []
            vector.append(varint: UInt64(channel))
            vector.append(varint: 0)
            frames.append(VirtualLink.Frame(type: 3, payload: vector))
        }
        return frames
    }

    /// Returns a run that no honest device would send.
    private func push(_ lie: Lie, _ link: Int, _ end: Int) async throws -> [VirtualLink.Frame] {
        guard let (liar, peer) = parties(link, end), let replica = nodes[liar].replica,
            let end = links[link]?.ends[end],
            let channel = end.channels.indices.randomElement(using: &chance)
        else { return [] }
        let space = end.channels[channel]
        let name = lie == .forged ? nodes[peer].device : nodes[liar].device
        let log = await replica.heads(in: space).first { $0.log.device == name }
        var draw = NoteDraw(people: society.people.map(\.id), chance: chance)
        let known = notes[space] ?? []
        let operations = (0...chance.number(0...4)).map { _ in
            draw.operation(
                on: known.randomElement(using: &chance) ?? EntityID(raw: chance.nonce()), dots: [])
        }
        chance = draw.chance
        let stamp =
            lie == .misdated
            ? Stamp(Timestamp(milliseconds: Int64(chance.number(0...1 << 46))))
            : Stamp(
                max(
                    wall(liar),
                    (nodes[liar].merged[space]?.time ?? .min) + .milliseconds(1)))
        let run = try CheckedRun(
            authoring: BatchBody(operations), in: space, log: LogName(device: name),
            number: (log?.high ?? 0) + 1, previous: log?.headHash ?? .none, epoch: 0, stamp: stamp,
            sign: nodes[liar].key.sign)
        if lie != .forged { try await keepOwn(run, in: space, at: liar) }
        let sent = Run(
            log: LogName(device: name), firstNumber: (log?.high ?? 0) + 1, epoch: 0,
            batches: [Run.Link(stamp: stamp, body: BatchBody(operations))],
            signature: run.signature)
        let message = Message.push(Push(channel: UInt64(channel), run: sent))
        return [
            VirtualLink.Frame(
                type: message.type, payload: message.payload(sender: nodes[liar].device))
        ]
    }

    /// Returns another batch with the number of the liar's last one, for this peer alone.
    private func secondFace(_ link: Int, _ end: Int) async throws -> [VirtualLink.Frame] {
        guard let (liar, _) = parties(link, end), let replica = nodes[liar].replica,
            let channels = links[link]?.ends[end].channels,
            let channel = channels.indices.randomElement(using: &chance)
        else { return [] }
        let space = channels[channel]
        let own = try await batches(in: space, of: replica)
            .filter { $0.log == LogName(device: nodes[liar].device) }
        guard let last = own.last, let stamp = last.stamp.next else { return [] }
        var draw = NoteDraw(people: society.people.map(\.id), chance: chance)
        let known = notes[space]?.randomElement(using: &chance) ?? EntityID(raw: chance.nonce())
        let body = BatchBody([draw.operation(on: known, dots: [])])
        chance = draw.chance
        let run = try CheckedRun(
            authoring: body, in: space, log: last.log, number: last.number,
            previous: own.dropLast().last?.hash ?? .none, epoch: 0, stamp: stamp,
            sign: nodes[liar].key.sign)
        tally.count("forks signed by a liar")
        let message = Message.push(
            Push(
                channel: UInt64(channel),
                run: Run(
                    log: last.log, firstNumber: last.number, epoch: 0,
                    batches: [Run.Link(stamp: stamp, body: body)], signature: run.signature)))
        return [
            VirtualLink.Frame(
                type: message.type, payload: message.payload(sender: nodes[liar].device))
        ]
    }

    /// Stores the liar's batch in its own replica, so that it does not sign the number again by
    /// accident.
    func keepOwn(_ run: CheckedRun, in space: SpaceID, at liar: Int) async throws {
        let batches = run.batches.map { Run.Link(stamp: $0.header.stamp, content: $0.content) }
        guard let first = run.batches.first?.header else { return }
        let own = Run(
            log: first.log, firstNumber: first.number, epoch: 0, batches: batches,
            signature: run.signature)
        let outcome = try await nodes[liar].replica?.merge(
            [(space, own)], wallTime: wall(liar))
        nodes[liar].record(outcome?.commits ?? [])
        try await advance(space, at: liar)
    }
}
