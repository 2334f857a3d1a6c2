import Features
import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing
import WalkLogAPI

@testable import WalkLog

@Suite struct WalkCompanyTests {
    private func accept(
        _ ann: TestHost, _ ben: TestHost, _ network: TestNetwork, after seconds: Int = 1
    ) async throws -> RecordKey {
        let asked = try await ann.call(
            WalkCommands.ask,
            .init(
                to: NameOrKey(ben.me.person), latitude: Latitude(37.5), longitude: Longitude(127),
                message: Text("Walk?")))
        try await network.settle()
        try await network.pass(seconds: seconds)
        try await ben.call(WalkCommands.accept, .init(id: RecordPrefix(asked.id)))
        try await network.settle()
        return asked.id
    }

    @Test func `an accepted walk request is offered to both, and links their walks`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.walkers()
            let request = try await accept(ann, ben, network)
            for (host, other) in [(ann, ben), (ben, ann)] {
                let offers = try await host.call(WalkLogCommands.status).offers
                #expect(offers.map(\.request) == [request])
                #expect(offers.first?.mate.person == Key(other.me.person))
                let begun = try await host.call(
                    WalkLogCommands.start, .init(request: RecordPrefix(request)))
                #expect(begun.offers.isEmpty)
                #expect(begun.walk?.company.mates == offers.map(\.mate))
                try await network.pass(seconds: 1)
                let kept = try await host.call(WalkLogCommands.finish)
                #expect(kept.company.request == request)
                #expect(try await host.call(WalkLogCommands.status).offers.isEmpty)
            }
        }
    }

    @Test func `a request that was answered too late or cancelled is not offered`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.walkers()
            let asked = try await ann.call(
                WalkCommands.ask,
                .init(
                    to: NameOrKey(ben.me.person), latitude: Latitude(37.5),
                    longitude: Longitude(127), message: Text("Walk?")))
            try await network.settle()
            #expect(try await ben.call(WalkLogCommands.status).offers.isEmpty)
            try await ann.call(WalkCommands.cancel, .init(id: RecordPrefix(asked.id)))
            try await network.settle()
            await #expect(throws: CommandFault.self) {
                try await ben.call(
                    WalkLogCommands.start, .init(request: RecordPrefix(asked.id)))
            }
        }
    }

    @Test func `an offer ends three hours after the time of the walk`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.walkers()
            _ = try await accept(ann, ben, network)
            try await network.skip(seconds: 3 * 60 * 60 - 1)
            #expect(try await ann.call(WalkLogCommands.status).offers.count == 1)
            try await network.skip(seconds: 1)
            #expect(try await ann.call(WalkLogCommands.status).offers.isEmpty)
        }
    }

    @Test func `every command answers as it declares, and no member is left out`() async throws {
        try await TestNetwork.with { network in
            let (plain, ben) = try await network.walkers()
            _ = try await accept(plain, ben, network)
            let request = try await accept(plain, ben, network)
            let record = AnswerRecord(of: WalkLog.commands.map(\.declaration))
            let ann = record.recording(plain)
            try await ann.call(
                WalkLogCommands.start,
                .init(
                    dog: [DogName("Haru")], with: [NameOrKey("Ben")],
                    request: RecordPrefix(request)))
            try await ann.call(WalkLogCommands.weigh, .init(kilograms: WalkerKilograms(62)))
            try await ann.call(WalkLogCommands.status)
            plain.locate(Fix(point: try Point(latitude: 37.5, longitude: 127)))
            try await network.settle()
            try await ann.call(WalkLogCommands.track, .init())
            try await ann.call(WalkLogCommands.pause)
            try await ann.call(WalkLogCommands.resume)
            let kept = try await ann.call(WalkLogCommands.finish)
            try await ann.call(WalkLogCommands.list, .init())
            try await ann.call(WalkLogCommands.show, .init(id: RecordPrefix(kept.id)))
            let other = try await network.device(
                seed: 9, of: plain, [CoreFeatures.self, WalkLog.self])
            try await network.setLink(plain, other, isUp: true)
            // The content is not there yet.
            try await record.recording(other).call(
                WalkLogCommands.track, .init(id: RecordPrefix(kept.id)))
            let file = try FilePath(TestDirectory.newPath("walk"))
            try await ann.call(
                WalkLogCommands.export, .init(id: RecordPrefix(kept.id), gpx: file))
            try await ann.call(WalkLogCommands.load, .init(file: file))
            try await ann.call(WalkLogCommands.totals)
            let share = try await ann.call(
                WalkLogCommands.share, .init(id: RecordPrefix(kept.id), with: NameOrKey("Ben")))
            try await ann.call(WalkLogCommands.shared)
            try await ann.call(WalkLogCommands.way, .init(id: RecordPrefix(share.id)))
            try await ann.call(WalkLogCommands.unshare, .init(id: RecordPrefix(share.id)))
            try await ann.call(WalkLogCommands.delete, .init(id: RecordPrefix(kept.id)))
            try await ann.call(WalkLogCommands.start, .init())
            try await ann.call(WalkLogCommands.discard)
            #expect(record.missingRoutes.isEmpty && record.unseenMembers.isEmpty)
        }
    }

    @Test func `8 dogs walk and 9 do not, and only mates can be named`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await network.walkers()
            let dogs = try (1...9).map { try DogName("Dog \($0)") }
            await #expect(throws: CommandFault.self) {
                try await ann.call(WalkLogCommands.start, .init(dog: dogs))
            }
            await #expect(throws: CommandFault.self) {
                try await ann.call(
                    WalkLogCommands.start, .init(with: [NameOrKey(ann.me.person)]))
            }
            await #expect(throws: CommandFault.self) {
                try await ann.call(
                    WalkLogCommands.start, .init(with: [NameOrKey(PersonID(raw: .zero))]))
            }
            let begun = try await ann.call(
                WalkLogCommands.start,
                .init(dog: Array(dogs.dropLast()), with: [NameOrKey("Ben"), NameOrKey("Ben")]))
            #expect(begun.walk?.company.dogs.count == 8)
            #expect(begun.walk?.company.mates.map(\.person) == [Key(ben.me.person)])
        }
    }
}
