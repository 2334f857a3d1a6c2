internal import ControlAPI
internal import Logging
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// Looking for damage: hashes of ranges are compared with peers, and what is damaged here is
// fetched again.
extension Node {
    /// Rounds of halving in which a range of the greatest length comes down to single batches,
    /// and some more for what is committed meanwhile.
    static let auditRoundsMax = 32

    /// Compares all logs that are shared with a linked device.
    /// - Returns: how many batches were compared.
    /// - Throws: ``CommandFault/timedOut(_:)`` where it does not answer.
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
                    // No more at a time than the other side hashes without a pause.
                    if saidCount % AuditAllowance.longestPerSecondMax == 0 {
                        try await waitForDigests(of: device)
                    }
                }
            }
        }
        try await waitForAudits(of: device)
        return batchesCount
    }

    /// A peer answers in order, so the answer to a question comes after those to the audits before
    /// it. Where there were such answers, and audits in return, it is asked again.
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

    /// Hashes a range and says it to a peer.
    func sayHash(of range: AuditRange, in space: SpaceID, to device: DeviceID) async {
        guard let hash = await hash(of: range, in: space), var active = links[device] else {
            return
        }
        let effects = active.session.audit(range, in: space, mine: hash)
        links[device] = active
        queue(effects, on: device)
    }

    /// Compares a range with what a peer says of it. Peers that ask for much are made to wait:
    /// each range costs reading thousands of batches.
    func compare(
        _ range: AuditRange, in space: SpaceID, theirs: Bytes32, with device: DeviceID
    ) async {
        let count = Int(clamping: range.count)
        guard let pause = links[device]?.auditAllowance.take(count, uptime: clock.uptime) else {
            return
        }
        if pause > .zero { try? await clock.sleep(for: pause) }
        let start = clock.uptime
        let mine = await hash(of: range, in: space)
        guard var active = links[device] else { return }
        active.auditAllowance.spend(clock.uptime - start, uptime: clock.uptime)
        active.audit.noteHeard()
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
