import ControlAPI
import Daemon
import Foundation
import GRDB
import Identity
import Links
import Logging
import NodeTestSupport
import PluginHost
import PluginKit
import Records
import TestSupport
import Testing

@testable import Node
@testable import Replica
@testable import Sync

/// A node with a real store on a clock that the test moves. Its links are silent, and messages are
/// handed to it as its inboxes do. The replica's work and its commits are counted.
struct ClockedNode {
    let node: Node
    let clock = VirtualClock()
    let queue = CountingExecutor()
    let commits = CommitCount()

    /// Runs a test with a node that is ready for links.
    static func with(
        plugins: [any Plugin.Type] = [], _ body: (ClockedNode) async throws -> Void
    ) async throws {
        let home = try RunningNode.founded()
        defer { try? FileManager.default.removeItem(atPath: home.directory) }
        let clocked = try ClockedNode(home, plugins)
        try await clocked.node.prepare(port: 0)
        try await body(clocked)
        try await clocked.node.replica.close()
    }

    private init(_ home: Home, _ plugins: [any Plugin.Type]) throws {
        let logger = Logger(label: "node") { _ in SwiftLogNoOpLogHandler() }
        let identity = try NodeIdentity.load(from: home)
        let settings = try NodeSettings(home: home, usesAvahi: false)
        let (_, stopRequest) = AsyncStream.makeStream(of: Never.self)
        let real = try Surroundings.real(of: identity.key, settings, logger)
        node = try Node(
            settings: settings, identity: identity, plugins: plugins,
            surroundings: Surroundings(
                transport: real.transport, discovery: nil, clock: clock, random: SystemRandom(),
                receiver: real.receiver, photos: DrawnPhotos(), replicaExecutor: queue,
                logger: logger),
            stopRequest: stopRequest)
        node.replica.pool.add(transactionObserver: commits)
    }

    /// Opens a group and invites people to it, with one batch for each.
    func group(_ number: UInt8 = 0, of people: [PersonID]) async throws -> SpaceID {
        let nonce = try #require(Bytes16([UInt8](repeating: number, count: 16)))
        let group = SpaceDescriptor.group(owner: node.me, nonce: nonce)
        try await node.replica.open(group)
        for person in people {
            try await node.replica.control(
                [.grant(person, .writer)], in: group.id, wallTime: clock.wallTime)
        }
        return group.id
    }

    /// Links with a new peer that shares spaces, which are its channels 0, 1, 2 …
    func link(sharing spaces: [SpaceID]) async throws -> ActiveLink {
        let active = try ActiveLink.silent(id: 1, on: node.device)
        await node.add(active)
        var here: [SharedSpace] = []
        for space in spaces { here.append(try #require(await node.shared(space))) }
        await node.share(here, with: active.peer.device)
        let entries = spaces.map { Have.Entry(token: active.token($0), digest: .zero) }
        try await receive([.have(Have(round: .announcement, entries: entries))], over: active)
        return active
    }

    /// Lets the node handle messages that came together, and waits until it has.
    func receive(_ messages: [Message], over active: ActiveLink) async throws {
        let inbox = MessageInbox(room: node.inboxRoom, person: active.peer.person)
        for message in messages { await inbox.add(wireBytes: 0) { .message(message) } }
        inbox.finish()
        await node.process(inbox, of: active)
    }

    /// Returns the last batch of a log that a device acknowledged.
    func acknowledged(by device: DeviceID) async throws -> [Int64] {
        try await node.replica.read(
            "SELECT number FROM waggle_acknowledged WHERE device = ?", [.bytes(device.bytes)],
            allowedTables: nil
        ).compactMap { $0.integer("number") }
    }
}

extension ActiveLink {
    /// Returns the peer's token of a space.
    func token(_ space: SpaceID) -> Token { session.remoteToken(of: space) }
}

extension Node {
    fileprivate func add(_ active: ActiveLink) { links[active.peer.device] = active }

    fileprivate func share(_ spaces: [SharedSpace], with device: DeviceID) {
        _ = links[device]?.session.share(spaces)
    }
}

/// Counts a replica's commits.
final class CommitCount: TransactionObserver, Sendable {
    private let commits = ByteCount()

    /// The number of commits so far.
    var value: Int { commits.value }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    /// SQLite's hook calls this. The replica compiles its statements itself, so nothing calls what
    /// follows a commit.
    func databaseWillCommit() { commits.add(1) }
    func databaseDidCommit(_ db: Database) {}
    func databaseDidRollback(_ db: Database) {}
}

/// Runs an actor's jobs one after the other, and counts them and the processor time they take.
final class CountingExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "waggle.counted")
    private let jobs = ByteCount()
    private let nanoseconds = ByteCount()

    /// The number of jobs so far.
    var jobsCount: Int { jobs.value }
    /// The processor time of all jobs that have ended.
    var processorTime: Duration { .nanoseconds(nanoseconds.value) }

    func enqueue(_ job: consuming ExecutorJob) {
        jobs.add(1)
        let job = UnownedJob(job)
        queue.async {
            let time = ProcessorTime.ofThread {
                unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
            }
            self.nanoseconds.add(Int(time / .nanoseconds(1)))
        }
    }
}

/// Processor time, which does not grow while other threads have the processor.
enum ProcessorTime {
    /// Returns what some work takes on this thread.
    static func ofThread(_ work: () throws -> Void) rethrows -> Duration {
        let before = threadNanoseconds()
        try work()
        return .nanoseconds(threadNanoseconds() - before)
    }

    private static func threadNanoseconds() -> Int {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
