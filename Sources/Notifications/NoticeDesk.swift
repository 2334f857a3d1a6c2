public import PluginKit

/// Decides what is on the desktop: a value without clock, bus or window.
///
/// A notice waits a moment, so that what is handled at once is never shown. It is then shown alone,
/// or counted in one summary: in quiet hours (the summary appears when they end), at the level
/// ``NoticePreferences/Level/new``, and if its person caused too many.
///
/// Example: Ben sends 40 walk requests. Four are shown alone, and the summary says "36 new things".
/// Each that is handled is withdrawn, and the summary counts what is left.
public struct NoticeDesk: Sendable {
    /// The present moment, by both clocks that matter.
    public struct Moment: Hashable, Sendable {
        /// The time since an arbitrary start.
        public let uptime: Duration
        /// The minute of the local day, from 0.
        public let minute: Int

        /// Names a moment.
        public init(uptime: Duration, minute: Int) {
            self.uptime = uptime
            self.minute = minute
        }
    }

    /// Something to do on the desktop.
    public enum Effect: Hashable, Sendable {
        /// Show a notice in place of the one with its tag.
        case show(ShownNotice)
        /// Remove the notice with this tag.
        case withdraw(NoticeTag)
    }

    private struct Entry {
        var notice: DesktopNotice
        /// The uptime at which it is shown or counted; nil if that has happened.
        var due: Duration?
        /// Whether it is shown alone.
        var isShown = false
        /// Whether it is counted in the summary.
        var isCounted = false
        let number: UInt64
    }

    /// The choices of the person.
    public private(set) var preferences: NoticePreferences
    private var entries: [InboxSubject: Entry] = [:]
    private var lastNumber: UInt64 = 0
    /// The notices that are shown alone.
    private var pace = PersonBuckets(
        each: TokenBucket(
            atOnceMax: NoticeLimits.perPersonAtOnceMax, interval: NoticeLimits.perPersonInterval),
        all: TokenBucket(atOnceMax: NoticeLimits.atOnceMax, interval: NoticeLimits.interval))
    /// The count that the summary shows; 0 if it is not shown.
    private var summaryCount = 0
    /// The uptime before which the summary does not change to a higher count.
    private var summaryDue = Duration.zero
    /// The uptime of the next look at the clock while quiet hours hold something back.
    private var quietDue: Duration?

    /// The texts of the notices, in the person's language.
    private var catalogue: Catalogue

    /// Creates a desk on which nothing is shown.
    public init(_ preferences: NoticePreferences, in catalogue: Catalogue = .english) {
        self.preferences = preferences
        self.catalogue = catalogue
    }

    /// The subjects that are shown or will be.
    public var subjects: Set<InboxSubject> { Set(entries.keys) }

    /// The person who caused the notice of a subject, if any.
    public func person(of subject: InboxSubject) -> PersonID? { entries[subject]?.notice.person }

    /// Returns the button of a notice that is shown alone; nil if it has none of this index.
    public func action(_ index: Int, of subject: InboxSubject) -> DesktopNotice.Action? {
        guard let actions = entries[subject]?.notice.actions, actions.indices.contains(index)
        else { return nil }
        return actions[index]
    }

    /// The uptime at which ``tick(now:)`` has work; nil if it has none.
    public var due: Duration? {
        let first = entries.values.compactMap(\.due).min()
        let summary = heldCount > summaryCount && quietDue == nil ? summaryDue : nil
        return [first, summary, quietDue].compactMap { $0 }.min()
    }

    private var heldCount: Int { entries.values.count { $0.isCounted && !$0.isShown } }

    /// Receives a notice, in place of the one about the same subject.
    public mutating func receive(_ notice: DesktopNotice, now: Moment) -> [Effect] {
        guard !preferences.off.contains(notice.subject.kind) else { return [] }
        lastNumber += 1
        var entry = Entry(notice: notice, number: lastNumber)
        entry.due = now.uptime + NoticeLimits.settling
        entry.isShown = entries[notice.subject]?.isShown ?? false
        entry.isCounted = entries[notice.subject]?.isCounted ?? false
        entries[notice.subject] = entry
        guard entries.count > NoticeLimits.subjectsCountMax,
            let oldest = entries.min(by: { $0.value.number < $1.value.number })?.key
        else { return [] }
        return settle([oldest])
    }

    /// Forgets subjects that were handled, and removes their notices.
    public mutating func settle(_ subjects: Set<InboxSubject>) -> [Effect] {
        var effects: [Effect] = []
        for subject in subjects {
            guard let entry = entries.removeValue(forKey: subject) else { continue }
            if entry.isShown { effects.append(.withdraw(.subject(subject))) }
        }
        return effects + lowerSummary()
    }

    /// Follows a notice that the person closed. Its item stays in the inbox.
    public mutating func close(_ tag: NoticeTag) {
        switch tag {
        case .subject(let subject): entries[subject] = nil
        case .summary:
            entries = entries.filter { !$0.value.isCounted || $0.value.isShown }
            summaryCount = 0
        }
    }

    /// Changes the preferences: what they do not permit any more is removed at once.
    public mutating func apply(_ new: NoticePreferences) -> [Effect] {
        let old = preferences
        preferences = new
        var effects = settle(subjects.filter { new.off.contains($0.kind) })
        guard new.level != old.level else { return effects }
        for (subject, entry) in inOrder where entry.isShown {
            if new.level == .new {
                entries[subject]?.isShown = false
                entries[subject]?.isCounted = true
                effects.append(.withdraw(.subject(subject)))
            } else {
                effects.append(.show(shown(entry.notice)))
            }
        }
        return effects
    }

    /// Continues in another language: what is shown is written anew.
    public mutating func speak(_ catalogue: Catalogue) -> [Effect] {
        guard catalogue.language != self.catalogue.language else { return [] }
        self.catalogue = catalogue
        let alone = inOrder.filter(\.value.isShown).map { Effect.show(shown($0.value.notice)) }
        return alone + (summaryCount > 0 ? [.show(summary)] : [])
    }

    /// Does what is due.
    public mutating func tick(now: Moment) -> [Effect] {
        let isQuiet = preferences.quiet?.contains(now.minute) ?? false
        var effects: [Effect] = []
        for (subject, entry) in inOrder {
            guard let due = entry.due, due <= now.uptime else { continue }
            entries[subject]?.due = nil
            if isQuiet || preferences.level == .new {
                entries[subject]?.isCounted = true
            } else if pace.permit(entry.notice.person, now: now.uptime) {
                entries[subject]?.isShown = true
                entries[subject]?.isCounted = false
                effects.append(.show(shown(entry.notice)))
            } else if entry.isShown {
                // It is on the desktop already; its new text follows when there is room.
                entries[subject]?.due =
                    now.uptime
                    + max(
                        pace.wait(entry.notice.person, now: now.uptime), NoticeLimits.settling)
            } else {
                entries[subject]?.isCounted = true
            }
        }
        effects += lowerSummary()
        quietDue = isQuiet && heldCount > 0 ? now.uptime + NoticeLimits.quietInterval : nil
        if !isQuiet, heldCount > summaryCount, summaryDue <= now.uptime {
            summaryCount = heldCount
            summaryDue = now.uptime + NoticeLimits.summaryInterval
            effects.append(.show(summary))
        }
        return effects
    }

    /// Shows a lower count at once, since it draws no attention; removes the summary at 0.
    private mutating func lowerSummary() -> [Effect] {
        let count = heldCount
        guard count < summaryCount else { return [] }
        summaryCount = count
        return [count == 0 ? .withdraw(.summary) : .show(summary)]
    }

    private var summary: ShownNotice {
        let title = Sentence(
            count: summaryCount, one: "Something new",
            other: "\(NumberText.grouped(summaryCount)) new things")
        return ShownNotice(
            tag: .summary, title: catalogue.text(title), body: catalogue.text("See the inbox."))
    }

    private var inOrder: [(key: InboxSubject, value: Entry)] {
        entries.sorted { $0.value.number < $1.value.number }
    }

    private func shown(_ notice: DesktopNotice) -> ShownNotice {
        let isOpen = preferences.level == .everything
        return ShownNotice(
            tag: .subject(notice.subject),
            title: catalogue.text(isOpen ? notice.title : notice.withoutText),
            body: isOpen ? catalogue.text(notice.body) : "",
            actions: notice.actions.map { catalogue.text($0.label) })
    }
}
