internal import Foundation

/// The reason why a file is no recording, in the order of the checks.
public enum RangingFileFault: Error, Hashable, Sendable {
    /// The file is longer than a recording may be.
    case tooLong(limit: Int)
    /// The file has more lines than the limit.
    case tooManyLines(limit: Int)
    /// A line is longer than the limit.
    case lineTooLong(line: Int, bytesMax: Int)
    /// A line is not an object of the expected members.
    case malformed(line: Int)
    /// The device of a line is not the whole key of a device.
    case noDevice(line: Int)
    /// The time of a line is negative, before that of an earlier line, or beyond a day.
    case wrongTime(line: Int)
    /// No line says anything.
    case empty
}

extension RangingFileFault: SentenceError {
    /// A sentence for people about the fault and its line.
    public var sentence: Sentence {
        switch self {
        case .tooLong(let limit):
            "The file is too long: a recording has at most \(limit) bytes."
        case .tooManyLines(let limit):
            "A recording has at most \(NumberText.grouped(limit)) lines."
        case .lineTooLong(let line, let bytesMax):
            "Line \(line) is longer than \(bytesMax) bytes."
        case .malformed(let line):
            "Line \(line) is not an object with 'seconds', 'device' and numbers."
        case .noDevice(let line):
            "The 'device' in line \(line) is not the key of a device, which has 64 digits."
        case .wrongTime(let line):
            "The 'seconds' in line \(line) are before those of an earlier line, or later than 24 "
                + "hours."
        case .empty: "The file is empty."
        }
    }
}

/// A line of a file: a device at a time.
protocol RangingLine: Decodable {
    /// The time from the beginning, in seconds.
    var seconds: Double { get }
    /// The key of the device.
    var device: String { get }
}

/// The lines of a file, each a JSON object. Empty lines are left out.
enum RangingLines {
    /// Reads the lines of a file.
    /// - Throws: ``RangingFileFault``.
    static func read<Line: RangingLine>(
        _ bytes: [UInt8], as type: Line.Type = Line.self
    ) throws(RangingFileFault) -> [(after: Duration, device: DeviceID, line: Line)] {
        guard bytes.count <= RangingLimits.fileBytesMax else {
            throw .tooLong(limit: RangingLimits.fileBytesMax)
        }
        let decoder = JSONDecoder()
        var lines: [(after: Duration, device: DeviceID, line: Line)] = []
        var last = 0.0
        var number = 0
        var rest = bytes[...]
        while !rest.isEmpty {
            let text = rest.prefix { $0 != UInt8(ascii: "\n") }
            rest = rest[text.endIndex...].dropFirst()
            number += 1
            guard !text.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) else {
                continue
            }
            guard lines.count < RangingLimits.linesMax else {
                throw .tooManyLines(limit: RangingLimits.linesMax)
            }
            guard text.count <= RangingLimits.lineBytesMax else {
                throw .lineTooLong(line: number, bytesMax: RangingLimits.lineBytesMax)
            }
            guard let line = try? decoder.decode(Line.self, from: Data(text)) else {
                throw .malformed(line: number)
            }
            guard let device = DeviceID(line.device) else { throw .noDevice(line: number) }
            guard (last...RangingLimits.fileSecondsMax).contains(line.seconds) else {
                throw .wrongTime(line: number)
            }
            last = line.seconds
            lines.append((.seconds(line.seconds), device, line))
        }
        guard !lines.isEmpty else { throw .empty }
        return lines
    }
}
