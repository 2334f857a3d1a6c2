import Contract
import InterestsAPI
import Testing

/// The 87 interests, and the choice of some of them.
struct ChosenInterestsTests {
    @Test func `there are 87 interests, each with its index, in one group and with one name`() {
        #expect(Interest.allCases.count == 87 && Interest.count == 87)
        #expect(Interest.allCases.map(\.index) == Array(0..<87))
        #expect(Set(Interest.grouped) == Set(Interest.allCases) && Interest.grouped.count == 87)
        #expect(Set(Interest.allCases.map(\.name.english)).count == 87)
        #expect(
            [Interest.games, .walks, .money, .collarbones].map(\.index) == [0, 33, 61, 86])
    }

    @Test func `every interest has a Korean name of its own`() throws {
        let korean = try Catalogue(.ko)
        let names = Interest.allCases.map { korean.text($0.name) }
        #expect(Interest.allCases.allSatisfy { korean.translates($0.name) })
        #expect(Set(names).count == 87)
    }

    @Test func `every interest has an opener of its own, with a Korean translation`() throws {
        let korean = try Catalogue(.ko)
        let openers = Interest.allCases.map(\.opener)
        #expect(Set(openers).count == 87)
        #expect(Set(openers.map { korean.text($0) }).count == 87)
        #expect(openers.allSatisfy { korean.translates($0) })
    }

    @Test func `both sides begin with the same opener, in whatever order they read interests`() {
        let common: [Interest] = [.tea, .coffee, .walks]
        let openers = Interest.openers(for: common)
        #expect(openers.first == Interest.tea.opener && openers.count == 3)
        #expect(Interest.openers(for: common.reversed()) == openers)
        #expect(Interest.openers(for: common + common) == openers)
        #expect(Interest.openers(for: []).isEmpty)
    }

    @Test(
        arguments: [
            ("foot", []), ("OFF", [.coffee]), ("커", [.coffee]), ("산책", [.walks]),
            ("cafes", [.internetCafes]), (" cafés ", [.internetCafes]), ("k-d", [.kDrama]),
        ] as [(String, [Interest])])
    func `letters find an interest by its word and its name in both languages`(
        letters: String, found: [Interest]
    ) {
        #expect(Interest.found(by: letters) == found)
    }

    @Test func `blank letters find all`() { #expect(Interest.found(by: " ").count == 87) }

    @Test func `5 and 10 interests can be chosen, 4 and 11 cannot, and none twice`() throws {
        func choose(_ count: Int) throws -> [Interest] {
            try ChosenInterests(Array(Interest.allCases.reversed().prefix(count))).interests
        }
        #expect(try choose(5).map(\.index) == [82, 83, 84, 85, 86])
        #expect(try choose(10).count == 10)
        for count in [0, 4, 11, 87] { #expect(throws: CommandFault.self) { try choose(count) } }
        #expect(throws: CommandFault.refused("'interest' has 'tea' twice")) {
            try ChosenInterests([.tea, .coffee, .walks, .cats, .films, .tea])
        }
    }
}
