/// Looks for the reason why "they do not find each other". What it looks at are closures, so that
/// each cause can be tried without breaking a machine; ``DoctorProbes`` has the real ones.
public struct Doctor: Sendable {
    /// Two clocks further apart than this are shown, in milliseconds.
    public static let skewMillisecondsMax = 2000

    /// What stands between this host and its Avahi daemon.
    public enum Daemon: Hashable, Sendable {
        case running
        case noBus
        case noDaemon
        case failed(reason: String)
    }

    /// Whether the node can wait for links on its port.
    public enum Port: Hashable, Sendable {
        /// The node of this home waits there.
        case inUseByNode(UInt16)
        /// Nobody does.
        case free(UInt16)
        /// Another program does.
        case taken(UInt16)
        /// The system refuses it, with its words.
        case refused(UInt16, reason: String)
        case notTried(reason: String)
    }

    /// Whether a linked peer could dial this node.
    public enum DialBack: Hashable, Sendable {
        case notAsked(reason: String)
        case reached(port: UInt16)
        case unreachable(port: UInt16)
    }

    /// The firewall that is installed here; its rules cannot be read without root.
    public enum Firewall: Hashable, Sendable {
        case ufw
        case firewalld
        case unknown
    }

    private let daemon: @Sendable () async -> Daemon
    private let interfaces: @Sendable () -> [NetworkInterface]
    private let leftOut: InterfacePatterns
    private let port: @Sendable () async -> Port
    private let skewMilliseconds: @Sendable () async -> Int?
    private let dialBack: @Sendable () async -> DialBack
    private let firewall: @Sendable () -> Firewall

    /// - Parameters:
    ///   - leftOut: the interfaces that discovery leaves out.
    ///   - skewMilliseconds: how far this clock is ahead of the linked peers', nil with no link.
    ///   - dialBack: what a linked peer said that was asked to dial this node.
    public init(
        daemon: @escaping @Sendable () async -> Daemon = DoctorProbes.daemon,
        interfaces: @escaping @Sendable () -> [NetworkInterface] = NetworkInterface.all,
        leavingOut leftOut: InterfacePatterns = .usual,
        port: @escaping @Sendable () async -> Port,
        skewMilliseconds: @escaping @Sendable () async -> Int?,
        dialBack: @escaping @Sendable () async -> DialBack,
        firewall: @escaping @Sendable () -> Firewall = DoctorProbes.firewall
    ) {
        self.daemon = daemon
        self.interfaces = interfaces
        self.leftOut = leftOut
        self.port = port
        self.skewMilliseconds = skewMilliseconds
        self.dialBack = dialBack
        self.firewall = firewall
    }

    /// Looks at everything, in the order of ``Diagnosis/Check/Cause``.
    public func examine() async -> Diagnosis {
        let daemon = await daemon()
        return Diagnosis(checks: [
            Self.bus(daemon), Self.daemon(daemon), interface(), Self.port(await port()),
            Self.clock(skewMilliseconds: await skewMilliseconds()),
            Self.dialBack(await dialBack(), firewall()),
        ])
    }

    private static func bus(_ daemon: Daemon) -> Diagnosis.Check {
        guard daemon == .noBus else { return .ok(.bus, "The system bus answers.") }
        return .failed(
            .bus, "The system bus does not answer, so the Avahi daemon cannot be spoken to.",
            fix: Diagnosis.Fix(
                "Start the message bus of the system.", command: "sudo systemctl start dbus"))
    }

    private static func daemon(_ daemon: Daemon) -> Diagnosis.Check {
        switch daemon {
        case .running: .ok(.daemon, "The Avahi daemon answers.")
        case .noBus: .skipped(.daemon, because: "The Avahi daemon is reached over the system bus.")
        case .noDaemon:
            .failed(
                .daemon, "No Avahi daemon is running, so nobody nearby can be found.",
                fix: Diagnosis.Fix(
                    "Install and start the Avahi daemon.",
                    command: "sudo apt-get install avahi-daemon && "
                        + "sudo systemctl enable --now avahi-daemon"))
        case .failed(let reason):
            .failed(
                .daemon, "The Avahi daemon refuses to serve: \(reason).",
                fix: Diagnosis.Fix(
                    "Restart the Avahi daemon and read what it says.",
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
        let reasons = interfaces.map { "\($0.name) \(whyUnusable($0))" }
        let list = reasons.isEmpty ? "there is none" : reasons.joined(separator: ", ")
        let silent = interfaces.first {
            $0.isUp && !$0.hasMulticast && !$0.isLoopback && !leftOut.leaveOut($0.name)
        }
        return .failed(
            .interface, "No network interface can be used: \(list).",
            fix: Diagnosis.Fix(
                "Connect to the network on which the others are, with multicast switched on.",
                command: silent.map { "sudo ip link set \($0.name) multicast on" } ?? "ip address"))
    }

    private func whyUnusable(_ interface: NetworkInterface) -> String {
        if leftOut.leaveOut(interface.name) { return "is left out" }
        if !interface.isUp { return "is down" }
        return interface.addressCount == 0 ? "has no address" : "has no multicast"
    }

    private static func port(_ port: Port) -> Diagnosis.Check {
        switch port {
        case .inUseByNode(let number): .ok(.port, "The node waits for links on port \(number).")
        case .free(let number): .ok(.port, "Port \(number) is free for the node.")
        case .taken(let number):
            .failed(
                .port, "Port \(number) is taken by another program.",
                fix: Diagnosis.Fix(
                    "End the program that has the port, or give the node another port.",
                    command: "sudo ss -ltnp 'sport = :\(number)'"))
        case .refused(let number, let reason):
            .failed(
                .port, "The system refuses port \(number): \(reason).",
                fix: Diagnosis.Fix("Give the node another port, above 1023."))
        case .notTried(let reason): .skipped(.port, because: reason)
        }
    }

    private static func clock(skewMilliseconds: Int?) -> Diagnosis.Check {
        guard let skewMilliseconds else {
            return .skipped(.clock, because: "No peer is linked whose clock could be compared.")
        }
        let distance = skewMilliseconds.magnitude
        guard distance > UInt(skewMillisecondsMax) else {
            return .ok(.clock, "The clock agrees with the peers' to \(distance) ms.")
        }
        let side = skewMilliseconds > 0 ? "ahead of" : "behind"
        return .failed(
            .clock, "The clock is \(distance / 1000) s \(side) the peers'.",
            fix: Diagnosis.Fix(
                "Let the clock be set by the network.", command: "sudo timedatectl set-ntp true"))
    }

    private static func dialBack(_ dialBack: DialBack, _ firewall: Firewall) -> Diagnosis.Check {
        switch dialBack {
        case .notAsked(let reason): .skipped(.dialBack, because: reason)
        case .reached(let port): .ok(.dialBack, "A peer could dial this node on port \(port).")
        case .unreachable(let port):
            .failed(
                .dialBack,
                "A peer could not dial this node on port \(port); a firewall may be the cause.",
                fix: fix(firewall, port))
        }
    }

    private static func fix(_ firewall: Firewall, _ port: UInt16) -> Diagnosis.Fix {
        switch firewall {
        case .ufw:
            Diagnosis.Fix(
                "Let the firewall ufw pass links and the announcements of others.",
                command: "sudo ufw allow \(port)/tcp && sudo ufw allow 5353/udp")
        case .firewalld:
            Diagnosis.Fix(
                "Let the firewall firewalld pass links and the announcements of others.",
                command: "sudo firewall-cmd --add-port=\(port)/tcp --add-service=mdns")
        case .unknown:
            Diagnosis.Fix(
                "Let the firewall of this host pass TCP port \(port) and UDP port 5353; "
                    + "this command shows its rules.",
                command: "sudo nft list ruleset")
        }
    }
}
