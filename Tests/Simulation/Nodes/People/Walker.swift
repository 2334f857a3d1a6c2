internal import FeaturesAPI
internal import Foundation
internal import PluginKit
internal import Records
internal import Synchronization
internal import TestSupport
internal import WalkLogAPI

/// A person who records walks with one of their devices, shows them to mates and takes them back.
///
/// The device may be killed meanwhile; then the person says whether the walk goes on.
final class Walker: Sendable {
    private enum Belief {
        case nothing
        case recording(WalkRecording)
        /// The node ended before it answered a command.
        case unknown
    }

    private struct State {
        var belief = Belief.nothing
        /// Whether a command is changing the recording.
        var isActing = false
        /// Changes with every command, and if the home is replaced.
        var version = 0

        func versionToCheck(always: Bool) -> Int? {
            if isActing { return nil }
            if case .nothing = belief { return always ? version : nil }
            return version
        }
    }

    let node: SimulatedNode
    private let book: WalkBook
    private let world: World
    private let chance: Chance
    private let state = Mutex(State())

    /// The share of a person's deeds that are about walks, in per cent.
    private static let sharePercent = 11
    /// The distance between two people's ways, in degrees.
    private static let spread = 0.01

    init(node: SimulatedNode, book: WalkBook, world: World) {
        (self.node, self.book, self.world) = (node, book, world)
        chance = Chance(seed: world.seed &* 141_650_939 &+ UInt64(node.place.number))
    }

    /// Forgets the recording, because the home was replaced by an older one or is lost.
    func forget() {
        state.withLock { state in
            state.belief = .unknown
            state.version += 1
        }
    }

    // MARK: - Acts

    /// Sometimes begins a walk, goes on with it or ends it, or shows one to a mate.
    func act(for owner: SimulatedPerson, mates: () async -> [PersonID]) async {
        guard chance.chance(Self.sharePercent), node.isUp,
            let status = try? await node.call(WalkLogCommands.status)
        else { return }
        switch status.state {
        case .idle: await stayAtHome(owner, status, mates)
        case .recording: await walk(owner)
        case .paused: await rest(owner)
        case .interrupted: await answer(owner)
        case .damaged, .unknown: world.violated("\(node.name) cannot read its recording")
        }
    }

    private enum Deed { case begin, beginAgain, walkOn, pause, resume, finish, discard }
    private enum Keepsake { case begin, show, takeBack, delete }

    private func stayAtHome(
        _ owner: SimulatedPerson, _ status: WalkLogStatus, _ mates: () async -> [PersonID]
    ) async {
        let deed = chance.draw([
            (Keepsake.begin, 50), (.show, 30), (.takeBack, 14), (.delete, 6),
        ])
        switch deed {
        case .begin: await begin(owner, status)
        case .show: if let mate = chance.one(of: await mates()) { await show(owner, to: mate) }
        case .takeBack: await unshare(owner)
        case .delete: await delete(owner)
        }
    }

    private func walk(_ owner: SimulatedPerson) async {
        switch chance.draw([
            (Deed.finish, 35), (.pause, 25), (.walkOn, 20), (.beginAgain, 10), (.discard, 10),
        ]) {
        case .finish: await finish(owner)
        case .pause: if await change(owner, WalkLogCommands.pause) { count("walks paused") }
        case .walkOn: await playTrack()
        case .discard: await discard(owner)
        default: await beginAgain()
        }
    }

    private func rest(_ owner: SimulatedPerson) async {
        switch chance.draw([(Deed.resume, 60), (.finish, 30), (.discard, 10)]) {
        case .resume: if await change(owner, WalkLogCommands.resume) { await playTrack() }
        case .finish: await finish(owner)
        default: await discard(owner)
        }
    }

    /// Answers whether an interrupted walk goes on.
    private func answer(_ owner: SimulatedPerson) async {
        switch chance.draw([(Deed.resume, 50), (.finish, 40), (.discard, 10)]) {
        case .resume:
            guard await change(owner, WalkLogCommands.resume) else { return }
            count("interrupted walks resumed")
            await playTrack()
        case .finish: if await finish(owner) { count("interrupted walks finished") }
        default: await discard(owner)
        }
    }

    private func count(_ what: String) { world.count(what) }

    // MARK: - The recording

    private func begin(_ owner: SimulatedPerson, _ status: WalkLogStatus) async {
        let offer = chance.chance(50) ? status.offers.first?.request : nil
        let run = node.runCount
        let answer = await changing(owner, WalkLogCommands.start) {
            try .init(dog: [DogName("Haru")], request: offer.map { RecordPrefix($0) })
        } settle: { belief, status in
            belief = WalkRecording(status, run: run).map { .recording($0) } ?? .unknown
        }
        guard answer.value != nil else { return }
        count("walks begun")
        await playTrack()
    }

    /// Tries to begin a second walk during one, which must be refused.
    private func beginAgain() async {
        let run = node.runCount
        guard (try? await node.call(WalkLogCommands.start, .init())) != nil else {
            return count("second recordings tried")
        }
        // A walk that ends by itself in between would be no fault; none is so long here.
        if node.runCount == run { world.violated("\(node.name) began a walk during another one") }
    }

    /// Pauses or resumes.
    private func change(
        _ owner: SimulatedPerson, _ command: Command<NoParameters, WalkLogStatus>
    ) async -> Bool {
        let run = node.runCount
        let answer = await changing(owner, command) {
            NoParameters()
        } settle: { belief, status in
            guard case .recording(var recording) = belief else {
                belief = WalkRecording(status, run: run).map { .recording($0) } ?? .unknown
                return
            }
            recording.settle(status, run: run)
            belief = .recording(recording)
        }
        return answer.value != nil
    }

    @discardableResult
    private func finish(_ owner: SimulatedPerson) async -> Bool {
        var fault: String?
        let run = node.runCount
        let answer = await changing(owner, WalkLogCommands.finish) {
            NoParameters()
        } settle: { belief, walk in
            if case .recording(let recording) = belief {
                fault = recording.compare(finished: walk, run: run)
            }
            belief = .nothing
        }
        if let fault { world.violated("\(node.name) \(fault)") }
        guard let walk = answer.value else { return false }
        let row = try? await node.rows(
            "SELECT track FROM walklog_walk WHERE lower(hex(entity)) = ?", [.text(walk.id.string)]
        ).first
        let kept = WalkBook.Kept(
            walk: walk, content: row?.blob("track")?.hash, devices: [node.place])
        book.with { $0.kept[walk.id] = kept }
        count("walks kept")
        return true
    }

    private func discard(_ owner: SimulatedPerson) async {
        let answer = await changing(owner, WalkLogCommands.discard) {
            NoParameters()
        } settle: { belief, _ in
            belief = .nothing
        }
        if answer.value != nil { count("walks discarded") }
    }

    /// Lets the device report a way of its person, as a receiver would.
    private func playTrack() async {
        let origin = 37.4 + Double(node.place.number) * Self.spread
        let journey = Journey(
            strollFrom: Spot(latitude: origin, longitude: 127), count: chance.number(5...14), chance
        )
        let path = node.homeDirectory + ".gpx"
        guard
            FileManager.default.createFile(
                atPath: path, contents: Data(journey.gpx(start: world.now).utf8))
        else { return }
        defer { try? FileManager.default.removeItem(atPath: path) }
        guard let request = try? ChooseLocationSource(source: .gpx, file: FilePath(path)),
            (try? await node.call(LocationCommands.source, request)) != nil
        else { return }
        count("ways walked")
    }

    // MARK: - Kept walks

    private func show(_ owner: SimulatedPerson, to mate: PersonID) async {
        guard let walk = await listed() else { return }
        let isWhole = chance.chance(60)
        let answer = await give(owner, WalkLogCommands.share) {
            .init(id: RecordPrefix(walk), with: NameOrKey(mate), whole: isWhole)
        }
        guard let share = answer.value else { return }
        count("walks shared")
        let row = try? await node.rows(
            "SELECT way FROM walklog_shared WHERE lower(hex(entity)) = ?", [.text(share.id.string)]
        ).first
        let shown = WalkBook.Shown(mate: mate, way: row?.bytes("way"), devices: [node.place])
        book.with { $0.shown[share.id] = shown }
    }

    private func unshare(_ owner: SimulatedPerson) async {
        let shared = (try? await node.call(WalkLogCommands.shared))?.walks.filter(\.mine) ?? []
        guard let share = chance.one(of: shared)?.id else { return }
        book.attemptTakingBack(share, on: node.place)
        let answer = await give(owner, WalkLogCommands.unshare) { .init(id: RecordPrefix(share)) }
        book.concludeTakingBack(share, answer)
        if answer.value != nil { count("walks taken back") }
    }

    private func delete(_ owner: SimulatedPerson) async {
        guard let walk = await listed() else { return }
        book.attemptDeletion(of: walk, on: node.place)
        let answer = await give(owner, WalkLogCommands.delete) { .init(id: RecordPrefix(walk)) }
        book.concludeDeletion(of: walk, answer)
        if answer.value != nil { count("walks deleted") }
    }

    /// Returns one of the newest walks that the device lists.
    private func listed() async -> RecordKey? {
        let page = try? await node.call(WalkLogCommands.list, .init())
        return chance.one(of: page?.walks ?? [])?.id
    }

    // MARK: - Commands

    /// Performs a command that changes the recording, and settles what is believed about it.
    private func changing<Request, Value>(
        _ owner: SimulatedPerson, _ command: Command<Request, Value>,
        _ request: () throws -> Request,
        settle: (inout Belief, Value) -> Void
    ) async -> Answer<Value> {
        let version = state.withLock { state in
            state.isActing = true
            state.version += 1
            return state.version
        }
        let answer = await give(owner, command, request)
        state.withLock { state in
            state.isActing = false
            switch answer {
            case .done(let value) where state.version == version: settle(&state.belief, value)
            case .done, .unknown: state.belief = .unknown
            case .refused: break
            }
        }
        return answer
    }

    private func give<Request, Value>(
        _ owner: SimulatedPerson, _ command: Command<Request, Value>,
        _ request: () throws -> Request
    ) async -> Answer<Value> {
        do {
            let answer = try await node.call(command, request())
            if node === owner.node, let marks = try? await owner.ownMarks() {
                owner.ledger.mark(marks)
            }
            return .done(answer)
        } catch let fault as CommandFault {
            return .refused(fault)
        } catch {
            if error is AnswerMismatch { world.violated("\(node.name): \(error)") }
            return .unknown
        }
    }

    // MARK: - Checks

    /// Checks that the device shows the recording that it confirmed, and no other one.
    /// - Parameter always: whether a device that should record nothing is looked at too.
    func check(always: Bool) async throws {
        guard node.isUp, let version = state.withLock({ $0.versionToCheck(always: always) }) else {
            return
        }
        let run = node.runCount
        let status = try await node.call(WalkLogCommands.status)
        let now = world.time.now
        let fault = state.withLock { state -> String? in
            guard !state.isActing, state.version == version, node.runCount == run else {
                return nil
            }
            switch state.belief {
            case .recording(var recording):
                let wasInterrupted = recording.isInterrupted
                let fault = recording.compare(
                    status, run: run, now: now, endOfRun: { node.endOfRun($0) })
                if !wasInterrupted, recording.isInterrupted { count("walks interrupted") }
                state.belief = .recording(recording)
                return fault
            case .nothing:
                return status.state == .idle ? nil : "records a walk that nobody began"
            case .unknown:
                state.belief = WalkRecording(status, run: run).map { .recording($0) } ?? .nothing
                return nil
            }
        }
        if let fault {
            world.violated("\(node.name) \(fault)")
            forget()
        } else {
            count("recordings looked at")
        }
    }
}
