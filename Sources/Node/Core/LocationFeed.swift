internal import PluginKit

/// Where the device is, as the chosen source said last.
struct LocationFeed: Sendable {
    private(set) var source = LocationChoice.hand
    var state = Whereabouts.State.searching
    /// The last fix of this source, and when on the uptime clock it was of now.
    private(set) var last: (fix: Fix, uptime: Duration)?
    /// What was said by hand, which counts while nothing else is asked.
    private var byHand: (fix: Fix, uptime: Duration)?
    /// Grows with each choice, so that what an earlier source still says is not heard.
    private(set) var turn: UInt64 = 0
    private var running: Task<Void, Never>?

    /// What is known.
    var whereabouts: Whereabouts {
        Whereabouts(source: source, state: state, fix: last?.fix, fixUptime: last?.uptime)
    }

    /// Hears another source from now on.
    mutating func turn(to source: LocationChoice) {
        stop()
        turn += 1
        self.source = source
        last = source == .hand ? byHand : nil
        state = last == nil ? .searching : .known
    }

    /// Keeps the task that listens to the source.
    mutating func follow(_ task: Task<Void, Never>) { running = task }

    /// Listens no more.
    mutating func stop() {
        running?.cancel()
        running = nil
    }

    /// Takes what the source says.
    mutating func take(_ report: LocationReport, uptime: Duration) {
        switch report {
        case .searching: state = .searching
        case .fix(let fix):
            state = .known
            last = (fix, uptime)
        }
    }

    /// Takes a place that was set by hand.
    mutating func place(_ fix: (fix: Fix, uptime: Duration)?) {
        byHand = fix
        guard source == .hand else { return }
        last = fix
        state = fix == nil ? .searching : .known
    }
}
