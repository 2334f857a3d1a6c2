import Discovery
import Links
import PluginHost
import PluginKit
import Records
import Testing

@testable import Node

/// A node's view of the LAN.
struct LANViewTests {
    private let key = [UInt8](repeating: 7, count: 16)
    private let hour = Timestamp(milliseconds: 480_000 * 3_600_000)

    private func sighting(_ instance: String, tag: [UInt8]?) throws -> Sighting {
        let announcement = try tag.flatMap {
            Announcement(
                tag: try #require(DeviceTag($0)), port: 4711, fields: AnnouncedFields())
        }
        return Sighting(
            instance: instance, announcement: announcement,
            endpoints: [try #require(Endpoint("192.0.2.1:4711"))])
    }

    private func view() -> LANView {
        var view = LANView()
        view.tags.beginHour(at: hour)
        return view
    }

    @Test func `a mate's tag names the device to expect`() throws {
        var view = view()
        let tag = view.tags.own(key: key, device: DeviceIDs.one)
        view.tags.setMates([(key, DeviceIDs.one)])
        let target = try #require(view.target(of: try sighting("a", tag: tag)) { _ in false })
        #expect(target.expecting == DeviceIDs.one && !target.isManual)
        let other = try #require(
            view.target(of: try sighting("b", tag: [UInt8](repeating: 0, count: 8))) { _ in true })
        #expect(other.expecting == nil && other.isSought)
    }

    @Test func `a blocked person's tag is no target`() throws {
        var view = view()
        let tag = view.tags.own(key: key, device: DeviceIDs.one)
        view.tags.setBlocked([(key, DeviceIDs.one)])
        #expect(view.target(of: try sighting("a", tag: tag)) { _ in false } == nil)
    }

    @Test func `an address that was entered is a target by hand`() throws {
        let target = view().target(of: try sighting("192.0.2.1:4711", tag: nil)) { _ in true }
        #expect(target?.isManual == true)
        #expect(target?.isSought == false)
    }

    @Test func `the side with the higher tag waits`() throws {
        var view = view()
        let low = try sighting("low", tag: [UInt8](repeating: 1, count: 8))
        let high = try sighting("high", tag: [UInt8](repeating: 3, count: 8))
        #expect(view.dialDelay(of: low) == .zero)
        view.ownAnnouncement = try sighting(
            "own", tag: [UInt8](repeating: 2, count: 8)
        ).announcement
        #expect(view.dialDelay(of: low) > .zero)
        #expect(view.dialDelay(of: high) == .zero)
    }

    @Test func `a sighting that changes keeps its beginning, and one that ends is gone`() throws {
        var view = view()
        let first = try sighting("a", tag: [UInt8](repeating: 1, count: 8))
        view.record(first, at: hour)
        view.record(
            try sighting("a", tag: [UInt8](repeating: 2, count: 8)), at: hour + .seconds(9))
        let nobody = PersonID(raw: Digest.header.hash([1]))
        #expect(view.nearbyDevices([], besides: nobody, now: .zero).map(\.since) == [hour])
        view.remove("a")
        #expect(view.nearbyDevices([], besides: nobody, now: .zero).isEmpty)
        view.record(first, at: hour + .seconds(20))
        let again = view.nearbyDevices([], besides: nobody, now: .zero)
        #expect(again.map(\.since) == [hour + .seconds(20)])
    }

    @Test func `a linked device is listed once, with the link's fields`() throws {
        var view = view()
        view.record(try sighting("a", tag: [UInt8](repeating: 1, count: 8)), at: hour)
        var active = try ActiveLink.silent(id: 1, targetKey: "a")
        var fields = AnnouncedFields()
        fields.insert("n", Array("Ana".utf8))
        active.announced = fields
        let nobody = PersonID(raw: Digest.header.hash([1]))
        let devices = view.nearbyDevices([active], besides: nobody, now: .zero)
        #expect(devices.map(\.device) == [active.peer.device])
        #expect(devices.first?.fields == fields)
        #expect(view.nearbyDevices([active], besides: active.peer.person, now: .zero).count == 1)
        #expect(view.targetKey(of: active) == "a")
    }

    @Test func `a person who is only announced has a tag, and a mate is named by it`() throws {
        var view = view()
        let nobody = PersonID(raw: Digest.header.hash([1]))
        let mate = PersonID(raw: Digest.header.hash([2]))
        let tag = view.tags.own(key: key, device: DeviceIDs.one)
        view.tags.setMates([(key, DeviceIDs.one)])
        view.owners = [DeviceIDs.one: mate]
        view.record(try sighting("a", tag: tag), at: hour)
        view.record(try sighting("b", tag: [UInt8](repeating: 1, count: 8)), at: hour)
        let failure = ConnectionTrouble(.unreachable, cause: "No answer.", fix: "Wait.")
        let devices = view.nearbyDevices(
            [], besides: nobody, now: .zero, failure: { $0 == "b" ? failure : nil })
        #expect(Set(devices.map(\.person)) == [mate, nil])
        let stranger = try #require(devices.first { $0.person == nil })
        #expect(stranger.device == nil && stranger.tag?.string == "0101010101010101")
        #expect(stranger.trouble == failure)
        let announced = try #require(stranger.tag)
        #expect(view.targetKey(announcing: announced) == "b")
        view.remove("b")
        #expect(view.targetKey(announcing: announced) == nil)
    }

    @Test func `a blocked person who is only announced is not listed, and is no target`() throws {
        var view = view()
        let nobody = PersonID(raw: Digest.header.hash([1]))
        let tag = view.tags.own(key: key, device: DeviceIDs.one)
        view.record(try sighting("a", tag: tag), at: hour)
        let devices = view.nearbyDevices([], besides: nobody, now: .zero)
        let announced = try #require(devices.first?.tag)
        view.tags.setBlocked([(key, DeviceIDs.one)])
        #expect(view.nearbyDevices([], besides: nobody, now: .zero).isEmpty)
        #expect(view.targetKey(announcing: announced) == nil)
    }

    @Test(arguments: [true, false])
    func `a known person whose links keep ending stays listed, and a stranger does not`(
        isKnown: Bool
    ) throws {
        var view = view()
        let nobody = PersonID(raw: Digest.header.hash([1]))
        let peer = Peer(device: DeviceIDs.two, person: PersonID(raw: Digest.header.hash([2])))
        let trouble = try #require(ConnectionTrouble(LinkFault.silent))
        for second in 0..<3 {
            view.ends.record(trouble, of: peer, at: nil, isKnown: isKnown, now: .seconds(second))
        }
        let devices = view.nearbyDevices(
            [], besides: nobody, now: .seconds(3), isKnown: { _ in isKnown })
        #expect(devices.map(\.device) == (isKnown ? [peer.device] : []))
        #expect(devices.map(\.trouble) == (isKnown ? [trouble] : []))
        #expect(view.nearbyDevices([], besides: nobody, now: .seconds(61)).isEmpty)
    }

    @Test func `the reason for being alone is due after ten seconds without anybody`() throws {
        var view = view()
        func look(_ isAnybodyLinked: Bool, at seconds: Int) -> Bool {
            view.lookForAnybody(isAnybodyLinked: isAnybodyLinked, now: .seconds(seconds))
        }
        #expect(
            [look(true, at: 0), look(false, at: 1), look(false, at: 11)] == [false, false, true])
        #expect(view.isLongAlone(now: .seconds(11)))
        view.record(try sighting("a", tag: [UInt8](repeating: 1, count: 8)), at: hour)
        #expect(!look(false, at: 12))
        #expect(!view.isLongAlone(now: .seconds(12)))
    }

    @Test func `an hour begins once`() {
        var tags = KnownTags()
        let begun = [0, 3599, 3600].map { tags.beginHour(at: hour + .seconds($0)) }
        #expect(begun == [true, false, true])
    }
}
