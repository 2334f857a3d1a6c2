internal import PluginKit

/// The device's location as the chosen source last reported it.
struct LocationFeed: Sendable {
    private(set) var source = LocationChoice.hand
    var state = Whereabouts.State.searching
    /// The last fix of this source, and the uptime at which it was current.
    private(set) var last: (fix: Fix, uptime: Duration)?
    /// The location set by hand, which counts while no other source is chosen.
    private var byHand: (fix: Fix, uptime: Duration)?
    /// The number of the current choice, so that late reports of an earlier source are ignored.
    private(set) var turn: UInt64 = 0
    private var running: Task<Void, Never>?

    /// The known location and its source.
    var whereabouts: Whereabouts {
        Whereabouts(source: source, state: state, fix: last?.fix, fixUptime: last?.uptime)
    }

    /// Switches to another source.
    mutating func turn(to source: LocationChoice) {
        stop()
        turn += 1
        self.source = source
        last = source == .hand ? byHand : nil
        state = last == nil ? .searching : .known
    }

    /// Keeps the task that listens to the source, to cancel it later.
    mutating func follow(_ task: Task<Void, Never>) { running = task }

    /// Stops listening to the source.
    mutating func stop() {
        running?.cancel()
        running = nil
    }

    /// Records a report of the source.
    mutating func record(_ report: LocationReport, uptime: Duration) {
        switch report {
        case .searching: state = .searching
        case .fix(let fix):
            state = .known
            last = (fix, uptime)
        }
    }

    /// Records a location that was set by hand.
    mutating func setByHand(_ fix: (fix: Fix, uptime: Duration)?) {
        byHand = fix
        guard source == .hand else { return }
        last = fix
        state = fix == nil ? .searching : .known
    }
}
