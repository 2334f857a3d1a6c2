/// A calendar of events, as a file in the format iCalendar (RFC 5545).
///
/// ```swift
/// let calendar = CalendarFile(name: "Waggle", events: [event])
/// let bytes = Array(calendar.text.utf8)
/// ```
public struct CalendarFile: Hashable, Sendable {
    /// The name of the calendar that a program subscribes to; nil for a file with single events.
    public var name: String?
    /// The events.
    public var events: [CalendarEvent]

    /// Creates a calendar.
    public init(name: String? = nil, events: [CalendarEvent]) {
        self.name = name
        self.events = events
    }

    /// The line by which a file of this program is recognized.
    public static let producer = "PRODID:-//Waggle//Waggle//EN"

    /// The file: lines of at most 75 bytes, times in UTC.
    public var text: String {
        var text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(Self.producer)\r\nCALSCALE:GREGORIAN\r\n"
        if let name {
            let shown = ContentLines.escaped(name)
            text += ContentLines.line("NAME", shown) + ContentLines.line("X-WR-CALNAME", shown)
            text += "REFRESH-INTERVAL;VALUE=DURATION:PT15M\r\nX-PUBLISHED-TTL:PT15M\r\n"
        }
        // The format wants at least one part, and an empty calendar has no other.
        if events.isEmpty {
            text +=
                "BEGIN:VTIMEZONE\r\nTZID:UTC\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
                + "TZOFFSETFROM:+0000\r\nTZOFFSETTO:+0000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
        }
        for event in events { text += event.text }
        return text + "END:VCALENDAR\r\n"
    }
}

extension CalendarEvent {
    /// The lines of the event.
    fileprivate var text: String {
        let changed = CalendarTime(changed).textInUTC
        var text = "BEGIN:VEVENT\r\n" + ContentLines.line("UID", ContentLines.escaped(uid))
        text += ContentLines.line("DTSTAMP", changed)
        text += ContentLines.line("LAST-MODIFIED", changed)
        text += ContentLines.line("SEQUENCE", String(min(max(sequence, 0), Int(Int32.max))))
        text += time("DTSTART", start)
        if let end, end > start { text += time("DTEND", end) }
        if !title.isEmpty { text += ContentLines.line("SUMMARY", ContentLines.escaped(title)) }
        if let locationName {
            text += ContentLines.line("LOCATION", ContentLines.escaped(locationName))
        }
        if let point {
            text += ContentLines.line(
                "GEO",
                DecimalText.degrees(point.latitude) + ";" + DecimalText.degrees(point.longitude))
        }
        if let notes { text += ContentLines.line("DESCRIPTION", ContentLines.escaped(notes)) }
        if let status { text += ContentLines.line("STATUS", status.rawValue) }
        return text + "END:VEVENT\r\n"
    }

    /// Returns a time in UTC; the day alone for an event of whole days.
    private func time(_ name: String, _ moment: Timestamp) -> String {
        let text = CalendarTime(moment).textInUTC
        return isAllDay
            ? ContentLines.line("\(name);VALUE=DATE", String(text.prefix(8)))
            : ContentLines.line(name, text)
    }
}
