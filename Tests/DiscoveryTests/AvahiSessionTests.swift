@testable import Discovery
import Testing

struct AvahiSessionTests {
    private var session = AvahiSession(announcing: .sample(1), leavingOut: .usual)
    private let eth0 = NetworkInterface.sample("eth0", index: 2)
    private let wlan0 = NetworkInterface.sample("wlan0", index: 3)
    private let name = "waggle-0000000000000001"

    private func announce(
        _ announcement: Announcement = .sample(1), as name: String, on index: UInt32
    ) -> AvahiAction {
        .announce(announcement, instance: name, interface: index)
    }

    private mutating func makeReady(on interfaces: [NetworkInterface]) -> [AvahiAction] {
        #expect(session.tick(now: .zero, interfaces: interfaces) == [.connect])
        return session.receive(.daemonReady, now: .zero)
    }

    @Test mutating func `it connects, browses and announces`() {
        #expect(session.state == .starting)
        #expect(makeReady(on: [eth0]) == [.browse, announce(as: name, on: 2)])
        #expect(session.state == .starting)
        _ = session.receive(.announced(interface: 2, instance: name), now: .zero)
        #expect(session.state == .announcing(instance: name))
    }

    @Test mutating func `without a bus it reports this and retries with growing pauses`() {
        var now = Duration.zero
        var pauses: [Duration] = []
        for _ in 0..<10 {
            #expect(session.tick(now: now, interfaces: [eth0]) == [.connect])
            #expect(session.receive(.daemonLost(.noBus), now: now) == [.disconnect])
            #expect(session.state == .noBus)
            let next = session.nextConnection
            #expect(session.tick(now: next - .nanoseconds(1), interfaces: [eth0]) == [])
            pauses.append(next - now)
            now = next
        }
        #expect(pauses.first == AvahiSession.pauseFirst)
        #expect(pauses.last == AvahiSession.pauseMax)
    }

    @Test mutating func `without a daemon it waits, and announces when one appears`() {
        _ = session.tick(now: .zero, interfaces: [eth0])
        _ = session.receive(.waitingForDaemon, now: .zero)
        #expect(session.state == .noDaemon)
        #expect(session.nextConnection == .seconds(Int64.max))
        let actions = session.receive(.daemonReady, now: .seconds(9))
        #expect(actions == [.browse, announce(as: name, on: 2)])
    }

    @Test mutating func `if the daemon ends, all sightings end and the session waits for it`() {
        _ = makeReady(on: [eth0])
        let key = ServiceKey.sample("other")
        #expect(session.receive(.found(key), now: .zero) == [.ask(key)])
        let shown = session.receive(.answered(key, .sample(2)), now: .zero)
        guard case .show(let sighting?, "other") = shown.first else {
            Issue.record("an answer is reported")
            return
        }
        #expect(sighting.announcement == .sample(2))
        let actions = session.receive(.daemonLost(.noDaemon), now: .zero)
        #expect(actions == [.disconnect, .show(nil, instance: "other")])
        #expect(session.state == .noDaemon)
        #expect(session.tick(now: AvahiSession.pauseFirst, interfaces: [eth0]) == [.connect])
        let again = session.receive(.daemonReady, now: AvahiSession.pauseFirst)
        #expect(again == [.browse, announce(as: name, on: 2)])
    }

    @Test mutating func `while the daemon renames the host nothing is announced`() {
        _ = makeReady(on: [eth0])
        #expect(session.receive(.daemonBusy, now: .zero) == [.withdraw(interface: 2)])
        #expect(session.state == .starting)
        #expect(session.receive(.daemonReady, now: .zero) == [announce(as: name, on: 2)])
    }

    @Test mutating func `a name in use gets a number on every interface, once`() {
        _ = makeReady(on: [eth0, wlan0])
        let refusal = { (index: UInt32, name: String) in
            AvahiSignal.announcementRefused(interface: index, instance: name, .nameTaken)
        }
        let actions = session.receive(refusal(2, name), now: .zero)
        let next = name + "-2"
        #expect(
            actions == [
                .withdraw(interface: 2), .withdraw(interface: 3),
                announce(as: next, on: 2), announce(as: next, on: 3),
            ])
        #expect(session.receive(refusal(3, name), now: .zero) == [])
        _ = session.receive(.announced(interface: 3, instance: next), now: .zero)
        #expect(session.state == .renamed(instance: next))
    }

    @Test mutating func `it pauses when all tried names are in use`() {
        _ = makeReady(on: [eth0])
        var names = [name] + (2...AvahiSession.namesMax).map { "\(name)-\($0)" }
        let last = names.removeLast()
        for taken in names {
            let actions = session.receive(
                .announcementRefused(interface: 2, instance: taken, .nameTaken), now: .zero)
            #expect(actions.count == 2)
        }
        let actions = session.receive(
            .announcementRefused(interface: 2, instance: last, .nameTaken), now: .zero)
        #expect(actions == [.withdraw(interface: 2)])
        #expect(session.state == .failed(reason: "all names that were tried are in use"))
        let soon = AvahiSession.refusedPause - .nanoseconds(1)
        #expect(session.tick(now: soon, interfaces: [eth0]) == [])
        let later = session.tick(now: AvahiSession.refusedPause, interfaces: [eth0])
        #expect(later == [announce(as: "\(name)-9", on: 2)])
    }

    @Test mutating func `a refusal is reported with the daemon's text`() {
        _ = makeReady(on: [eth0])
        let fault = AvahiFault.refused("Too many objects")
        _ = session.receive(
            .announcementRefused(interface: 2, instance: name, fault), now: .zero)
        #expect(session.state == .failed(reason: "Too many objects"))
    }

    @Test mutating func `changed flags change the text and keep the announcement`() {
        _ = makeReady(on: [eth0])
        let open = Announcement.sample(1, dropOpen: true)
        let actions = session.update(open, now: .zero)
        #expect(actions == [.updateText(open, instance: name, interface: 2)])
        #expect(session.update(open, now: .zero) == [])
    }

    @Test mutating func `a changed tag or port is announced again`() {
        _ = makeReady(on: [eth0])
        let hourly = Announcement.sample(2)
        #expect(
            session.update(hourly, now: .zero) == [
                .withdraw(interface: 2),
                announce(hourly, as: "waggle-0000000000000002", on: 2),
            ])
        let moved = Announcement.sample(2, port: 9)
        #expect(
            session.update(moved, now: .zero) == [
                .withdraw(interface: 2),
                announce(moved, as: "waggle-0000000000000002", on: 2),
            ])
    }

    @Test mutating func `an update before the daemon appears is announced`() {
        #expect(session.update(.sample(5), now: .zero) == [])
        let actions = makeReady(on: [eth0])
        #expect(actions.last == announce(.sample(5), as: "waggle-0000000000000005", on: 2))
    }

    @Test mutating func `announcements follow the interfaces`() {
        _ = makeReady(on: [])
        #expect(session.state == .noInterface)
        let came = session.tick(now: .zero, interfaces: [eth0, wlan0])
        #expect(came == [announce(as: name, on: 2), announce(as: name, on: 3)])
        #expect(session.tick(now: .zero, interfaces: [wlan0]) == [.withdraw(interface: 2)])
        #expect(session.tick(now: .zero, interfaces: [wlan0]) == [])
    }

    @Test mutating func `an excluded interface is neither announced on nor listened to`() {
        let docker = NetworkInterface.sample("docker0", index: 4)
        let down = NetworkInterface.sample("eth1", index: 5, isUp: false)
        let bare = NetworkInterface.sample("eth2", index: 6, addressCount: 0)
        let mute = NetworkInterface.sample("eth3", index: 7, hasMulticast: false)
        #expect(makeReady(on: [docker, down, bare, mute]) == [.browse])
        #expect(session.state == .noInterface)
        let key = ServiceKey.sample("other", interface: "docker0", index: 4)
        #expect(session.receive(.found(key), now: .zero) == [])
    }

    @Test mutating func `at most the limit of interfaces is used`() {
        let many = (1...UInt32(DiscoveryLimits.interfacesMax) + 1).map {
            NetworkInterface.sample("e\($0)", index: $0)
        }
        #expect(makeReady(on: many).count == DiscoveryLimits.interfacesMax + 1)
    }
}
