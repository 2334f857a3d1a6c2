import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Features

/// Joining and leaving neighbourhoods, on one and on two devices.
@Suite struct NeighbourhoodTests {
    @Test func `the first join says who will see what, and needs a confirmation`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let name = try NeighbourhoodName("Seongsu")
            await #expect(
                throws: CommandFault.refused(
                    "\(JoinNeighbourhood.audience) If you want this, add --yes.")
            ) { try await ann.call(NeighbourhoodCommands.join, .init(name: name)) }
            #expect(try await ann.neighbourhoods().isEmpty)
            #expect(try await ann.openSpaces().isEmpty)

            let answer = try await ann.call(
                NeighbourhoodCommands.join, .init(name: name, yes: true))
            #expect(answer.audience == ShownSentence(JoinNeighbourhood.audience))
            #expect(answer.id == Key(SpaceDescriptor.open(name: "seongsu").id))
            #expect(try await ann.neighbourhoods() == ["Seongsu"])
            #expect(try await ann.openSpaces() == [.open(name: "seongsu")])
            // Who knows the first one knows the others.
            try await ann.join("Mapo")
            #expect(try await ann.neighbourhoods() == ["Mapo", "Seongsu"])
        }
    }

    @Test func `a name is joined once, however it is typed, and left by any of its forms`()
        async throws
    {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            try await ann.join("Seongsu-Dong")
            await #expect(throws: CommandFault.conflict("You joined this neighbourhood already.")) {
                try await ann.join(" SEONGSU-DONG ")
            }
            let left = try await ann.leave("seongsu-dong")
            #expect(left.name == "Seongsu-Dong")
            #expect(try await ann.neighbourhoods().isEmpty)
            #expect(try await ann.openSpaces().isEmpty)
            await #expect(
                throws: CommandFault.notFound(
                    "You have not joined this neighbourhood; see 'neighbourhood list'.")
            ) { try await ann.leave("seongsu-dong") }
            // Nothing says afterwards where she was.
            let records = try await ann.rows("SELECT name FROM neighbours_neighbourhood")
            #expect(records.isEmpty)
        }
    }

    @Test func `16 neighbourhoods are joined and a 17th is refused until one is left`()
        async throws
    {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            for number in 1...16 { try await ann.join("Place \(number)") }
            await #expect(throws: CommandFault.self) { try await ann.join("Place 17") }
            try await ann.leave("Place 3")
            try await ann.join("Place 17")
            #expect(try await ann.openSpaces().count == 16)
        }
    }

    @Test func `all devices of a person join and leave together`() async throws {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            try await home.phone.join("Seongsu")
            try await network.settle()
            #expect(try await home.laptop.neighbourhoods() == ["Seongsu"])
            #expect(try await home.laptop.openSpaces() == [.open(name: "seongsu")])
            #expect(try await home.ben.openSpaces().isEmpty)
            #expect(home.laptop.drainEvents().contains("neighbourhoods"))
            try await home.laptop.leave("Seongsu")
            try await network.settle()
            for device in home.devices {
                #expect(try await device.neighbourhoods().isEmpty)
                #expect(try await device.openSpaces().isEmpty)
            }
        }
    }

    @Test func `two devices that join one name apart have one neighbourhood, left at once`()
        async throws
    {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            try await home.part()
            try await home.phone.join("Seongsu")
            try await home.laptop.join("SEONGSU")
            try await home.link()
            #expect(try await home.phone.neighbourhoods().count == 1)
            #expect(
                try await home.phone.neighbourhoods() == home.laptop.neighbourhoods())
            try await home.phone.leave("seongsu")
            try await network.settle()
            for device in home.devices { #expect(try await device.openSpaces().isEmpty) }
        }
    }

    @Test func `devices that join too many apart share the first 16`() async throws {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            try await home.part()
            for number in 1...10 { try await home.phone.join("Phone \(number)") }
            for number in 1...10 { try await home.laptop.join("Laptop \(number)") }
            try await home.link()
            let spaces = try await home.phone.openSpaces()
            #expect(spaces.count == 16)
            #expect(try await home.laptop.openSpaces() == spaces)
        }
    }
}

extension TestHost {
    /// Joins a neighbourhood, with the confirmation that the first one needs.
    @discardableResult
    fileprivate func join(_ name: String) async throws -> JoinedNeighbourhood {
        try await call(
            NeighbourhoodCommands.join, .init(name: NeighbourhoodName(name), yes: true))
    }

    @discardableResult
    fileprivate func leave(_ name: String) async throws -> LeftNeighbourhood {
        try await call(NeighbourhoodCommands.leave, .init(name: NeighbourhoodName(name)))
    }

    /// Returns the names of the joined neighbourhoods in their order.
    fileprivate func neighbourhoods() async throws -> [String] {
        try await call(NeighbourhoodCommands.list).neighbourhoods.map(\.name.string)
    }

    /// Returns the open spaces of the replica.
    fileprivate func openSpaces() async throws -> Set<SpaceDescriptor> {
        Set(
            try await rows("SELECT descriptor FROM waggle_space WHERE kind = 'open'")
                .compactMap { $0.descriptor("descriptor") })
    }
}
