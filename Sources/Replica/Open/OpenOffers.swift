internal import Records

/// The logs of an open space that peers are offered, and the changes since earlier revisions.
///
/// The digest is made of the digests of 256 parts, by the first byte of the device. So a batch that
/// arrives costs hashing one part, not thousands of logs.
struct OpenOffers {
    private(set) var revision: UInt64 = 1
    private(set) var digest: Bytes16
    /// The logs that changed, with the revision, oldest first.
    private var changes: [(log: LogName, revision: UInt64)] = []
    /// The revision up to which changes were forgotten.
    private var forgottenThrough: UInt64 = 0
    private var parts: [Bytes32]

    /// The number of changes that are remembered. Who asks after more is answered with all logs.
    static let changesMax = 512

    init() {
        parts = Array(repeating: OpenOffers.digest(of: []), count: 256)
        digest = OpenOffers.digest(of: parts)
    }

    /// Records that the logs of devices may have changed.
    /// - Parameters:
    ///   - before: the logs of these devices as they were.
    ///   - paths: all logs now.
    mutating func update(
        _ before: [LogName: LogState], to paths: LogPaths, of devices: Set<DeviceID>
    ) {
        guard !devices.isEmpty else { return }
        var left = before
        var changed: [LogName] = []
        for device in devices {
            for path in paths[device] {
                let log = path.state.log
                if left.removeValue(forKey: log) != path.state { changed.append(log) }
            }
        }
        changed += left.keys
        guard !changed.isEmpty else { return }
        revision += 1
        changes += changed.sorted().map { ($0, revision) }
        forgetChanges()
        for part in Set(changed.lazy.map(\.device.firstByte)) {
            parts[Int(part)] = OpenOffers.digest(of: paths.part(part))
        }
        digest = OpenOffers.digest(of: parts)
    }

    private mutating func forgetChanges() {
        let surplus = changes.count - OpenOffers.changesMax
        guard surplus > 0 else { return }
        forgottenThrough = changes[surplus - 1].revision
        changes.removeFirst(surplus)
    }

    /// Returns the logs, or those that changed since a revision.
    func offer(_ paths: LogPaths, since known: UInt64?) -> OpenOffer {
        guard let known, known >= forgottenThrough, known <= revision else {
            return OpenOffer(
                revision: revision, digest: digest, logs: paths.all.map { OfferedLog($0.state) },
                gone: [], isWhole: true)
        }
        var logs: [OfferedLog] = []
        var gone: [LogName] = []
        let recent = changes.reversed().prefix { $0.revision > known }
        for log in Set(recent.lazy.map(\.log)).sorted() {
            if let path = paths[log] {
                logs.append(OfferedLog(path.state))
            } else {
                gone.append(log)
            }
        }
        return OpenOffer(
            revision: revision, digest: digest, logs: logs, gone: gone, isWhole: false)
    }

    private static func digest(of paths: some Sequence<LogPath>) -> Bytes32 {
        var bytes: [UInt8] = []
        for path in paths {
            let state = path.state
            state.log.device.raw.append(to: &bytes)
            state.log.branch.raw.append(to: &bytes)
            bytes.append(varint: state.low)
            bytes.append(varint: state.high)
            state.headHash.raw.append(to: &bytes)
        }
        return Digest.logs.hash(bytes)
    }

    private static func digest(of parts: [Bytes32]) -> Bytes16 {
        var bytes: [UInt8] = []
        for part in parts { part.append(to: &bytes) }
        return Bytes16(prefixOf: Digest.logs.hash(bytes))
    }
}
