import Identity
import Records
import TestSupport
import Testing

@testable import Replica

/// People who came back by their recovery words, until this person was told.
struct ReturnedPeopleTests {
    private let homes = Homes()
    private let ann: Someone
    private let ben: Someone

    init() throws {
        ann = try Someone(seed: 61)
        ben = try Someone(seed: 62)
    }

    private func replica(in home: Home) async throws -> Replica {
        try await home.replica(
            of: ann.key, knowing: [ann, ben], in: [.between(ann.person, ben.person)])
    }

    /// Ben's record with a device that his recovery key added.
    private func returned() throws -> PersonRecord {
        var generator = SeededGenerator(seed: 63)
        let consent = try DeviceConsent(of: DeviceKey(using: &generator), to: ben.person)
        return try ben.record.adding(.adding(consent, by: ben.recovery))
    }

    @Test func `a return is kept with the record until it was told, also after a kill`()
        async throws
    {
        let home = try homes.make()
        let mine = try await replica(in: home)
        try await mine.learn([ClaimedPersonRecord(returned())])
        #expect(try await mine.untoldReturns() == [ben.person])
        let after = try home.copy()
        let again = try await replica(in: after)
        #expect(try await again.untoldReturns() == [ben.person])
        try await again.confirmReturn(of: ben.person)
        #expect(try await again.untoldReturns().isEmpty)
        // The same record once more is no news.
        try await again.learn([ClaimedPersonRecord(returned())])
        #expect(try await again.untoldReturns().isEmpty)
    }

    @Test func `neither an unknown person nor a device that another one added is a return`()
        async throws
    {
        let mine = try await homes.make().replica(
            of: ann.key, knowing: [ann], in: [.between(ann.person, ben.person)])
        try await mine.learn([ClaimedPersonRecord(returned())])
        #expect(await mine.personRecord(ben.person) != nil)
        var generator = SeededGenerator(seed: 64)
        let more = try ben.adding(DeviceKey(using: &generator))
        try await mine.learn([ClaimedPersonRecord(more)])
        #expect(try await mine.untoldReturns().isEmpty)
    }
}
