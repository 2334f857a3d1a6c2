/// How discovery is doing. Every state but ``quiet`` and ``stopped`` is
/// left by itself when the world changes.
public enum DiscoveryState: Hashable, Sendable {
    /// Not yet announced: just begun, or the daemon is still making sure that the name is free.
    case starting
    /// Others can see this node under the name of the announcement.
    case announcing(instance: String)
    /// As ``announcing``, but under another name, since somebody had the first one.
    case renamed(instance: String)
    /// Nothing is announced on the network: only addresses that somebody typed are known.
    case quiet
    /// The system bus, over which the daemon is spoken to, does not answer.
    case noBus
    /// The bus answers, but no Avahi daemon is on it.
    case noDaemon
    /// No network interface is up, carries multicast and is not left out.
    case noInterface
    /// The daemon refused, with its words; tried again with a growing pause.
    case failed(reason: String)
    /// Ended on demand.
    case stopped

    /// The state in one word, as the local API shows it.
    public var name: String {
        switch self {
        case .starting: "starting"
        case .announcing: "announcing"
        case .renamed: "renamed"
        case .quiet: "quiet"
        case .noBus: "noBus"
        case .noDaemon: "noDaemon"
        case .noInterface: "noInterface"
        case .failed: "failed"
        case .stopped: "stopped"
        }
    }

    /// The state as a sentence.
    public var detail: String {
        switch self {
        case .starting: "Discovery is starting."
        case .announcing(let instance): "This node is announced as \(instance)."
        case .renamed(let instance):
            "Another node has the name of this one, which is announced as \(instance)."
        case .quiet: "This node is not announced; it dials the addresses it was given."
        case .noBus: "The system bus does not answer."
        case .noDaemon: "No Avahi daemon is running."
        case .noInterface: "No network interface can be used to find others."
        case .failed(let reason): "The Avahi daemon refused: \(reason)."
        case .stopped: "Discovery was stopped."
        }
    }
}
