import PluginKit
import PromisesAPI
import Records
import TestSupport
import Testing

@testable import Promises

/// Four people on the way to one location.
@Suite struct MeetingTests {
    private static let names = ["Ann", "Ben", "Cem", "Dee"]

    @Test func `all nodes agree who was early, on time, late or did not come`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: Self.names)
            let id = try await friends.promise(inSeconds: 1800)
            let time = friends.ann.time(in: .seconds(1800))
            // By the fixes' own times, as when a track is replayed fast: 5 min early, 30 s after
            // the time, 2 min after it.
            for (host, seconds) in zip(friends.all, [-300, 30, 120]) {
                for (metres, at) in [(2000.0, -1500), (700.0, -900), (10.0, seconds)] {
                    try host.locate(metresNorth: metres, at: time + .seconds(at))
                    try await network.settle()
                }
            }
            try await network.pass(seconds: 4)
            for host in friends.all {
                let open = try await host.result(id)
                #expect(open.map(\.0) == ["Ann", "Ben", "Cem", "Dee"])
                #expect(open.map(\.1) == [.early, .onTime, .late, .open])
            }
            for host in friends.all {
                host.clock.setWall(time + .seconds(10_800))
            }
            try await network.pass(seconds: 1)
            for host in friends.all {
                let final = try await host.result(id)
                #expect(final.map(\.1) == [.early, .onTime, .late, .noShow])
                #expect(final.map(\.2) == [0, 0, 500, 500])
                #expect(final.map(\.3) == [.gold, .silver, .bronze, nil])
                let ledger = try await host.call(PromiseCommands.ledger)
                #expect(ledger.debts.count == 2)
                let titles = ledger.people.map(\.title)
                #expect(titles == [.saint, .saint, .plankton, .plankton])
            }
        }
    }

    @Test func `locations are shown to participants with age, distance and progress`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1801)
            try friends.ben.locate(metresNorth: 2000)
            try await network.settle()
            #expect(try await friends.ann.person(friends.ben, in: id)?.location == nil)
            try await network.pass(seconds: 1)
            #expect(try await friends.ben.sharing(id) == .sharing)
            let first = try await friends.ann.person(friends.ben, in: id)
            #expect(first?.remaining == "2.00 km" && first?.progress == 0.0)
            #expect(first?.departedMs != nil)
            try await network.pass(seconds: 5)
            try friends.ben.locate(metresNorth: 999.4)
            try await network.settle()
            let later = try await friends.cem.person(friends.ben, in: id)
            #expect(later?.remaining == "999 m")
            #expect(later?.progress == 0.5)
            #expect(later?.location?.accuracyMetres == 5.0)
            #expect(later?.lateness == .open)
            try await network.skip(seconds: 121)
            let old = try await friends.ann.person(friends.ben, in: id)?.location
            #expect(old?.ageSeconds == 121 && old?.isStale == true)
            #expect(try await friends.ben.sharing(id) == .searching)
        }
    }

    @Test func `a receiver lost on the way leaves an old location and makes no person late`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            try friends.ben.locate(metresNorth: 1000)
            try await network.settle()
            friends.ben.locate(nil)
            try await network.pass(seconds: 40)
            let kept = try await friends.ann.person(friends.ben, in: id)?.location
            #expect(kept?.ageSeconds == 40 && kept?.isStale == false)
            try await network.skip(seconds: 100)
            let old = try await friends.ann.person(friends.ben, in: id)
            #expect(old?.location?.isStale == true && old?.lateness == .open)
            #expect(try await friends.ben.sharing(id) == .searching)
            try friends.ben.locate(metresNorth: 5)
            try await network.settle()
            #expect(try await friends.ann.person(friends.ben, in: id)?.rank == 1)
        }
    }

    @Test func `an arrival is reported once to all participants and ends the sharing`() async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            for metres in [500.0, 20] {
                try friends.ben.locate(metresNorth: metres)
                try await network.pass(seconds: 6)
            }
            let arrived = try await friends.ann.person(friends.ben, in: id)?.arrivedMs
            #expect(arrived != nil)
            #expect(try await friends.ann.news().contains("Ben arrived, 1st"))
            #expect(
                try await friends.cem.news()
                    .contains("Ben · \(friends.ben.me.person.suffix) arrived, 1st"))
            #expect(try await friends.ben.news().contains("You arrived, 1st"))
            #expect(try await friends.ben.sharing(id) == .arrived)
            #expect(try await friends.ann.person(friends.ben, in: id)?.location == nil)
            // Going home again changes nothing.
            for metres in [500.0, 10] {
                try friends.ben.locate(metresNorth: metres)
                try await network.pass(seconds: 6)
            }
            #expect(try await friends.ann.person(friends.ben, in: id)?.arrivedMs == arrived)
            #expect(try await friends.ann.news().filter { $0.hasPrefix("Ben") }.count == 1)
        }
    }

    @Test(arguments: [true, false])
    func `a person at the location before tracking begins arrives when it begins`(
        _ hasOwnTime: Bool
    ) async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1860)
            let open = friends.ann.time(in: .seconds(60))
            try friends.ben.locate(metresNorth: 10, at: hasOwnTime ? open - .seconds(60) : nil)
            try await network.pass(seconds: 62)
            let ben = try await friends.ann.person(friends.ben, in: id)
            #expect(ben?.arrivedMs == open)
            #expect(ben?.lateness == .early && ben?.rank == 1)
        }
    }

    @Test func `a fix whose own time is years off gets the time of the clock`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 1800)
            try friends.ben.locate(metresNorth: 5, at: Timestamp(milliseconds: 1_000_000_000_000))
            try await network.settle()
            let now = friends.ben.time()
            #expect(
                try await friends.ann.person(friends.ben, in: id)?.arrivedMs == now)
        }
    }

    @Test func `a stop removes a location at once, and for an absent peer on its return`()
        async throws
    {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            try friends.ben.locate(metresNorth: 1000)
            try await network.settle()
            try await network.setLink(friends.ben, friends.cem, isUp: false)
            try await friends.ben.call(PromiseCommands.stop, .init(id))
            try await network.settle()
            #expect(try await friends.ann.person(friends.ben, in: id)?.location == nil)
            #expect(try await friends.cem.person(friends.ben, in: id)?.location != nil)
            try await network.setLink(friends.ben, friends.cem, isUp: true)
            #expect(try await friends.cem.person(friends.ben, in: id)?.location == nil)
            try friends.ben.locate(metresNorth: 800)
            try await network.pass(seconds: 31)
            #expect(try await friends.ann.person(friends.ben, in: id)?.location == nil)
            try friends.ben.locate(metresNorth: 700)
            try await network.settle()
            try await friends.ben.call(PromiseCommands.share, .init(id))
            try await network.settle()
            #expect(try await friends.ann.person(friends.ben, in: id)?.remaining == "700 m")
        }
    }

    @Test func `a stop before any departure survives a restart`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network, names: ["Ann", "Ben"])
            let id = try await friends.promise(inSeconds: 3600)
            try await friends.ben.call(PromiseCommands.stop, .init(id))
            await friends.ben.start()
            try await network.skip(seconds: 1801)
            try friends.ben.locate(metresNorth: 1000)
            try await network.settle()
            #expect(try await friends.ben.sharing(id) == .stopped)
            #expect(try await friends.ann.person(friends.ben, in: id)?.departedMs == nil)
        }
    }

    @Test func `a participant who was offline reports the same arrival on return`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            try await friends.setLinks(of: friends.cem, isUp: false)
            try friends.cem.locate(metresNorth: 5)
            try await network.pass(seconds: 2)
            #expect(try await friends.ann.person(friends.cem, in: id)?.arrivedMs == nil)
            try await friends.setLinks(of: friends.cem, isUp: true)
            try await network.settle()
            for host in friends.all {
                #expect(try await host.person(friends.cem, in: id)?.medal == .gold)
            }
        }
    }

    @Test func `no file of any node contains a location on the way`() async throws {
        try await TestNetwork.with { network in
            let friends = try await Friends.meeting(on: network)
            let id = try await friends.promise(inSeconds: 1800)
            let way = [1234.5, 777.7, 12.3].map { $0 / Point.earthRadiusMetres * 180 / .pi }
            for metres in [1234.5, 777.7, 12.3] {
                try friends.ben.locate(metresNorth: metres)
                try await network.pass(seconds: 6)
            }
            #expect(try await friends.ann.person(friends.ben, in: id)?.arrivedMs != nil)
            let latitudes = way.map { Friends.location.latitude + $0 }
            for host in friends.all {
                #expect(try host.hold(latitudes[0]), "where he set out from is a fact")
                #expect(try !host.hold(latitudes[1]))
                #expect(try !host.hold(latitudes[2]))
            }
        }
    }
}

extension TestHost {
    /// Returns the name, lateness, debt and medal of each person in the result, in its order.
    fileprivate func result(
        _ id: Key
    ) async throws -> [(String, PromiseLateness, Int, PromiseMedal?)] {
        try await call(PromiseCommands.result, .init(id)).people.map {
            (
                $0.name.string.split(separator: " ").first.map(String.init) ?? "", $0.lateness,
                $0.owes.value, $0.medal
            )
        }
    }

    /// Whether a file of this host contains a number, in either byte order.
    fileprivate func hold(_ number: Double) throws -> Bool {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (56 - 8 * $0)) }
        let files = try databaseBytes()
        return files.holds(bytes) || files.holds(bytes.reversed())
    }
}
