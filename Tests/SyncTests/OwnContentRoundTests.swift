import Records
import Testing

@testable import Sync

/// The rounds through missing own content, most of which no member has.
struct OwnContentRoundTests {
    /// A device that fetches own content, with what the replica knows to be missing and what the
    /// linked devices have.
    private struct Home {
        var content = MemberContent()
        var missing: [ContentFetching.Wanted]
        var linked: [SpaceID: [DeviceID]]
        var here: Set<ContentFetching.Wanted> = []
        var has: (DeviceID, ContentFetching.Wanted) -> Bool
        var silent: Set<DeviceID> = []
        /// The number of times that missing content was read from the beginning.
        var roundsCount = 0
        var now = Duration.seconds(100)

        /// Does what a node does each second.
        mutating func pass(seconds: Int) throws {
            for _ in 0..<seconds {
                now += .seconds(1)
                let linked = linked
                content.advance(now: now) { linked[$0] ?? [] }
                if let part = content.own.next(now: now) { read(part) }
                try fetch()
            }
        }

        private mutating func read(_ part: OwnContentRound.Part) {
            if part.last == nil { roundsCount += 1 }
            let start = part.last.flatMap { missing.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
            let here = here
            let found = Array(
                missing[start...].filter { !here.contains($0) }.prefix(part.countMax))
            for wanted in found {
                let dropped = content.want(wanted, because: .own, now: now)
                #expect(dropped.isEmpty)
            }
            content.own.receive(found, of: part, now: now)
        }

        private mutating func fetch() throws {
            let (linked, me) = (linked, PersonID(raw: .zero))
            while let choice = content.choose(
                now: now, me: me, person: { PersonID(raw: $0.raw) }, linked: { linked[$0] ?? [] })
            {
                let (source, wanted) = (choice.source, choice.wanted)
                _ = content.fetching.begin(choice, arrivedBytes: 0, now: now)
                if has(source, wanted), !silent.contains(source) {
                    content.fetching.end(wanted, isWrong: false)
                    here.insert(wanted)
                    continue
                }
                let request = ContentRequest(channel: 1, hash: wanted.blob.hash, offset: 0)
                content.fetching.asked(request, of: source)
                guard !silent.contains(source) else { continue }
                try content.fetching.receive(lacking: request, from: source, now: now)
            }
        }
    }

    private static let (ben, cleo) = (SeekingNetwork.device(20), SeekingNetwork.device(30))
    private static let (first, second) = (
        SpaceDescriptor.open(name: "first").id, SpaceDescriptor.open(name: "second").id
    )

    private static func photos(_ numbers: Range<Int>, in space: SpaceID)
        -> [ContentFetching.Wanted]
    {
        numbers.map { ContentFetching.Wanted(space: space, blob: SeekingNetwork.blob($0)) }
    }

    @Test func `1200 photos that nobody has do not keep one that a mate has from coming`() throws {
        let lost = Self.photos(0..<1200, in: Self.first)
        let photo = Self.photos(1200..<1201, in: Self.second)
        var home = Home(
            missing: lost + photo, linked: [Self.first: [Self.ben], Self.second: [Self.cleo]]
        ) { device, _ in device == Self.cleo }
        #expect(!home.content.own.isOver)
        try home.pass(seconds: 5)
        #expect(home.here == Set(photo))
        #expect(home.content.own.isOver)
        #expect(home.content.fetching.wantedCount == 0)
    }

    @Test func `photos of a space of which nobody is linked make room for others`() throws {
        let lost = Self.photos(0..<600, in: Self.first)
        let photo = Self.photos(600..<601, in: Self.second)
        var home = Home(missing: lost + photo, linked: [Self.second: [Self.cleo]]) { _, _ in true }
        try home.pass(seconds: 3)
        #expect(home.here == Set(photo))
    }

    @Test func `a mate who answers nothing keeps own photos of others from coming for a minute`()
        throws
    {
        let asked = Self.photos(0..<600, in: Self.first)
        let photo = Self.photos(600..<601, in: Self.second)
        var home = Home(
            missing: asked + photo, linked: [Self.first: [Self.ben], Self.second: [Self.cleo]]
        ) { _, _ in true }
        home.silent = [Self.ben]
        try home.pass(seconds: 300)
        #expect(home.here == Set(photo))
        // Once it answers, all come.
        home.silent = []
        home.content.linkEnded(Self.ben, .lost, now: home.now)
        try home.pass(seconds: 1200)
        #expect(home.here.count == 601)
    }

    @Test func `rounds begin again after pauses that double, and at once if something changed`()
        throws
    {
        var home = Home(
            missing: Self.photos(0..<3, in: Self.first), linked: [Self.first: [Self.ben]]
        ) { _, _ in false }
        try home.pass(seconds: 60)
        #expect(home.roundsCount == 1)
        try home.pass(seconds: 1)
        #expect(home.roundsCount == 2)
        try home.pass(seconds: 119)
        #expect(home.roundsCount == 2)
        home.content.own.request()
        #expect(!home.content.own.isOver)
        try home.pass(seconds: 1)
        #expect(home.roundsCount == 3)
        try home.pass(seconds: 60)
        #expect(home.roundsCount == 4)
        // The longest pause is ten minutes.
        try home.pass(seconds: 6000)
        #expect((13...16).contains(home.roundsCount))
    }

    @Test func `at most 512 photos are wanted at a time`() throws {
        var home = Home(
            missing: Self.photos(0..<600, in: Self.first), linked: [Self.first: [Self.ben]]
        ) { _, _ in true }
        home.silent = [Self.ben]
        try home.pass(seconds: 1)
        #expect(home.content.fetching.wantedCount == OwnContentRound.wantedMax)
    }
}
