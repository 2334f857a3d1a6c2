internal import Foundation
internal import Location

/// The part of a line from gpsd that concerns the device's location.
///
/// gpsd sends JSON objects, one per line, each with its `class`; see the manual page gpsd_json(5).
enum GPSDReport: Hashable, Sendable {
    /// gpsd's greeting with its protocol version.
    case version(major: Int)
    /// A report of the receiver; nil if `mode` is 0 or 1, which means that it knows no location.
    case position(Fix?)
    /// Another class of object.
    case other
    /// A line that is not a JSON object with a class.
    case garbled

    /// The length of the longest accepted line, in bytes. gpsd's own limit is 10 240.
    static let lineBytesMax = 64 * 1024
    /// The supported major version of the protocol.
    static let versionMajor = 3

    /// Decodes one line.
    /// - Throws: ``LocationFault/notUnderstood(reason:)`` if gpsd reports that it refused the
    ///   request.
    init(line: [UInt8]) throws(LocationFault) {
        guard line.count <= GPSDReport.lineBytesMax,
            let fields = try? JSONDecoder().decode(Fields.self, from: Data(line))
        else {
            self = .garbled
            return
        }
        switch fields.class {
        case "VERSION": self = .version(major: fields.proto_major ?? 0)
        case "TPV": self = .position(fields.fix)
        case "ERROR":
            throw .notUnderstood(reason: String((fields.message ?? "an error").prefix(200)))
        default: self = .other
        }
    }

    /// The members that are read from all classes; all except the class may be absent.
    private struct Fields: Decodable {
        let `class`: String
        let proto_major: Int?
        let message: String?
        let mode: Int?
        let lat: Double?
        let lon: Double?
        /// Horizontal error in metres, with a confidence of 95 %.
        let eph: Double?
        let epx: Double?
        let epy: Double?
        let time: Time?

        var fix: Fix? {
            guard (mode ?? 0) >= 2, let lat, let lon,
                let point = try? Point(latitude: lat, longitude: lon)
            else { return nil }
            let sides = [epx, epy].compactMap { $0 }.max()
            return Fix(point: point, accuracyMetres: eph ?? sides, at: time?.timestamp)
        }
    }

    /// A time: ISO 8601 text, or seconds since 1970 in old versions.
    private struct Time: Decodable {
        let timestamp: Timestamp?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let seconds = try? container.decode(Double.self) {
                timestamp = RecordedTime.timestamp(seconds: seconds)
            } else {
                let text = try container.decode(String.self)
                timestamp = RecordedTime.timestamp(text)
            }
        }
    }
}
