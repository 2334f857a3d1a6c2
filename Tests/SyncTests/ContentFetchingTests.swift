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
        var bytes = 0
        while let choice = fetching.choose(now: now, sources: { _ in [ann] }) {
            _ = fetching.begin(choice, arrivedBytes: 0, now: now)
            bytes += choice.wanted.blob.bytesCount
            fetching.end(choice.wanted, isWrong: false)
        }
        return bytes
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
