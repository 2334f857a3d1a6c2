internal import FeaturesAPI
internal import Foundation
internal import PluginKit
internal import Records
internal import Synchronization
internal import TestSupport

/// The profile photos of one person, kept outside of the node: the one that they have, and those
/// that they had before.
final class Portraits: Sendable {
    private struct State {
        var count = 0
        /// The present photo; nil without one, or if the last command has no known result.
        var current: Int?
        var gone: Set<Int> = []
    }

    private let number: Int
    private let chance: Chance
    private let state = Mutex(State())

    /// One in so many deeds of a person changes their photo.
    private static let sharePercent = 8

    init(number: Int, seed: UInt64) {
        self.number = number
        chance = Chance(seed: seed &* 86_028_121 &+ UInt64(number))
    }

    /// The hash of the present photo; nil without one.
    var current: BlobHash? { state.withLock { $0.current }.flatMap(hash) }

    /// The hashes of photos that were replaced or removed.
    var gone: Set<BlobHash> { Set(state.withLock { $0.gone }.compactMap(hash)) }

    /// Sometimes chooses another photo, or removes it.
    func act(_ person: SimulatedPerson) async {
        guard chance.chance(Self.sharePercent) else { return }
        if chance.chance(70) { await choose(person) } else { await remove(person) }
    }

    private func choose(_ person: SimulatedPerson) async {
        let seed = state.withLock { state in
            state.count += 1
            return state.count
        }
        let path = person.node.homeDirectory + ".picture"
        guard FileManager.default.createFile(atPath: path, contents: Data(picture(seed))) else {
            return
        }
        defer { try? FileManager.default.removeItem(atPath: path) }
        let answer = await person.told(ProfileCommands.photo, .init(file: try FilePath(path)))
        settle(isDone: answer != nil, now: seed)
        if answer != nil { person.world.count("profile photos") }
    }

    private func remove(_ person: SimulatedPerson) async {
        guard state.withLock({ $0.current }) != nil else { return }
        let isDone = await person.told(ProfileCommands.photo, .init(remove: true)) != nil
        settle(isDone: isDone, now: nil)
        if isDone { person.world.count("profile photos removed") }
    }

    private func settle(isDone: Bool, now: Int?) {
        state.withLock { state in
            if isDone, let before = state.current { state.gone.insert(before) }
            state.current = isDone ? now : nil
        }
    }

    private func picture(_ seed: Int) -> [UInt8] { Array("portrait \(number) \(seed)".utf8) }

    private func hash(_ seed: Int) -> BlobHash? {
        BlobHash(of: DrawnPhotos.photo(from: picture(seed)).jpeg)
    }
}
