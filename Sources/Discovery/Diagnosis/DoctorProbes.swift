import Foundation
import Glibc

/// What the doctor looks at on a real machine.
public enum DoctorProbes {
    /// Asks the bus and the Avahi daemon. The library waits inside of its functions, hence the
    /// thread.
    public static func daemon() async -> Doctor.Daemon {
        await withCheckedContinuation { answer in
            Thread.detachNewThread { answer.resume(returning: askDaemon()) }
        }
    }

    private static func askDaemon() -> Doctor.Daemon {
        guard let mailbox = AvahiMailbox(),
            let connection = AvahiConnection(wakeDescriptor: mailbox.wakeDescriptor)
        else { return .failed(reason: "this process has too many files open") }
        do {
            try connection.connect()
        } catch {
            return daemon(behind: error)
        }
        // The state of the daemon is told from within connect, so nothing is waited for here.
        for signal in connection.wait(upTo: .zero) ?? [] {
            switch signal {
            case .daemonReady, .daemonBusy: return .running
            case .waitingForDaemon: return .noDaemon
            case .daemonLost(let fault): return daemon(behind: fault)
            default: continue
            }
        }
        return .failed(reason: "it does not say how it is")
    }

    private static func daemon(behind fault: AvahiFault) -> Doctor.Daemon {
        switch fault {
        case .noBus: .noBus
        case .noDaemon: .noDaemon
        case .nameTaken: .failed(reason: "the name is taken")
        case .refused(let reason): .failed(reason: reason)
        }
    }

    /// Tries whether a TCP port could be bound on all addresses; 0 stands for any and is free.
    public static func port(_ number: UInt16) -> Doctor.Port {
        var (six, four) = (sockaddr_in6(), sockaddr_in())
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = number.bigEndian
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = number.bigEndian
        // A host without IPv6 has no such sockets; there the IPv4 one decides.
        return tryBinding(&six, AF_INET6, number) ?? tryBinding(&four, AF_INET, number)
            ?? .refused(number, reason: lastReason())
    }

    /// - Returns: nil where the system has no sockets of this family.
    private static func tryBinding<Address>(
        _ address: inout Address, _ family: Int32, _ number: UInt16
    ) -> Doctor.Port? {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var yes: Int32 = 1
        // Links that just ended keep a port for a minute without anybody waiting there.
        _ = unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        if bound == 0 { return .free(number) }
        return errno == EADDRINUSE ? .taken(number) : .refused(number, reason: lastReason())
    }

    private static func lastReason() -> String {
        unsafe String(cString: strerror(errno))
    }

    /// The firewall whose tool is installed.
    public static func firewall() -> Doctor.Firewall {
        if isInstalled("ufw") { return .ufw }
        return isInstalled("firewall-cmd") ? .firewalld : .unknown
    }

    private static func isInstalled(_ tool: String) -> Bool {
        ["/usr/sbin", "/usr/bin"].contains { unsafe access("\($0)/\(tool)", X_OK) == 0 }
    }
}
