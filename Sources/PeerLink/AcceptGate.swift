import Links
import NIOCore

/// The admission of connections. A flood of them costs a limited amount of memory and keeps no
/// honest peer from connecting.
///
/// A connection is a stranger until its HELLO is accepted. If a limit is reached, a newcomer takes
/// the place of a stranger instead of being refused: a flood evicts its own connections, since the
/// most crowded network and address lose a place first, and among their connections the silent
/// ones.
///
/// For example, 64 silent connections from four addresses wait when a mate dials from a fifth. The
/// oldest silent one of the four goes, and the next one from the four evicts another of them.
///
/// A flood from very many addresses cannot be told from a crowd: 250 addresses with 16 connections
/// a second each replace all 64 strangers within 16 ms, which is less than a TLS handshake takes on
/// a busy node. So a few places are kept for addresses from which a known person was linked before.
struct AcceptGate {
    /// The progress of a stranger's handshake.
    enum Progress: Int, Comparable {
        /// It has sent no byte.
        case silent
        /// It has sent bytes.
        case speaking
        /// It has proved its key; its HELLO was not accepted yet.
        case proven

        static func < (left: Progress, right: Progress) -> Bool { left.rawValue < right.rawValue }
    }

    /// The number of an admitted connection; later ones are higher.
    typealias Ticket = Int

    private struct Stranger {
        let origin: Origin
        var progress = Progress.silent
    }

    private let limits: LinkLimits
    private var strangers: [Ticket: Stranger] = [:]
    private var lastTicket = 0
    /// The addresses from which known people were linked, the latest last.
    private var knownAddresses: [String] = []
    private var windowEnd: NIODeadline?
    private var acceptedByAddress: [String: Int] = [:]
    private var acceptedByNetwork: [String: Int] = [:]

    init(limits: LinkLimits) {
        self.limits = limits
    }

    /// Admits a connection, or returns nil if too many came from its origin in this second. The
    /// caller closes the connection that it evicted, if any.
    mutating func admit(
        from origin: Origin, now: NIODeadline
    ) -> (ticket: Ticket, evicted: Ticket?)? {
        openWindow(now: now)
        let byAddress = acceptedByAddress[origin.address, default: 0]
        let byNetwork = acceptedByNetwork[origin.network, default: 0]
        guard byAddress < limits.acceptsPerSecondMax,
            byNetwork < limits.acceptsPerSecondPerNetworkMax
        else { return nil }
        acceptedByAddress[origin.address] = byAddress + 1
        acceptedByNetwork[origin.network] = byNetwork + 1
        let evicted = makeRoom(for: origin)
        lastTicket += 1
        strangers[lastTicket] = Stranger(origin: origin)
        return (lastTicket, evicted)
    }

    /// Whether a connection is still one of the strangers.
    func holds(_ ticket: Ticket) -> Bool { strangers[ticket] != nil }

    /// Records how far a stranger has come.
    mutating func advance(_ ticket: Ticket, to progress: Progress) {
        strangers[ticket]?.progress = progress
    }

    /// Records that a connection is a known person's: later ones from its address keep places.
    mutating func recognize(_ ticket: Ticket) {
        guard let address = strangers[ticket]?.origin.address else { return }
        knownAddresses.removeAll { $0 == address }
        knownAddresses.append(address)
        if knownAddresses.count > limits.knownAddressesMax { knownAddresses.removeFirst() }
    }

    /// Records that a connection is no stranger any more, or has ended.
    mutating func settle(_ ticket: Ticket) {
        strangers[ticket] = nil
    }

    /// Removes one stranger if a limit is reached that also counts this newcomer.
    private mutating func makeRoom(for origin: Origin) -> Ticket? {
        let counts = Counts(strangers.values.map(\.origin))
        let candidates: [Ticket: Stranger]
        if counts.address(of: origin) >= limits.strangersPerAddressMax {
            candidates = strangers.filter { $0.value.origin.address == origin.address }
        } else if counts.network(of: origin) >= limits.strangersPerNetworkMax {
            candidates = withoutKept(
                strangers.filter { $0.value.origin.network == origin.network }, counts)
        } else if strangers.count >= limits.strangersMax {
            candidates = withoutKept(strangers, counts)
        } else {
            return nil
        }
        let evicted = candidates.min { one, other in
            let (left, right) = (one.value, other.value)
            return (
                -counts.network(of: left.origin), -counts.address(of: left.origin), left.progress,
                one.key
            ) < (
                -counts.network(of: right.origin), -counts.address(of: right.origin),
                right.progress, other.key
            )
        }
        if let evicted { settle(evicted.key) }
        return evicted?.key
    }

    /// Returns the strangers that may lose their place: those from known addresses keep theirs, if
    /// they are few, and as long as they leave half of the places to others.
    private func withoutKept(_ all: [Ticket: Stranger], _ counts: Counts) -> [Ticket: Stranger] {
        let others = all.filter { _, stranger in
            counts.address(of: stranger.origin) > limits.knownPlacesPerAddressMax
                || !knownAddresses.contains(stranger.origin.address)
        }
        return others.count * 2 >= all.count ? others : all
    }

    /// The strangers of each address and network.
    private struct Counts {
        private var addresses: [String: Int] = [:]
        private var networks: [String: Int] = [:]

        init(_ origins: [Origin]) {
            for origin in origins {
                addresses[origin.address, default: 0] += 1
                networks[origin.network, default: 0] += 1
            }
        }

        func address(of origin: Origin) -> Int { addresses[origin.address, default: 0] }
        func network(of origin: Origin) -> Int { networks[origin.network, default: 0] }
    }

    private mutating func openWindow(now: NIODeadline) {
        if let windowEnd, now < windowEnd { return }
        windowEnd = now + .seconds(1)
        (acceptedByAddress, acceptedByNetwork) = ([:], [:])
    }
}
