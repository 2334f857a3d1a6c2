import Records
import Testing

@testable import Sync

/// The choice of the member that is asked, and of the content that comes first. The devices 10 to
/// 19 are the first mate's, 20 to 29 the second one's, and so on; those from 90 on are this
/// person's.
struct MemberContentTests {
    private let start = Duration.seconds(100)

    private func space(_ name: String) -> SpaceID { SpaceDescriptor.open(name: name).id }

    private func wanted(_ number: Int, in name: String = "a", bytes: Int = 300_000)
        -> ContentFetching.Wanted
    {
        ContentFetching.Wanted(
            space: space(name), blob: SeekingNetwork.blob(number, bytes: bytes))
    }

    private static func person(_ number: Int) -> PersonID {
        PersonID(raw: SeekingNetwork.device(number).raw)
    }

    private static let people = Dictionary(
        uniqueKeysWithValues: (10..<100).map { (SeekingNetwork.device($0), person($0 / 10)) })

    /// Chooses the next blob and begins to fetch it.
    /// - Parameter linked: the devices that share each space.
    private func choose(
        _ content: inout MemberContent, _ linked: [String: [Int]], now: Duration
    ) -> ContentFetching.Choice? {
        let devices = Dictionary(
            uniqueKeysWithValues: linked.map { (space($0), $1.map(SeekingNetwork.device)) })
        let choice = content.choose(
            now: now, me: Self.person(9), person: { Self.people[$0] },
            linked: { devices[$0] ?? [] })
        if let choice { _ = content.fetching.begin(choice, arrivedBytes: 0, now: now) }
        return choice
    }

    /// Chooses until nothing more may be fetched.
    private func chooseAll(
        _ content: inout MemberContent, _ linked: [String: [Int]]
    ) -> [DeviceID] {
        var sources: [DeviceID] = []
        while let choice = choose(&content, linked, now: start) { sources.append(choice.source) }
        return sources
    }

    @Test func `a silent device does not hold up what others have`() {
        var content = MemberContent()
        let linked = ["a": [10], "b": [20]]
        for name in ["a", "b"] {
            _ = content.want(wanted(1, in: name), because: .opened, now: start)
        }
        #expect(choose(&content, linked, now: start)?.wanted == wanted(1, in: "a"))
        #expect(choose(&content, linked, now: start) == nil)
        // Another content, since two spaces with the same hash are fetched one after the other.
        _ = content.want(wanted(2, in: "b"), because: .opened, now: start)
        #expect(choose(&content, linked, now: start)?.wanted == wanted(2, in: "b"))
    }

    @Test func `one person's devices have two places, all other people's six, and own ones eight`()
    {
        let others = [10, 11, 12, 20, 21, 22, 30, 31, 40]
        var content = MemberContent()
        for number in 1...20 { _ = content.want(wanted(number), because: .opened, now: start) }
        let first = [10, 11, 20, 21, 30, 31].map(SeekingNetwork.device)
        #expect(chooseAll(&content, ["a": others]) == first)
        #expect(
            chooseAll(&content, ["a": others + [90, 91, 92]])
                == [90, 91].map(SeekingNetwork.device))
        var atHome = MemberContent()
        for number in 1...20 { _ = atHome.want(wanted(number), because: .opened, now: start) }
        #expect(chooseAll(&atHome, ["a": Array(90..<100)]).count == 8)
    }

    @Test func `what the user opened comes first, then own content, then cards`() {
        var content = MemberContent()
        let wishes: [(MemberContent.Reason, ContentFetching.Wanted)] = [
            (.card, wanted(1, in: "card")), (.own, wanted(2)), (.opened, wanted(3)),
            (.own, wanted(4)),
        ]
        for (reason, wish) in wishes { _ = content.want(wish, because: reason, now: start) }
        // Own content comes first too once the user opens it.
        _ = content.want(wanted(4), because: .opened, now: start)
        var found: [ContentFetching.Wanted] = []
        while let choice = choose(&content, ["a": [10], "card": [10]], now: start) {
            found.append(choice.wanted)
            content.fetching.end(choice.wanted, isWrong: false)
        }
        #expect(found == [wanted(3), wanted(4), wanted(2), wanted(1, in: "card")])
    }

    @Test func `what the user opens displaces a card's photo that the same device sends`() {
        var content = MemberContent()
        let linked = ["a": [10], "card": [10]]
        _ = content.want(wanted(1, in: "card"), because: .card, now: start)
        #expect(choose(&content, linked, now: start) != nil)
        _ = content.want(wanted(2), because: .opened, now: start)
        #expect(choose(&content, linked, now: start)?.wanted == wanted(2))
        #expect(content.fetching.isWanted(wanted(1, in: "card")))
    }

    @Test func `own devices are asked first, and a device that was silent three times last`() {
        var content = MemberContent()
        _ = content.want(wanted(1), because: .opened, now: start)
        #expect(
            choose(&content, ["a": [10, 90]], now: start)?.source == SeekingNetwork.device(90))
        content.fetching.end(wanted(1), isWrong: false)
        for number in 2...4 {
            _ = content.want(wanted(number), because: .opened, now: start)
            let source = choose(&content, ["a": [10, 20]], now: start)?.source
            // After the first silence, the other one is asked if it can be.
            if number == 2 { #expect(source == SeekingNetwork.device(10)) }
            if number > 2 {
                #expect(source == SeekingNetwork.device(20))
                if let wish = content.fetching.wishes(in: space("a")).first {
                    content.fetching.remove(wish)
                }
                _ = content.want(wanted(number), because: .opened, now: start)
                #expect(choose(&content, ["a": [10]], now: start) != nil)
            }
            content.linkEnded(SeekingNetwork.device(10), .byPeer, now: start)
            for wish in content.fetching.wishes(in: space("a")) { content.fetching.remove(wish) }
        }
        // It is still asked if it is the only one.
        _ = content.want(wanted(5), because: .opened, now: start)
        #expect(
            choose(&content, ["a": [10, 20]], now: start)?.source == SeekingNetwork.device(20))
        _ = content.want(wanted(6), because: .opened, now: start)
        #expect(choose(&content, ["a": [10]], now: start)?.source == SeekingNetwork.device(10))
    }

    @Test func `a device that sends 64 KiB every 19 s is given up after 30 s`() throws {
        var fetching = ContentFetching(.members)
        let (device, large) = (SeekingNetwork.device(10), wanted(1, bytes: 1 << 20))
        fetching.want(large)
        let choice = try #require(fetching.choose(now: start) { _ in [device] })
        for effect in fetching.begin(choice, arrivedBytes: 0, now: start) {
            guard case .ask(_, let asked, let offset) = effect else { continue }
            let request = ContentRequest(channel: 1, hash: asked.blob.hash, offset: offset)
            fetching.asked(request, of: device)
        }
        let first = ContentRequest(channel: 1, hash: large.blob.hash, offset: 0)
        let bytes = [UInt8](repeating: 1, count: Limits.blobPieceBytes)
        _ = try fetching.receive(
            ContentPiece(request: first, bytes: bytes), from: device, now: start + .seconds(19))
        let early = fetching.checkProgress(now: start + .milliseconds(29_999))
        let late = fetching.checkProgress(now: start + .seconds(30))
        #expect(early.isEmpty && late == [device])
    }

    // MARK: - Cards

    @Test func `a newer photo of a card replaces the one before, and others stay`() {
        var content = MemberContent()
        _ = content.want(wanted(1, in: "card"), because: .card, now: start)
        _ = content.want(wanted(2, in: "other"), because: .card, now: start)
        #expect(choose(&content, ["card": [10]], now: start) != nil)
        let dropped = content.want(wanted(3, in: "card"), because: .card, now: start)
        #expect(dropped == [wanted(1, in: "card")])
        #expect(content.fetching.wishes(in: space("card")) == [wanted(3, in: "card")])
        #expect(content.fetching.isWanted(wanted(2, in: "other")))
        // The same one again changes nothing.
        #expect(content.want(wanted(3, in: "card"), because: .card, now: start).isEmpty)
    }

    @Test func `of one card five photos are fetched at once, and then the newest every 30 s`() {
        var content = MemberContent()
        let linked = ["card": [10], "other": [20], "a": [10]]
        for number in 1...5 {
            let wish = wanted(number, in: "card")
            _ = content.want(wish, because: .card, now: start)
            #expect(choose(&content, linked, now: start)?.wanted == wish)
            content.fetching.end(wish, isWrong: false)
        }
        for number in 6...9 {
            let now = start + .seconds(number)
            _ = content.want(wanted(number, in: "card"), because: .card, now: now)
            #expect(choose(&content, linked, now: now) == nil)
        }
        // Neither the cards of others wait, nor what the user opens.
        _ = content.want(wanted(10, in: "other"), because: .card, now: start)
        _ = content.want(wanted(11), because: .opened, now: start)
        #expect(choose(&content, linked, now: start)?.wanted == wanted(11))
        #expect(choose(&content, linked, now: start)?.wanted == wanted(10, in: "other"))
        content.fetching.end(wanted(11), isWrong: false)
        let later = start + MemberContent.cardInterval
        #expect(choose(&content, linked, now: later - .milliseconds(1)) == nil)
        #expect(choose(&content, linked, now: later)?.wanted == wanted(9, in: "card"))
    }
}
