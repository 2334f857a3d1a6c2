/// An announcement seen on one interface over one version of IP: the subject of a question to the
/// daemon.
struct ServiceKey: Hashable, Sendable {
    let interface: Endpoint.Interface
    let overIPv6: Bool
    let instance: String
    let domain: String
}

/// The daemon's answer about one ``ServiceKey``, not checked yet.
struct ServiceAnswer: Hashable, Sendable {
    let address: InternetAddress
    let port: UInt16
    let text: [[UInt8]]
}

/// An action for the daemon's client, as a value.
enum AvahiAction: Hashable, Sendable {
    case connect
    case disconnect
    case announce(Announcement, instance: String, interface: UInt32)
    case updateText(Announcement, instance: String, interface: UInt32)
    case withdraw(interface: UInt32)
    case browse
    case ask(ServiceKey)
    case stopAsking(ServiceKey)
    /// Reports the sighting of an instance to the reader; nil if the instance is gone.
    case show(Sighting?, instance: String)
}

/// The reason the daemon cannot be reached, or its refusal.
enum AvahiFault: Error, Hashable, Sendable {
    case noBus
    case noDaemon
    case nameTaken
    case refused(String)
}

/// A message of the daemon, as a value.
enum AvahiSignal: Sendable {
    case waitingForDaemon
    case daemonBusy
    case daemonReady
    case daemonLost(AvahiFault)
    case announced(interface: UInt32, instance: String)
    case announcementRefused(interface: UInt32, instance: String, AvahiFault)
    case found(ServiceKey)
    case lost(ServiceKey)
    case answered(ServiceKey, ServiceAnswer)
    case unanswered(ServiceKey)
}

extension AvahiAction {
    /// Returns the signal that reports the failure of this action to the session.
    func failed(with fault: AvahiFault) -> AvahiSignal {
        switch self {
        case .announce(_, let instance, let interface), .updateText(_, let instance, let interface):
            .announcementRefused(interface: interface, instance: instance, fault)
        case .ask(let key): .unanswered(key)
        case .connect, .disconnect, .withdraw, .browse, .stopAsking, .show: .daemonLost(fault)
        }
    }
}
