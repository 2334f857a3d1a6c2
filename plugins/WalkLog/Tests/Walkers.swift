import Features
import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import WalkLog

extension TestNetwork {
    /// Creates two linked hosts whose people, Ann and Ben, are mates.
    func walkers() async throws -> (ann: TestHost, ben: TestHost) {
        var hosts: [TestHost] = []
        for (index, name) in ["Ann", "Ben"].enumerated() {
            let host = try await host(
                seed: UInt64(index + 1), [CoreFeatures.self, WalkLog.self])
            try await host.call(ProfileCommands.edit, .init(nickname: Nickname(name)))
            hosts.append(host)
        }
        try await setLink(hosts[0], hosts[1], isUp: true)
        for (one, other) in [(hosts[0], hosts[1]), (hosts[1], hosts[0])] {
            let core = try #require(one.plugin(CoreFeatures.self))
            let card = try await other.plugin(CoreFeatures.self)?.myCard()
            try await core.proposeMate(
                other.me.person, meeting: .zero, card: try #require(card))
        }
        try await settle()
        return (hosts[0], hosts[1])
    }
}

extension Bytes16 {
    /// Returns sixteen bytes that depend on a number.
    static func numbered(_ number: UInt8) -> Bytes16 {
        guard let bytes = Bytes16([UInt8](repeating: number, count: 16)) else {
            preconditionFailure("sixteen bytes were given")
        }
        return bytes
    }
}
