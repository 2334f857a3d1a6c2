import Discovery
import Foundation
import Localization
import Testing

struct DoctorTests {
    private func examine(
        daemon: Doctor.Daemon = .running,
        interfaces: [NetworkInterface] = [.sample("eth0", index: 2)],
        port: Doctor.Port = .inUseByNode(4711),
        clocks: Doctor.Clocks? = Doctor.Clocks(ahead: .zero, correction: .zero),
        dialBack: Doctor.DialBack = .reached(port: 4711), firewall: Doctor.Firewall = .unknown
    ) async -> Diagnosis {
        await Doctor(
            daemon: { daemon }, interfaces: { interfaces }, port: { port },
            clocks: { clocks }, dialBack: { dialBack },
            firewall: { firewall }
        ).examine()
    }

    @Test func `if nothing is wrong, every check passes, in order`() async {
        let diagnosis = await examine()
        #expect(diagnosis.checks.map(\.id) == Diagnosis.Check.Cause.allCases)
        #expect(diagnosis.checks.allSatisfy { $0.state == .ok && $0.fix == nil })
        #expect(diagnosis.firstFailure == nil)
    }

    @Test func `a missing bus is reported before a missing daemon`() async {
        let diagnosis = await examine(daemon: .noBus, interfaces: [])
        #expect(diagnosis.firstFailure?.id == .bus)
        #expect(diagnosis.firstFailure?.fix?.command == "sudo systemctl start dbus")
        #expect(diagnosis.checks[1].state == .skipped)
        #expect(diagnosis.checks[2].state == .failed)
    }

    @Test func `the remedy for a missing daemon is to install it`() async {
        let failure = await examine(daemon: .noDaemon).firstFailure
        #expect(failure?.id == .daemon)
        #expect(failure?.fix?.command?.contains("install avahi-daemon") == true)
    }

    @Test func `a daemon that refuses is quoted`() async {
        let failure = await examine(daemon: .failed(reason: "Too many clients")).firstFailure
        #expect(failure?.finding.english.contains("Too many clients") == true)
    }

    @Test func `every unusable interface is listed with the reason`() async {
        let interfaces: [NetworkInterface] = [
            .sample("docker0", index: 1), .sample("eth0", index: 2, isUp: false),
            .sample("eth1", index: 3, addressCount: 0),
            .sample("eth2", index: 4, hasMulticast: false),
        ]
        let failure = await examine(interfaces: interfaces).firstFailure
        #expect(
            failure?.finding.english
                == "No network interface can be used: docker0 is left out, eth0 is down, "
                + "eth1 has no address, eth2 has no multicast.")
        #expect(failure?.fix?.command == "sudo ip link set eth2 multicast on")
    }

    @Test func `for a port in use the remedy shows its program`() async {
        let failure = await examine(port: .taken(4711)).firstFailure
        #expect(failure?.id == .port)
        #expect(failure?.fix?.command == "sudo ss -ltnp 'sport = :4711'")
    }

    @Test func `an unset port is skipped with a reason`() async {
        let diagnosis = await examine(port: .notTried(reason: "The node takes any port."))
        #expect(diagnosis.firstFailure == nil)
        #expect(diagnosis.checks[3].state == .skipped)
        #expect(diagnosis.checks[3].finding.english == "The node takes any port.")
    }

    @Test(arguments: [
        (Duration.seconds(2), "agrees with the mates' clocks to 2000 ms"),
        (.seconds(-2), "agrees with the mates' clocks to 2000 ms"),
        (.zero, "agrees with the mates' clocks to 0 ms"),
    ])
    func `a clock within two seconds passes`(ahead: Duration, text: String) async {
        let check = await clockCheck(ahead: ahead)
        #expect(check.state == .ok)
        #expect(check.finding.english.contains(text), "\(check.finding)")
    }

    @Test(arguments: [
        (Duration.milliseconds(2001), "2 s ahead of"), (.milliseconds(-2001), "2 s behind"),
        (.seconds(-60), "60 s behind"), (.seconds(-(1 << 47)), "s behind"),
    ])
    func `a larger clock difference is a failure`(ahead: Duration, text: String) async {
        let check = await clockCheck(ahead: ahead)
        #expect(check.state == .failed)
        #expect(check.finding.english.contains(text), "\(check.finding)")
    }

    @Test(arguments: [
        (Duration.seconds(30), "by 30 s."), (.seconds(-30), "by -30 s."),
        (.milliseconds(-800), "by -800 ms."),
    ])
    func `the correction of the clock is shown beside the difference`(
        correction: Duration, text: String
    ) async {
        for ahead in [Duration.zero, .seconds(90)] {
            let check = await clockCheck(ahead: ahead, correction: correction)
            #expect(check.finding.english.hasSuffix(text), "\(check.finding)")
        }
    }

    private func clockCheck(
        ahead: Duration, correction: Duration = .zero
    ) async -> Diagnosis.Check {
        let clocks = Doctor.Clocks(ahead: ahead, correction: correction)
        return await examine(clocks: clocks).checks[4]
    }

    @Test func `with no link the clock and the dial back are skipped with a reason`() async {
        let diagnosis = await examine(
            clocks: nil, dialBack: .notAsked(reason: "No peer is linked."))
        #expect(diagnosis.firstFailure == nil)
        #expect(diagnosis.checks[4].state == .skipped)
        #expect(diagnosis.checks[5].finding.english == "No peer is linked.")
    }

    @Test(arguments: [
        (Doctor.Firewall.ufw, "ufw allow 4711/tcp"),
        (.firewalld, "firewall-cmd --add-port=4711/tcp"), (.unknown, "nft list ruleset"),
    ])
    func `if a peer cannot dial back, the remedy is the firewall`(
        firewall: Doctor.Firewall, command: String
    ) async {
        let failure = await examine(
            dialBack: .unreachable(port: 4711), firewall: firewall
        ).firstFailure
        #expect(failure?.id == .dialBack)
        #expect(failure?.finding.english.contains("firewall") == true)
        #expect(failure?.fix?.command?.contains(command) == true)
    }

    @Test func `a diagnosis survives JSON and omits absent values`() async throws {
        let diagnosis = await examine(port: .taken(1))
        let json = try JSONEncoder().encode(diagnosis)
        #expect(try JSONDecoder().decode(Diagnosis.self, from: json) == diagnosis)
        let text = String(decoding: json, as: UTF8.self)
        #expect(text.contains(#""state":"failed""#))
        #expect(!text.contains("null"))
    }
}

struct DoctorProbesTests {
    @Test func `a port with a listener is in use and is free afterwards`() async throws {
        let listener = try TestListener()
        #expect(DoctorProbes.port(listener.port) == .taken(listener.port))
        listener.end()
        // A process that another test was starting has the socket until its program begins.
        for _ in 0..<100 where DoctorProbes.port(listener.port) != .free(listener.port) {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(DoctorProbes.port(listener.port) == .free(listener.port))
    }

    @Test func `this host has a loopback, which is not used by default`() throws {
        let loopback = try #require(NetworkInterface.all().first { $0.isLoopback })
        #expect(loopback.name == "lo")
        #expect(!loopback.isUsable(leavingOut: .usual))
        if loopback.isUp { #expect(loopback.isUsable(leavingOut: InterfacePatterns([]))) }
    }
}
