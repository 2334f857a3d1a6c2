internal import PluginKit

/// A message to participants with the sender's location, or that it is no longer shared. Never
/// stored.
///
/// The encoding is a version byte (1), then 0 for "gone", or 1 and: latitude and longitude as eight
/// bytes of IEEE 754 each, the age of the fix in milliseconds as a varint, and flags. If bit 0 is
/// set, an accuracy in metres follows as eight bytes; if bit 1 is set, the fix's own time follows
/// as a varint of milliseconds since 1970.
enum SharedLocationMessage: Hashable, Sendable {
    case gone
    /// A fix, and its age when it was sent.
    case fix(Fix, age: Duration)

    private static let version: UInt8 = 1
    private static let hasAccuracy: UInt8 = 1
    private static let hasTime: UInt8 = 2
    /// The largest age that is sent.
    private static let ageMax = Duration.seconds(24 * 60 * 60)

    /// The bytes of the message.
    var encoded: [UInt8] {
        guard case .fix(let fix, let age) = self else { return [Self.version, 0] }
        var bytes: [UInt8] = [Self.version, 1]
        bytes.append(bigEndian: fix.point.latitude.bitPattern)
        bytes.append(bigEndian: fix.point.longitude.bitPattern)
        let sentAge = min(max(.zero, age), Self.ageMax)
        bytes.append(varint: UInt64(sentAge.milliseconds))
        bytes.append(
            (fix.accuracyMetres == nil ? 0 : Self.hasAccuracy) | (fix.at == nil ? 0 : Self.hasTime))
        if let accuracy = fix.accuracyMetres { bytes.append(bigEndian: accuracy.bitPattern) }
        if let at = fix.at { bytes.append(varint: UInt64(at.milliseconds)) }
        return bytes
    }

    /// Reads exactly one message; nil if the bytes are not one.
    init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let message = try? Self.read(&reader), reader.isAtEnd else { return nil }
        self = message
    }

    private static func read(_ reader: inout ByteReader) throws -> Self? {
        guard try reader.byte() == version else { return nil }
        switch try reader.byte() {
        case 0: return .gone
        case 1: return try readFix(&reader)
        default: return nil
        }
    }

    private static func readFix(_ reader: inout ByteReader) throws -> Self? {
        let point = try Point(latitude: number(&reader), longitude: number(&reader))
        let age = Duration.milliseconds(try reader.varint())
        let flags = try reader.byte()
        guard age <= ageMax, flags <= hasAccuracy | hasTime else { return nil }
        let accuracy = flags & hasAccuracy == 0 ? nil : try number(&reader)
        guard accuracy.map({ $0.isFinite && $0 >= 0 }) ?? true else { return nil }
        let time = flags & hasTime == 0 ? nil : Timestamp(exactly: try reader.varint())
        guard flags & hasTime == 0 || time != nil else { return nil }
        return .fix(Fix(point: point, accuracyMetres: accuracy, at: time), age: age)
    }

    private static func number(_ reader: inout ByteReader) throws -> Double {
        Double(bitPattern: try reader.integer(UInt64.self))
    }
}

/// The last location that is known of a person.
struct KnownLocation: Hashable, Sendable {
    let fix: Fix
    /// The uptime of this node at which the fix was current.
    let fixUptime: Duration

    /// Returns its age.
    func age(uptime: Duration) -> Duration { max(.zero, uptime - fixUptime) }
}
