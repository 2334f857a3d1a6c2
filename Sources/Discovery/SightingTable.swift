/// The kept announcements and the open questions about them, as a value: messages of the daemon go
/// in, actions come out. Announcements that came first are kept. If the limit is reached, the
/// oldest announcement without an answer is replaced; if all have answered, the new one is refused.
/// So a flood of false announcements cannot displace the people nearby.
struct SightingTable {
    enum Effect: Hashable, Sendable {
        /// Asks the daemon about an announcement and keeps listening to its answers.
        case ask(ServiceKey)
        /// Closes a question.
        case stopAsking(ServiceKey)
        /// The sighting of this instance may have changed.
        case changed(instance: String)
        /// There is room again for refused announcements: the daemon should list all announcements
        /// again.
        case browseAgain
    }

    /// A question that failed is asked again after the first pause, which doubles each time up to
    /// the second.
    static let pauseFirst = Duration.seconds(5)
    static let pauseMax = Duration.seconds(300)

    fileprivate enum Question {
        case waiting(since: Int)
        case open
        case answered(ServiceAnswer, Announcement)
        case resting(until: Duration)
    }

    private struct Topic {
        var question: Question
        var failures = 0
    }

    private struct Instance {
        let number: Int
        var topics: [ServiceKey: Topic] = [:]
        var hasAnswered = false
        var latest: Announcement?
    }

    /// The tag of this node. An announcement with this tag is the node's own or a copy of it.
    var ownTag: DeviceTag?

    /// The number of open questions to the daemon.
    private(set) var openQuestionsCount = 0
    private var instances: [String: Instance] = [:]
    private var arrivals = NumberedQueue<String>()
    private var waiting = NumberedQueue<ServiceKey>()
    private var nextNumber = 0
    private var refusedSome = false

    /// The number of kept instances.
    var count: Int { instances.count }

    /// Processes an announcement that the daemon has seen.
    mutating func found(_ key: ServiceKey) -> [Effect] {
        var effects: [Effect] = []
        if instances[key.instance] == nil {
            guard let room = makeRoom() else { return [] }
            effects += room
            let number = makeNumber()
            instances[key.instance] = Instance(number: number)
            append(arrival: key.instance, number: number)
        }
        guard let instance = instances[key.instance], instance.topics[key] == nil,
            instance.topics.count < DiscoveryLimits.addressesMax
        else { return effects }
        queue(key)
        if instances[key.instance]?.topics.isEmpty == true { instances[key.instance] = nil }
        return effects + askWaiting()
    }

    /// Processes the disappearance of an announcement from one interface.
    mutating func lost(_ key: ServiceKey) -> [Effect] {
        guard let topic = instances[key.instance]?.topics.removeValue(forKey: key) else {
            return []
        }
        var effects = close(topic, key) + [.changed(instance: key.instance)]
        if instances[key.instance]?.topics.isEmpty == true {
            instances[key.instance] = nil
        }
        effects += askWaiting()
        // Everything is listed again only when a quarter of the limit is free: during a flood this
        // costs one listing per quarter, not one per announcement.
        if refusedSome, instances.count <= DiscoveryLimits.sightingsMax * 3 / 4 {
            refusedSome = false
            effects.append(.browseAgain)
        }
        return effects
    }

    /// Processes the daemon's answer to a question. An invalid answer counts as none.
    mutating func answered(_ key: ServiceKey, _ answer: ServiceAnswer, now: Duration) -> [Effect] {
        guard let topic = instances[key.instance]?.topics[key], topic.question.isOpen else {
            return []
        }
        guard let announcement = try? Announcement(text: answer.text, port: answer.port),
            answer.address.isOneHost,
            !answer.address.isLoopback || key.interface.name == "lo"
        else { return unanswered(key, now: now) }
        instances[key.instance]?.topics[key] = Topic(question: .answered(answer, announcement))
        instances[key.instance]?.latest = announcement
        instances[key.instance]?.hasAnswered = true
        return [.changed(instance: key.instance)]
    }

    /// Processes the failure of a question.
    mutating func unanswered(_ key: ServiceKey, now: Duration) -> [Effect] {
        guard var topic = instances[key.instance]?.topics[key], topic.question.isOpen else {
            return []
        }
        let effects = close(topic, key)
        let pause = Self.pauseFirst * (1 << min(topic.failures, 6))
        topic.failures += 1
        topic.question = .resting(until: now + min(pause, Self.pauseMax))
        instances[key.instance]?.topics[key] = topic
        return effects + [.changed(instance: key.instance)] + askWaiting()
    }

    /// Repeats the questions whose pause is over.
    mutating func tick(now: Duration) -> [Effect] {
        for instance in instances.values {
            for (key, topic) in instance.topics {
                if case .resting(let until) = topic.question, until <= now { queue(key) }
            }
        }
        return askWaiting()
    }

    /// Removes everything, because the connection to the daemon was lost.
    mutating func clear() -> [Effect] {
        let names = instances.keys.sorted()
        self = SightingTable(ownTag: ownTag)
        return names.map { .changed(instance: $0) }
    }

    /// The sighting of an instance; nil if no answer has an address that can be dialled, or if the
    /// instance is this node.
    func sighting(of name: String) -> Sighting? {
        guard let instance = instances[name], let latest = instance.latest, latest.tag != ownTag
        else { return nil }
        let endpoints = Set(instance.topics.compactMap(Self.endpoint))
            .sorted { ($0.interface?.index ?? 0, $0.host) < ($1.interface?.index ?? 0, $1.host) }
        guard !endpoints.isEmpty else { return nil }
        return Sighting(instance: name, announcement: latest, endpoints: endpoints)
    }

    private static func endpoint(of key: ServiceKey, _ topic: Topic) -> Endpoint? {
        guard case .answered(let answer, _) = topic.question else { return nil }
        return Endpoint(address: answer.address, port: answer.port, interface: key.interface)
    }

    private mutating func makeNumber() -> Int {
        nextNumber += 1
        return nextNumber
    }

    private mutating func append(arrival name: String, number: Int) {
        if arrivals.count >= 2 * DiscoveryLimits.sightingsMax {
            arrivals.compact { [instances] name, number in instances[name]?.number == number }
        }
        arrivals.append(name, number: number)
    }

    private mutating func queue(_ key: ServiceKey) {
        if waiting.count >= DiscoveryLimits.waitingQuestionsMax {
            waiting.compact { [instances] key, number in
                instances[key.instance]?.topics[key]?.question.isWaiting(since: number) == true
            }
        }
        guard waiting.count < DiscoveryLimits.waitingQuestionsMax else {
            refusedSome = true
            return
        }
        let number = makeNumber()
        instances[key.instance]?.topics[key, default: Topic(question: .open)].question =
            .waiting(since: number)
        waiting.append(key, number: number)
    }

    /// Makes room for an instance if there is none; nil if all instances have answered.
    private mutating func makeRoom() -> [Effect]? {
        guard instances.count >= DiscoveryLimits.sightingsMax else { return [] }
        refusedSome = true
        let oldest = arrivals.popFirst { [instances] name, number in
            instances[name]?.number == number && instances[name]?.hasAnswered == false
        }
        guard let oldest, let instance = instances.removeValue(forKey: oldest) else { return nil }
        return instance.topics.flatMap { close($0.value, $0.key) }
    }

    private mutating func close(_ topic: Topic, _ key: ServiceKey) -> [Effect] {
        guard topic.question.isOpen else { return [] }
        openQuestionsCount -= 1
        return [.stopAsking(key)]
    }

    private mutating func askWaiting() -> [Effect] {
        var effects: [Effect] = []
        while openQuestionsCount < DiscoveryLimits.openQuestionsMax {
            let next = waiting.popFirst { [instances] key, number in
                instances[key.instance]?.topics[key]?.question.isWaiting(since: number) == true
            }
            guard let next else { break }
            instances[next.instance]?.topics[next]?.question = .open
            openQuestionsCount += 1
            effects.append(.ask(next))
        }
        return effects
    }
}

extension SightingTable {
    /// Creates an empty table.
    init(ownTag: DeviceTag?) {
        self.init()
        self.ownTag = ownTag
    }
}

extension SightingTable.Question {
    /// Whether the question is open. An answered question stays open, because the daemon reports
    /// changes.
    fileprivate var isOpen: Bool {
        switch self {
        case .open, .answered: true
        case .waiting, .resting: false
        }
    }

    fileprivate func isWaiting(since number: Int) -> Bool {
        if case .waiting(since: number) = self { true } else { false }
    }
}
