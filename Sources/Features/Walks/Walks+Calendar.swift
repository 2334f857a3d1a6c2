internal import FeaturesAPI
internal import PluginKit

extension Walks {
    /// Performs `walk export`.
    func export(_ request: ExportWalk) async throws -> SavedFile {
        let walk = try await table.request(request.id)
        let names = try await context.core.names()
        guard let event = walk.event(now: context.now, names: names) else {
            throw CommandFault.refused(
                "This request is for a walk now. Only scheduled walks can be exported.")
        }
        return try await context.files.save(CalendarFile(events: [event]).text, to: request.ics)
    }

    /// Returns the walks to come that are accepted or wait for an answer.
    func appointments() async throws -> [CalendarEvent] {
        let (now, names) = (context.now, try await context.core.names())
        return try await table.requests().filter { request in
            let state = request.facts.state(now: now)
            return (state.isOpen || state == .accepted) && request.facts.deadline > now
        }.compactMap { $0.event(now: now, names: names) }
    }
}

extension StoredWalk {
    /// The time that a walk takes in a calendar.
    static let eventSpan = Duration.seconds(60 * 60)

    /// Returns the walk as an event of a calendar; nil if it is for no time.
    func event(now: Timestamp, names: [PersonID: String]) -> CalendarEvent? {
        guard let at = facts.at else { return nil }
        let state = facts.state(now: now)
        let status: CalendarEvent.Status =
            switch state {
            case .accepted: .confirmed
            case _ where state.isOpen: .tentative
            default: .cancelled
            }
        return CalendarEvent(
            uid: OutsideID.uuid(of: id.bytes), title: localized("Walk with \(name(in: names))"),
            start: at, end: at + Self.eventSpan, locationName: locationName, point: point,
            notes: [message, note].compactMap { $0 }.joined(separator: "\n"), status: status,
            // A request is answered or cancelled after it was made, and cancelled after its answer.
            sequence: facts.isCancelled ? 2 : facts.answer == nil ? 0 : 1, changed: facts.created)
    }
}
