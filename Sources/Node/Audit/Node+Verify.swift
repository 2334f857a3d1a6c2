internal import ControlAPI
internal import Logging
internal import NodeAPI
internal import PluginHost
internal import PluginKit
internal import Records
internal import Replica
internal import Sync

// Checks that this node holds what its peers hold, and that its batches are undamaged.
extension Node {
    /// The time that `verify` waits for a peer's digests, counted from its last AUDIT, and for
    /// damaged batches to be repaired.
    static let verifyWait: Duration = .seconds(10)
    /// The interval at which repairs are checked.
    static let mendingPause: Duration = .milliseconds(100)

    /// Checks for damage here and has it repaired, then compares digests and all batches with
    /// linked peers.
    /// - Throws: ``CommandFault/notFound(_:)`` if there is no peer to compare with and nothing is
    ///   damaged, ``CommandFault/conflict(_:)`` if several are meant,
    ///   ``CommandFault/timedOut(_:)`` if a peer does not answer.
    func verify(_ peer: NameOrKey?) async throws -> VerifyReport {
        let chosen = try linked(peer).sorted { $0.id < $1.id }
        let found = await lookForDamage()
        let content = try await mendContent()
        if !chosen.isEmpty { await waitForMending(of: content) }
        var report = VerifyReport(at: clock.wallTime)
        report.damage = await damage(of: found)
        report.content = try await damage(of: content)
        guard !chosen.isEmpty || !found.isEmpty || !content.isEmpty else {
            throw CommandFault.notFound(
                "no linked device shares a space with this one; nothing stored here is damaged")
        }
        for active in chosen {
            let device = active.peer.device
            report.peers.append(device)
            try await askDigests(of: device, id: active.id)
            report.rows += await rows(of: device)
            report.auditedCount += try await audit(with: device)
            report.differingCount += links[device]?.audit.differing.count ?? 0
        }
        health.lastReport = report
        return report
    }

    /// Removes damaged content, and asks linked members for it.
    /// - Returns: the damaged content.
    func mendContent() async throws -> [DamagedContent] {
        do {
            let damaged = try await replica.checkContent().damaged
            guard !damaged.isEmpty else { return [] }
            logger.error("content was damaged", metadata: ["files": "\(damaged.count)"])
            for named in damaged.compactMap(\.named).prefix(ContentFetching.wantedMax / 2) {
                await want(ContentFetching.Wanted(space: named.space, blob: named.blob))
            }
            await fetchContent()
            return damaged
        } catch let fault as ReplicaFault {
            throw fault.commandFault
        }
    }

    /// Returns damaged content, and whether it is here again.
    func damage(of content: [DamagedContent]) async throws -> [VerifyReport.Content] {
        guard !content.isEmpty else { return [] }
        let stored = try await replica.storedContent()
        return content.map { .init(damaged: $0, isMended: stored.contains($0.hash)) }
    }

    /// Returns the links to the device, or to the devices of the person, that a command names; if
    /// it names none, all links that share a space.
    private func linked(_ wanted: NameOrKey?) throws(CommandFault) -> [ActiveLink] {
        guard let wanted else { return links.values.filter { !$0.session.sharedSpaces.isEmpty } }
        let key = try wanted.resolve(
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
            let left = health.damage.damaged[space] ?? []
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
            throw CommandFault.notFound("device \(device.suffix) is not nearby now")
        }
        let effects = asked.session.askDigests(onlyUnknown: false)
        guard !effects.isEmpty else {
            throw CommandFault.timedOut("device \(device.suffix) does not answer")
        }
        links[device] = asked
        queue(effects, on: device)
        guard await answer(to: asked.session.lastQuestion, on: id) else {
            throw CommandFault.timedOut("device \(device.suffix) did not answer in time")
        }
    }

    /// Waits, for a limited time, until linked members have repaired as much as they can.
    private func waitForMending(of content: [DamagedContent]) async {
        let deadline = clock.uptime + Node.verifyWait
        let wanted = content.compactMap(\.named).map {
            ContentFetching.Wanted(space: $0.space, blob: $0.blob)
        }
        while clock.uptime < deadline, !Task.isCancelled,
            !health.damage.damaged.isEmpty
                || wanted.contains(where: {
                    self.content.fetching.isWanted($0) || openContent.seeking.isSought($0)
                })
        {
            try? await clock.sleep(for: Node.mendingPause)
        }
    }

    /// Waits for a peer's answer to a question. The answer follows those to all earlier questions,
    /// so the wait restarts while the peer's audits keep arriving.
    /// - Returns: false if the answer did not arrive in time or the link ended.
    private func answer(to question: Int, on link: UInt64) async -> Bool {
        let number = waiters.newNumber()
        let clock = clock
        let deadline = Task {
            var heard: Int
            repeat {
                heard = heardCount(on: link)
                try await clock.sleep(for: Node.verifyWait)
            } while heardCount(on: link) > heard
            waiters.giveUp(number: number)
        }
        defer { deadline.cancel() }
        return await withCheckedContinuation {
            waiters.add($0, number: number, link: link, question: question)
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

    // MARK: - Comparing hashes of ranges

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
                    await sendHash(of: range, in: space, to: device)
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
            throw CommandFault.timedOut("device \(device.suffix) is no longer nearby")
        }
        try await askDigests(of: device, id: id)
    }

    /// Hashes a range and sends the hash to a peer.
    func sendHash(of range: AuditRange, in space: SpaceID, to device: DeviceID) async {
        guard let hash = await hash(of: range, in: space), var active = links[device] else {
            return
        }
        let effects = active.session.audit(range, in: space, mine: hash)
        links[device] = active
        queue(effects, on: device)
    }

    /// Compares a range with the hash a peer sent. People who ask for much must wait: each range
    /// requires reading thousands of batches.
    func compare(
        _ range: AuditRange, in space: SpaceID, theirs: Bytes32, with device: DeviceID
    ) async {
        let count = Int(clamping: range.count)
        guard let person = links[device]?.peer.person else { return }
        let pause = links.allowances.charge(person, now: clock.uptime) {
            $0.audits.spend(count, uptime: clock.uptime)
        }
        // This depends on the disk too, so the peer does not owe it.
        if pause > .zero { try? await clock.sleep(for: pause) }
        let start = clock.uptime
        let mine = await hash(of: range, in: space)
        links.allowances.charge(person, now: clock.uptime) {
            $0.audits.recordWork(clock.uptime - start, uptime: clock.uptime)
        }
        guard var active = links[device] else { return }
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

    // MARK: - After a restore

    /// Audits a restored home. A backup may contain damage, and may lack batches that others hold:
    /// as soon as writing is safe and a peer is linked and in sync, everything is checked and
    /// compared automatically.
    func auditIfDue() {
        guard health.beginAudit(ifReady: ownLogs.mayWrite && links.isAnyInSync) else { return }
        Task { await auditAfterRestore() }
    }

    private func auditAfterRestore() async {
        do {
            let report = try await verify(nil)
            logger.notice(
                "audited after a restore", metadata: ["verdict": "\(report.summary)"])
            events.publish(StatusEvents.changed, StatusChange(audited: report.summary))
        } catch {
            logger.warning("the audit after a restore failed", metadata: ["why": "\(error)"])
        }
    }
}

extension ActiveLink {
    /// The keys that name this link's peer in a command.
    fileprivate var keys: [String] { [peer.device.description, peer.person.description] }
}
