public import Localization
internal import Time

/// Finds the reason why nodes do not find each other. Its probes are closures, so that each cause
/// can be tested without breaking a machine; ``DoctorProbes`` has the real ones.
public struct Doctor: Sendable {
    /// The difference of two clocks above which the check fails.
    public static let skewMax: Duration = .seconds(2)

    /// The state of the connection to the Avahi daemon.
    public enum Daemon: Hashable, Sendable {
        /// The daemon answers.
        case running
        /// The system bus does not answer.
        case noBus
        /// The bus answers, but no daemon is on it.
        case noDaemon
        /// The daemon refused for the given reason.
        case failed(reason: String)
    }

    /// Whether the node can accept links on its port.
    public enum Port: Hashable, Sendable {
        /// The node of this home listens there.
        case inUseByNode(UInt16)
        /// The port is free.
        case free(UInt16)
        /// Another program uses the port.
        case taken(UInt16)
        /// The system refuses the port for the given reason.
        case refused(UInt16, reason: String)
        /// The port was not tried for the given reason.
        case notTried(reason: Sentence)
    }

    /// Whether a linked peer could dial this node.
    public enum DialBack: Hashable, Sendable {
        /// No peer was asked, for the given reason.
        case notAsked(reason: Sentence)
        /// A peer reached this port.
        case reached(port: UInt16)
        /// A peer could not reach this port.
        case unreachable(port: UInt16)
    }

    /// The comparison of this clock with those of linked mates.
    public struct Clocks: Hashable, Sendable {
        /// The time by which this clock is ahead of the mates': the median of the differences, one
        /// for each mate.
        public let ahead: Duration
        /// The time that the node adds to this clock to get its own times. It is smaller than the
        /// difference, since each side moves towards the other.
        public let correction: Duration

        /// Creates a comparison.
        public init(ahead: Duration, correction: Duration) {
            self.ahead = ahead
            self.correction = correction
        }
    }

    /// The installed firewall. Its rules cannot be read without root.
    public enum Firewall: Hashable, Sendable {
        /// Ubuntu's ufw is installed.
        case ufw
        /// The daemon firewalld is installed.
        case firewalld
        /// None of the known firewalls is installed.
        case unknown
    }

    private let daemon: @Sendable () async -> Daemon
    private let interfaces: @Sendable () -> [NetworkInterface]
    private let leftOut: InterfacePatterns
    private let port: @Sendable () async -> Port
    private let clocks: @Sendable () async -> Clocks?
    private let dialBack: @Sendable () async -> DialBack
    private let firewall: @Sendable () -> Firewall

    /// Creates a doctor with its probes.
    /// - Parameters:
    ///   - leftOut: the interfaces that are excluded from discovery.
    ///   - clocks: the comparison with the clocks of linked mates, or nil if none is linked.
    ///   - dialBack: the answer of a linked peer that was asked to dial this node.
    public init(
        daemon: @escaping @Sendable () async -> Daemon = DoctorProbes.daemon,
        interfaces: @escaping @Sendable () -> [NetworkInterface] = NetworkInterface.all,
        leavingOut leftOut: InterfacePatterns = .usual,
        port: @escaping @Sendable () async -> Port,
        clocks: @escaping @Sendable () async -> Clocks?,
        dialBack: @escaping @Sendable () async -> DialBack,
        firewall: @escaping @Sendable () -> Firewall = DoctorProbes.firewall
    ) {
        self.daemon = daemon
        self.interfaces = interfaces
        self.leftOut = leftOut
        self.port = port
        self.clocks = clocks
        self.dialBack = dialBack
        self.firewall = firewall
    }

    /// Runs all checks in the order of ``Diagnosis/Check/Cause``.
    public func examine() async -> Diagnosis {
        let daemon = await daemon()
        return Diagnosis(checks: [
            Self.bus(daemon), Self.daemon(daemon), interface(), Self.port(await port()),
            Self.clock(await clocks()),
            Self.dialBack(await dialBack(), firewall()),
        ])
    }

    private static func bus(_ daemon: Daemon) -> Diagnosis.Check {
        guard daemon == .noBus else { return .ok(.bus, "The system bus answers.") }
        return .failed(
            .bus, "The system bus does not answer, so the Avahi daemon cannot be reached.",
            fix: Diagnosis.Fix(
                "Start the message bus of the system.", command: "sudo systemctl start dbus"))
    }

    private static func daemon(_ daemon: Daemon) -> Diagnosis.Check {
        switch daemon {
        case .running: .ok(.daemon, "The Avahi daemon answers.")
        case .noBus: .skipped(.daemon, because: "The Avahi daemon is reached over the system bus.")
        case .noDaemon:
            .failed(
                .daemon, "No Avahi daemon is running, so other devices cannot be found.",
                fix: Diagnosis.Fix(
                    "Install and start the Avahi daemon.",
                    command: "sudo apt-get install avahi-daemon && "
                        + "sudo systemctl enable --now avahi-daemon"))
        case .failed(let reason):
            .failed(
                .daemon, "The Avahi daemon refuses to serve: \(reason).",
                fix: Diagnosis.Fix(
                    "Restart the Avahi daemon and read what it reports.",
                    command: "sudo systemctl restart avahi-daemon && "
                        + "journalctl -u avahi-daemon -n 20"))
        }
    }

    private func interface() -> Diagnosis.Check {
        let interfaces = interfaces()
        let usable = interfaces.filter { $0.isUsable(leavingOut: leftOut) }
        guard usable.isEmpty else {
            let names = usable.map(\.name).joined(separator: ", ")
            return .ok(.interface, "Others can be found on \(names).")
        }
        let reasons = interfaces.map { "\($0.name) \(whyUnusable($0))" as Sentence }
        let list: Sentence = reasons.isEmpty ? "there is none" : Sentence.list(reasons)
        let silent = interfaces.first {
            $0.isUp && !$0.hasMulticast && !$0.isLoopback && !leftOut.leaveOut($0.name)
        }
        return .failed(
            .interface, "No network interface can be used: \(list).",
            fix: Diagnosis.Fix(
                "Connect to the network that the others use, with multicast switched on.",
                command: silent.map { "sudo ip link set \($0.name) multicast on" } ?? "ip address"))
    }

    private func whyUnusable(_ interface: NetworkInterface) -> Sentence {
        if leftOut.leaveOut(interface.name) { return "is left out" }
        if !interface.isUp { return "is down" }
        return interface.addressCount == 0 ? "has no address" : "has no multicast"
    }

    private static func port(_ port: Port) -> Diagnosis.Check {
        switch port {
        case .inUseByNode(let number): .ok(.port, "Waggle accepts links on port \(number).")
        case .free(let number): .ok(.port, "Port \(number) is free for Waggle.")
        case .taken(let number):
            .failed(
                .port, "Port \(number) is taken by another program.",
                fix: Diagnosis.Fix(
                    "End the program that uses the port, or give Waggle another one.",
                    command: "sudo ss -ltnp 'sport = :\(number)'"))
        case .refused(let number, let reason):
            .failed(
                .port, "The system refuses port \(number): \(reason).",
                fix: Diagnosis.Fix("Give Waggle another port, above 1023."))
        case .notTried(let reason): .skipped(.port, because: reason)
        }
    }

    private static func clock(_ clocks: Clocks?) -> Diagnosis.Check {
        guard let clocks else {
            return .skipped(.clock, because: "No mate is linked to compare clocks with.")
        }
        let distance = clocks.ahead < .zero ? .zero - clocks.ahead : clocks.ahead
        let correction: Sentence = "Waggle corrects its times by \(text(clocks.correction))"
        guard distance > skewMax else {
            return .ok(
                .clock,
                "The clock agrees with the mates' clocks to \(text(distance)); \(correction).")
        }
        let side: Sentence = clocks.ahead > .zero ? "ahead of" : "behind"
        return .failed(
            .clock, "The clock is \(text(distance)) \(side) the mates' clocks; \(correction).",
            fix: Diagnosis.Fix(
                "Set the clock by the network.", command: "sudo timedatectl set-ntp true"))
    }

    /// Returns a time in milliseconds, or in seconds if it is long.
    private static func text(_ time: Duration) -> Sentence {
        (.zero - skewMax...skewMax).contains(time)
            ? "\(time.milliseconds) ms" : "\(time.components.seconds) s"
    }

    private static func dialBack(_ dialBack: DialBack, _ firewall: Firewall) -> Diagnosis.Check {
        switch dialBack {
        case .notAsked(let reason): .skipped(.dialBack, because: reason)
        case .reached(let port):
            .ok(.dialBack, "Another device could connect to this one on port \(port).")
        case .unreachable(let port):
            .failed(
                .dialBack,
                "Another device could not connect to this one on port \(port); a firewall may be "
                    + "the cause.",
                fix: fix(firewall, port))
        }
    }

    private static func fix(_ firewall: Firewall, _ port: UInt16) -> Diagnosis.Fix {
        switch firewall {
        case .ufw:
            Diagnosis.Fix(
                "Allow links and the announcements of others in the firewall ufw.",
                command: "sudo ufw allow \(port)/tcp && sudo ufw allow 5353/udp")
        case .firewalld:
            Diagnosis.Fix(
                "Allow links and the announcements of others in the firewall firewalld.",
                command: "sudo firewall-cmd --add-port=\(port)/tcp --add-service=mdns")
        case .unknown:
            Diagnosis.Fix(
                "Allow TCP port \(port) and UDP port 5353 in the firewall of this host; "
                    + "this command shows its rules.",
                command: "sudo nft list ruleset")
        }
    }
}
