public import Foundation

extension CalendarFile {
    /// Reads the events of a file, in its order. An event without a beginning is left out, and a
    /// location that is none is ignored. An event that repeats is read once, with its first time.
    /// - Parameter zone: the zone of times that name none.
    /// - Throws: ``FormatFault``
    public init(ics bytes: [UInt8], zone: TimeZone) throws(FormatFault) {
        guard bytes.count <= FormatLimits.calendarBytesMax else {
            throw .tooLong(limit: FormatLimits.calendarBytesMax)
        }
        let calendars = try Component.read(bytes).filter { $0.name == "VCALENDAR" }
        var events: [CalendarEvent] = []
        for calendar in calendars {
            let zones = CalendarZone(calendar)
            for part in calendar.components where part.name == "VEVENT" {
                guard events.count < FormatLimits.eventsCountMax else {
                    throw .tooManyEvents(limit: FormatLimits.eventsCountMax)
                }
                if let event = try CalendarEvent(part, zones, zone) { events.append(event) }
            }
        }
        guard !events.isEmpty else { throw .nothing(.event) }
        self.init(
            name: calendars.first?.line("NAME")?.text
                ?? calendars.first?.line("X-WR-CALNAME")?.text,
            events: events)
    }
}

extension CalendarEvent {
    /// Reads an event; nil if it has no beginning.
    fileprivate init?(
        _ part: Component, _ zones: CalendarZone, _ zone: TimeZone
    ) throws(FormatFault) {
        guard let began = part.line("DTSTART") else { return nil }
        guard let time = Self.time(began) else { throw .badTime(line: began.number) }
        guard let start = Self.moment(began, time, zones, zone) else {
            throw began.parameters["TZID"] == nil
                ? .badTime(line: began.number) : .unknownZone(line: began.number)
        }
        // A day does not end at a time of day, and nothing ends before it begins.
        let end = part.line("DTEND").flatMap { line in
            Self.isDay(line) == Self.isDay(began) ? Self.moment(line, zones, zone) : nil
        }.flatMap { $0 > start ? $0 : nil }
        let changed = part.line("DTSTAMP") ?? part.line("LAST-MODIFIED")
        self.init(
            uid: part.line("UID")?.text ?? "", title: part.line("SUMMARY")?.text ?? "",
            start: start, end: end,
            isAllDay: Self.isDay(began),
            locationName: part.line("LOCATION")?.text.nonEmpty,
            point: Self.point(part), notes: part.line("DESCRIPTION")?.text.nonEmpty,
            status: part.line("STATUS").flatMap { Status(rawValue: $0.value.uppercased()) },
            sequence: part.line("SEQUENCE").flatMap { Int32($0.value) }.map { Int(max($0, 0)) }
                ?? 0,
            changed: changed.flatMap { Self.moment($0, zones, zone) } ?? .min)
    }

    /// Reads a time in UTC, in a zone that it names, or in the reader's zone; nil if it is none.
    private static func moment(
        _ line: ContentLine, _ zones: CalendarZone, _ zone: TimeZone
    ) -> Timestamp? {
        time(line).flatMap { moment(line, $0, zones, zone) }
    }

    private static func time(_ line: ContentLine) -> CalendarTime? {
        CalendarTime(line.value.hasSuffix("Z") ? line.value.dropLast() : line.value[...])
    }

    private static func moment(
        _ line: ContentLine, _ time: CalendarTime, _ zones: CalendarZone, _ zone: TimeZone
    ) -> Timestamp? {
        // A whole day is the same day in every zone.
        guard !line.value.hasSuffix("Z"), !isDay(line) else {
            return time.moment(offsetSeconds: 0)
        }
        guard let name = line.parameters["TZID"]?.first else { return time.moment(in: zone) }
        return zones.moment(of: time, in: name)
    }

    /// Whether a time is a day without a time of day.
    private static func isDay(_ line: ContentLine) -> Bool {
        CalendarTime(line.value) != nil && line.value.utf8.count <= "2026-11-24".utf8.count
    }

    /// Reads the location of an event, also as Apple writes it.
    private static func point(_ part: Component) -> Point? {
        if let numbers = part.line("GEO")?.value.split(separator: ";"), numbers.count == 2 {
            return point(numbers[0], numbers[1])
        }
        guard let value = part.line("X-APPLE-STRUCTURED-LOCATION")?.value,
            value.lowercased().hasPrefix("geo:")
        else { return nil }
        let numbers = value.dropFirst(4).prefix { $0 != ";" && $0 != "?" }.split(separator: ",")
        return numbers.count >= 2 ? point(numbers[0], numbers[1]) : nil
    }

    private static func point(_ latitude: Substring, _ longitude: Substring) -> Point? {
        guard let latitude = Double(latitude), let longitude = Double(longitude) else { return nil }
        return try? Point(latitude: latitude, longitude: longitude)
    }
}

extension String {
    /// The text without white space at its ends; nil if nothing is left.
    var nonEmpty: String? {
        let trimmed = trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty ? nil : trimmed
    }
}
