import CGtk

/// A month of days, one of which is chosen.
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
    }

    /// Creates a calendar that shows the present month.
    public init() {
        unsafe super.init(owning: gtk_calendar_new())
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
