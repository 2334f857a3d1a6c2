/// Which announcements are kept and which questions are open about them, as a value: what the
/// daemon says goes in, what to do comes out. The first to come stay: where all places are taken
/// the oldest announcement that never answered makes room, and where all have answered the new
/// one is refused, so that a flood of false ones cannot push out the people who are here.
struct SightingTable {
    enum Effect: Hashable, Sendable {
        /// Ask the daemon about this, and go on listening to its answers.
        case ask(ServiceKey)
        /// Close the question.
        case stopAsking(ServiceKey)
        /// What is known of this instance may be different now.
        case changed(instance: String)
        /// There is room again for what was refused: let the daemon list everything once more.
        case browseAgain
    }

    /// A question that failed is asked again after this pause, doubled each time up to the second.
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

    /// The tag of this node: who announces it is this node, or somebody who repeats it.
    var ownTag: DeviceTag?

    /// How many questions are open with the daemon.
    private(set) var openQuestionsCount = 0
    private var instances: [String: Instance] = [:]
    private var arrivals = NumberedQueue<String>()
    private var waiting = NumberedQueue<ServiceKey>()
    private var nextNumber = 0
    private var refusedSome = false

    /// How many instances are kept.
    var count: Int { instances.count }

    /// The daemon saw an announcement.
    mutating func found(_ key: ServiceKey) -> [Effect] {
        var effects: [Effect] = []
        if instances[key.instance] == nil {
            guard let room = makeRoom() else { return [] }
            effects += room
            let number = takeNumber()
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

    /// The daemon says that an announcement is gone behind one interface.
    mutating func lost(_ key: ServiceKey) -> [Effect] {
        guard let topic = instances[key.instance]?.topics.removeValue(forKey: key) else {
            return []
        }
        var effects = close(topic, key) + [.changed(instance: key.instance)]
        if instances[key.instance]?.topics.isEmpty == true {
            instances[key.instance] = nil
        }
        effects += askWaiting()
        // A quarter of the places must be free before everything is listed again: a flood that
        // still goes on then costs one listing per quarter, not one per announcement.
        if refusedSome, instances.count <= DiscoveryLimits.sightingsMax * 3 / 4 {
            refusedSome = false
            effects.append(.browseAgain)
        }
        return effects
    }

    /// The daemon answered a question. An answer that breaks a rule counts as none.
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

    /// The daemon gave up on a question.
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

    /// Asks again what has rested long enough.
    mutating func tick(now: Duration) -> [Effect] {
        for instance in instances.values {
            for (key, topic) in instance.topics {
                if case .resting(let until) = topic.question, until <= now { queue(key) }
            }
        }
        return askWaiting()
    }

    /// Forgets everything, since the daemon that said it is gone.
    mutating func clear() -> [Effect] {
        let names = instances.keys.sorted()
        self = SightingTable(ownTag: ownTag)
        return names.map { .changed(instance: $0) }
    }

    /// What is known of an instance; nil where nothing was answered that could be dialled, or
    /// where the instance is this node.
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

    private mutating func takeNumber() -> Int {
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
        let number = takeNumber()
        instances[key.instance]?.topics[key, default: Topic(question: .open)].question =
            .waiting(since: number)
        waiting.append(key, number: number)
    }

    /// Frees a place where none is free; nil where everybody here has answered.
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
    /// A table with nothing in it.
    init(ownTag: DeviceTag?) {
        self.init()
        self.ownTag = ownTag
    }
}

extension SightingTable.Question {
    /// An answered question stays open: the daemon goes on telling of changes.
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
