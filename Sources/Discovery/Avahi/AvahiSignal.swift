/// One announcement as it is seen behind one interface over one version of IP: what a question to
/// the daemon is about.
struct ServiceKey: Hashable, Sendable {
    let interface: Endpoint.Interface
    let overIPv6: Bool
    let instance: String
    let domain: String
}

/// The daemon's answer about one ``ServiceKey``, not yet believed.
struct ServiceAnswer: Hashable, Sendable {
    let address: InternetAddress
    let port: UInt16
    let text: [[UInt8]]
}

/// What is to be done with the daemon, as a value.
enum AvahiAction: Hashable, Sendable {
    case connect
    case disconnect
    case announce(Announcement, instance: String, interface: UInt32)
    case updateText(Announcement, instance: String, interface: UInt32)
    case withdraw(interface: UInt32)
    case browse
    case ask(ServiceKey)
    case stopAsking(ServiceKey)
    /// Tell the reader what is known of an instance now; nil when it is gone.
    case show(Sighting?, instance: String)
}

/// Why the daemon cannot be spoken to, or what it refused.
enum AvahiFault: Error, Hashable, Sendable {
    case noBus
    case noDaemon
    case nameTaken
    case refused(String)
}

/// What the daemon said, as a value.
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
    /// The signal that tells the session of an action that could not be done.
    func failed(with fault: AvahiFault) -> AvahiSignal {
        switch self {
        case .announce(_, let instance, let interface), .updateText(_, let instance, let interface):
            .announcementRefused(interface: interface, instance: instance, fault)
        case .ask(let key): .unanswered(key)
        case .connect, .disconnect, .withdraw, .browse, .stopAsking, .show: .daemonLost(fault)
        }
    }
}
