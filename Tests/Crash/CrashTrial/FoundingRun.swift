internal import ControlAPI
internal import Foundation
internal import Identity
internal import Node
internal import TestSupport

/// Power cuts while `waggle init` gives a home its identity.
///
/// After each cut the home either has the identity or can get one; after the last it has it.
struct FoundingRun {
    let options: Options
    let home: Directory

    /// The default count of cuts: each moment and damage is drawn some ten times.
    private static let usualCount = 500

    /// - Returns: whether every cut was survived.
    func run() throws -> Bool {
        let (identity, events) = try record()
        let moments = events.indices.filter { events[$0].isChange }
        var tally = Tally("init")
        for number in 0..<(options.count ?? FoundingRun.usualCount) where options.includes(number) {
            let damages = Damage.allCases
            let damage = damages[number % damages.count]
            let moment = number / damages.count % moments.count
            var model = DiskModel()
            for event in events[...moments[moment]] { model.apply(event) }
            var generator = SeededGenerator(seed: options.seed &* 1_000_003 &+ UInt64(number))
            let image = model.afterPowerCut(damage, using: &generator)
            let complaint = try judge(image, identity, isDone: moment == moments.count - 1)
            tally.count(
                seed: options.seed, number: number, "\(damage) after change \(moment)", complaint)
        }
        print(tally.line)
        return tally.failedCount == 0
    }

    /// Creates an identity on a disk that records.
    private func record() throws -> (NodeIdentity, [DiskEvent]) {
        var generator = SeededGenerator(seed: options.seed)
        let live = try home.make("live")
        RecordingDisk.watch(live)
        defer { RecordingDisk.unwatch() }
        let (identity, _) = try NodeIdentity.create(in: Home(live), using: &generator)
        let events = RecordingDisk.events
        var model = DiskModel()
        for event in events { model.apply(event) }
        let there = try home.contents("live")
        guard model.seen == there else {
            throw TrialFault.escaped(
                Set(there.keys).union(model.seen.keys).filter { there[$0] != model.seen[$0] })
        }
        return (identity, events)
    }

    /// Returns what is wrong with a home after a power cut, or nil.
    private func judge(
        _ image: [String: Data], _ identity: NodeIdentity, isDone: Bool
    ) throws -> String? {
        let path = try home.make("image", holding: image)
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        for name in image.keys {
            try manager.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: path + "/" + name)
        }
        let left = Home(path)
        do {
            if left.hasIdentity {
                let found = try NodeIdentity.load(from: left)
                let isSame = found.key.id == identity.key.id && found.person == identity.person
                return isSame ? nil : "another identity is there"
            }
            guard !isDone else { return "the identity is gone" }
            var generator = SeededGenerator(seed: options.seed &+ 1)
            _ = try NodeIdentity.create(in: left, using: &generator)
            _ = try NodeIdentity.load(from: left)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
