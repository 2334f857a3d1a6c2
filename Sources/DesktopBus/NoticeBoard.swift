import Notifications

/// Decides what to tell the desktop's server: a value without bus, clock or thread.
///
/// It holds the notices that should be on the desktop, and what the server has of them. A server
/// that comes later, or comes back, is told all of them. If the bus or the server is away, it is
/// tried again with growing pauses, but only while there is something to tell.
struct NoticeBoard {
    /// The next thing to do. Its result is reported before the next step is asked for.
    enum Step: Equatable {
        /// Connect to the session bus.
        case connect
        /// Ask the server what it can do. The bus may start it for that, and then reports it before
        /// anything is shown.
        case greet
        /// Show a notice in place of the one with this id; 0 for none.
        case show(ShownNotice, replacing: UInt32)
        /// Remove the notice with this id.
        case close(UInt32)
        /// Wait this long, or for the server or the node; nil for no limit.
        case wait(Duration?)
    }

    /// The reason why the server was not told something.
    enum Fault: Error {
        /// There is no bus, or it went away.
        case busAway
        /// There is no server, or it does not answer.
        case serverAway
        /// The server does not accept this notice.
        case refused
    }

    /// The pause after the first failure, and the longest.
    static let pauseMin = Duration.seconds(1)
    static let pauseMax = Duration.seconds(60)

    private struct Entry {
        var notice: ShownNotice
        var id: UInt32 = 0
        var isTold = false
        let number: UInt64
    }

    private var entries: [NoticeTag: Entry] = [:]
    private var closing: [UInt32] = []
    private var lastNumber: UInt64 = 0
    private(set) var isConnected = false
    private var isGreeted = false
    private var pause = pauseMin
    private var retry = Duration.zero

    /// Puts a notice on the board, in place of the one with its tag.
    mutating func show(_ notice: ShownNotice) {
        lastNumber += 1
        let id = entries[notice.tag]?.id ?? 0
        entries[notice.tag] = Entry(notice: notice, id: id, number: lastNumber)
        let untold = entries.filter { !$0.value.isTold }
        if untold.count > NoticeLimits.waitingCountMax,
            let oldest = untold.min(by: { $0.value.number < $1.value.number })?.key
        {
            withdraw(oldest)
        }
    }

    /// Removes a notice from the board.
    mutating func withdraw(_ tag: NoticeTag) {
        guard let entry = entries.removeValue(forKey: tag), entry.id != 0 else { return }
        closing.append(entry.id)
    }

    /// Removes all notices from the board.
    mutating func clear() {
        for tag in entries.keys { withdraw(tag) }
    }

    /// Whether the server has to be told nothing.
    var isIdle: Bool { closing.isEmpty && entries.values.allSatisfy(\.isTold) }

    /// Returns what to do now.
    func step(now: Duration) -> Step {
        guard !isIdle else { return .wait(nil) }
        guard retry <= now else { return .wait(retry - now) }
        guard isConnected else { return .connect }
        guard isGreeted else { return .greet }
        if let id = closing.first { return .close(id) }
        let next = entries.values.filter { !$0.isTold }.min { $0.number < $1.number }
        return next.map { .show($0.notice, replacing: $0.id) } ?? .wait(nil)
    }

    /// Follows a connection that was made.
    mutating func connected() { isConnected = true }

    /// Follows a server that answered.
    mutating func greeted() { isGreeted = true }

    /// Follows a notice that the server shows under this id.
    mutating func told(_ notice: ShownNotice, id: UInt32) {
        pause = Self.pauseMin
        guard entries[notice.tag]?.notice == notice else {
            if entries[notice.tag] == nil { closing.append(id) }
            return
        }
        entries[notice.tag]?.id = id
        entries[notice.tag]?.isTold = true
    }

    /// Follows a notice that was removed.
    mutating func closed(id: UInt32) { closing.removeAll { $0 == id } }

    /// Follows a step that failed.
    mutating func failed(_ step: Step, _ fault: Fault, now: Duration) {
        switch (fault, step) {
        case (.refused, .show(let notice, _)): entries[notice.tag] = nil
        case (.refused, .close(let id)): closed(id: id)
        default:
            forgetServer()
            if fault == .busAway { isConnected = false }
            retry = now + pause
            pause = min(pause * 2, Self.pauseMax)
        }
    }

    /// Follows a bus that went away.
    mutating func busWasLost() {
        isConnected = false
        forgetServer()
    }

    /// Follows a server that came, went or was replaced: it shows nothing of what is on the board.
    mutating func serverChanged(isThere: Bool, now: Duration) {
        forgetServer()
        if isThere {
            retry = now
            pause = Self.pauseMin
        }
    }

    /// Follows a notice that left the desktop without being withdrawn.
    /// - Returns: its tag; nil if the id is none of the board.
    mutating func dismissed(id: UInt32) -> NoticeTag? {
        closed(id: id)
        guard let tag = tag(of: id) else { return nil }
        entries[tag] = nil
        return tag
    }

    /// Returns the tag of the notice with an id that the server gave.
    func tag(of id: UInt32) -> NoticeTag? {
        id == 0 ? nil : entries.first { $0.value.id == id }?.key
    }

    /// The server's ids mean nothing any more.
    private mutating func forgetServer() {
        isGreeted = false
        closing = []
        for tag in entries.keys {
            entries[tag]?.id = 0
            entries[tag]?.isTold = false
        }
    }
}
