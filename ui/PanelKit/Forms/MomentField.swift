import Contract
import Foundation
public import GtkKit
import TimePhrases

/// A line for a moment in words, such as "tomorrow 18:00". Under it stands the moment they mean,
/// and a button opens a calendar with a clock.
@MainActor
public final class MomentField: Box {
    private let entry: Entry
    private let echo = Label().styled("hint").width(characters: 34).role(.status)
    private let calendar = MonthCalendar(
        .init(
            weekdays: DateText.weekdayNames(), day: localized("Day"),
            previous: localized("Previous month"), next: localized("Next month"),
            month: { DateText.month($0, year: $1) }))
    private let hour = NumberEntry(0...23)
    private let minute = NumberEntry(0...55, step: 5)
    private let clock: PanelClock
    private let placeholder: String
    private let open = Button(
        icon: "x-office-calendar-symbolic", name: localized("Choose a day and a time"))
    private var popover: Popover?
    /// Whether the calendar is being set from the words.
    private var isFilling = false
    private var onChange: @MainActor () -> Void = {}

    /// Creates an empty field.
    /// - Parameters:
    ///   - name: the accessible name of the line.
    ///   - empty: the sentence under the line while it is empty.
    ///   - clock: the node's time, which the words are read against.
    public init(_ name: String, placeholder: String, empty: String, clock: PanelClock) {
        entry = Entry(width: 12, placeholder: placeholder)
        entry.named(name)
        self.clock = clock
        self.placeholder = empty
        super.init(.down, spacing: 4)
        append(Box(.across, spacing: 6, [entry.expanding(across: true), open]))
        append(echo)
        assemblePopover()
        entry.onChange { [weak self] in self?.changed() }
        open.onClick { [weak self] in self?.openCalendar() }
        showEcho()
    }

    /// The words.
    public var text: String {
        get { entry.text }
        set { entry.text = newValue }
    }

    /// The line that is typed into.
    public var line: Widget { entry }

    /// Calls `action` whenever the words change.
    public func onChange(_ action: @escaping @MainActor () -> Void) { onChange = action }

    /// Calls `action` when Enter is pressed in the line.
    public func onEnter(_ action: @escaping @MainActor () -> Void) { entry.onEnter(action) }

    private func assemblePopover() {
        hour.named(localized("Hour"))
        minute.named(localized("Minute"))
        let time = Box(.across, spacing: 6, [hour, Label(":"), minute]).aligned(.centre)
        let done = Button(localized("Done")) { [weak self] in self?.popover?.close() }
        popover = Popover(over: open, Box(.down, spacing: 8, [calendar, time, done]).margin(8))
        calendar.onChange { [weak self] in self?.write() }
        hour.onChange { [weak self] in self?.write() }
        minute.onChange { [weak self] in self?.write() }
    }

    /// Opens the calendar at the moment that was typed, else at the next full hour.
    private func openCalendar() {
        let now = clock.nodeTime
        let moment = (try? TimePhrase(entry.text, now: now))?.moment ?? now.nextFullHour()
        let parts = Calendar.here.dateComponents(
            [.year, .month, .day, .hour, .minute], from: Date(moment))
        isFilling = true
        calendar.day = .init(
            year: parts.year ?? 2000, month: parts.month ?? 1, day: parts.day ?? 1)
        hour.value = parts.hour ?? 0
        minute.value = (parts.minute ?? 0) / 5 * 5
        isFilling = false
        popover?.open()
        calendar.focusDays()
    }

    /// Writes the moment of the calendar into the line.
    private func write() {
        guard !isFilling else { return }
        let day = calendar.day
        entry.text = String(
            format: "%04d-%02d-%02d %02d:%02d", day.year, day.month, day.day, hour.value,
            minute.value)
    }

    private func changed() {
        showEcho()
        onChange()
    }

    private func showEcho() {
        let typed = TypedMoment(entry.text, now: clock.nodeTime)
        echo.text = typed.echo(now: clock.nodeTime) ?? placeholder
        echo.setStyle("fault", on: typed.isFault)
    }
}
