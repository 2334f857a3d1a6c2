import Records
import Testing

@testable import Sync

/// Fetching content, step by step, with every misbehaviour of a peer.
struct ContentFetchingTests {
    private let space = SpaceID(raw: .zero)
    private let ann = device(1)
    private let ben = device(2)
    private let blob = blob(1, bytes: 10 * Limits.blobPieceBytes + 5)

    private static func device(_ byte: UInt8) -> DeviceID {
        DeviceID(bytes: [UInt8](repeating: byte, count: 32)) ?? DeviceID(raw: .zero)
    }

    private static func blob(_ byte: UInt8, bytes: Int) -> Blob {
        guard
            let blob = Blob(
                hash: BlobHash(of: [byte]), bytesCount: bytes, kind: "image/jpeg")
        else { preconditionFailure("the size is valid") }
        return blob
    }

    private var wanted: ContentFetching.Wanted {
        ContentFetching.Wanted(space: space, blob: blob)
    }

    /// Begins to fetch the blob.
    private func begun(
        _ sources: [DeviceID], arrivedBytes: Int = 0, now: Duration = .zero
    ) throws -> (ContentFetching, [ContentRequest]) {
        var fetching = ContentFetching()
        fetching.want(wanted)
        let choice = try #require(fetching.choose(now: now) { _ in sources })
        #expect(choice.source == sources.first)
        let effects = fetching.begin(choice, arrivedBytes: arrivedBytes, now: now)
        let asked = record(effects, in: &fetching)
        return (fetching, asked)
    }

    /// Fetches blobs of the greatest size until no more may be begun at a time.
    private func bytesBegun(_ fetching: inout ContentFetching, now: Duration) throws -> Int {
        let bytes = [UInt8](repeating: 1, count: Limits.blobPieceBytes)
        var count = 0
        while let choice = fetching.choose(now: now, sources: { _ in [ann] }) {
            let first = fetching.begin(choice, arrivedBytes: 0, now: now)
            var requests = record(first, in: &fetching)
            while !requests.isEmpty {
                let piece = ContentPiece(request: requests.removeFirst(), bytes: bytes)
                let effects = try fetching.receive(piece, from: ann, now: now)
                requests += record(effects, in: &fetching)
            }
            count += choice.wanted.blob.bytesCount
            fetching.end(choice.wanted, isWrong: false)
        }
        return count
    }

    @Test func `claims of large content that is never sent do not use up the bytes per second`()
        throws
    {
        var fetching = ContentFetching(.open)
        let claims = (UInt8(1)...7).map { byte in
            ContentFetching.Wanted(
                space: space, blob: Self.blob(byte, bytes: Limits.blobBytesMax))
        }
        for claim in claims { fetching.want(claim) }
        for byte in UInt8(1)...7 {
            let choice = try #require(
                fetching.choose(now: .seconds(100)) { _ in [Self.device(byte)] })
            record(
                fetching.begin(choice, arrivedBytes: 0, now: .seconds(100)), in: &fetching)
        }
        let photo = ContentFetching.Wanted(space: space, blob: Self.blob(8, bytes: 300_000))
        fetching.want(photo)
        let choice = fetching.choose(now: .seconds(100)) { _ in [Self.device(8)] }
        #expect(choice?.wanted == photo)
    }

    @Test(arguments: [(pause: 4, isGivenUp: true), (pause: 1, isGivenUp: false)])
    func `a device that sends less than 64 KiB a second is given up after 10 s`(
        pause: Int, isGivenUp: Bool
    ) throws {
        var fetching = ContentFetching(.open)
        let large = ContentFetching.Wanted(
            space: space, blob: Self.blob(1, bytes: Limits.blobBytesMax))
        fetching.want(large)
        let choice = try #require(fetching.choose(now: .zero) { _ in [ann] })
        var waiting = record(
            fetching.begin(choice, arrivedBytes: 0, now: .zero), in: &fetching)
        let bytes = [UInt8](repeating: 1, count: Limits.blobPieceBytes)
        var givenUp: Duration?
        for second in 1...30 {
            let now = Duration.seconds(second)
            if second % pause == 0, givenUp == nil {
                let piece = ContentPiece(request: waiting.removeFirst(), bytes: bytes)
                waiting += record(
                    try fetching.receive(piece, from: ann, now: now), in: &fetching)
            }
            if !fetching.checkProgress(now: now).isEmpty { givenUp = now }
        }
        #expect(givenUp == (isGivenUp ? .seconds(10) : nil))
    }

    @Test func `two lengths of a hash are not fetched at the same time`() throws {
        var fetching = ContentFetching(.open)
        for bytes in [1000, 999] {
            fetching.want(
                ContentFetching.Wanted(space: space, blob: Self.blob(1, bytes: bytes)))
        }
        let first = try #require(fetching.choose(now: .zero) { _ in [ann] })
        #expect(fetching.choose(now: .zero) { _ in [ben] } == nil)
        #expect(fetching.isWanted(first.wanted.blob.hash, in: space))
        fetching.end(first.wanted, isWrong: false)
        #expect(fetching.choose(now: .zero) { _ in [ben] }?.wanted.blob.bytesCount == 999)
    }

    @Test func `what somebody opened is forgotten last`() throws {
        var fetching = ContentFetching(.open)
        func wanted(_ count: Int) -> ContentFetching.Wanted {
            ContentFetching.Wanted(space: space, blob: Self.blob(1, bytes: count))
        }
        for count in 1...ContentFetching.wantedMax { fetching.want(wanted(count)) }
        let priority = { (wanted: ContentFetching.Wanted) -> ContentFetching.Priority in
            wanted.blob.bytesCount <= 2 ? .own : wanted.blob.bytesCount <= 4 ? .known : .other
        }
        let count = ContentFetching.wantedMax
        #expect(fetching.want(wanted(count + 1), priority: priority) == wanted(5))
        #expect(fetching.isWanted(wanted(1)) && !fetching.isWanted(wanted(5)))
        // If no stranger wants anything, it is what known people want.
        let forKnown = { (wanted: ContentFetching.Wanted) in
            max(ContentFetching.Priority.known, priority(wanted))
        }
        #expect(fetching.want(wanted(count + 2), priority: forKnown) == wanted(3))
        // If nothing else is wanted, the oldest goes.
        #expect(fetching.want(wanted(5000), priority: { _ in .own }) == wanted(1))
    }

    @Test func `a side asks for no more bytes per second than it permits itself`() throws {
        var fetching = ContentFetching()
        let large = Limits.blobBytesMax
        for byte in UInt8(1)...100 {
            let blob = ContentFetchingTests.blob(byte, bytes: large)
            fetching.want(ContentFetching.Wanted(space: space, blob: blob))
        }
        let perSecond = ContentFetching.bytesPerSecond
        #expect(try bytesBegun(&fetching, now: .seconds(100)) == 2 * perSecond + large)
        #expect(try bytesBegun(&fetching, now: .milliseconds(100_100)) == 0)
        #expect(try bytesBegun(&fetching, now: .milliseconds(100_500)) == large)
        #expect(try bytesBegun(&fetching, now: .milliseconds(101_500)) == perSecond)
        #expect(try bytesBegun(&fetching, now: .seconds(200)) == 2 * perSecond + large)
    }

    /// Sends the requests among effects.
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

    private func piece(_ request: ContentRequest, count: Int? = nil) -> ContentPiece {
        let rest = min(blob.bytesCount - request.offset, Limits.blobPieceBytes)
        return ContentPiece(
            request: request, bytes: [UInt8](repeating: 1, count: count ?? rest))
    }

    @Test func `four pieces are under way at a time, until all bytes have arrived`() throws {
        var (fetching, waiting) = try begun([ann])
        #expect(waiting.map(\.offset) == (0..<4).map { $0 * Limits.blobPieceBytes })
        var stored = 0
        var isFinished = false
        while !waiting.isEmpty {
            let next = waiting.removeFirst()
            let effects = try fetching.receive(piece(next), from: ann, now: .zero)
            for effect in effects {
                if case .store(_, let bytes, let offset) = effect {
                    #expect(offset == stored)
                    stored += bytes.count
                }
                if case .finish = effect { isFinished = true }
            }
            waiting += record(effects, in: &fetching)
            #expect(waiting.count <= ContentFetching.windowCount)
        }
        #expect(stored == blob.bytesCount)
        #expect(isFinished)
        fetching.end(wanted, isWrong: false)
        #expect(fetching.wantedCount == 0)
    }

    @Test func `a fetch goes on where it was cut, over another link`() throws {
        let half = 5 * Limits.blobPieceBytes
        var (fetching, _) = try begun([ann])
        fetching.linkEnded(ann)
        let choice = try #require(fetching.choose(now: .zero) { _ in [ben] })
        let effects = fetching.begin(choice, arrivedBytes: half, now: .zero)
        let asked = record(effects, in: &fetching)
        #expect(asked.first?.offset == half)
        #expect(asked.count == 4)
    }

    @Test func `a piece that nobody asked for, or out of order, ends the link`() throws {
        var (fetching, asked) = try begun([ann])
        #expect(throws: SyncFault.self) {
            _ = try fetching.receive(piece(asked[1]), from: ann, now: .zero)
        }
        (fetching, asked) = try begun([ann])
        #expect(throws: SyncFault.self) {
            _ = try fetching.receive(piece(asked[0]), from: ben, now: .zero)
        }
        (fetching, asked) = try begun([ann])
        _ = try fetching.receive(piece(asked[0]), from: ann, now: .zero)
        #expect(throws: SyncFault.self) {
            _ = try fetching.receive(piece(asked[0]), from: ann, now: .zero)
        }
        #expect(throws: SyncFault.self) {
            try fetching.receive(lacking: asked[0], from: ann, now: .zero)
        }
    }

    @Test(arguments: [1, Limits.blobPieceBytes - 1])
    func `a short piece in the middle is not stored, and its source is not asked again`(
        count: Int
    ) throws {
        var (fetching, asked) = try begun([ann])
        let effects = try fetching.receive(piece(asked[0], count: count), from: ann, now: .zero)
        #expect(effects.isEmpty)
        #expect(fetching.choose(now: .seconds(1_000_000)) { _ in [ann] } == nil)
        #expect(fetching.choose(now: .zero) { _ in [ann, ben] }?.source == ben)
        // The answers that are still under way have no effect.
        #expect(try fetching.receive(piece(asked[1]), from: ann, now: .zero).isEmpty)
    }

    @Test func `a device that lacks the content is asked again after a minute or on its next link`()
        throws
    {
        var (fetching, asked) = try begun([ann])
        try fetching.receive(lacking: asked[0], from: ann, now: .zero)
        let pause = ContentFetching.lackingPause
        #expect(fetching.choose(now: pause - .milliseconds(1)) { _ in [ann] } == nil)
        var later = fetching
        #expect(later.choose(now: pause) { _ in [ann] } != nil)
        fetching.linkEnded(ann)
        #expect(fetching.choose(now: .zero) { _ in [ann] } != nil)
    }

    @Test func `a device that sends nothing is given up after 20 s`() throws {
        var (fetching, _) = try begun([ann, ben])
        fetching.checkProgress(now: ContentFetching.stallMax - .milliseconds(1))
        #expect(fetching.choose(now: .zero) { _ in [ben] } == nil)
        fetching.checkProgress(now: ContentFetching.stallMax)
        #expect(fetching.choose(now: .zero) { _ in [ann, ben] }?.source == ben)
    }

    @Test func `wrong content of one device excludes it, of several is fetched again from one`()
        throws
    {
        var (fetching, _) = try begun([ann])
        fetching.end(wanted, isWrong: true)
        #expect(fetching.choose(now: .seconds(1_000_000)) { _ in [ann] } == nil)
        (fetching, _) = try begun([ann], arrivedBytes: Limits.blobPieceBytes)
        fetching.end(wanted, isWrong: true)
        #expect(fetching.choose(now: .zero) { _ in [ann] } != nil)
    }

    @Test func `at most 1024 blobs are wanted, and the oldest is forgotten`() throws {
        var fetching = ContentFetching()
        let first = ContentFetching.Wanted(space: space, blob: Self.blob(1, bytes: 1))
        for count in 1...ContentFetching.wantedMax + 1 {
            fetching.want(
                ContentFetching.Wanted(space: space, blob: Self.blob(1, bytes: count)))
        }
        #expect(fetching.wantedCount == ContentFetching.wantedMax)
        let choice = try #require(fetching.choose(now: .zero) { _ in [ann] })
        #expect(choice.wanted != first)
        #expect(choice.wanted.blob.bytesCount == 2)
    }

    @Test func `the bytes of two seconds are sent at once, and then those of each second`() {
        var allowance = ContentAllowance()
        let cost = Limits.blobPieceBytes + ContentAllowance.answerBytes
        let atOnce = 2 * ContentAllowance.bytesPerSecond / cost
        let start = Duration.seconds(100)
        for _ in 0..<atOnce { #expect(allowance.spend(uptime: start) == .zero) }
        #expect(allowance.spend(uptime: start) > .zero)
        #expect(allowance.spend(uptime: start + .seconds(1)) == .zero)
    }
}
