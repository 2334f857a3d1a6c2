internal import ControlAPI
internal import Discovery
internal import Links
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// The node's own commands.
extension Node {
    /// Performs one.
    func perform(_ command: CoreCommand, _ arguments: Arguments) async throws -> JSONValue {
        switch command {
        case .status: return await status()
        case .peerAdd: return try addPeer(try arguments.text("address"))
        case .peerRemove: return try removePeer(try arguments.text("address"))
        case .peerList: return peers()
        case .verify: return try await verify(arguments["peer"]?.string).json
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
            "notices": .array(notices.map(\.json)), "audited": lastReport?.summary,
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
