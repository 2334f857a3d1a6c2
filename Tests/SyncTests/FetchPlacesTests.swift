import Records
import Testing

@testable import Sync

/// Priorities in fetching content of open spaces: strangers take up a part of the fetches only.
struct FetchPlacesTests {
    private let space = SeekingNetwork.space

    private static let known = Set((1000..<1100).map { SeekingNetwork.blob($0).hash })
    private static let own = Set((1100..<1200).map { SeekingNetwork.blob($0).hash })

    /// Strangers want blobs below 1000, known people those below 1100, and this person the rest.
    /// Devices from 100 to 199 are those of known people.
    private let priorities = ContentFetching.Priorities(
        priority: { wanted in
            let hash = wanted.blob.hash
            return FetchPlacesTests.known.contains(hash)
                ? .known : FetchPlacesTests.own.contains(hash) ? .own : .other
        },
        isKnown: { device in (100..<200).contains { SeekingNetwork.device($0) == device } })

    private func wanted(
        _ number: Int, bytes: Int = Limits.blobBytesMax
    ) -> ContentFetching.Wanted {
        SeekingNetwork.wanted(SeekingNetwork.blob(number, bytes: bytes))
    }

    /// Wants a blob and begins to fetch it from a device.
    /// - Returns: whether it was begun.
    private func begin(
        _ number: Int, from device: Int, at now: Duration = .seconds(100),
        in fetching: inout ContentFetching
    ) -> Bool {
        let wish = wanted(number)
        fetching.want(wish)
        let choice = fetching.choose(now: now, priorities: priorities) {
            $0 == wish ? [SeekingNetwork.device(device)] : []
        }
        guard let choice else { return false }
        record(fetching.begin(choice, arrivedBytes: 0, now: now), in: &fetching)
        return choice.wanted == wish
    }

    @discardableResult
    private func record(
        _ effects: [ContentFetching.Effect], in fetching: inout ContentFetching
    ) -> [ContentRequest] {
        effects.compactMap { effect in
            guard case .ask(let device, let wanted, let offset) = effect else { return nil }
            let request = ContentRequest(channel: 7, hash: wanted.blob.hash, offset: offset)
            fetching.asked(request, of: device)
            return request
        }
    }

    @Test func `four fetches are for strangers' wishes, and two from known people's devices`() {
        var fetching = ContentFetching(.open)
        for number in 1...4 { #expect(begin(number, from: number, in: &fetching)) }
        #expect(!begin(5, from: 5, in: &fetching))
        // A known device is asked for strangers in these four only.
        #expect(!begin(6, from: 100, in: &fetching))
        // What this side wants may come from two more strangers.
        for number in 1000...1001 {
            #expect(begin(number, from: number - 990, in: &fetching))
        }
        #expect(!begin(1002, from: 20, in: &fetching))
        for number in 1003...1004 {
            #expect(begin(number, from: number - 900, in: &fetching))
        }
        #expect(!begin(1005, from: 110, in: &fetching))
    }

    @Test func `a device that is asked for a stranger is asked for this side first`() throws {
        var fetching = ContentFetching(.open)
        #expect(begin(1, from: 100, in: &fetching))
        #expect(begin(1000, from: 100, in: &fetching))
        // What gave way is still wanted, and does not displace anything itself.
        #expect(fetching.isWanted(wanted(1)))
        #expect(!begin(2, from: 100, in: &fetching))
        #expect(!begin(1001, from: 100, in: &fetching))
        // The pieces that were asked for before have no effect.
        let bytes = [UInt8](repeating: 1, count: Limits.blobPieceBytes)
        for piece in 0..<ContentFetching.windowCount {
            let request = ContentRequest(
                channel: 7, hash: SeekingNetwork.blob(1).hash,
                offset: piece * Limits.blobPieceBytes)
            let effects = try fetching.receive(
                ContentPiece(request: request, bytes: bytes), from: SeekingNetwork.device(100),
                now: .seconds(100))
            #expect(effects.isEmpty)
        }
    }

    @Test func `a fetch that gave way goes on after the bytes that arrived`() throws {
        var fetching = ContentFetching(.open)
        #expect(begin(1, from: 100, in: &fetching))
        #expect(begin(1000, from: 100, in: &fetching))
        fetching.remove(wanted(1000))
        let now = Duration.seconds(101)
        let again = try #require(fetching.choose(now: now) { _ in [SeekingNetwork.device(1)] })
        #expect(again.wanted == wanted(1))
        let arrived = 2 * Limits.blobPieceBytes
        let requests = record(
            fetching.begin(again, arrivedBytes: arrived, now: now), in: &fetching)
        #expect(
            requests.map(\.offset)
                == (2..<2 + ContentFetching.windowCount).map { $0 * Limits.blobPieceBytes })
    }

    @Test func `a silent device is given up although its fetch gave way to another`() {
        var fetching = ContentFetching(.open)
        let device = SeekingNetwork.device(100)
        #expect(begin(1, from: 100, at: .seconds(100), in: &fetching))
        #expect(begin(1000, from: 100, at: .seconds(103), in: &fetching))
        let silent = (104...115).flatMap { fetching.checkProgress(now: .seconds($0)) }
        #expect(silent == [device])
    }

    @Test func `what this person opened is fetched before what known people want`() {
        var fetching = ContentFetching(.open)
        for number in [1] + Array(1000..<1020) + [1100] { fetching.want(wanted(number)) }
        var chosen: [ContentFetching.Wanted] = []
        for device in 1...3 {
            let choice = fetching.choose(now: .seconds(100), priorities: priorities) { _ in
                [SeekingNetwork.device(device)]
            }
            if let choice { chosen.append(choice.wanted) }
        }
        #expect(chosen == [wanted(1100), wanted(1000), wanted(1001)])
    }

    @Test func `while no fetch can begin, nothing that waits is looked at`() {
        var fetching = ContentFetching(.open)
        for number in 1...4 { #expect(begin(number, from: number, in: &fetching)) }
        for number in 5..<500 { fetching.want(wanted(number)) }
        var sourcesCount = 0
        let free = { (_: ContentFetching.Wanted) -> [DeviceID] in
            sourcesCount += 1
            return [SeekingNetwork.device(100)]
        }
        // Strangers' wishes take up their four.
        #expect(
            fetching.choose(now: .seconds(100), priorities: priorities, sources: free) == nil)
        #expect(sourcesCount == 0)
        for number in 1000..<1004 {
            #expect(begin(number, from: number - 900, in: &fetching))
        }
        // What known people want may displace these four, and is looked at.
        fetching.want(wanted(1010))
        #expect(
            fetching.choose(now: .seconds(100), priorities: priorities, sources: free) == nil)
        #expect(sourcesCount == 1)
        // All eight are for known people.
        let all = ContentFetching.Priorities(priority: { _ in .known }, isKnown: { _ in true })
        #expect(fetching.choose(now: .seconds(100), priorities: all, sources: free) == nil)
        #expect(sourcesCount == 1)
    }

    @Test func `a wrong length that a stranger wants does not hold up the right one`() {
        var fetching = ContentFetching(.open)
        let (wrong, right) = (wanted(1, bytes: 5000), wanted(1, bytes: 6000))
        let priorities = ContentFetching.Priorities(
            priority: { $0 == right ? .known : .other }, isKnown: { _ in false })
        for wish in [wrong, right] {
            fetching.want(wish)
            let device = SeekingNetwork.device(wish.blob.bytesCount / 1000)
            let choice = fetching.choose(now: .zero, priorities: priorities) {
                $0 == wish ? [device] : []
            }
            #expect(choice?.wanted == wish)
        }
        fetching.want(wrong)
        let again = fetching.choose(now: .zero, priorities: priorities) { _ in
            [SeekingNetwork.device(7)]
        }
        #expect(again == nil)
    }

    @Test func `the bytes that strangers want do not hold up what this side wants`() throws {
        var fetching = ContentFetching(.open)
        let now = Duration.seconds(100)
        let bytes = [UInt8](repeating: 1, count: Limits.blobPieceBytes)
        #expect(begin(1, from: 1, in: &fetching))
        var offset = 0
        while offset < Limits.blobBytesMax {
            let request = ContentRequest(
                channel: 7, hash: SeekingNetwork.blob(1).hash, offset: offset)
            let piece = ContentPiece(request: request, bytes: bytes)
            record(
                try fetching.receive(piece, from: SeekingNetwork.device(1), now: now),
                in: &fetching)
            offset += Limits.blobPieceBytes
        }
        // 16 MiB are eight seconds of what is fetched in all, and two of them come at once.
        #expect(!begin(2, from: 2, in: &fetching))
        #expect(begin(1000, from: 3, in: &fetching))
        #expect(!begin(2, from: 2, at: now + .milliseconds(5900), in: &fetching))
        #expect(begin(2, from: 2, at: now + .milliseconds(6200), in: &fetching))
    }

    /// Answers the first request for a piece of a blob.
    private func answer(
        _ number: Int, from device: Int, at now: Duration, in fetching: inout ContentFetching
    ) throws {
        let request = ContentRequest(
            channel: 7, hash: SeekingNetwork.blob(number).hash, offset: 0)
        let bytes = [UInt8](repeating: 1, count: Limits.blobPieceBytes)
        record(
            try fetching.receive(
                ContentPiece(request: request, bytes: bytes), from: SeekingNetwork.device(device),
                now: now),
            in: &fetching)
    }

    @Test func `a device that ends its link before its first piece is silent`() throws {
        var fetching = ContentFetching(.open)
        let device = SeekingNetwork.device(1)
        func isSilent(_ end: ContentFetching.LinkEnd = .byPeer, at seconds: Double) -> Bool {
            fetching.isSilent(device, atEnd: end, now: .seconds(seconds))
        }
        #expect(!isSilent(at: 100))
        #expect(begin(1, from: 1, in: &fetching))
        #expect(isSilent(at: 100))
        try answer(1, from: 1, at: .seconds(100), in: &fetching)
        #expect(!isSilent(at: 100.5))
        fetching.linkEnded(device)
        #expect(!isSilent(at: 200))
        // It was not asked yet.
        #expect(fetching.choose(now: .seconds(200)) { _ in [device] } != nil)
        #expect(!isSilent(at: 204))
    }

    @Test func `one piece and a new link every few seconds is silence, a quick change is not`()
        throws
    {
        let device = SeekingNetwork.device(1)
        for hasPiece in [false, true] {
            var fetching = ContentFetching(.open)
            #expect(begin(1, from: 1, in: &fetching))
            if hasPiece { try answer(1, from: 1, at: .seconds(100), in: &fetching) }
            let ends: [ContentFetching.LinkEnd] = [.lost, .byThisSide]
            for seconds in [101.9, 102, 109] {
                let silent = ends.map {
                    fetching.isSilent(device, atEnd: $0, now: .seconds(seconds))
                }
                #expect(silent == [seconds >= 102, false], "\(seconds) s, \(hasPiece)")
            }
            #expect(fetching.isSilent(device, atEnd: .byPeer, now: .seconds(109)))
        }
        // 128 KiB in 2 s are enough.
        var quick = ContentFetching(.open)
        #expect(begin(1, from: 1, in: &quick))
        try answer(1, from: 1, at: .seconds(100), in: &quick)
        let request = ContentRequest(
            channel: 7, hash: SeekingNetwork.blob(1).hash, offset: Limits.blobPieceBytes)
        let bytes = [UInt8](repeating: 1, count: Limits.blobPieceBytes)
        _ = try quick.receive(
            ContentPiece(request: request, bytes: bytes), from: device, now: .seconds(101))
        #expect(!quick.isSilent(device, atEnd: .lost, now: .seconds(102)))
    }

    @Test func `of content that members share, 16 KiB a second are enough`() throws {
        var fetching = ContentFetching(.members)
        #expect(begin(1, from: 1, in: &fetching))
        try answer(1, from: 1, at: .seconds(101), in: &fetching)
        let device = SeekingNetwork.device(1)
        for (seconds, isSilent) in [(103.9, false), (104.1, true)] {
            let found = fetching.isSilent(device, atEnd: .lost, now: .seconds(seconds))
            #expect(found == isSilent, "\(seconds) s")
        }
    }
}
