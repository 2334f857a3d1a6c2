internal import ControlAPI
internal import Discovery
internal import PeerLink
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// The node's own commands.
extension Node {
    /// How long `verify` waits for a peer's digests.
    static let verifyWait: Duration = .seconds(10)

    /// Performs one.
    func perform(_ command: CoreCommand, _ arguments: Arguments) async throws -> JSONValue {
        switch command {
        case .status: return await status()
        case .peerAdd: return try addPeer(try arguments.text("address"))
        case .peerRemove: return try removePeer(try arguments.text("address"))
        case .peerList: return peers()
        case .verify: return try await verify(arguments["peer"]?.string)
        case .doctor: return try JSONValue(encoding: await diagnose())
        case .backup:
            return try await backup(to: try path(arguments))
        case .export:
            return try await export(to: try path(arguments))
        case .repair: return try await repair(arguments["space"]?.string)
        case .deleteMe: return try await deleteMe(isMeant: arguments["yes"]?.boolean ?? false)
        case .stop:
            stopRequest.finish()
            return .object([:])
        }
    }

    private func status() async -> JSONValue {
        let skew = clockSkewMilliseconds
        return .record([
            "version": .string(NodeVersion.current), "person": .string(me.description),
            "device": .string(device.description), "suffix": .string(me.suffix),
            "home": .string(settings.home.directory), "startedMs": .integer(startedMilliseconds),
            "nowMs": .integer(clock.wallMilliseconds), "port": .integer(Int64(port)),
            "discovery": [
                "state": .string(discoveryState.name), "detail": .string(discoveryState.detail),
            ],
            "clockSkewMs": .integer(skew),
            "startsDisagree": .boolean(replica.startCountsDisagree && !ownLogs.mayWrite),
            "unsettled": unsettledReason.map { .string($0) },
            "notices": .array(notices.map(\.json)),
            "links": .array(
                links.values.sorted { $0.id < $1.id }.map {
                    link($0)
                }),
            "spaces": .array(await replica.spaces().map { space($0) }),
            "members": .array(await members()),
        ])
    }

    /// Who is or was in which group, one row each.
    private func members() async -> [JSONValue] {
        var rows: [JSONValue] = []
        for group in await replica.spaces() where group.descriptor.kind == .group {
            for member in await replica.members(in: group.id) {
                rows.append([
                    "group": .string(group.id.description),
                    "person": .string(member.person.description),
                    "role": .string(member.role.word), "state": .string(member.state.rawValue),
                ])
            }
        }
        return rows
    }

    private func link(_ active: ActiveLink) -> JSONValue {
        .record([
            "device": .string(active.peer.device.description),
            "person": .string(active.peer.person.description),
            "address": active.link.remoteAddress.map { .string($0.description) },
            "direction": active.link.isDialled ? "out" : "in",
            "sinceMs": .integer(active.sinceMilliseconds),
            "mate": .boolean(relations.isMate(active.peer.person)),
            "clockOffsetMs": .integer(active.clockOffsetMilliseconds),
            "sentBytes": .integer(Int64(active.outbox.sentBytes.value)),
        ])
    }

    private func space(_ summary: SpaceSummary) -> JSONValue {
        .record([
            "id": .string(summary.id.description), "kind": .string(summary.descriptor.kind.word),
            "withPerson": summary.descriptor.other(than: me).map { .string($0.description) },
            "digest": .string(Hexadecimal.text(summary.digest.bytes)),
            "batches": .integer(Int64(summary.batches)), "held": .integer(Int64(summary.held)),
            "nextDueMs": summary.nextDueMilliseconds.map { .integer(Int64(clamping: $0)) },
            "void": .integer(Int64(summary.void)), "waiting": .integer(Int64(summary.waiting)),
            "missing": .integer(Int64(summary.missing)),
            "forkedDevices": .array(
                summary.forkedDevices.map { .string($0.description) }),
        ])
    }

    // MARK: - Peers by address

    private func addPeer(_ text: String) throws -> JSONValue {
        let endpoint = try address(text)
        try settings.addPeer(endpoint.description)
        _ = fixed.add(endpoint)
        return ["address": .string(endpoint.description)]
    }

    private func removePeer(_ text: String) throws -> JSONValue {
        let endpoint = try address(text)
        guard try settings.removePeer(endpoint.description) else {
            throw CommandFault.notFound("\(endpoint) is not among the addresses that are dialled")
        }
        _ = fixed.remove(endpoint)
        return ["address": .string(endpoint.description)]
    }

    private func address(_ text: String) throws -> Endpoint {
        guard let endpoint = Endpoint(text) else {
            throw CommandFault.usage(
                "'\(text)' is no address: write host:port, or [address]:port for IPv6",
                field: "address")
        }
        return endpoint
    }

    private func peers() -> JSONValue {
        let targets = plan.targets.filter(\.isManual)
        let peers = fixed.endpoints.map { endpoint -> JSONValue in
            let key = targets.first {
                $0.addresses.contains { $0.host == endpoint.host && $0.port == endpoint.port }
            }?.key
            let active = links.values.first { active in
                key != nil && active.targetKey == key
                    || active.hello.port == endpoint.port
                        && active.link.remoteAddress?.host == endpoint.host
            }
            return .record([
                "address": .string(endpoint.description), "linked": .boolean(active != nil),
                "device": active.map { .string($0.peer.device.description) },
            ])
        }
        return ["peers": .array(peers)]
    }

    // MARK: - Verify

    private func verify(_ peer: String?) async throws -> JSONValue {
        let chosen = links.values.filter { active in
            guard let peer else { return !active.session.sharedSpaces.isEmpty }
            return active.peer.device.description.hasPrefix(peer)
                || active.peer.person.description.hasPrefix(peer)
        }
        guard !chosen.isEmpty else {
            throw CommandFault.notFound(
                peer.map { "no linked peer has a key that begins with '\($0)'" }
                    ?? "no linked peer shares a space with this node")
        }
        var spaces: [JSONValue] = []
        var isEqual = true
        for active in chosen.sorted(by: { $0.id < $1.id }) {
            for (row, equal) in try await compare(with: active) {
                spaces.append(row)
                isEqual = isEqual && equal
            }
        }
        return [
            "equal": .boolean(isEqual),
            "peers": .array(chosen.map { .string($0.peer.device.description) }),
            "spaces": .array(spaces),
        ]
    }

    /// Asks a peer for fresh digests and holds them against this side's.
    private func compare(with active: ActiveLink) async throws -> [(JSONValue, Bool)] {
        let device = active.peer.device
        let id = active.id
        guard var asked = links[device], asked.id == id else {
            throw CommandFault.notFound("device \(device.suffix) is not near now")
        }
        let effects = asked.session.askDigests(onlyUnknown: false)
        guard !effects.isEmpty else {
            throw CommandFault.timedOut("device \(device.suffix) answers no questions")
        }
        links[device] = asked
        queue(effects, on: device)
        let isAnswered = await answer(to: asked.session.lastQuestion, on: id)
        guard isAnswered, let now = links[device], now.id == id else {
            throw CommandFault.timedOut("device \(device.suffix) did not answer in time")
        }
        return await rows(now)
    }

    /// Waits for a peer's answer to a question.
    /// - Returns: false where it did not come in time, or the link ended.
    private func answer(to question: Int, on link: UInt64) async -> Bool {
        let number = nextWaiter
        nextWaiter += 1
        let clock = clock
        let deadline = Task {
            try await clock.sleep(for: Node.verifyWait)
            digestWaiters.removeValue(forKey: number)?.continuation.resume(returning: false)
        }
        defer { deadline.cancel() }
        return await withCheckedContinuation {
            digestWaiters[number] = DigestWaiter(link: link, question: question, continuation: $0)
        }
    }

    private func rows(_ now: ActiveLink) async -> [(JSONValue, Bool)] {
        let device = now.peer.device
        var rows: [(JSONValue, Bool)] = []
        for space in now.session.sharedSpaces.sorted() {
            guard let mine = await replica.digest(of: space),
                let descriptor = await replica.descriptor(of: space)
            else { continue }
            let theirs = now.session.remoteDigest(of: space)
            // Who left a group or was removed offers it still, and nobody answers.
            if theirs == nil, descriptor.kind == .group { continue }
            rows.append(
                (
                    .record([
                        "id": .string(space.description), "kind": .string(descriptor.kind.word),
                        "device": .string(device.description), "equal": .boolean(mine == theirs),
                        "mine": .string(Hexadecimal.text(mine.bytes)),
                        "theirs": theirs.map { .string(Hexadecimal.text($0.bytes)) },
                    ]), mine == theirs
                ))
        }
        return rows
    }
}

extension SpaceDescriptor {
    /// The other person of a pair, or whose card it is.
    func other(than me: PersonID) -> PersonID? {
        switch self {
        case .pair(let one, let other): one == me ? other : one
        case .card(let owner) where owner != me: owner
        default: nil
        }
    }
}
