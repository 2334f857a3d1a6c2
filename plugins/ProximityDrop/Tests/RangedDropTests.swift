import FeaturesAPI
import Features
import PluginKit
import ProximityDropAPI
import Records
import TestSupport
import Testing

@testable import ProximityDrop

/// The ranged mode of the plugin, on devices whose distances the test measures.
@Suite struct RangedDropTests {
    private func person(
        _ network: TestNetwork, seed: UInt64, _ nickname: String
    ) async throws -> TestHost {
        let host = try await network.host(seed: seed, [CoreFeatures.self, ProximityDrop.self])
        try await host.call(ProfileCommands.edit, .init(nickname: Nickname(nickname)))
        try await host.call(
            RangingCommands.source, .init(source: .recorded, file: FilePath("/recording")))
        try await network.settle()
        return host
    }

    /// Two people who have pressed, and a third between them.
    private func ranging(
        _ network: TestNetwork
    ) async throws -> (ann: TestHost, ben: TestHost, cem: TestHost) {
        let ann = try await person(network, seed: 1, "Ann")
        let ben = try await person(network, seed: 2, "Ben")
        let cem = try await person(network, seed: 3, "Cem")
        for (one, other) in [(ann, ben), (ann, cem), (ben, cem)] {
            try await network.setLink(one, other, isUp: true)
        }
        for host in [ann, ben] {
            let drop = try await host.call(DropCommands.start, .init(ranged: true))
            #expect(drop.ranged.available)
            #expect(
                drop.ranged.advice?.string == "Hold the two devices about 12 cm apart."
            )
        }
        return (ann, ben, cem)
    }

    private func report(_ host: TestHost, _ metres: Double) -> RangeReport {
        RangeReport(device: host.me.device, distanceMetres: metres, uncertaintyMetres: 0.02)
    }

    @Test func `the device that is held to this one is found, and measuring ends with the search`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben, cem) = try await ranging(network)
            try await cem.call(DropCommands.start, .init(to: NameOrKey(ann.me.device)))
            #expect(ann.asksForMeasurements == ["drop"] && cem.asksForMeasurements.isEmpty)
            try ann.range(report(cem, 0.4))
            try await network.pass(seconds: 2)
            let waiting = try await ann.call(DropCommands.show)
            #expect(waiting.phase == .finding)
            #expect(
                waiting.ranged.advice?.string
                    == "Move the devices closer, to about 12 cm.")
            for (host, other) in [(ann, ben), (ben, ann)] {
                try host.range(report(other, 0.12))
                try await network.pass(seconds: 1)
            }
            try await network.pass(seconds: 2)
            for (host, name) in [(ann, "Ben"), (ben, "Ann")] {
                let drop = try await host.call(DropCommands.show)
                #expect(drop.phase == .deciding && drop.peer?.card?.nickname?.string == name)
                #expect(host.asksForMeasurements.isEmpty)
            }
        }
    }

    @Test func `a cancelled search stops measuring at once`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben, _) = try await ranging(network)
            try await ann.call(DropCommands.cancel)
            #expect(ann.asksForMeasurements.isEmpty && ben.asksForMeasurements == ["drop"])
            try await network.pass(seconds: 31)
            #expect(ben.asksForMeasurements.isEmpty)
            #expect(
                try await ben.call(DropCommands.show).reason?.string
                    == "No device came close enough within 30 seconds. Try again, or choose the "
                    + "person.")
        }
    }

    @Test func `a mate and a blocked person in the band are nobody to drop with`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben, cem) = try await ranging(network)
            try await ann.call(
                MateCommands.block, .init(person: NameOrKey(ben.me.person), reason: .other))
            try ann.range(report(ben, 0.10))
            try await network.pass(seconds: 2)
            #expect(try await ann.call(DropCommands.show).peer == nil)
            try ann.range(report(cem, 0.14))
            try await network.pass(seconds: 2)
            #expect(try await ann.call(DropCommands.show).peer?.device == Key(cem.me.device))
        }
    }

    @Test func `two that are equally near are the candidates, of whom the person chooses one`()
        async throws
    {
        try await TestNetwork.with { network in
            let (ann, ben, cem) = try await ranging(network)
            try ann.range(report(ben, 0.12))
            try ann.range(report(cem, 0.12))
            try await network.pass(seconds: 2)
            let drop = try await ann.call(DropCommands.show)
            #expect(
                Set(drop.candidates?.map(\.device) ?? []) == [
                    Key(ben.me.device), Key(cem.me.device),
                ])
            #expect(drop.ranged.advice?.string == "Several people are this close. Choose one.")
            let chosen = try await ann.call(
                DropCommands.start, .init(to: NameOrKey(cem.me.device)))
            #expect(chosen.peer?.device == Key(cem.me.device))
        }
    }
}
