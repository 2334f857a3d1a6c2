import Crypto
import Links
import Records
import Testing

@testable import PeerLink

@Suite struct LinkChoiceTests {
    private func boot(_ startCount: UInt64, _ name: UInt8 = 0) throws -> Boot {
        Boot(
            id: try #require(Bytes16([UInt8](repeating: name, count: 16))), startCount: startCount)
    }

    @Test func `a link of a newer boot replaces an older one, for either dialler`() throws {
        for old in [LinkClaim.End.lowerKey, .higherKey] {
            for new in [LinkClaim.End.lowerKey, .higherKey] {
                let older = LinkClaim(boot: try boot(4, 9), dialledBy: old)
                let newer = LinkClaim(boot: try boot(5, 1), dialledBy: new)
                #expect(LinkChoice(existing: older, new: newer) == .new)
                #expect(LinkChoice(existing: newer, new: older) == .existing)
            }
        }
    }

    @Test func `if both devices dial at once, the link of the lower key stays`() throws {
        let lower = LinkClaim(boot: try boot(4), dialledBy: .lowerKey)
        let higher = LinkClaim(boot: try boot(4), dialledBy: .higherKey)
        #expect(LinkChoice(existing: lower, new: higher) == .existing)
        #expect(LinkChoice(existing: higher, new: lower) == .new)
    }

    @Test func `a device that dials again has lost its link, so the later link stays`() throws {
        let claim = LinkClaim(boot: try boot(4), dialledBy: .higherKey)
        #expect(LinkChoice(existing: claim, new: claim) == .new)
    }

    @Test func `the later link stays if a start count is missing`() throws {
        for (first, second) in [(0, 0), (0, 4), (4, 0)] as [(UInt64, UInt64)] {
            let high = LinkClaim(boot: try boot(first, 9), dialledBy: .lowerKey)
            let low = LinkClaim(boot: try boot(second, 1), dialledBy: .higherKey)
            #expect(LinkChoice(existing: high, new: low) == .new)
            #expect(LinkChoice(existing: low, new: high) == .new)
        }
    }

    @Test func `a boot is the same before and after it sends its start count`() throws {
        let untold = LinkClaim(boot: try boot(0, 7), dialledBy: .lowerKey)
        let told = LinkClaim(boot: try boot(4, 7), dialledBy: .higherKey)
        #expect(LinkChoice(existing: untold, new: told) == .existing)
        #expect(LinkChoice(existing: told, new: untold) == .new)
        #expect(!untold.boot.isKnownOlder(than: told.boot))
    }

    @Test func `two boots with one counter are ordered by name`() throws {
        let left = LinkClaim(boot: try boot(4, 1), dialledBy: .lowerKey)
        let right = LinkClaim(boot: try boot(4, 2), dialledBy: .higherKey)
        #expect(LinkChoice(existing: left, new: right) == .new)
        #expect(LinkChoice(existing: right, new: left) == .existing)
    }

    @Test(arguments: 0..<200)
    func `the same link stays in either order of arrival`(seed: UInt64) throws {
        var generator = SplitMix(state: seed)
        func claim() throws -> LinkClaim {
            LinkClaim(
                boot: try boot(
                    .random(in: 1...3, using: &generator), .random(in: 0...1, using: &generator)),
                dialledBy: Bool.random(using: &generator) ? .lowerKey : .higherKey)
        }
        let (one, other) = (try claim(), try claim())
        guard one != other else { return }
        let oneFirst = LinkChoice(existing: one, new: other) == .existing ? one : other
        let otherFirst = LinkChoice(existing: other, new: one) == .existing ? other : one
        #expect(oneFirst == otherFirst)
    }

    @Test(arguments: 0..<200)
    func `the best of many links is the same in every order`(seed: UInt64) throws {
        var generator = SplitMix(state: seed)
        let claims = try (0..<5).map { _ in
            LinkClaim(
                boot: try boot(.random(in: 1...4, using: &generator)),
                dialledBy: Bool.random(using: &generator) ? .lowerKey : .higherKey)
        }
        func best(_ order: [LinkClaim]) -> LinkClaim? {
            order.dropFirst().reduce(order.first) { kept, new in
                guard let kept else { return new }
                return LinkChoice(existing: kept, new: new) == .new ? new : kept
            }
        }
        let expected = best(claims)
        for _ in 0..<10 { #expect(best(claims.shuffled(using: &generator)) == expected) }
    }

    @Test func `both devices agree on the dialler`() throws {
        let keys = (0..<2).map { _ in Curve25519.Signing.PrivateKey().publicKey.rawRepresentation }
        let devices = try keys.map { try #require(DeviceID(bytes: $0)) }.sorted()
        let boot = try boot(1)
        let byLower = LinkClaim(boot: boot, dialler: devices[0], other: devices[1])
        let byHigher = LinkClaim(boot: boot, dialler: devices[1], other: devices[0])
        #expect(byLower.dialledBy == .lowerKey)
        #expect(byHigher.dialledBy == .higherKey)
    }
}
