internal import NodeAPI
internal import PluginHost
internal import PluginKit

// The calendar of all appointments to come.
extension Node {
    /// Keeps the calendar file of the settings current.
    nonisolated var calendarKeeper: CalendarKeeper {
        CalendarKeeper(
            host: host, events: events, settings: settings, clock: clock, logger: logger)
    }

    /// Performs `calendar run`.
    nonisolated func saveCalendar(_ request: SaveCalendar) async throws -> SavedFile {
        try await PersonFile.save(Array(try await calendarKeeper.text().utf8), to: request.file)
    }

    /// Writes the calendar to another file at once, and keeps that current from now on.
    nonisolated func keepCalendar(at value: String) async throws {
        if let path = FileSetting.path(value) {
            try CalendarKeeper.write(try await calendarKeeper.text(), to: path)
        }
        try settings.setValue(value, of: .calendarFile)
    }
}
