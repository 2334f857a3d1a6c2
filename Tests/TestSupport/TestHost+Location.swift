public import PluginKit

extension TestHost {
    /// The chosen source of places says something: a fix of now, or with nil that it knows none.
    /// Plugins hear of it when the network settles.
    public func locate(_ fix: Fix?) {
        let now = clock.uptime
        setWhereabouts { known in
            Whereabouts(
                source: known.source, state: fix == nil ? .searching : .known,
                fix: fix ?? known.fix, fixUptime: fix == nil ? known.fixUptime : now)
        }
    }

    func choose(_ source: LocationChoice) {
        setWhereabouts { _ in
            Whereabouts(source: source, state: .searching, fix: nil, fixUptime: nil)
        }
    }

    func placeByHand(_ fix: Fix?) {
        guard whereabouts.source == .hand else { return }
        let age = clock.wallMilliseconds - (fix?.atMs ?? clock.wallMilliseconds)
        let uptime = clock.uptime - .milliseconds(age)
        setWhereabouts { _ in
            Whereabouts(
                source: .hand, state: fix == nil ? .searching : .known, fix: fix,
                fixUptime: fix == nil ? nil : uptime)
        }
    }
}
