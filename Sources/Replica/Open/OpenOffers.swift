internal import Records

/// The logs of an open space that peers are offered, and the changes since earlier revisions.
///
/// The digest is made of the digests of 256 parts, by the first byte of the device. So a batch that
/// arrives costs hashing one part, not thousands of logs.
struct OpenOffers {
    private(set) var revision: UInt64 = 1
    private(set) var digest: Bytes16
    /// The revision at which each log changed last.
    private var changed: [LogName: UInt64] = [:]
    /// The logs that are gone, with the revision at which they went, oldest first.
    private var gone: [(log: LogName, revision: UInt64)] = []
    /// The revision up to which logs that are gone were forgotten.
    private var forgottenThrough: UInt64 = 0
    private var parts: [Bytes32]

    /// The number of logs that are gone and remembered.
    static let goneMax = 4096

    init() {
        parts = Array(repeating: OpenOffers.digest(of: []), count: 256)
        digest = OpenOffers.digest(of: parts)
    }

    /// Records that the logs of devices may have changed.
    /// - Parameters:
    ///   - before: the logs of these devices as they were.
    ///   - paths: all logs now, in order.
    mutating func update(
        _ before: [LogName: LogState], to paths: [LogPath], of devices: Set<DeviceID>
    ) {
        guard !devices.isEmpty else { return }
        var left = before
        var changedParts: Set<UInt8> = []
        for device in devices {
            for path in paths[LogPath.range(of: device, in: paths)] {
                if left.removeValue(forKey: path.state.log) == path.state { continue }
                changed[path.state.log] = revision + 1
                changedParts.insert(device.firstByte)
            }
        }
        for log in left.keys.sorted() {
            changed[log] = nil
            gone.append((log, revision + 1))
            changedParts.insert(log.device.firstByte)
        }
        guard !changedParts.isEmpty else { return }
        revision += 1
        forgetGone()
        for part in changedParts {
            parts[Int(part)] = OpenOffers.digest(of: paths[LogPath.range(ofPart: part, in: paths)])
        }
        digest = OpenOffers.digest(of: parts)
    }

    private mutating func forgetGone() {
        let surplus = gone.count - OpenOffers.goneMax
        guard surplus > 0 else { return }
        forgottenThrough = gone[surplus - 1].revision
        gone.removeFirst(surplus)
    }

    /// Returns the logs, or those that changed since a revision.
    func offer(_ paths: [LogPath], since known: UInt64?) -> OpenOffer {
        guard let known, known >= forgottenThrough, known <= revision else {
            return OpenOffer(
                revision: revision, digest: digest, logs: paths.map { OfferedLog($0.state) },
                gone: [], isWhole: true)
        }
        guard known < revision else {
            return OpenOffer(
                revision: revision, digest: digest, logs: [], gone: [], isWhole: false)
        }
        let logs = paths.filter { changed[$0.state.log] ?? 0 > known }
        let missing = Set(gone.lazy.filter { $0.revision > known }.map(\.log)).filter {
            changed[$0] == nil
        }
        return OpenOffer(
            revision: revision, digest: digest, logs: logs.map { OfferedLog($0.state) },
            gone: missing.sorted(), isWhole: false)
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

extension LogPath {
    /// Returns where the logs of a device are among all logs, which are in order.
    static func range(of device: DeviceID, in paths: [LogPath]) -> Range<Int> {
        first(in: paths) { $0 >= device }..<first(in: paths) { $0 > device }
    }

    /// Returns where the logs of the devices with a first byte are.
    static func range(ofPart part: UInt8, in paths: [LogPath]) -> Range<Int> {
        first(in: paths) { $0.firstByte >= part }..<first(in: paths) { $0.firstByte > part }
    }

    /// Returns the index of the first log whose device fulfils a condition that all later ones
    /// fulfil too.
    private static func first(in paths: [LogPath], _ condition: (DeviceID) -> Bool) -> Int {
        var (low, high) = (0, paths.count)
        while low < high {
            let middle = (low + high) / 2
            if condition(paths[middle].state.log.device) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension DeviceID {
    /// The byte by which logs are divided into parts.
    fileprivate var firstByte: UInt8 { raw.bytes[0] }
}
