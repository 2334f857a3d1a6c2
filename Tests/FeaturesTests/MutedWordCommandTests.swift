import FeaturesAPI
import PluginKit
import Records
import TestSupport
import Testing

@testable import Features

/// Muting words, on one and on two devices.
@Suite struct MutedWordCommandTests {
    @Test func `a word is muted once, in any letters, until it is removed`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            #expect(try await ann.mute("Lottery") == ["lottery"])
            #expect(try await ann.mute("LOTTERY") == ["lottery"])
            #expect(try await ann.mute("ｌｏｔｔｅｒｙ") == ["lottery"])
            #expect(try await ann.mute("casino") == ["casino", "lottery"])
            #expect(try await ann.rows("SELECT word FROM host_muted").count == 2)
            #expect(try await ann.unmute("Lottery") == ["casino"])
            await #expect(
                throws: CommandFault.notFound(
                    "You have not muted this word; see 'muted list'.")
            ) { try await ann.unmute("lottery") }
            #expect(try await ann.unmute("ＣＡＳＩＮＯ").isEmpty)
            // Nothing says afterwards what was muted.
            #expect(try await ann.rows("SELECT word FROM neighbours_muted_word").isEmpty)
        }
    }

    @Test func `100 words are muted and the 101st is refused until one is removed`() async throws {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            for number in 1...100 { try await ann.mute("word \(number)") }
            await #expect(
                throws: CommandFault.refused(
                    "You have muted 100 words, the maximum; remove one first.")
            ) { try await ann.mute("word 101") }
            #expect(try await ann.mute("word 7").count == 100)
            try await ann.unmute("word 7")
            #expect(try await ann.mute("word 101").count == 100)
        }
    }

    @Test func `a word that two devices muted apart is listed and removed as one`() async throws {
        try await TestNetwork.with { network in
            let home = try await Household.gather(on: network)
            try await home.part()
            try await home.phone.mute("casino")
            try await home.laptop.mute("casino")
            try await home.link()
            #expect(try await home.laptop.call(MutedWordCommands.list).words == ["casino"])
            try await home.laptop.unmute("casino")
            try await network.settle()
            for device in home.devices {
                #expect(try await device.call(MutedWordCommands.list).words.isEmpty)
            }
        }
    }

    @Test func `a muted word hides the name of somebody nearby, and followers hear of it`()
        async throws
    {
        try await TestNetwork.with { network in
            let ann = try await network.person(seed: 1, "Ann")
            let ben = try await network.person(seed: 2, "Casino", dog: "Max")
            try await network.setLink(ann, ben, isUp: true)
            try await ben.call(NearbyCommands.showToEveryone)
            try await network.settle()
            func names() async throws -> [String?] {
                try await ann.call(NearbyCommands.list).people.flatMap {
                    [$0.name?.string, $0.dogName?.string]
                }
            }
            #expect(try await names() == ["Casino", "Max"])
            _ = ann.drainEvents()
            try await ann.mute("casino")
            try await network.settle()
            #expect(Set(ann.drainEvents()).isSuperset(of: ["muted", "nearby"]))
            #expect(try await names() == [nil, "Max"])
            try await ann.unmute("casino")
            #expect(try await names() == ["Casino", "Max"])
        }
    }
}

extension TestHost {
    /// Mutes a word, and returns all of them.
    @discardableResult
    fileprivate func mute(_ word: String) async throws -> [String] {
        try await call(MutedWordCommands.add, .init(word: MutedWord(word))).words.map(\.string)
    }

    @discardableResult
    fileprivate func unmute(_ word: String) async throws -> [String] {
        try await call(MutedWordCommands.remove, .init(word: MutedWord(word))).words.map(\.string)
    }
}
