import CGtk

/// A month of days, one of which is chosen: by a click, or by the arrow keys from the chosen day
/// on.
///
/// GTK names months and weekdays by the process's locale, which may differ from the window's
/// language, so this calendar shows given names above GTK's days.
public final class MonthCalendar: Box {
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

        /// Returns the day so many months and days later; earlier if they are negative. In a month
        /// that is shorter it is the last day.
        func later(byMonths months: Int = 0, days: Int = 0) -> Day {
            guard
                let date = unsafe g_date_new_dmy(
                    GDateDay(clamping: day), GDateMonth(rawValue: UInt32(clamping: month)),
                    GDateYear(clamping: year))
            else { return self }
            defer { unsafe g_date_free(date) }
            if months < 0 {
                unsafe g_date_subtract_months(date, guint(clamping: -months))
            } else {
                unsafe g_date_add_months(date, guint(clamping: months))
            }
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

    /// The names in a calendar, in the language of the window.
    public struct Names {
        /// The days of the week, from Sunday.
        public var weekdays: [String]
        /// The chosen day, as a screen reader says it.
        public var day: String
        /// The buttons that turn to the month before and after.
        public var previous: String, next: String
        /// Returns the name of a month, from 1, with its year.
        public var month: @MainActor (_ month: Int, _ year: Int) -> String

        /// Creates names.
        public init(
            weekdays: [String], day: String, previous: String, next: String,
            month: @escaping @MainActor (_ month: Int, _ year: Int) -> String
        ) {
            self.weekdays = weekdays
            (self.day, self.previous, self.next) = (day, previous, next)
            self.month = month
        }
    }

    private let names: Names
    /// The least width in pixels of unscaled texts.
    private static let widthMin = 200.0

    private let heading = Label().styled("heading").centred()
    private let days = MonthDays()

    /// Creates a calendar that shows the present month.
    public init(_ names: Names) {
        self.names = names
        super.init(.down, spacing: 4)
        let previous = Button(icon: "go-previous-symbolic", name: names.previous) {
            [weak self] in self?.turn(by: -1)
        }
        let next = Button(icon: "go-next-symbolic", name: names.next) {
            [weak self] in self?.turn(by: 1)
        }
        append(
            Box(.across, [previous.flat(), heading.expanding(across: true), next.flat()]))
        append(
            Box(.across, names.weekdays.map { Label($0).styled("hint").centred().onOneLine() })
                .ofEqualParts())
        append(days.named(names.day))
        minimum(width: Int32(Self.widthMin * TextScale.now))
        days.onMonth { [weak self] in self?.showMonth() }
        showMonth()
    }

    /// The chosen day.
    public var day: Day {
        get { days.day }
        set { days.day = newValue }
    }

    /// Calls `action` whenever another day is chosen.
    public func onChange(_ action: @escaping @MainActor () -> Void) { days.onChange(action) }

    /// Moves the keyboard focus to the days.
    public func focusDays() { days.grabFocus() }

    private func turn(by months: Int) { day = day.later(byMonths: months) }

    private func showMonth() { heading.text = names.month(day.month, day.year) }
}

/// The days of a month, without its name and those of the weekdays.
private final class MonthDays: Widget {
    typealias Day = MonthCalendar.Day

    /// Creates the days of the present month, in weeks from Sunday.
    init() {
        unsafe super.init(owning: waggle_calendar_new())
        unsafe gtk_calendar_set_display_options(
            cast(gtk_calendar_get_type()), GtkCalendarDisplayOptions(rawValue: 0))
        // GTK itself begins at the first cell, not at the chosen day, and chooses none.
        unsafe Signal.connect(gtk, "key-press-event") { [weak self] event in
            guard let self, let event = unsafe event?.assumingMemoryBound(to: GdkEvent.self),
                let press = unsafe KeyPress(event), !press.isControl,
                let days = Self.days(of: press.key)
            else { return false }
            day = day.later(days: days)
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
    var day: Day {
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
    func onChange(_ action: @escaping @MainActor () -> Void) {
        unsafe Signal.connect(gtk, "day-selected", action)
    }

    /// Calls `action` whenever another month is shown.
    func onMonth(_ action: @escaping @MainActor () -> Void) {
        unsafe Signal.connect(gtk, "month-changed", action)
    }
}
