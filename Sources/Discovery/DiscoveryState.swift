public import Localization

/// The state of discovery. All states except ``quiet`` and ``stopped`` end on their own when their
/// cause disappears.
public enum DiscoveryState: Hashable, Sendable {
    /// Not announced yet: discovery has just started, or the daemon is still checking that the name
    /// is free.
    case starting
    /// Others can see this node under its first name.
    case announcing(instance: String)
    /// Others can see this node under another name, because the first one was in use.
    case renamed(instance: String)
    /// Nothing is announced on the network: only addresses entered by a person are known.
    case quiet
    /// The system bus, over which the daemon is reached, does not answer.
    case noBus
    /// The bus answers, but no Avahi daemon is on it.
    case noDaemon
    /// No network interface is up, supports multicast and is not excluded.
    case noInterface
    /// The daemon refused for the given reason. The attempt is repeated after a growing pause.
    case failed(reason: String)
    /// Discovery was stopped.
    case stopped

    /// The state as a sentence for people.
    public var detail: Sentence {
        switch self {
        case .starting: "Discovery is starting."
        case .announcing(let instance): "This device is announced as \(instance)."
        case .renamed(let instance):
            "This device's name is in use; it is announced as \(instance)."
        case .quiet: "This device is not announced; it connects to the addresses it was given."
        case .noBus: "The system bus does not answer."
        case .noDaemon: "No Avahi daemon is running."
        case .noInterface: "No network interface can be used to find others."
        case .failed(let reason): "The Avahi daemon refused: \(reason)."
        case .stopped: "Discovery was stopped."
        }
    }
}
