import Links
import PluginKit
import Records
import Sync
import Testing

@testable import Node

/// The last ends of links.
struct LinkEndsTests {
    private let ben = Peer(
        device: DeviceIDs.one, person: PersonID(raw: Digest.header.hash([1])))

    private func trouble(_ fault: LinkFault = .silent) throws -> ConnectionTrouble {
        try #require(ConnectionTrouble(fault))
    }

    private func hasChanged(_ ends: inout LinkEnds, _ second: Int) -> Bool {
        ends.hasChanged(now: .seconds(second))
    }

    @Test func `three ends within a minute are trouble, with the reason of the last`() throws {
        var ends = LinkEnds()
        try ends.record(trouble(), of: ben, at: "a", isKnown: true, now: .zero)
        try ends.record(trouble(), of: ben, at: nil, isKnown: true, now: .seconds(20))
        #expect(ends.trouble(with: ben.device, now: .seconds(20)) == nil)
        #expect(!hasChanged(&ends, 20))
        let last = try trouble(.connectionLost("reset"))
        ends.record(last, of: ben, at: nil, isKnown: true, now: .seconds(40))
        #expect(ends.trouble(with: ben.device, now: .seconds(60)) == last)
        #expect(ends.trouble(at: "a", now: .seconds(60)) == last)
        #expect(ends.troubled(now: .seconds(60)).map(\.peer) == [ben])
        #expect(hasChanged(&ends, 60))
        #expect(!hasChanged(&ends, 60))
        #expect(ends.trouble(with: ben.device, now: .seconds(61)) == nil)
        #expect(hasChanged(&ends, 61))
    }

    @Test func `three ends in more than a minute are no trouble`() throws {
        var ends = LinkEnds()
        for second in [0, 31, 62] {
            try ends.record(trouble(), of: ben, at: nil, isKnown: true, now: .seconds(second))
        }
        #expect(ends.trouble(with: ben.device, now: .seconds(62)) == nil)
    }

    @Test func `the devices whose links ended last are remembered, up to the limit`() throws {
        var ends = LinkEnds()
        for number in 0...LinkEnds.devicesMax {
            let device = DeviceID(raw: Digest.header.hash([UInt8(number)]))
            let peer = Peer(device: device, person: ben.person)
            for _ in 0..<3 {
                try ends.record(
                    trouble(), of: peer, at: nil, isKnown: true, now: .milliseconds(number))
            }
        }
        let now = Duration.milliseconds(LinkEnds.devicesMax)
        let troubled = ends.troubled(now: now).map(\.peer.device)
        #expect(!troubled.contains(DeviceID(raw: Digest.header.hash([0]))))
        #expect(troubled.contains(DeviceID(raw: Digest.header.hash([5]))))
        #expect(troubled.count <= LinkEnds.devicesMax)
    }

    @Test func `devices of strangers never replace those of mates`() throws {
        var ends = LinkEnds()
        for _ in 0..<LinkEnds.countMin {
            try ends.record(trouble(), of: ben, at: nil, isKnown: true, now: .zero)
        }
        for number in 0..<3 * LinkEnds.devicesMax {
            let device = DeviceID(raw: Digest.header.hash([UInt8(number), 1]))
            let stranger = Peer(device: device, person: ben.person)
            try ends.record(
                trouble(), of: stranger, at: nil, isKnown: false, now: .milliseconds(number + 1))
        }
        #expect(ends.trouble(with: ben.device, now: .seconds(1)) != nil)
    }

    @Test func `a mate's device replaces a stranger's that ended later`() throws {
        var ends = LinkEnds()
        for number in 0..<LinkEnds.devicesMax {
            let device = DeviceID(raw: Digest.header.hash([UInt8(number), 1]))
            let stranger = Peer(device: device, person: ben.person)
            try ends.record(
                trouble(), of: stranger, at: nil, isKnown: false, now: .milliseconds(number))
        }
        for _ in 0..<LinkEnds.countMin {
            try ends.record(trouble(), of: ben, at: nil, isKnown: true, now: .zero)
        }
        #expect(ends.trouble(with: ben.device, now: .milliseconds(100)) != nil)
    }

    @Test func `an orderly end and this side's own decision are no trouble`() {
        for fault in [LinkFault.replaced, .refused, .cancelled] {
            #expect(ConnectionTrouble(fault) == nil)
        }
        #expect(ConnectionTrouble(ByeReason.replaced) == nil)
        #expect(ConnectionTrouble(SyncFault.notWelcome) == nil)
        #expect(ConnectionTrouble(ByeReason.tooMany)?.kind == .busy)
        #expect(ConnectionTrouble(SyncFault.notItsDevice)?.kind == .incompatible)
    }
}
