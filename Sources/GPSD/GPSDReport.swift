internal import Foundation
internal import Location

/// One line that gpsd sends: what of it concerns where the device is.
///
/// gpsd speaks JSON objects, one a line, each with its `class`; see the manual page gpsd_json(5).
enum GPSDReport: Hashable, Sendable {
    /// gpsd's greeting, with the version of its language.
    case version(major: Int)
    /// A report of the receiver; with `mode` 0 or 1 it knows no position.
    case position(Fix?)
    /// Something else.
    case other
    /// No JSON object with a class.
    case garbled

    /// gpsd's own limit is 10 240 bytes a line; what is longer comes from something else.
    static let lineBytesMax = 64 * 1024
    /// The language's version that is understood.
    static let versionMajor = 3

    /// Reads one line.
    /// - Throws: ``LocationFault/notUnderstood(reason:)`` for a line that says that gpsd refused
    ///   what was asked.
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

    /// The members of all classes that are read; every one but the class may be absent.
    private struct Fields: Decodable {
        let `class`: String
        let proto_major: Int?
        let message: String?
        let mode: Int?
        let lat: Double?
        let lon: Double?
        /// Horizontal error in metres, 95 %.
        let eph: Double?
        let epx: Double?
        let epy: Double?
        let time: Time?

        var fix: Fix? {
            guard (mode ?? 0) >= 2, let lat, let lon,
                let point = try? Point(latitude: lat, longitude: lon)
            else { return nil }
            let sides = [epx, epy].compactMap { $0 }.max()
            return Fix(point: point, accuracyMetres: eph ?? sides, atMs: time?.milliseconds)
        }
    }

    /// A time: text of ISO 8601, or in old versions seconds since 1970.
    private struct Time: Decodable {
        let milliseconds: Int64?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let seconds = try? container.decode(Double.self) {
                milliseconds = Timestamp.milliseconds(seconds: seconds)
            } else {
                let text = try container.decode(String.self)
                milliseconds = Timestamp.milliseconds(text)
            }
        }
    }
}
