internal import Foundation
public import PluginKit
internal import PromisesAPI

// Promises in the formats of other programs: calendars and maps.
extension Promises {
    /// Performs `promise export`.
    func export(_ request: ExportPromise) async throws -> SavedFile {
        let promises: [Promise]
        if let wanted = request.promise {
            promises = [try await promise(wanted)]
        } else {
            promises = try await ahead()
        }
        switch (request.ics, request.geojson) {
        case (let file?, nil):
            let name = request.promise == nil ? localized("Promises") : nil
            let events = try await events(promises)
            return try await context.files.save(
                CalendarFile(name: name, events: events).text, to: file)
        case (nil, let file?):
            let places = promises.map {
                Place(name: $0.locationName ?? $0.title, point: $0.point, at: $0.at)
            }
            return try await context.files.save(Place.geoJSON(places), to: file)
        default:
            throw CommandFault.refused("Name one file: a calendar or a map.")
        }
    }

    /// Returns the promises to come, in which I take part or to which I am invited.
    public func appointments() async throws -> [CalendarEvent] {
        try await events(try await ahead())
    }

    private func ahead() async throws -> [Promise] {
        try await readCurrent().filter { !$0.isDeleted && $0.person(context.me)?.isIn == true }
    }

    /// The time that a promise takes in a calendar.
    private static let eventSpan = Duration.seconds(60 * 60)

    /// Returns promises as events of a calendar.
    private func events(_ promises: [Promise]) async throws -> [CalendarEvent] {
        let names = try await names(in: promises)
        var events: [CalendarEvent] = []
        for promise in promises {
            let (count, last) = try await changes(of: promise)
            let others = promise.participants.filter { $0.person != context.me }
                .compactMap { names[$0.person] }.joined(separator: ", ")
            events.append(
                CalendarEvent(
                    uid: OutsideID.uuid(of: promise.id.bytes), title: promise.title,
                    start: promise.at, end: promise.at + Self.eventSpan,
                    locationName: promise.locationName, point: promise.point,
                    notes: others.isEmpty ? nil : localized("Participants: \(others)"),
                    status: status(of: promise), sequence: count, changed: last))
        }
        return events
    }

    private func status(of promise: Promise) -> CalendarEvent.Status {
        if promise.isDeleted { return .cancelled }
        return promise.includes(context.me) ? .confirmed : .tentative
    }

    /// Returns how often the maker wrote in the promise's group after they made it, and when the
    /// last of that arrived here. Both only grow, also if the maker has several devices.
    private func changes(of promise: Promise) async throws -> (count: Int, last: Timestamp) {
        let row = try await context.replica.rows(
            """
            SELECT count(*) AS count, max(b.arrived) AS last FROM waggle_space s
            JOIN waggle_log l ON l.space = s.space AND l.person = ?2
            JOIN waggle_batch b ON b.batch >= l.log << 40 AND b.batch < (l.log + 1) << 40
            WHERE s.id = ?1
            """, [.bytes(promise.id.bytes), .bytes(promise.maker.bytes)]
        ).first
        return (
            Int(max(0, (row?.integer("count") ?? 1) - 1)),
            Timestamp(milliseconds: row?.integer("last") ?? 0)
        )
    }

    // MARK: - Reading

    /// Returns the event of a calendar file that a promise can be made of: the next one, or the
    /// last if all are past.
    /// - Throws: ``CommandFault/refused(_:)`` if the file has none.
    func event(in file: FilePath) async throws -> CalendarEvent {
        let bytes = try await context.files.read(file, bytesMax: FormatLimits.calendarBytesMax)
        do throws(FormatFault) {
            let events = try CalendarFile(ics: bytes, zone: .autoupdatingCurrent).events
                .sorted { $0.start < $1.start }
            guard let event = events.first(where: { $0.start > now }) ?? events.last else {
                throw .nothing(.event)
            }
            return event
        } catch {
            throw CommandFault.refused("\(file) cannot be read. \(error)")
        }
    }

    /// The title, time and location of a promise.
    struct Terms {
        let title: String
        let at: Timestamp
        let point: Point
        let locationName: String?
    }

    /// Returns the terms that a request names or, for what it does not name, those of its file.
    func terms(of request: CreatePromise) async throws -> Terms {
        var draft = PromiseDraft()
        if let file = request.from { draft = PromiseDraft(try await event(in: file)) }
        guard let title = request.title?.string ?? draft.title?.string else {
            throw CommandFault.refused("A promise needs a title: name one, or a file with one.")
        }
        guard let at = request.atMs ?? draft.atMs else {
            throw CommandFault.refused("A promise needs a time: name one, or a file with one.")
        }
        var (latitude, longitude) = (request.latitude, request.longitude)
        if request.from != nil, latitude == nil, longitude == nil {
            (latitude, longitude) = (draft.latitude, draft.longitude)
            // This device's own location is not the one that the file names.
            guard latitude != nil else {
                throw CommandFault.refused(
                    "The file has no coordinates: name a latitude and a longitude.")
            }
        }
        return Terms(
            title: title, at: at,
            point: try await context.location.meetingPoint(latitude, longitude),
            locationName: request.locationName?.string ?? draft.locationName?.string)
    }
}

extension PromiseDraft {
    /// Creates the draft of an event: its texts are cut to the limits of a promise.
    init(_ event: CalendarEvent) {
        self.init(
            title: PromiseLimits.title.clip(event.title), atMs: event.isAllDay ? nil : event.start,
            latitude: event.point?.latitude, longitude: event.point?.longitude,
            locationName: event.locationName.flatMap {
                PromiseLimits.locationName.clip(PromiseDraft.line($0))
            })
    }

    /// Returns a text of several lines, such as an address, as one.
    private static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: ", ")
    }
}
