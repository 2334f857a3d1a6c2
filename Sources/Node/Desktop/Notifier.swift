internal import ControlAPI
internal import FeaturesAPI
internal import Foundation
internal import Logging
internal import NodeAPI
internal import Notifications
internal import PluginHost
internal import PluginKit

/// Performs what ``NoticeDesk`` decides: shows the plugins' notices on the desktop, withdraws them
/// when their inbox items are handled, and performs the commands of their buttons.
actor Notifier {
    private var desk: NoticeDesk
    private let server: any NoticeServer
    private let host: PluginHost
    private let clock: CorrectedClock
    private let logger: Logger
    private let changes: AsyncStream<NodeEvent>
    /// Rings when something becomes due sooner.
    private let alarm = Alarm()
    /// The uptime at which the items of the notices are looked up; nil if none has changed.
    private var lookDue: Duration?
    /// Whether a person may have been blocked since.
    private var mayBeBlocked = false

    /// The longest wait if nothing is due.
    static let rest = Duration.seconds(24 * 60 * 60)
    /// The pause before items are looked up, so that many changes cost as much as one.
    static let lookPause = Duration.milliseconds(250)

    /// Creates a notifier of a server for the plugins of a host.
    init(
        _ server: any NoticeServer, _ preferences: NoticePreferences, in catalogue: Catalogue,
        host: PluginHost, clock: CorrectedClock, events: EventHub, logger: Logger
    ) {
        self.server = server
        self.host = host
        self.clock = clock
        self.logger = logger
        desk = NoticeDesk(preferences, in: catalogue)
        changes = events.follow()
    }

    /// Runs until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await event in self.server.events { await self.follow(event) } }
            group.addTask {
                for await change in self.changes { await self.follow(change) }
            }
            group.addTask { await self.tickWhenDue() }
            await group.waitForAll()
        }
    }

    /// Removes all notices and ends.
    func stop() async { await server.stop() }

    /// Receives a notice of a plugin. Its item is looked up before it is shown: another device of
    /// this person may have handled it before it arrived here.
    func receive(_ notice: DesktopNotice) {
        show(notice)
        lookSoon()
    }

    private func show(_ notice: DesktopNotice) {
        perform(desk.receive(notice, now: now))
        alarm.ring()
    }

    private func lookSoon() {
        guard lookDue == nil, !desk.subjects.isEmpty else { return }
        lookDue = clock.uptime + Self.lookPause
        alarm.ring()
    }

    /// Follows changed preferences and another language.
    func apply(_ preferences: NoticePreferences, in catalogue: Catalogue) {
        perform(desk.apply(preferences) + desk.speak(catalogue))
        alarm.ring()
    }

    private func tickWhenDue() async {
        while !Task.isCancelled {
            let next = [desk.due, lookDue].compactMap { $0 }.min()
            // Before anything is shown, what was handled meanwhile is forgotten.
            if let next, lookDue != nil, next <= clock.uptime { await settleHandled() }
            perform(desk.tick(now: now))
            let due = [desk.due, lookDue].compactMap { $0 }.min()
            let wait = due.map { max(.zero, $0 - clock.uptime) } ?? Self.rest
            do { try await alarm.wait(for: wait, on: clock) } catch { return }
        }
    }

    private var now: NoticeDesk.Moment {
        NoticeDesk.Moment(uptime: clock.uptime, minute: clock.systemTime.minuteOfLocalDay)
    }

    private func perform(_ effects: [NoticeDesk.Effect]) {
        for effect in effects {
            switch effect {
            case .show(let notice): server.show(notice)
            case .withdraw(let tag): server.withdraw(tag)
            }
        }
    }

    /// Follows an event of the node: an item may be handled, or a person blocked.
    private func follow(_ change: NodeEvent) {
        switch change.topic {
        case InboxEvents.changed.topic: break
        case MateEvents.changed.topic:
            guard change.body(of: MateEvents.changed)?.concernsNames ?? true else { return }
            mayBeBlocked = true
        default: return
        }
        lookSoon()
    }

    /// Withdraws the notices whose items are handled or gone, on this device or another, and those
    /// of people who were blocked.
    private func settleHandled() async {
        lookDue = nil
        let subjects = desk.subjects
        guard !subjects.isEmpty, let core = host.core else { return }
        var settled: Set<InboxSubject> = []
        do {
            for (kind, subjects) in Dictionary(grouping: subjects, by: \.kind) {
                let known = try await core.inboxReferences(
                    ofKind: kind, among: Set(subjects.map(\.reference)))
                settled.formUnion(subjects.filter { known[$0.reference] != false })
            }
            if mayBeBlocked {
                mayBeBlocked = false
                for subject in subjects {
                    guard let person = desk.person(of: subject) else { continue }
                    if try await core.relation(to: person) == .blocked { settled.insert(subject) }
                }
            }
        } catch {
            logger.error("the notices are not up to date", metadata: ["why": "\(error)"])
        }
        perform(desk.settle(settled))
    }

    // MARK: - The person

    private func follow(_ event: NoticeEvent) async {
        switch event {
        case .closed(let tag):
            desk.close(tag)
        case .opened(.subject(let subject), let token):
            server.open(subject, token: token)
        case .opened(.summary, let token):
            server.open(.inbox, token: token)
        case .pressed(.subject(let subject), let index):
            if let action = desk.action(index, of: subject) { await press(action, on: subject) }
        case .pressed(.summary, _): break
        }
    }

    /// Performs a button's command. A refusal is shown in place of the notice.
    private func press(_ action: DesktopNotice.Action, on subject: InboxSubject) async {
        do {
            _ = try await host.perform(action.command, action.arguments)
        } catch {
            let title: Sentence = "\(action.label): that did not work"
            show(
                DesktopNotice(
                    about: subject, title: title, body: CommandFault(error).reason,
                    withoutText: title))
        }
    }
}

extension Timestamp {
    /// The minute of the day by the local clock, from 0.
    fileprivate var minuteOfLocalDay: Int {
        let date = Date(self)
        let offset = Duration.seconds(TimeZone.autoupdatingCurrent.secondsFromGMT(for: date))
        let minutes = Int((self + offset).milliseconds / 60_000)
        return minutes % QuietHours.dayMinutes
    }
}
