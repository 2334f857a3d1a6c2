internal import Identity
package import PluginHost
public import PluginKit
internal import Records
internal import Replica
internal import Synchronization

// The node that plugins under test run on: the real replica, with all else controlled by the test.
extension TestHost: NodeServices {
    package func read(
        _ sql: String, _ arguments: [Value], allowedTables: Set<String>
    ) async throws -> [Row] {
        state.withLock { $0.readsCount += 1 }
        let rows = try await replica.read(sql, arguments, allowedTables: allowedTables)
        state.withLock { $0.rowsCount += rows.count }
        return rows
    }

    /// Returns the title that a plugin gives a group.
    package func title(of group: SpaceID) async throws -> String? {
        try await host?.title(of: group, readingFrom: self)
    }

    package func requireSettledLogs() throws {
        if let reason = state.withLock({ $0.unsettled }) { throw CommandFault.refused(reason) }
    }

    package func open(_ space: SpaceDescriptor) async throws { try await replica.open(space) }

    package func close(_ groups: [SpaceDescriptor]) async throws {
        let closed = Set(try await replica.close(groups.map(\.id)))
        for group in groups where closed.contains(group.id) { host?.deliver(membersOf: group) }
    }

    package func author(
        _ edits: [Edit], in space: SpaceDescriptor
    ) async throws -> [EntityID] {
        try requireSettledLogs()
        let commit = try await replica.author(
            edits, in: space.id, wallTime: clock.wallTime)
        await put(commit)
        return commit.created
    }

    package func dayBytesLeft(in space: SpaceDescriptor) async throws -> Int? {
        try await replica.dayBytesLeft(in: space.id, wallTime: clock.wallTime)
    }

    package func put(
        _ content: [UInt8], kind: String, in space: SpaceDescriptor
    ) async throws -> Blob {
        try await replica.put(content, kind: kind, in: space.id, wallTime: clock.wallTime)
    }

    package func find(_ blob: Blob, in space: SpaceDescriptor) async throws -> [UInt8]? {
        let found = try await findHere(blob, in: space)
        if found == nil { state.withLock { $0.wanted.append((blob, space)) } }
        return found
    }

    package func findHere(_ blob: Blob, in space: SpaceDescriptor) async throws -> [UInt8]? {
        try await replica.content(of: blob, in: space.id, wallTime: clock.wallTime)
    }

    package func file(of blob: Blob, in space: SpaceDescriptor) async throws -> String? {
        let found = try await replica.contentFile(
            of: blob, in: space.id, wallTime: clock.wallTime)
        if found == nil { state.withLock { $0.wanted.append((blob, space)) } }
        return found
    }

    package func save(
        _ blob: Blob, in space: SpaceDescriptor, to path: String
    ) async throws -> Bool {
        let isSaved = try await replica.export(
            blob, in: space.id, to: path, wallTime: clock.wallTime)
        if !isSaved { state.withLock { $0.wanted.append((blob, space)) } }
        return isSaved
    }

    package func encode(
        _ source: PhotoSource, for use: PhotoUse
    ) async throws -> EncodedPhoto {
        try await DrawnPhotos().encode(source, for: use)
    }

    package func members(of group: SpaceDescriptor) async -> [Member] {
        await replica.members(in: group.id)
    }

    package func control(_ edits: [ControlEdit], in group: SpaceDescriptor) async throws {
        await put(
            try await replica.control(
                edits, in: group.id, wallTime: clock.wallTime))
    }

    package func sendEphemeral(
        _ topic: String, _ body: [UInt8], to space: SpaceDescriptor, only people: Set<PersonID>?,
        expiry: Duration
    ) async throws {
        try await network.send(topic, body, to: space, only: people, from: self)
    }

    package func sendDirect(_ topic: String, _ body: [UInt8], to device: DeviceID) async throws {
        try await network.send(topic, body, to: device, from: self)
    }

    package func publish(_ message: EventMessage) async {
        state.withLock { $0.events.append(message) }
    }

    package func notify(_ notice: DesktopNotice) async {
        state.withLock { $0.notices.append(notice) }
    }

    package func sign(_ content: [UInt8], topic: String) async throws -> [UInt8] {
        try SignedStatement(content, topic: topic, by: key, of: record).encoded
    }

    package func check(_ statement: [UInt8], topic: String) async -> CheckedStatement? {
        var reader = ByteReader(statement)
        guard let statement = try? SignedStatement(from: &reader, topic: topic), reader.isAtEnd
        else { return nil }
        return CheckedStatement(person: statement.person, content: statement.content)
    }

    package func nearbyDevices() async -> [NearbyDevice] {
        await network.devices(near: self) + state.withLock { $0.nearby }
    }

    package func reach(_ tag: AnnouncedTag) async -> NearbyReach {
        state.withLock { $0.reaches[tag] ?? .gone }
    }

    package func reasonNobodyIsSeen() async -> (cause: Sentence, fix: Sentence, command: String?)? {
        ("The test's network is empty.", "Link two hosts.", "link two")
    }

    package func announcementChanged() async {}
}

// The location of a test's device.
extension TestHost {
    /// Reports from the chosen source of locations: a fix that is current or, with nil, that the
    /// source knows none. Plugins receive the report when the network settles.
    public func locate(_ fix: Fix?) {
        let now = clock.uptime
        setWhereabouts { known in
            Whereabouts(
                source: known.source, state: fix == nil ? .searching : .known,
                fix: fix ?? known.fix, fixUptime: fix == nil ? known.fixUptime : now)
        }
    }

    package var whereabouts: Whereabouts { state.withLock { $0.whereabouts } }

    package func choose(_ source: LocationChoice) async throws {
        setWhereabouts { _ in
            Whereabouts(source: source, state: .searching, fix: nil, fixUptime: nil)
        }
    }

    package func setByHand(_ fix: Fix?) async {
        guard whereabouts.source == .hand else { return }
        let age = clock.wallTime - (fix?.at ?? clock.wallTime)
        let uptime = clock.uptime - age
        setWhereabouts { _ in
            Whereabouts(
                source: .hand, state: fix == nil ? .searching : .known, fix: fix,
                fixUptime: fix == nil ? nil : uptime)
        }
    }

    private func setWhereabouts(_ change: (Whereabouts) -> Whereabouts) {
        let whereabouts = state.withLock { state in
            state.whereabouts = change(state.whereabouts)
            return state.whereabouts
        }
        host?.deliver(whereabouts)
    }
}

// The measured distances of a test's device.
extension TestHost {
    /// Reports a measurement of the provider to the plugins that ask. Plugins receive it when the
    /// network settles.
    /// - Throws: ``RangeFault`` if the report is none.
    public func range(_ report: RangeReport) throws {
        let now = clock.uptime
        let (measurement, plugins) = try state.withLock { state in
            state.table.link(report.device)
            return (
                try state.table.receive(report, now: now), state.questions.asking(now: now)
            )
        }
        host?.deliver(measurement, to: plugins)
    }

    /// Sets the provider of measurements and its state.
    public func setRanging(_ provider: RangingProvider) {
        state.withLock { $0.ranging = provider }
    }

    /// The plugins that ask for measurements now.
    public var asksForMeasurements: Set<String> {
        state.withLock { $0.questions.asking(now: clock.uptime) }
    }

    package func measure(for duration: Duration, askedBy plugin: String) async {
        state.withLock { $0.questions.ask(plugin, for: duration, now: clock.uptime) }
    }

    package func measurements() async -> [DeviceID: RangeMeasurement] {
        state.withLock { $0.table.measurements(now: clock.uptime) }
    }

    package var rangingProvider: RangingProvider { state.withLock { $0.ranging } }

    package func choose(_ provider: RangingChoice) async throws {
        state.withLock { state in
            state.ranging = RangingProvider(
                choice: provider, state: provider == .off ? .off : .resting)
        }
    }
}
