internal import Records

/// The logs of one space as it names them, in order.
///
/// In an open space they are divided by the first byte of the device, so that a change of one log
/// among thousands copies and hashes one part.
struct LogPaths {
    private var parts: [[LogPath]]

    init(isOpen: Bool) { parts = Array(repeating: [], count: isOpen ? 256 : 1) }

    /// All logs, in order.
    var all: [LogPath] { parts.count == 1 ? parts[0] : parts.flatMap(\.self) }

    /// The logs of one part, in order.
    func part(_ number: UInt8) -> [LogPath] { parts[index(ofPart: number)] }

    /// The logs of one device, in order.
    subscript(device: DeviceID) -> ArraySlice<LogPath> {
        get {
            let part = parts[index(of: device)]
            return part[LogPaths.range(of: device, in: part)]
        }
        set {
            let index = index(of: device)
            parts[index].replaceSubrange(
                LogPaths.range(of: device, in: parts[index]), with: newValue)
        }
    }

    /// Returns the log of a name; nil if none of its batches counts.
    subscript(log: LogName) -> LogPath? { self[log.device].first { $0.state.log == log } }

    /// Sets all logs of a space that is not open.
    mutating func replaceAll(with paths: [LogPath]) { parts = [paths] }

    private func index(of device: DeviceID) -> Int { index(ofPart: device.firstByte) }

    private func index(ofPart number: UInt8) -> Int { parts.count == 1 ? 0 : Int(number) }

    private static func range(of device: DeviceID, in paths: [LogPath]) -> Range<Int> {
        first(in: paths) { $0 >= device }..<first(in: paths) { $0 > device }
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
    /// The byte by which the logs of open spaces are divided into parts.
    var firstByte: UInt8 { raw.bytes[0] }
}
