internal import ControlAPI
internal import NodeAPI
internal import PluginHost
internal import PluginKit
internal import Records
internal import Replica

// Backups, exports and repairs of the running node.
extension Node {
    /// Writes a backup in its own task, in parallel with the node's work.
    nonisolated func backup(to path: String) async throws -> WrittenBackup {
        let home = settings.home
        return try await Task { @concurrent in try HomeBackup.write(home, to: path) }.value
    }

    /// Writes an export in its own task, in parallel with the node's work.
    nonisolated func export(to path: String) async throws -> WrittenExport {
        let export = HomeExport(settings.home, plugins: host.catalogue)
        return try await Task { @concurrent in try export.write(to: path) }.value
    }

    /// Checks and repairs the store: all spaces, or the one whose id has this prefix. If one of
    /// this device's own logs was cut, the node continues under a new key.
    func repair(_ wanted: NameOrKey?) async throws -> RepairResult {
        var chosen = await replica.spaces()
        if let wanted {
            let id = try wanted.resolve(
                among: chosen.map(\.id), what: "space", listedBy: "status")
            chosen = chosen.filter { $0.id == id }
        }
        do {
            let findings = try await replica.fileFindings()
            let content = try await mendContent()
            var rows: [RepairResult.Space] = []
            var (isWhole, hasNewKey) = (findings.isEmpty && content.isEmpty, false)
            for space in chosen {
                let report = try await repair(space)
                isWhole = isWhole && report.damaged.isEmpty
                hasNewKey = hasNewKey || report.hasCutOwn
                rows.append(row(report, space))
                await advance(space.id)
            }
            return RepairResult(
                findings: findings, isWhole: isWhole, newKey: hasNewKey, spaces: rows,
                photos: try await damage(of: content).map(\.answer))
        } catch let fault as ReplicaFault {
            throw fault.commandFault
        }
    }

    /// Cuts and merges one space. If one of this device's own logs must be cut, nothing is written
    /// under this key from the moment before the cut.
    private func repair(_ space: SpaceSummary) async throws -> RepairReport {
        let damaged = try await replica.damagedBatches(in: space.id)
        if damaged.contains(where: { $0.log.device == device }) { ownLogs.recordCut() }
        let report = try await replica.repair(space.id)
        if report.hasCutOwn { ownLogs.recordCut() }
        return report
    }

    private func row(_ report: RepairReport, _ space: SpaceSummary) -> RepairResult.Space {
        RepairResult.Space(
            id: Key(space.id), kind: .init(space.descriptor.kind), batches: report.checkedCount,
            damaged: report.damaged.map {
                RepairResult.Range(
                    device: Key($0.log.device), first: Int(clamping: $0.numbers.lowerBound),
                    last: Int(clamping: $0.numbers.upperBound))
            })
    }

    /// Removes erased bytes from the files if enough time has passed since the last time.
    func scrub(becauseOf cause: DueScrub) async {
        guard health.mayScrub(becauseOf: cause, now: clock.uptime) else { return }
        let start = clock.uptime
        do {
            if try await !replica.scrub() {
                logger.debug("a reader keeps the write-ahead log in use")
            }
        } catch {
            logger.error("erased bytes are still in the files", metadata: ["why": "\(error)"])
            return health.recordFailedScrub(becauseOf: cause, now: clock.uptime)
        }
        health.recordScrub(becauseOf: cause, from: start, to: clock.uptime)
    }
}
