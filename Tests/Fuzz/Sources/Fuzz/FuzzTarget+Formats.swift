import Contract
import Foundation
import Location
import OpenFormats

// Files of other programs. An accepted file says the same after it was written and read again.
extension FuzzTarget {
    static let calendar = FuzzTarget("calendar", costing: formatLimit) { bytes in
        let read = try CalendarFile(ics: bytes, zone: .gmt)
        try require(
            read.events.count <= FormatLimits.eventsCountMax, "\(read.events.count) events")
        let again = try reread { try CalendarFile(ics: Array(read.text.utf8), zone: .gmt) }
        try require(again.events.map(\.start) == read.events.map(\.start), "a time changes")
        let third = try reread { try CalendarFile(ics: Array(again.text.utf8), zone: .gmt) }
        try require(third == again, "an event changes")
    }

    static let contact = FuzzTarget("contact", costing: formatLimit) { bytes in
        let read = try Contact(vCard: bytes)
        let again = try reread { try Contact(vCard: Array(read.vCard.utf8)) }
        try require(again.photo == read.photo, "a photo changes")
        let third = try reread { try Contact(vCard: Array(again.vCard.utf8)) }
        try require(third == again, "a contact changes")
    }

    /// A track in GPX or in GeoJSON, as its first letter says.
    static let track = FuzzTarget("track", costing: formatLimit) { bytes in
        let read = try Track(file: bytes)
        let count = read.fixes.count
        try require(count <= FormatLimits.pointsCountMax, "\(count) points")
        // A file without a point is a track of no part.
        guard count > 0 else { return }
        let gpx = try reread { try Track(file: Array(read.gpx.utf8)) }
        try require(gpx.fixes.count == count, "GPX loses points")
        let again = try reread { try Track(file: Array(gpx.gpx.utf8)) }
        try require(again.segments == gpx.segments, "a point changes")
        let lines = gpx.segments.filter { $0.count > 1 }
        guard !lines.isEmpty else { return }
        let json = try reread { try Track(file: Array(gpx.geoJSON.utf8)) }
        try require(json.segments.map(\.count) == lines.map(\.count), "GeoJSON loses points")
    }

    /// A file is read up to four times, and the first one loads the system's calendars.
    private static let formatLimit = CostLimit(
        allocatedBytesPerByteMax: 4096, allocatedBytesBesidesMax: 1 << 24)

    /// Reads what was written from an accepted file, which must be accepted too.
    private static func reread<Read>(_ read: () throws -> Read) throws(BrokenRule) -> Read {
        do { return try read() } catch {
            throw BrokenRule(rule: "what was written is refused: \(error)")
        }
    }
}
