internal import ControlAPI
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// Checks that this node holds what its peers hold, and that its batches are undamaged.
extension Node {
    /// How long `verify` waits for a peer's digests, counted from its last AUDIT, and for damaged
    /// batches to be repaired.
    static let verifyWait: Duration = .seconds(10)
    /// The interval at which repairs are checked.
    static let mendingPause: Duration = .milliseconds(100)

    /// Checks for damage here and has it repaired, then compares digests and all batches with
    /// linked peers.
    /// - Throws: ``CommandFault/notFound(_:)`` if there is no peer to compare with and nothing is
    ///   damaged, ``CommandFault/conflict(_:)`` if the prefix names several,
    ///   ``CommandFault/timedOut(_:)`` if a peer does not answer.
    func verify(_ peer: KeyPrefix?) async throws -> VerifyReport {
        let chosen = try linked(peer).sorted { $0.id < $1.id }
        let found = await lookForDamage()
        if !chosen.isEmpty { await waitForMending() }
        var report = VerifyReport(at: clock.wallTime)
        report.damage = await damage(of: found)
        guard !chosen.isEmpty || !found.isEmpty else {
            throw CommandFault.notFound(
                "no linked peer shares a space with this node; nothing stored here is damaged")
        }
        for active in chosen {
            let device = active.peer.device
            report.peers.append(device)
            try await askDigests(of: device, id: active.id)
            report.rows += await rows(of: device)
            report.auditedCount += try await audit(with: device)
            report.differingCount += links[device]?.audit.differing.count ?? 0
        }
        lastReport = report
        return report
    }

    /// Returns the links to the device or to the devices of the person that a prefix names; without
    /// a prefix, all links that share a space.
    private func linked(_ prefix: KeyPrefix?) throws(CommandFault) -> [ActiveLink] {
        guard let prefix else { return links.values.filter { !$0.session.sharedSpaces.isEmpty } }
        let key = try prefix.resolve(
            among: links.values.flatMap(\.keys), what: "linked peer", listedBy: "nearby list")
        return links.values.filter { $0.keys.contains(key) }
    }

    /// Returns the damaged batches, and whether each is repaired.
    private func damage(
        of found: [SpaceID: [DamagedRange]]
    ) async -> [VerifyReport.Damage] {
        var all: [VerifyReport.Damage] = []
        for (space, ranges) in found.sorted(by: { $0.key < $1.key }) {
            guard let descriptor = await replica.descriptor(of: space) else { continue }
            let left = damage.damaged[space] ?? []
            all += ranges.map { range in
                let isLeft = left.contains {
                    $0.log == range.log && $0.numbers.overlaps(range.numbers)
                }
                return .init(space: descriptor, range: range, isMended: !isLeft)
            }
        }
        return all
    }

    /// Requests fresh digests from a peer and waits until they arrive.
    func askDigests(of device: DeviceID, id: UInt64) async throws {
        guard var asked = links[device], asked.id == id else {
            throw CommandFault.notFound("device \(device.suffix) is not near now")
        }
        let effects = asked.session.askDigests(onlyUnknown: false)
        guard !effects.isEmpty else {
            throw CommandFault.timedOut("device \(device.suffix) answers no questions")
        }
        links[device] = asked
        queue(effects, on: device)
        guard await answer(to: asked.session.lastQuestion, on: id) else {
            throw CommandFault.timedOut("device \(device.suffix) did not answer in time")
        }
    }

    /// Waits, for a limited time, until linked members have repaired as much as they can.
    private func waitForMending() async {
        let deadline = clock.uptime + Node.verifyWait
        while !damage.damaged.isEmpty, clock.uptime < deadline, !Task.isCancelled {
            try? await clock.sleep(for: Node.mendingPause)
        }
    }

    /// Waits for a peer's answer to a question. The answer follows those to all earlier questions,
    /// so the wait restarts while the peer's audits keep arriving.
    /// - Returns: false if the answer did not arrive in time or the link ended.
    private func answer(to question: Int, on link: UInt64) async -> Bool {
        let number = nextWaiter
        nextWaiter += 1
        let clock = clock
        let deadline = Task {
            var heard: Int
            repeat {
                heard = heardCount(on: link)
                try await clock.sleep(for: Node.verifyWait)
            } while heardCount(on: link) > heard
            digestWaiters.removeValue(forKey: number)?.continuation.resume(returning: false)
        }
        defer { deadline.cancel() }
        return await withCheckedContinuation {
            digestWaiters[number] = DigestWaiter(link: link, question: question, continuation: $0)
        }
    }

    private func heardCount(on link: UInt64) -> Int {
        links.values.first { $0.id == link }?.audit.heardCount ?? 0
    }

    private func rows(of device: DeviceID) async -> [VerifyReport.Row] {
        guard let session = links[device]?.session else { return [] }
        var rows: [VerifyReport.Row] = []
        for space in session.sharedSpaces.sorted() {
            guard let mine = await replica.digest(of: space),
                let descriptor = await replica.descriptor(of: space)
            else { continue }
            let theirs = session.remoteDigest(of: space)
            // A peer that left a group, or was removed, may still offer it and gets no answer.
            if theirs == nil, descriptor.kind == .group { continue }
            rows.append(.init(space: descriptor, device: device, mine: mine, theirs: theirs))
        }
        return rows
    }

    // MARK: - After a restore

    /// Audits a restored home. A backup may contain damage, and may lack batches that others hold:
    /// as soon as writing is safe and a peer is linked and in sync, everything is checked and
    /// compared automatically.
    func auditIfDue() {
        guard isAuditDue, ownLogs.mayWrite,
            links.values.contains(where: { active in
                let shared = active.session.commonSpaces
                return !shared.isEmpty && shared.allSatisfy(active.session.isInSync)
            })
        else { return }
        isAuditDue = false
        Task { await auditAfterRestore() }
    }

    private func auditAfterRestore() async {
        do {
            let report = try await verify(nil)
            logger.notice(
                "audited after a restore", metadata: ["verdict": "\(report.summary)"])
            events.publish("status", ["audited": JSONValue(encoding: report.summary)])
        } catch {
            logger.warning("the audit after a restore failed", metadata: ["why": "\(error)"])
        }
    }
}

extension ActiveLink {
    /// The keys that name this link's peer in a command.
    fileprivate var keys: [String] { [peer.device.description, peer.person.description] }
}
