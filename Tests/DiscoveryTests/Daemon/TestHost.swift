import Discovery
import Foundation
import Glibc
import Logging

/// One host of a ``TestNetwork`` with its own bus and Avahi daemon. It is used in a separate
/// process, because a process has only one system bus. Its daemons outlive that process until the
/// network is removed: Avahi sends its goodbye some 100 ms after it was asked to.
final class TestHost {
    private let namespace: String
    private let directory: String
    private let name: String
    private var daemon: Process?

    struct Failed: Error {
        let reason: String
    }

    /// Creates a host.
    /// - Parameter number: the number of the host, 0 or 1.
    init(_ number: Int, of network: TestNetwork) throws {
        namespace = network.namespaces[number]
        directory = network.directory
        name = "host\(number)"
        // A host that hangs ends on its own, and its test fails.
        alarm(50)
        unsafe setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=\(busPath)", 1)
        try write(busConfiguration, to: "bus.conf")
        try write(daemonConfiguration, to: "daemon.conf")
    }

    private var busPath: String { "\(directory)/\(name).bus" }

    private func path(_ file: String) -> String { "\(directory)/\(name).\(file)" }

    private func write(_ text: String, to file: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(file)))
    }

    // MARK: - Daemons

    func startBus() throws {
        let output = Pipe()
        try start(
            "/usr/bin/dbus-daemon",
            ["--config-file=\(path("bus.conf"))", "--nofork", "--nopidfile", "--print-address"],
            output: output)
        // The bus prints its address when it answers.
        guard !output.fileHandleForReading.availableData.isEmpty else {
            throw Failed(reason: "the bus did not start")
        }
    }

    func startDaemon() throws {
        let options = "--no-drop-root --no-chroot --no-rlimits"
        // The daemon needs a private /run for its process id and its socket.
        let script =
            "mount -t tmpfs tmpfs /run && mkdir /run/avahi-daemon"
            + " && exec avahi-daemon \(options) -f \(path("daemon.conf"))"
        daemon = try start(
            "/usr/bin/env", ["ip", "netns", "exec", namespace, "unshare", "-m", "sh", "-c", script])
    }

    func stopDaemon() {
        end(daemon)
        daemon = nil
    }

    /// Announces a service with Avahi's own tool, as another program of this host does.
    func publish(instance: String, text: [String]) throws -> Process {
        try start("/usr/bin/avahi-publish", ["-s", instance, "_waggle._tcp", "9"] + text)
    }

    func end(_ process: Process?) {
        guard let process else { return }
        // A child may inherit a mask that blocks the weaker signals. The test does not wait for the
        // process here, but for the effect of its end.
        kill(process.processIdentifier, SIGKILL)
    }

    @discardableResult private func start(
        _ tool: String, _ arguments: [String], output: Pipe? = nil
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: tool)
        process.arguments = arguments
        if let output {
            process.standardOutput = output
        } else {
            process.standardOutput = FileHandle.nullDevice
        }
        process.standardError = FileHandle.nullDevice
        try process.run()
        let file = URL(fileURLWithPath: "\(directory)/\(process.processIdentifier).pid")
        try Data().write(to: file)
        return process
    }

    // MARK: - In the namespace

    /// Starts discovery on this host. Its thread inherits this thread's namespace.
    func start(_ discovery: AvahiDiscovery, announcing announcement: Announcement) throws {
        try enter()
        discovery.start(announcing: announcement)
    }

    /// Listens on a port of this host.
    func listen() throws -> TestListener {
        try enter()
        return try TestListener()
    }

    /// Whether a connection to an endpoint is accepted, as seen from this host.
    func canDial(_ endpoint: Endpoint) throws -> Bool {
        try enter()
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let (host, port) = (endpoint.host, String(endpoint.port))
        guard unsafe getaddrinfo(host, port, &hints, &found) == 0,
            let address = unsafe found?.pointee
        else { return false }
        defer { unsafe freeaddrinfo(found) }
        let descriptor = unsafe socket(address.ai_family, address.ai_socktype, 0)
        defer { close(descriptor) }
        return unsafe connect(descriptor, address.ai_addr, address.ai_addrlen) == 0
    }

    /// Moves the calling thread, and the threads it starts, into the namespace.
    private func enter() throws {
        typealias SetNamespace = @convention(c) (Int32, Int32) -> Int32
        let descriptor = unsafe open("/run/netns/\(namespace)", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        // Swift's overlay of the C library omits this function.
        guard let symbol = unsafe dlsym(nil, "setns"),
            unsafe unsafeBitCast(symbol, to: SetNamespace.self)(descriptor, 0) == 0
        else { throw Failed(reason: "the namespace cannot be entered") }
    }

    // MARK: - Configuration

    private var busConfiguration: String {
        """
        <busconfig>
          <type>system</type>
          <listen>unix:path=\(busPath)</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow user="*"/><allow own="*"/><allow send_destination="*"/>
            <allow receive_sender="*"/>
          </policy>
        </busconfig>
        """
    }

    private var daemonConfiguration: String {
        """
        [server]
        host-name=\(name)
        use-ipv4=yes
        use-ipv6=yes
        [wide-area]
        enable-wide-area=no
        [publish]
        publish-hinfo=no
        publish-workstation=no
        """
    }
}
