internal import ControlAPI
package import Discovery
internal import Links
package import NodeAPI
internal import PluginHost
package import PluginKit
internal import Records
internal import Replica
internal import Sync

// The node's own commands.
extension Node {
    /// Returns the answer of `status show`.
    func status() async throws -> NodeStatus {
        let open = await neighbourhoodUse()
        return NodeStatus(
            version: NodeVersion.current, person: Key(me), device: Key(device),
            suffix: KeySuffix(me),
            home: settings.home.directory,
            startedMs: start.time,
            nowMs: clock.wallTime, port: Int(start.port),
            discovery: .init(
                state: .init(lan.discoveryState), detail: lan.discoveryState.detail),
            clockSkewMs: Int(clockSkew.milliseconds),
            startsDisagree: replica.startCountsDisagree && !ownLogs.mayWrite,
            unsettled: ownLogs.unsettledReason, recovery: recoverySentence,
            audited: health.lastReport?.summary,
            notices: notices.all.map(\.answer),
            links: links.values.sorted { $0.id < $1.id }.map { link($0) },
            storage: try await storage(),
            spaces: await replica.spaces().map { space($0) }, members: await members(),
            neighbourhoods: open.uses, overAllowance: open.waiting)
    }

    /// Returns the present and past members of every group, one row each.
    private func members() async -> [NodeStatus.Member] {
        var rows: [NodeStatus.Member] = []
        for group in await replica.spaces() where group.descriptor.kind == .group {
            rows += await replica.members(in: group.id).map { member in
                NodeStatus.Member(
                    group: Key(group.id), person: Key(member.person), role: .init(member.role),
                    state: .init(member.state))
            }
        }
        return rows
    }

    private func link(_ active: ActiveLink) -> NodeStatus.Link {
        NodeStatus.Link(
            device: Key(active.peer.device), person: Key(active.peer.person),
            address: active.link.remoteAddress?.description,
            direction: active.link.isDialled ? .out : .in,
            sinceMs: active.since,
            mate: relations.has(.mate, with: active.peer.person),
            clockOffsetMs: Int(active.clockOffset.milliseconds),
            sentBytes: Int(active.outbox.sentBytes.value))
    }

    private func space(_ summary: SpaceSummary) -> NodeStatus.Space {
        NodeStatus.Space(
            id: Key(summary.id), kind: .init(summary.descriptor.kind),
            withPerson: summary.descriptor.other(than: me).map { Key($0) },
            digest: DigestDigits(digits: Hexadecimal.text(summary.digest.bytes)),
            batches: Int(summary.batches),
            held: Int(summary.held),
            nextDueMs: summary.nextDue,
            void: Int(summary.void), waiting: Int(summary.waiting), missing: Int(summary.missing),
            forkedDevices: summary.forkedDevices.map { Key($0) })
    }

    // MARK: - Peers by address

    /// Answers `peer add`.
    func addPeer(_ request: PeerAddress) throws -> PeerAddress {
        let endpoint = try endpoint(request.address.string)
        try settings.addPeer(endpoint.description)
        _ = fixed.add(endpoint)
        return PeerAddress(address: try Text(endpoint.description))
    }

    /// Answers `peer remove`.
    func removePeer(_ request: PeerAddress) throws -> PeerAddress {
        let endpoint = try endpoint(request.address.string)
        guard try settings.removePeer(endpoint.description) else {
            throw CommandFault.notFound("\(endpoint) is not among the addresses that are dialled")
        }
        _ = fixed.remove(endpoint)
        return PeerAddress(address: try Text(endpoint.description))
    }

    func endpoint(_ address: String) throws -> Endpoint {
        guard let endpoint = Endpoint(address) else {
            throw CommandFault.refused(
                "'\(address)' is not an address: write host:port, or [address]:port for "
                    + "IPv6")
        }
        return endpoint
    }

    /// Answers `peer list`.
    func peers() -> PeerList {
        let targets = plan.targets.filter(\.isManual)
        let peers = fixed.endpoints.map { endpoint -> PeerList.Peer in
            let key = targets.first {
                $0.addresses.contains { $0.host == endpoint.host && $0.port == endpoint.port }
            }?.key
            let active = links.values.first { active in
                key != nil && active.targetKey == key
                    || active.hello.port == endpoint.port
                        && active.link.remoteAddress?.host == endpoint.host
            }
            return PeerList.Peer(
                address: endpoint.description, linked: active != nil,
                device: active.map { Key($0.peer.device) })
        }
        return PeerList(peers: peers)
    }
}

extension NodeDiagnosis {
    /// Creates the command's answer from the checks of a diagnosis.
    package init(_ diagnosis: Diagnosis, recovery: Sentence? = nil) {
        self.init(
            checks: diagnosis.checks.map { check in
                Check(
                    id: .init(check.id), state: .init(check.state), finding: check.finding,
                    fix: check.fix.map { Fix(advice: $0.advice, command: $0.command) })
            }, recovery: recovery)
    }
}
