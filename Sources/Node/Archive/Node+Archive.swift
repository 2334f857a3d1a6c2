internal import ControlAPI
internal import PluginKit
internal import Records
internal import Replica

// Backups, exports and repairs, asked of the running node.
extension Node {
    /// The file a command names: the node knows nothing of where its caller stands.
    func path(_ arguments: Arguments) throws -> String {
        let path = try arguments.text("file")
        guard path.hasPrefix("/") else {
            throw CommandFault.usage("the file must be an absolute path", field: "file")
        }
        return path
    }

    /// Copies in a task of its own, beside the node's work.
    nonisolated func backup(to path: String) async throws -> JSONValue {
        let home = settings.home
        return try await Task { @concurrent in try HomeBackup.write(home, to: path) }.value
    }

    /// The same for the export.
    nonisolated func export(to path: String) async throws -> JSONValue {
        let export = HomeExport(settings.home, plugins: host.catalogue)
        return try await Task { @concurrent in try export.write(to: path) }.value
    }

    /// Checks and mends the store: all spaces, or the one whose id begins so. Where a log of one's
    /// own was cut the node goes on under a new key.
    func repair(_ start: String?) async throws -> JSONValue {
        let chosen = await replica.spaces().filter { space in
            start.map { space.id.description.hasPrefix($0) } ?? true
        }
        guard !chosen.isEmpty else {
            throw CommandFault.notFound("no space has an id that begins with '\(start ?? "")'")
        }
        do {
            let findings = try await replica.fileFindings()
            var rows: [JSONValue] = []
            var (isWhole, hasNewKey) = (findings.isEmpty, false)
            for space in chosen {
                let report = try await repair(space)
                isWhole = isWhole && report.damaged.isEmpty
                hasNewKey = hasNewKey || report.hasCutOwn
                rows.append(row(report, space))
                await advance(space.id)
            }
            return [
                "findings": .array(findings.map(JSONValue.string)),
                "isWhole": .boolean(isWhole), "newKey": .boolean(hasNewKey),
                "spaces": .array(rows),
            ]
        } catch let fault as ReplicaFault {
            throw fault.commandFault
        }
    }

    /// Cuts and merges one space. Where a log of one's own is to be cut, nothing is written under
    /// this key from before the cut on.
    private func repair(_ space: SpaceSummary) async throws -> RepairReport {
        let damaged = try await replica.damagedBatches(in: space.id)
        if damaged.contains(where: { $0.log.device == device }) { ownLogs.noteCut() }
        let report = try await replica.repair(space.id)
        if report.hasCutOwn { ownLogs.noteCut() }
        return report
    }

    private func row(_ report: RepairReport, _ space: SpaceSummary) -> JSONValue {
        [
            "id": .string(space.id.description), "kind": .string(space.descriptor.kind.word),
            "batches": .integer(Int64(report.checkedCount)),
            "damaged": .array(
                report.damaged.map {
                    [
                        "device": .string($0.log.device.description),
                        "first": .integer(Int64(clamping: $0.numbers.lowerBound)),
                        "last": .integer(Int64(clamping: $0.numbers.upperBound)),
                    ]
                }),
        ]
    }

    /// How long a disk that refused is left in peace.
    static let failedScrubPause: Duration = .seconds(300)

    /// Gets erased bytes out of the files, and leaves the disk in peace for twenty times as long as
    /// that took.
    func scrubIfDue() async {
        guard clock.uptime >= nextScrub else { return }
        let start = clock.uptime
        do {
            if try await !replica.scrub() {
                logger.debug("a reader keeps the write-ahead log in use")
            }
        } catch {
            logger.error("erased bytes are in the files still", metadata: ["why": "\(error)"])
            nextScrub = clock.uptime + Node.failedScrubPause
            return
        }
        nextScrub = clock.uptime + (clock.uptime - start) * 20
    }
}
