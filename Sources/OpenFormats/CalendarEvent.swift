/// An event of a calendar, as iCalendar (RFC 5545) has it.
///
/// ```swift
/// let event = CalendarEvent(
///     uid: "2f1c…", title: "Dinner", start: start, end: start + .seconds(3600), changed: now)
/// let file = CalendarFile(events: [event]).text  // BEGIN:VCALENDAR …
/// let read = try CalendarFile(ics: Array(file.utf8), zone: .current).events.first
/// ```
public struct CalendarEvent: Hashable, Sendable {
    /// The states of an event.
    public enum Status: String, Hashable, Sendable {
        /// It is not certain yet: an invitation without an answer.
        case tentative = "TENTATIVE"
        case confirmed = "CONFIRMED"
        case cancelled = "CANCELLED"
    }

    /// The id, which stays the same when the event changes.
    public var uid: String
    /// The title; empty if the event has none.
    public var title: String
    /// The moment at which it begins; the beginning of the day in UTC for an event of whole days,
    /// which are the same days in every zone.
    public var start: Timestamp
    /// The moment at which it ends, if it is known.
    public var end: Timestamp?
    /// Whether it lasts for whole days, without a time of day.
    public var isAllDay: Bool
    /// The name of its location.
    public var locationName: String?
    /// Its location.
    public var point: Point?
    /// Its description, of one or more lines.
    public var notes: String?
    /// Its state; nil if the file has none.
    public var status: Status?
    /// The number of changes since it was made: a program replaces the event that it has by one
    /// with a higher number.
    public var sequence: Int
    /// The moment of its last change.
    public var changed: Timestamp

    /// Creates an event.
    public init(
        uid: String, title: String, start: Timestamp, end: Timestamp? = nil, isAllDay: Bool = false,
        locationName: String? = nil, point: Point? = nil, notes: String? = nil,
        status: Status? = nil, sequence: Int = 0, changed: Timestamp
    ) {
        self.uid = uid
        self.title = title
        self.start = start
        self.end = end
        self.isAllDay = isAllDay
        self.locationName = locationName
        self.point = point
        self.notes = notes
        self.status = status
        self.sequence = sequence
        self.changed = changed
    }
}
