import ControlAPI
import Daemon
import Features
import FeaturesAPI
import Foundation
import Logging
import NodeAPI
import NodeTestSupport
import Notifications
import PluginHost
import PluginKit
import Replica
import Synchronization
import TestSupport
import Testing

@testable import Node

/// A server of notices that records what it is told, and does what a test says a person does.
final class RecordingDesktop: NoticeServer {
    /// Something that it was told.
    enum Told: Hashable, Sendable {
        case show(ShownNotice)
        case withdraw(NoticeTag)
        case open(InboxSubject, token: String?)
    }

    let events: AsyncStream<NoticeEvent>
    private let person: AsyncStream<NoticeEvent>.Continuation
    private let told = Mutex<[Told]>([])

    init() { (events, person) = AsyncStream.makeStream() }

    func show(_ notice: ShownNotice) { told.withLock { $0.append(.show(notice)) } }
    func withdraw(_ tag: NoticeTag) { told.withLock { $0.append(.withdraw(tag)) } }
    func open(_ subject: InboxSubject, token: String?) {
        told.withLock { $0.append(.open(subject, token: token)) }
    }
    func stop() async { person.finish() }

    /// Acts like the person.
    func act(_ event: NoticeEvent) { person.yield(event) }

    /// Returns the first thing that it was told and the test has not seen.
    func next() -> Told? { told.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}

/// A node whose desktop records what it is told, on a clock that the test moves.
@Suite(.serialized) struct NotifierTests {
    private struct World {
        let node: Node
        let desktop: RecordingDesktop
        let clock: VirtualClock
        let subject = InboxSubject("walk", "1")

        /// Moves the clock until the desktop is told something; a command of a button takes real
        /// time meanwhile.
        func told() async throws -> RecordingDesktop.Told {
            let end = ContinuousClock.now + .seconds(20)
            while ContinuousClock.now < end {
                if let told = desktop.next() { return told }
                await clock.untilIdle()
                clock.advance(by: Notifier.lookPause)
                await Task.yield()
            }
            throw CommandFault.timedOut("The desktop was told nothing.")
        }

        /// Posts an item and the notice about it, with a button for a request that does not exist.
        func post() async throws {
            let item = InboxItem(
                kind: subject.kind, reference: subject.reference, title: "A title", body: "",
                actions: [])
            try await node.host.core?.postToInbox(item)
            await node.host.handOverWaiting()
            let accept = WalkReference(id: RecordPrefix(.example))
            await node.notify(
                DesktopNotice(
                    about: subject, title: "Ann asks for a walk", body: "To the river?",
                    withoutText: "Ann asks", actions: [.init("Accept", WalkCommands.accept, accept)]
                ))
        }
    }

    private func withNode(_ body: (World) async throws -> Void) async throws {
        let home = try RunningNode.founded()
        defer { try? FileManager.default.removeItem(atPath: home.directory) }
        let logger = Logger(label: "node") { _ in SwiftLogNoOpLogHandler() }
        let identity = try NodeIdentity.load(from: home)
        let settings = try NodeSettings(home: home, usesAvahi: false)
        let real = try Surroundings.real(of: identity.key, settings, logger)
        let (desktop, clock) = (RecordingDesktop(), VirtualClock())
        let (_, stopRequest) = AsyncStream.makeStream(of: Never.self)
        let node = try Node(
            settings: settings, identity: identity, plugins: [CoreFeatures.self],
            surroundings: Surroundings(
                transport: real.transport, discovery: nil, clock: clock, random: SystemRandom(),
                receiver: real.receiver, photos: DrawnPhotos(), desktop: desktop, logger: logger),
            stopRequest: stopRequest)
        try await node.prepare(port: 0)
        clock.runnerBegan()
        let running = Task { await node.notifier?.run() }
        try await body(World(node: node, desktop: desktop, clock: clock))
        running.cancel()
        await node.notifier?.stop()
        _ = await running.value
        try await node.replica.close()
    }

    @Test func `a notice is shown, and withdrawn when its item is handled`() async throws {
        try await withNode { world in
            try await world.post()
            #expect(
                try await world.told()
                    == .show(
                        ShownNotice(
                            tag: .subject(world.subject), title: "Ann asks for a walk",
                            body: "To the river?", actions: ["Accept"])))
            try await world.node.host.core?.settleInbox(reference: world.subject.reference)
            await world.node.host.handOverWaiting()
            #expect(try await world.told() == .withdraw(.subject(world.subject)))
        }
    }

    @Test func `a notice about an item that was handled before it came is not shown`() async throws
    {
        try await withNode { world in
            let core = await world.node.host.core
            for reference in ["0", "1"] {
                try await core?.postToInbox(
                    InboxItem(
                        kind: "walk", reference: reference, title: "A title", body: "", actions: [])
                )
            }
            // As by a record of another device that arrived first.
            try await core?.settleInbox(reference: "0")
            await world.node.host.handOverWaiting()
            for reference in ["0", "1"] {
                await world.node.notify(
                    DesktopNotice(
                        about: InboxSubject("walk", reference), title: "Ann asks for a walk",
                        body: "", withoutText: "Ann asks", actions: []))
            }
            let shown = ShownNotice(
                tag: .subject(world.subject), title: "Ann asks for a walk")
            #expect(try await world.told() == .show(shown))
        }
    }

    @Test func `a changed setting changes what is shown at once`() async throws {
        try await withNode { world in
            try await world.post()
            _ = try await world.told()
            _ = try await world.node.setSetting(
                .init(name: Text("notifications.level"), value: Text("names")))
            guard case .show(let notice) = try await world.told() else { return }
            #expect(notice.title == "Ann asks" && notice.body.isEmpty)
            _ = try await world.node.setSetting(
                .init(name: Text("notifications.walk"), value: Text("off")))
            #expect(try await world.told() == .withdraw(.subject(world.subject)))
        }
    }

    @Test func `a button performs its command, and a refusal takes the place of the notice`()
        async throws
    {
        try await withNode { world in
            try await world.post()
            _ = try await world.told()
            world.desktop.act(.pressed(.subject(world.subject), action: 0))
            guard case .show(let notice) = try await world.told() else { return }
            #expect(notice.title == "Accept: that did not work")
            #expect(notice.body.contains("walk list") && notice.actions.isEmpty)
        }
    }

    @Test func `a pressed notice opens its subject, and the summary the inbox`() async throws {
        try await withNode { world in
            try await world.post()
            _ = try await world.told()
            world.desktop.act(.opened(.subject(world.subject), token: "token"))
            #expect(try await world.told() == .open(world.subject, token: "token"))
            world.desktop.act(.opened(.summary, token: nil))
            #expect(try await world.told() == .open(.inbox, token: nil))
        }
    }
}
