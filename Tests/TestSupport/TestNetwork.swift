internal import Identity
internal import PluginHost
public import PluginKit
internal import Records
internal import Replica

/// A LAN in the process: links that come up and go down, and messages that may be lost, repeated or
/// late, depending on the seed. Records travel as on the wire: signed runs between two hosts that
/// share a space according to the core plugin's views on both sides.
public actor TestNetwork {
    /// The disturbances of messages in transit.
    public struct Weather: Sendable {
        /// The percentage of messages that are lost.
        public var lost = 0
        /// The percentage of messages that arrive twice.
        public var repeated = 0
        /// The percentage of messages that are delayed by a second.
        public var late = 0

        /// Creates weather without disturbances, unless specified otherwise.
        public init(lost: Int = 0, repeated: Int = 0, late: Int = 0) {
            self.lost = lost
            self.repeated = repeated
            self.late = late
        }
    }

    private struct Letter {
        let message: TopicMessage
        let to: DeviceID
        let due: Duration
    }

    /// The maximum size of a run in which a space is copied, in bytes.
    private static let runBytesMax = 256 * 1024
    /// The number of rounds after which a network that does not settle is a bug.
    private static let roundsMax = 1000

    private var hosts: [DeviceID: TestHost] = [:]
    private var links: Set<Set<DeviceID>> = []
    /// The spaces that each host was told it shares with each other one.
    private var told: [[DeviceID]: Set<SpaceDescriptor>] = [:]
    private var letters: [Letter] = []
    /// The number of messages of each topic that were sent to each device.
    private var sentCounts: [String: [DeviceID: Int]] = [:]
    private var now = Duration.zero
    private var generator: SeededGenerator
    private var weather = Weather()

    private init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// Runs a test on a network whose randomness depends on the seed, and cleans up after it.
    public static func with<Result>(
        seed: UInt64 = 1, _ body: (TestNetwork) async throws -> Result
    ) async throws -> Result {
        let network = TestNetwork(seed: seed)
        do {
            let result = try await body(network)
            await network.clear()
            return result
        } catch {
            await network.clear()
            throw error
        }
    }

    /// Releases what it can: plugins and hosts hold references to one another for ever, but no
    /// database stays open.
    private func clear() async {
        for host in hosts.values { await host.close() }
        hosts = [:]
    }

    /// Adds a started host that runs plugins of these types.
    public func host(seed: UInt64, _ types: [any Plugin.Type]) async throws -> TestHost {
        try await add(try await TestHost(seed: seed, types, on: self))
    }

    /// Adds a started host that is a further device of another host's person.
    public func device(
        seed: UInt64, of other: TestHost, _ types: [any Plugin.Type]
    ) async throws -> TestHost {
        try await add(try await TestHost(seed: seed, types, on: self, as: other))
    }

    private func add(_ host: TestHost) async throws -> TestHost {
        for other in hosts.values {
            try await other.replica.learn(host.record)
            try await host.replica.learn(other.record)
        }
        hosts[host.me.device] = host
        await host.start()
        return host
    }

    /// Changes the disturbances of messages from now on.
    public func setWeather(_ weather: Weather) { self.weather = weather }

    /// Links two hosts or cuts their link, and settles.
    public func setLink(_ one: TestHost, _ other: TestHost, isUp: Bool) async throws {
        let pair: Set = [one.me.device, other.me.device]
        guard links.contains(pair) != isUp else { return }
        if isUp { links.insert(pair) } else { links.remove(pair) }
        told[[one.me.device, other.me.device]] = nil
        told[[other.me.device, one.me.device]] = nil
        one.put(link: other.me, isUp: isUp)
        other.put(link: one.me, isUp: isUp)
        try await settle()
    }

    /// Lets time pass in steps of a second, and settles after each.
    public func pass(seconds: Int) async throws {
        await untilIdle()
        for _ in 0..<seconds {
            now += .seconds(1)
            for host in hosts.values { host.clock.advance(by: .seconds(1)) }
            try await settle()
        }
    }

    /// Lets time pass in one step, as on machines that slept.
    public func skip(seconds: Int) async throws {
        await untilIdle()
        now += .seconds(seconds)
        for host in hosts.values { host.clock.advance(by: .seconds(seconds)) }
        try await settle()
    }

    /// Delivers and copies until nothing is left to do now.
    public func settle() async throws {
        for _ in 0..<Self.roundsMax {
            for host in inOrder { await host.settle() }
            let delivered = deliverDue()
            let copied = try await copyAll()
            let fetched = try await fetchWanted()
            if !delivered, !copied, !fetched, !hosts.values.contains(where: \.hasWork) { return }
        }
        throw CommandFault.timedOut("The network does not come to rest.")
    }

    /// Waits until the plugins sleep: what was called before may still decide how long.
    private func untilIdle() async {
        for host in inOrder { await host.clock.untilIdle() }
    }

    private var inOrder: [TestHost] { hosts.values.sorted { $0.me.device < $1.me.device } }

    private func isLinked(_ one: DeviceID, _ other: DeviceID) -> Bool {
        links.contains([one, other])
    }

    func devices(near host: TestHost) -> [NearbyDevice] {
        inOrder.filter {
            $0.me.person != host.me.person && isLinked($0.me.device, host.me.device)
        }.map {
            NearbyDevice(
                device: $0.me.device, person: $0.me.person, fields: $0.announced,
                since: .min)
        }
    }

    func send(_ topic: String, _ body: [UInt8], to device: DeviceID, from host: TestHost) throws {
        guard isLinked(host.me.device, device) else {
            throw CommandFault.notFound("No device \(device.suffix) is linked.")
        }
        post(TopicMessage(topic: topic, from: host.me, space: nil, body: body), to: device)
    }

    func send(
        _ topic: String, _ body: [UInt8], to space: SpaceDescriptor, only people: Set<PersonID>?,
        from host: TestHost
    ) async throws {
        for other in inOrder where isLinked(other.me.device, host.me.device) {
            guard people?.contains(other.me.person) != false,
                told[[host.me.device, other.me.device]]?.contains(space) == true
            else { continue }
            post(
                TopicMessage(topic: topic, from: host.me, space: space, body: body),
                to: other.me.device)
        }
    }

    /// Returns the number of messages of a topic sent to a host, including lost ones.
    public func sentCount(_ topic: String, to host: TestHost) -> Int {
        sentCounts[topic]?[host.me.device] ?? 0
    }

    private func post(_ message: TopicMessage, to device: DeviceID) {
        sentCounts[message.topic, default: [:]][device, default: 0] += 1
        guard !generator.chance(weather.lost) else { return }
        for _ in 0..<(generator.chance(weather.repeated) ? 2 : 1) {
            let delay = generator.chance(weather.late) ? Duration.seconds(1) : .zero
            letters.append(Letter(message: message, to: device, due: now + delay))
        }
    }

    private func deliverDue() -> Bool {
        let due = letters.filter { $0.due <= now }
        letters.removeAll { $0.due <= now }
        for letter in due where isLinked(letter.message.from.device, letter.to) {
            hosts[letter.to]?.put(letter.message)
        }
        return !due.isEmpty
    }

    private func copyAll() async throws -> Bool {
        var isNew = false
        for from in inOrder {
            for to in inOrder where isLinked(from.me.device, to.me.device) {
                let spaces = try await shared(from, to)
                if tell(from, of: spaces, with: to) { isNew = true }
                for space in spaces {
                    if try await copy(space, from, to) { isNew = true }
                }
                for space in try await sharedNeighbourhoods(from, to) {
                    if try await pass(space, from, to) { isNew = true }
                }
            }
        }
        return isNew
    }

    /// Fetches the content that plugins asked for, and that comes with its record, from linked
    /// hosts that share its space.
    private func fetchWanted() async throws -> Bool {
        var isNew = false
        for to in inOrder {
            for from in inOrder where isLinked(from.me.device, to.me.device) {
                let open = try await sharedNeighbourhoods(from, to)
                let spaces = try await shared(from, to) + open
                for (blob, space) in to.wanted where spaces.contains(space) {
                    if try await fetch(blob, in: space, from, to) { isNew = true }
                }
                for due in try await to.replica.dueSmallContent(countMax: 1024) {
                    guard let space = open.first(where: { $0.id == due.space }) else { continue }
                    if try await fetch(due.blob, in: space, from, to) { isNew = true }
                }
            }
        }
        return isNew
    }

    private func fetch(
        _ blob: Blob, in space: SpaceDescriptor, _ from: TestHost, _ to: TestHost
    ) async throws -> Bool {
        guard
            case .missing(var offset) = try await to.replica.arrivedBytes(of: blob, in: space.id)
        else { return false }
        while let piece = try await from.replica.piece(
            of: blob.hash, in: space.id, from: offset)
        {
            try await to.replica.append(
                piece, at: offset, of: blob, in: space.id, wallTime: to.clock.wallTime)
            offset += piece.count
        }
        guard offset == blob.bytesCount else { return false }
        let end = try await to.replica.finish(blob, in: space.id, wallTime: to.clock.wallTime)
        guard end == .stored else { return false }
        to.put(arrived: blob, in: space)
        return true
    }

    /// Tells a host which spaces another one shares with it now. Messages to a space reach the
    /// other only after that, as on a real link.
    private func tell(
        _ host: TestHost, of spaces: [SpaceDescriptor], with other: TestHost
    ) -> Bool {
        let before = told.updateValue(Set(spaces), forKey: [host.me.device, other.me.device]) ?? []
        let fresh = spaces.filter { !before.contains($0) }
        for space in fresh { host.put(shared: space, with: other.me) }
        return !fresh.isEmpty
    }

    /// Returns the spaces that both sides' views share with the other.
    private func shared(_ from: TestHost, _ to: TestHost) async throws -> [SpaceDescriptor] {
        let mine = try await from.spaces(sharedWith: to.me.person)
        let theirs = try await to.spaces(sharedWith: from.me.person)
        return mine.filter(theirs.contains)
    }

    /// Returns the neighbourhoods that both have joined, strangers as well.
    private func sharedNeighbourhoods(
        _ from: TestHost, _ to: TestHost
    ) async throws -> [SpaceDescriptor] {
        let mine = await from.replica.spaces().map(\.descriptor).filter { $0.kind == .open }
        let theirs = await to.replica.spaces().map(\.descriptor)
        return mine.filter(theirs.contains)
    }

    /// Passes what a host lacks of a neighbourhood on to it, log by log.
    private func pass(
        _ space: SpaceDescriptor, _ from: TestHost, _ to: TestHost
    ) async throws -> Bool {
        var isNew = false
        for offered in from.replica.offer(of: space.id)?.logs ?? [] {
            let held = to.replica.offer(of: space.id)?.logs.first { $0.log == offered.log }
            guard held?.high ?? 0 < offered.high else { continue }
            let ask = LogAsk(
                log: offered.log,
                position: .after(held?.high ?? 0, prefix: held?.prefix ?? 0),
                bytesMax: Self.runBytesMax)
            guard let found = try await from.replica.passing(ask, in: space.id) else { continue }
            let received = try await to.replica.receive(
                found.passed, in: space.id, from: from.me.person, wallTime: to.clock.wallTime)
            for commit in received.commits { await to.put(commit) }
            if case .stored(let now) = received.result, now.high > held?.high ?? 0 { isNew = true }
        }
        return isNew
    }

    /// Copies the new batches of a space from one host to another, whether or not they share it.
    @discardableResult
    public func copy(
        _ space: SpaceDescriptor, _ from: TestHost, _ to: TestHost
    ) async throws -> Bool {
        var isNew = false
        for head in await from.replica.heads(in: space.id) {
            let held = await to.replica.heads(in: space.id).first { $0.log == head.log }?.high ?? 0
            guard held < head.high,
                let run = try await from.replica.runs(
                    in: space.id, log: head.log, after: held, bytesMax: Self.runBytesMax)
            else { continue }
            let outcome = try await to.replica.merge(
                [(space.id, run)], wallTime: to.clock.wallTime)
            guard !outcome.stored.isEmpty else { continue }
            isNew = true
            for commit in outcome.commits { await to.put(commit) }
        }
        guard isNew else { return false }
        let heads = await to.replica.heads(in: space.id).map {
            LogReach(log: $0.log, number: $0.high, prefix: $0.headHash.prefix)
        }
        try await from.replica.recordAcknowledgement(
            of: to.me.device, in: space.id, reaches: heads)
        from.put(acknowledged: space, by: to.me)
        return true
    }
}

extension TestHost {
    /// Returns the spaces that this host shares with a person.
    public func spaces(sharedWith person: PersonID) async throws -> [SpaceDescriptor] {
        guard let host else { return [] }
        return try await host.relationships(replica).spaces(sharedWith: person, me: me.person)
    }
}
