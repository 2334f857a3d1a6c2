import InterestsAPI
import PluginKit
import Records
import Testing

@testable import Interests

/// The match among the people nearby.
struct MatchFinderTests {
    private let now = Timestamp(milliseconds: 1000)
    private let mine: [Interest] = [.coffee, .tea, .walks, .cats, .films, .travel]
    /// Interests that I do not have.
    private let others: [Interest] = [.hockey, .vr, .stocks, .boxing, .gym]

    private func set(_ interests: [Interest]) throws -> InterestSet {
        try #require(InterestSet(interests))
    }

    /// Creates a person who announces a tag and has some interests in common with me.
    private func someone(_ name: Int, common: Int) throws -> MatchFinder.Someone {
        MatchFinder.Someone(
            tag: try tag(name),
            interests: try set(Array(mine.prefix(common)) + others.prefix(max(2, 5 - common))))
    }

    private func tag(_ number: Int) throws -> AnnouncedTag {
        let digits = String(number, radix: 16)
        return try AnnouncedTag(String(repeating: "0", count: 16 - digits.utf8.count) + digits)
    }

    /// Returns who is the match after each of these sights, by the number of their tag.
    private func matches(_ sights: [[MatchFinder.Someone]]) throws -> [AnnouncedTag?] {
        var finder = MatchFinder()
        let mine = try set(mine)
        return sights.map { sight in
            finder.update(sight, mine: mine, now: now)
            return finder.match?.someone.tag
        }
    }

    @Test func `two in common are no match and three are`() throws {
        #expect(try matches([[someone(1, common: 2)]]) == [nil])
        #expect(try matches([[someone(1, common: 3)]]) == [tag(1)])
    }

    @Test func `a second person with three keeps the first, and one with four replaces them`()
        throws
    {
        let (ben, cho) = (try someone(1, common: 3), try someone(2, common: 3))
        let dana = try someone(3, common: 4)
        #expect(
            try matches([[ben], [cho, ben], [cho, ben, dana], [ben, dana, cho]])
                == [tag(1), tag(1), tag(3), tag(3)])
    }

    @Test func `a match that leaves ends, and the best of the others follows`() throws {
        let (ben, dana) = (try someone(1, common: 3), try someone(3, common: 4))
        #expect(try matches([[ben, dana], [ben], []]) == [tag(3), tag(1), nil])
    }

    @Test func `a match whose interests change to two in common ends`() throws {
        #expect(
            try matches([[someone(1, common: 4)], [someone(1, common: 2)]]) == [tag(1), nil])
    }

    @Test func `a match that is linked or changes its interests stays the same match`() throws {
        var finder = MatchFinder()
        let mine = try set(mine)
        var ben = try someone(1, common: 3)
        finder.update([ben], mine: mine, now: now)
        ben.device = DeviceID(raw: .zero)
        ben.interests = try someone(1, common: 4).interests
        finder.update([ben], mine: mine, now: now + .seconds(5))
        ben.tag = nil
        finder.update([ben], mine: mine, now: now + .seconds(9))
        #expect(finder.match?.common.count == 4)
        #expect(finder.match?.since == now)
    }

    @Test func `a person with two devices counts once`() throws {
        var finder = MatchFinder()
        let person = PersonID(raw: .zero)
        var (phone, laptop) = (try someone(1, common: 3), try someone(2, common: 3))
        (phone.person, laptop.person) = (person, person)
        finder.update([phone, laptop, phone], mine: try set(mine), now: now)
        #expect(finder.lookingCount == 1)
    }

    @Test func `of 10 000 announcers as many are compared as a look may cost, each once`() throws {
        var finder = MatchFinder()
        var comparedCount = 0
        let crowd = try (1...10_000).map { try someone($0, common: $0 == 1024 ? 5 : 3) }
        finder.update(
            crowd.lazy.map { someone in
                comparedCount += 1
                return someone
            }, mine: try set(mine), now: now)
        #expect(comparedCount == MatchFinder.comparedCountMax)
        #expect(finder.lookingCount == MatchFinder.comparedCountMax)
        #expect(try finder.match?.someone.tag == tag(1024))
    }
}
