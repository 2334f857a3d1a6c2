import CGtk

/// A month of days, one of which is chosen: by a click, or by the arrow keys from the chosen day.
public final class MonthCalendar: Widget {
    /// A day of the Gregorian calendar.
    public struct Day: Equatable, Sendable {
        /// The year.
        public var year: Int
        /// The month, from 1.
        public var month: Int
        /// The day of the month, from 1.
        public var day: Int

        /// Creates a day.
        public init(year: Int, month: Int, day: Int) {
            self.year = year
            self.month = month
            self.day = day
        }

        /// Returns the day so many days later; earlier if they are negative.
        func later(by days: Int) -> Day {
            guard
                let date = unsafe g_date_new_dmy(
                    GDateDay(clamping: day), GDateMonth(rawValue: UInt32(clamping: month)),
                    GDateYear(clamping: year))
            else { return self }
            defer { unsafe g_date_free(date) }
            if days < 0 {
                unsafe g_date_subtract_days(date, guint(clamping: -days))
            } else {
                unsafe g_date_add_days(date, guint(clamping: days))
            }
            return unsafe Day(
                year: Int(g_date_get_year(date)), month: Int(g_date_get_month(date).rawValue),
                day: Int(g_date_get_day(date)))
        }
    }

    /// Creates a calendar that shows the present month.
    public init() {
        unsafe super.init(owning: gtk_calendar_new())
        // GTK itself begins at the first cell, not at the chosen day, and chooses none.
        unsafe Signal.connect(gtk, "key-press-event") { [weak self] event in
            guard let self, let event = unsafe event?.assumingMemoryBound(to: GdkEvent.self),
                let press = unsafe KeyPress(event), !press.isControl,
                let days = Self.days(of: press.key)
            else { return false }
            day = day.later(by: days)
            return true
        }
    }

    /// The days by which an arrow key moves.
    private static func days(of key: KeyboardKey) -> Int? {
        switch key {
        case .left: -1
        case .right: 1
        case .up: -7
        case .down: 7
        default: nil
        }
    }

    /// The chosen day.
    public var day: Day {
        get {
            var (year, month, day) = (guint(0), guint(0), guint(0))
            unsafe gtk_calendar_get_date(cast(gtk_calendar_get_type()), &year, &month, &day)
            return Day(year: Int(year), month: Int(month) + 1, day: Int(day))
        }
        set {
            guard newValue != day else { return }
            let calendar: UnsafeMutablePointer<GtkCalendar> =
                unsafe cast(gtk_calendar_get_type())
            // The month that is left may be longer than the one that comes.
            unsafe gtk_calendar_select_day(calendar, 1)
            unsafe gtk_calendar_select_month(
                calendar, guint(clamping: newValue.month - 1), guint(clamping: newValue.year))
            unsafe gtk_calendar_select_day(calendar, guint(clamping: newValue.day))
        }
    }

    /// Calls `action` whenever another day is chosen.
    public func onChange(_ action: @escaping @MainActor () -> Void) {
        unsafe Signal.connect(gtk, "day-selected", action)
    }
}
