internal import PluginKit

/// The message that shows mates my location: a fix, or that there is none. It is never stored.
///
/// The encoding is a version byte (1), then 0 for "gone", or 1 and: latitude and longitude as
/// eight bytes of IEEE 754 each, the time in milliseconds since 1970 as a zigzag varint, and
/// 0, or 1 and the accuracy in metres as eight bytes.
///
/// Version 2 has one message, "gone since": the byte 2, then the time as a zigzag varint. It is
/// sent before the "gone" of version 1, which follows for receivers that know no other. The time
/// says whether another device of the person has set the location later.
enum LocationMessage: Hashable, Sendable {
    case gone
    case goneSince(Timestamp)
    case fix(Fix)

    private static let version: UInt8 = 1
    private static let versionWithTime: UInt8 = 2

    /// The bytes of the message.
    var encoded: [UInt8] {
        if case .goneSince(let time) = self {
            var bytes = [Self.versionWithTime]
            bytes.append(zigzag: time.milliseconds)
            return bytes
        }
        guard case .fix(let fix) = self else { return [Self.version, 0] }
        var bytes: [UInt8] = [Self.version, 1]
        bytes.append(bigEndian: fix.point.latitude.bitPattern)
        bytes.append(bigEndian: fix.point.longitude.bitPattern)
        bytes.append(zigzag: fix.at?.milliseconds ?? 0)
        bytes.append(fix.accuracyMetres == nil ? 0 : 1)
        if let accuracy = fix.accuracyMetres { bytes.append(bigEndian: accuracy.bitPattern) }
        return bytes
    }

    /// Reads exactly one message, or nil if the bytes are not one.
    init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let message = try? LocationMessage.read(&reader), reader.isAtEnd else { return nil }
        self = message
    }

    private static func read(_ reader: inout ByteReader) throws -> LocationMessage? {
        let version = try reader.byte()
        if version == versionWithTime {
            return Timestamp(exactly: try reader.zigzag()).map { .goneSince($0) }
        }
        guard version == Self.version else { return nil }
        switch try reader.byte() {
        case 0: return .gone
        case 1:
            let point = try Point(latitude: number(&reader), longitude: number(&reader))
            guard let time = Timestamp(exactly: try reader.zigzag()) else { return nil }
            let hasAccuracy = try reader.byte()
            guard hasAccuracy <= 1 else { return nil }
            let accuracy = hasAccuracy == 1 ? try number(&reader) : nil
            guard accuracy.map({ $0.isFinite && $0 >= 0 }) ?? true else { return nil }
            return .fix(Fix(point: point, accuracyMetres: accuracy, at: time))
        default: return nil
        }
    }

    private static func number(_ reader: inout ByteReader) throws -> Double {
        Double(bitPattern: try reader.integer(UInt64.self))
    }
}
