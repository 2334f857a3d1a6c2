public import Contract
public import ControlAPI
import FeaturesAPI
public import GtkKit

/// The small photos of the user and the mates, for avatars and the map.
///
/// A photo is asked of the node and decoded when something first shows it, two at a time. Until
/// then, and if it cannot be read, the drawn avatar stays.
///
/// ```swift
/// let picture = context.personPhotos.picture(of: mate) { [weak self] in self?.redraw() }
/// ```
@MainActor
public final class PersonPhotos {
    private struct Wish {
        let person: Contract.Key
        var arrived: [@MainActor () -> Void]
    }

    private let node: any NodeConnection
    private let people: People
    private let photos: WindowPhotos
    /// The photos that something wants to show.
    private var wishes: [WindowPhotos.Key: Wish] = [:]
    /// Those of them that wait; the last one, which was shown last, is read first.
    private var waiting: [WindowPhotos.Key] = []
    private var runningCount = 0
    /// Photos that have no readable thumbnail.
    private var unreadable: Set<WindowPhotos.Key> = []

    /// The most pixels of either side of a small photo.
    public static let sideMax = PhotoLimits.thumbnailSize.width
    private static let runningCountMax = 2
    /// The most photos that wait; what is shown later asks again.
    private static let waitingCountMax = 512
    private static let unreadableCountMax = 1024

    /// Creates the photos of these people.
    public init(node: any NodeConnection, people: People, photos: WindowPhotos) {
        self.node = node
        self.people = people
        self.photos = photos
    }

    /// Returns the photo of a person; nil if they have none, or it is not decoded yet.
    /// - Parameter arrived: called once if the photo is decoded later.
    public func picture(
        of person: Contract.Key, _ arrived: @escaping @MainActor () -> Void
    ) -> Picture? {
        guard let time = people.photoTime(of: person) else { return nil }
        let photo = WindowPhotos.Key(
            "person \(person) \(time.milliseconds)", sideMax: Self.sideMax)
        if let picture = photos.kept(photo) { return picture }
        if !unreadable.contains(photo) { wish(for: photo, of: person, arrived) }
        return nil
    }

    private func wish(
        for photo: WindowPhotos.Key, of person: Contract.Key,
        _ arrived: @escaping @MainActor () -> Void
    ) {
        if wishes[photo] != nil {
            wishes[photo]?.arrived.append(arrived)
        } else if waiting.count < Self.waitingCountMax {
            wishes[photo] = Wish(person: person, arrived: [arrived])
            waiting.append(photo)
            startNext()
        }
    }

    private func startNext() {
        guard runningCount < Self.runningCountMax, let photo = waiting.popLast(),
            let person = wishes[photo]?.person
        else { return }
        runningCount += 1
        Task { [weak self] in await self?.read(photo, of: person) }
    }

    private func read(_ photo: WindowPhotos.Key, of person: Contract.Key) async {
        do {
            let answer = try await node.call(
                MateCommands.photo, PhotoRequest(person: NameOrKey(person), thumbnail: true))
            if let thumbnail = answer.thumbnail {
                _ = try await photos.picture(photo, of: .bytes(thumbnail.jpeg))
            } else {
                remember(unreadable: photo)
            }
        } catch PhotoFault.refused {
            remember(unreadable: photo)
        } catch {
            // The node does not answer, or many photos are being read: what is shown asks again.
        }
        runningCount -= 1
        let wish = wishes.removeValue(forKey: photo)
        startNext()
        if photos.kept(photo) != nil { for arrived in wish?.arrived ?? [] { arrived() } }
    }

    private func remember(unreadable photo: WindowPhotos.Key) {
        if unreadable.count >= Self.unreadableCountMax { unreadable.removeAll() }
        unreadable.insert(photo)
    }
}
