import ControlAPI
import Foundation
import Identity
import PluginKit
import Records
import Testing

@testable import Node

/// A home that continued under new keys very often.
struct FormerKeysTests {
    @Test func `a home can have as many keys as its record has room for, and says so before`()
        throws
    {
        let path = NSTemporaryDirectory() + "waggle-keys-" + UUID().uuidString.prefix(8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let home = Home(path)
        var generator = SystemRandomNumberGenerator()
        var (identity, _) = try NodeIdentity.create(in: home)
        // One entry of the record is the one by which the recovery key vouches for its person.
        let keysMax = Limits.personDevicesMax - 1
        #expect(identity.newKeysLeft == keysMax)
        for count in 1...keysMax {
            identity = try identity.continuedOnNewKey(in: home, known: nil, using: &generator)
            let left = keysMax - count
            #expect(identity.newKeysLeft == left)
            #expect(identity.newKeysWarning.english.isEmpty == (left > NodeIdentity.newKeysLeftFew))
            // A node that knows none of its keys accepts it.
            let claim = ClaimedPersonRecord(identity.person.showing(only: identity.key.id))
            let device = identity.key.id
            #expect(try claim.listingChecksCount(of: device, known: nil) == 1 + 2 * count)
            #expect(try claim.listing(of: device, known: nil)?.devices.contains(device) == true)
        }
        #expect(identity.newKeysWarning.english.hasPrefix(" This was the last time"))
        let last = identity.key.id
        #expect(throws: CommandFault.self) {
            try identity.continuedOnNewKey(in: home, known: nil, using: &generator)
        }
        // The home still works under its last key.
        #expect(try NodeIdentity.load(from: home).key.id == last)
    }

    @Test func `checks of long chains wait, and beyond a limit they are refused uncharged`() {
        var allowance = RecordAllowance()
        let count = 1 + 2 * Limits.personDevicesMax
        let cost = count + RecordAllowance.checksPerRecord
        let perSecond = RecordAllowance.checksPerSecondMax / cost
        let pauses = (0..<4 * perSecond + 9).map { _ in
            allowance.spend(count, uptime: .seconds(9), pauseMax: .seconds(3))
        }
        #expect(pauses.count { $0 == .zero } == perSecond)
        #expect(pauses.compactMap(\.self).count == 4 * perSecond)
        #expect(pauses.last == .some(nil))
        // A second later there is room again.
        let later = allowance.spend(count, uptime: .seconds(10), pauseMax: .seconds(3))
        #expect(later == .seconds(3))
    }
}
