import Foundation
import OpenFormats

/// The content of a file, as JSON for a comparison with other parsers.
enum Said {
    struct Event: Encodable {
        let uid: String
        let title: String
        let start: Int64
        let end: Int64?
        let isAllDay: Bool
        let location: String?
        let point: [Double]?
        let notes: String?
        let status: String?
        let sequence: Int

        init(_ event: CalendarEvent) {
            uid = event.uid
            title = event.title
            start = event.start.milliseconds / 1000
            end = event.end.map { $0.milliseconds / 1000 }
            isAllDay = event.isAllDay
            location = event.locationName
            point = event.point.map { [$0.latitude, $0.longitude] }
            notes = event.notes
            status = event.status?.rawValue
            sequence = event.sequence
        }
    }

    struct Person: Encodable {
        let uid: String
        let name: String?
        let dog: String?
        let notes: String?
        let photo: String?

        init(_ contact: Contact) {
            uid = contact.uid
            name = contact.profile.nickname
            dog = contact.profile.dogName
            notes = contact.notes
            photo = contact.photo.map { Data($0).base64EncodedString() }
        }
    }

    struct Walk: Encodable {
        struct Step: Encodable {
            let latitude: Double
            let longitude: Double
            let time: Double?
        }
        let name: String?
        let segments: [[Step]]

        init(_ track: Track) {
            name = track.name
            segments = track.segments.map { fixes in
                fixes.map { fix in
                    Step(
                        latitude: fix.point.latitude, longitude: fix.point.longitude,
                        time: fix.at.map { Double($0.milliseconds) / 1000 })
                }
            }
        }
    }

    /// Returns a value as JSON.
    static func json(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return try encoder.encode(value)
    }
}
