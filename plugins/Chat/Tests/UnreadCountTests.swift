import ChatAPI
import FeaturesAPI
import PluginKit
import TestSupport
import Testing

@testable import Chat

/// Counting unread messages: the cost of a message that arrives, and counts after every change.
@Suite struct UnreadCountTests {
    /// Creates two mates, of whom Ben has so many unread messages of Ann's.
    private func talkers(
        unread count: Int, on network: TestNetwork
    ) async throws -> (ann: TestHost, ben: TestHost) {
        let (ann, ben) = try await network.talkers()
        try await ben.call(ChatCommands.open, .init(room: ann.key))
        for number in 0..<count { try await ann.say("\(number)", to: ben.key) }
        try await network.settle()
        #expect(try await ben.unread(in: ann.key) == count)
        return (ann, ben)
    }

    @Test func `a message that arrives costs the same with many unread ones as with few`()
        async throws
    {
        var rows: [Int] = []
        for count in [2, 200] {
            try await TestNetwork.with { network in
                let (ann, ben) = try await talkers(unread: count, on: network)
                _ = ben.resetRowsCount()
                try await ann.say("one more", to: ben.key)
                try await network.settle()
                #expect(try await ben.unread(in: ann.key) == count + 1)
                rows.append(ben.resetRowsCount())
            }
        }
        #expect(rows[0] == rows[1])
    }

    @Test func `the count is right after each kind of change`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await talkers(unread: 4, on: network)
            let erased = try await ann.say("erased", to: ben.key)
            let hidden = try await ann.say("hidden", to: ben.key)
            try await network.settle()
            #expect(try await ben.unread(in: ann.key) == 6)
            try await ann.delete(erased, forEveryone: true)
            try await network.settle()
            #expect(try await ben.unread(in: ann.key) == 5)
            try await ben.delete(hidden, forEveryone: false)
            #expect(try await ben.unread(in: ann.key) == 4)
            try await ann.say("more", to: ben.key)
            try await network.settle()
            #expect(try await ben.unread(in: ann.key) == 5)
            try await ben.open(ann.key)
            #expect(try await ben.unread(in: ann.key) == 0)
            try await ann.say("after reading", to: ben.key)
            try await network.settle()
            #expect(try await ben.unread(in: ann.key) == 1)
            await ben.start()
            #expect(try await ben.unread(in: ann.key) == 1)
        }
    }

    @Test func `hiding the only unread message settles the inbox at once`() async throws {
        try await TestNetwork.with { network in
            let (ann, ben) = try await talkers(unread: 0, on: network)
            let id = try await ann.say("hidden", to: ben.key)
            try await network.settle()
            #expect(try await ben.waiting().count == 1)
            try await ben.delete(id, forEveryone: false)
            #expect(try await ben.waiting().isEmpty)
        }
    }

    // MARK: The counts themselves

    private let space = SpaceID(raw: .zero)
    private var reach: UnreadCounts.Reach { reach(last: 10) }

    private func reach(reached: Int64 = 10, last: Int64) -> UnreadCounts.Reach {
        .init(space: space, log: 5, reached: reached, last: last)
    }

    /// Looks up what is missing, where the log has these numbers.
    private func count(_ counts: inout UnreadCounts, _ numbers: ClosedRange<Int64>) -> [Int64] {
        let missing = counts.missing(of: [reach(last: numbers.upperBound)])
        let found = missing.first.map { first in numbers.filter { $0 > first.after } } ?? []
        counts.add([reach.log: found], to: missing)
        return found
    }

    @Test func `only the messages after the last counted one are looked up`() {
        var counts = UnreadCounts()
        #expect(count(&counts, 11...13) == [11, 12, 13])
        #expect(count(&counts, 11...14) == [14])
        #expect(counts.counts(of: [reach]) == [space: 4])
        #expect(counts.isNew(in: space, log: 5, number: 15))
        #expect(!counts.isNew(in: space, log: 5, number: 14))
    }

    @Test func `a log is counted up to the limit`() {
        var counts = UnreadCounts()
        let max = Int64(ChatLimits.unreadCountMax)
        _ = count(&counts, 11...(10 + max - 1))
        #expect(counts.missing(of: [reach(last: 10 + max)]).count == 1)
        _ = count(&counts, 11...(10 + max))
        #expect(counts.missing(of: [reach(last: 10 + max)]).isEmpty)
        #expect(counts.counts(of: [reach]) == [space: ChatLimits.unreadCountMax])
    }

    @Test func `two requests that count the same messages count them once`() {
        var counts = UnreadCounts()
        let first = counts.missing(of: [reach])
        let second = counts.missing(of: [reach])
        counts.add([5: [11, 12]], to: first)
        counts.add([5: [11, 12, 13]], to: second)
        #expect(counts.counts(of: [reach]) == [space: 3])
    }

    @Test func `a log that lost counted messages to a side of a fork is counted anew`() {
        var counts = UnreadCounts()
        _ = count(&counts, 11...14)
        #expect(counts.missing(of: [reach(last: 14)]).map(\.after) == [14])
        #expect(counts.missing(of: [reach(last: 13)]).map(\.after) == [10])
        #expect(count(&counts, 11...13) == [11, 12, 13])
        #expect(counts.counts(of: [reach(last: 13)]) == [space: 3])
    }

    @Test func `a message that arrives while messages are looked up counts at once`() {
        var counts = UnreadCounts()
        counts.add([5: [11, 12]], to: counts.missing(of: [reach(last: 11)]))
        #expect(counts.counts(of: [reach(last: 11)]) == [space: 2])
    }

    @Test func `a count from before reading is not kept after it`() {
        var counts = UnreadCounts()
        let old = counts.missing(of: [reach])
        let read = reach(reached: 12, last: 13)
        counts.add([5: [13]], to: counts.missing(of: [read]))
        counts.add([5: [11, 12, 13]], to: old)
        #expect(counts.counts(of: [read]) == [space: 1])
        counts.forget(space)
        #expect(counts.counts(of: [read]) == [space: 0])
        #expect(counts.missing(of: [read]).map(\.after) == [12])
    }
}
