internal import PluginKit
internal import Records
internal import Synchronization
internal import TestSupport

/// The photos that one person showed to mates, kept outside of the node.
final class Photos: Sendable {
    /// A photo, and the mate it was shown to.
    struct Shown: Hashable {
        let seed: Int
        let mate: PersonID
    }

    private struct State {
        var count = 0
        var shown: [Shown] = []
        var erased: Set<Shown> = []
    }

    private let number: Int
    private let chance: Chance
    private let state = Mutex(State())

    /// One in so many deeds of a person is about a photo.
    private static let sharePercent = 20
    /// The lengths of photos, in bytes.
    private static let bytes = 1...300_000

    init(number: Int, seed: UInt64) {
        self.number = number
        chance = Chance(seed: seed &* 32_452_843 &+ UInt64(number))
    }

    /// The photos that were deleted for both.
    var erased: Set<Shown> { state.withLock { $0.erased } }

    /// Returns the photo with a seed.
    static func photo(_ seed: Int, with mate: PersonID) -> AlbumPlugin.Photo {
        let span = bytes.upperBound
        return AlbumPlugin.Photo(
            Key(mate), seed: seed, bytes: seed &* 7_919 % span + bytes.lowerBound)
    }

    /// Returns the hash of a photo with a seed.
    static func hash(_ seed: Int, with mate: PersonID) -> BlobHash {
        BlobHash(of: photo(seed, with: mate).content)
    }

    /// Sometimes shows a photo to a mate, looks at one of theirs, or deletes one for both.
    func act(_ person: SimulatedPerson, mates: () async -> [PersonID]) async {
        guard chance.chance(Photos.sharePercent) else { return }
        switch chance.number(1...4) {
        case 1, 2:
            guard let mate = chance.one(of: await mates()) else { return }
            let seed = state.withLock { state in
                state.count += 1
                return number * 1000 + state.count
            }
            let photo = Photos.photo(seed, with: mate)
            guard await person.told(AlbumPlugin.add, photo) != nil else { return }
            state.withLock { $0.shown.append(Shown(seed: seed, mate: mate)) }
            person.world.count("photos")
        case 3:
            guard let shown = state.withLock({ $0.shown.last }) else { return }
            let photo = Photos.photo(shown.seed, with: shown.mate)
            guard await person.told(AlbumPlugin.erase, photo) != nil else { return }
            state.withLock { state in
                state.shown.removeAll { $0 == shown }
                state.erased.insert(shown)
            }
            person.world.count("photos deleted")
        default:
            guard let mate = chance.one(of: await mates()) else { return }
            _ = await person.told(AlbumPlugin.list, .init(mate))
        }
    }
}
