import Foundation
import Glibc

/// The doctor's probes of a real machine.
public enum DoctorProbes {
    /// Asks the bus and the Avahi daemon. The probe runs on a separate thread because the library's
    /// functions block.
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
        // The library reports the daemon's state from within `connect`, so there is no wait here.
        for signal in connection.wait(upTo: .zero) ?? [] {
            switch signal {
            case .daemonReady, .daemonBusy: return .running
            case .waitingForDaemon: return .noDaemon
            case .daemonLost(let fault): return daemon(behind: fault)
            default: continue
            }
        }
        return .failed(reason: "it does not report its state")
    }

    private static func daemon(behind fault: AvahiFault) -> Doctor.Daemon {
        switch fault {
        case .noBus: .noBus
        case .noDaemon: .noDaemon
        case .nameTaken: .failed(reason: "the name is taken")
        case .refused(let reason): .failed(reason: reason)
        }
    }

    /// Checks whether a TCP port can be bound on all addresses. Port 0 means any port and is free.
    public static func port(_ number: UInt16) -> Doctor.Port {
        var (six, four) = (sockaddr_in6(), sockaddr_in())
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = number.bigEndian
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = number.bigEndian
        // A host without IPv6 has no such sockets; then the IPv4 socket decides.
        return tryBinding(&six, AF_INET6, number) ?? tryBinding(&four, AF_INET, number)
            ?? .refused(number, reason: lastReason())
    }

    /// Tries to bind a socket.
    /// - Returns: nil if the system has no sockets of this family.
    private static func tryBinding<Address>(
        _ address: inout Address, _ family: Int32, _ number: UInt16
    ) -> Doctor.Port? {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var yes: Int32 = 1
        // Connections that ended recently keep a port for a minute although no program listens
        // there.
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

    /// Returns the firewall whose tool is installed.
    public static func firewall() -> Doctor.Firewall {
        if isInstalled("ufw") { return .ufw }
        return isInstalled("firewall-cmd") ? .firewalld : .unknown
    }

    private static func isInstalled(_ tool: String) -> Bool {
        ["/usr/sbin", "/usr/bin"].contains { unsafe access("\($0)/\(tool)", X_OK) == 0 }
    }
}
