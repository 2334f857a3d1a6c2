internal import ControlAPI
internal import Logging
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// Search for damage: hashes of ranges are compared with peers, and damaged batches are fetched
// again.
extension Node {
    /// The number of rounds in which halving reduces a range of the maximum length to single
    /// batches, plus a margin for batches committed meanwhile.
    static let auditRoundsMax = 32

    /// Compares all logs shared with a linked device.
    /// - Returns: the number of batches compared.
    /// - Throws: ``CommandFault/timedOut(_:)`` if it does not answer.
    func audit(with device: DeviceID) async throws -> Int {
        links[device]?.session.beginAudit()
        links[device]?.audit.beginAnew()
        var saidCount = 0
        var batchesCount = 0
        for space in links[device]?.session.commonSpaces.sorted() ?? [] {
            for log in await replica.heads(in: space) {
                for range in AuditRange.covering(log) {
                    await sayHash(of: range, in: space, to: device)
                    batchesCount += Int(clamping: range.count)
                    saidCount += 1
                    // At most as many at a time as the peer hashes without a pause.
                    if saidCount % AuditAllowance.longestPerSecondMax == 0 {
                        try await waitForDigests(of: device)
                    }
                }
            }
        }
        try await waitForAudits(of: device)
        return batchesCount
    }

    /// Waits until a peer has answered all audits. A peer answers in order, so its answer to a
    /// digest question follows its answers to earlier audits. If it answered audits, and this
    /// device audited in return, the question is repeated.
    private func waitForAudits(of device: DeviceID) async throws {
        for _ in 0..<Node.auditRoundsMax {
            let heard = links[device]?.audit.heardCount
            try await waitForDigests(of: device)
            if links[device]?.audit.heardCount == heard { return }
        }
    }

    private func waitForDigests(of device: DeviceID) async throws {
        guard let id = links[device]?.id else {
            throw CommandFault.timedOut("device \(device.suffix) is not near any more")
        }
        try await askDigests(of: device, id: id)
    }

    /// Hashes a range and sends the hash to a peer.
    func sayHash(of range: AuditRange, in space: SpaceID, to device: DeviceID) async {
        guard let hash = await hash(of: range, in: space), var active = links[device] else {
            return
        }
        let effects = active.session.audit(range, in: space, mine: hash)
        links[device] = active
        queue(effects, on: device)
    }

    /// Compares a range with the hash a peer sent. Peers that ask for much must wait: each range
    /// requires reading thousands of batches.
    func compare(
        _ range: AuditRange, in space: SpaceID, theirs: Bytes32, with device: DeviceID
    ) async {
        let count = Int(clamping: range.count)
        guard let pause = links[device]?.auditAllowance.spend(count, uptime: clock.uptime) else {
            return
        }
        if pause > .zero { try? await clock.sleep(for: pause) }
        let start = clock.uptime
        let mine = await hash(of: range, in: space)
        guard var active = links[device] else { return }
        active.auditAllowance.recordWork(clock.uptime - start, uptime: clock.uptime)
        active.audit.recordHeard()
        let effects = active.session.audited(range, in: space, theirs: theirs, mine: mine)
        links[device] = active
        queue(effects, on: device)
        await settle(effects, on: device, id: active.id)
    }

    private func hash(of range: AuditRange, in space: SpaceID) async -> Bytes32? {
        do {
            return try await replica.auditHash(
                in: space, log: range.log, from: range.numbers.lowerBound,
                through: range.numbers.upperBound)
        } catch {
            logger.error("a log could not be hashed", metadata: ["why": "\(error)"])
            return nil
        }
    }
}
