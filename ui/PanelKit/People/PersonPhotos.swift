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
/// let picture = context.people.photos.picture(of: mate) { [weak self] in self?.redraw() }
/// ```
@MainActor
public final class PersonPhotos {
    private struct Wish {
        let person: Contract.Key
        let photo: WindowPhotos.Key
        var arrived: [@MainActor () -> Void]
    }

    private let node: any NodeConnection
    private let people: People
    private let photos: WindowPhotos
    private var waiting: [Wish] = []
    private var running: [Wish] = []
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
        if let index = running.firstIndex(where: { $0.photo == photo }) {
            running[index].arrived.append(arrived)
        } else if let index = waiting.firstIndex(where: { $0.photo == photo }) {
            waiting[index].arrived.append(arrived)
        } else if waiting.count < Self.waitingCountMax {
            waiting.append(Wish(person: person, photo: photo, arrived: [arrived]))
            startNext()
        }
    }

    private func startNext() {
        guard running.count < Self.runningCountMax, !waiting.isEmpty else { return }
        let wish = waiting.removeFirst()
        running.append(wish)
        Task { [weak self] in await self?.read(wish) }
    }

    private func read(_ wish: Wish) async {
        do {
            let answer = try await node.call(
                MateCommands.photo,
                PhotoRequest(person: NameOrKey(wish.person), thumbnail: true))
            if let thumbnail = answer.thumbnail {
                _ = try await photos.picture(wish.photo, of: .bytes(thumbnail.jpeg))
            } else {
                remember(unreadable: wish.photo)
            }
        } catch PhotoFault.refused {
            remember(unreadable: wish.photo)
        } catch {
            // The node does not answer, or many photos are being read: what is shown asks again.
        }
        let done = running.filter { $0.photo == wish.photo }
        running.removeAll { $0.photo == wish.photo }
        startNext()
        if photos.kept(wish.photo) != nil {
            for each in done { for arrived in each.arrived { arrived() } }
        }
    }

    private func remember(unreadable photo: WindowPhotos.Key) {
        if unreadable.count >= Self.unreadableCountMax { unreadable.removeAll() }
        unreadable.insert(photo)
    }
}
