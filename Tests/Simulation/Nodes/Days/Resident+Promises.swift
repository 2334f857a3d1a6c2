internal import PluginKit
internal import PromisesAPI
internal import Records
internal import TestSupport

/// People's actions about promises.
extension Resident {
    /// The location of the scenario.
    private static let town = Spot(latitude: 37.5665, longitude: 126.978)
    static let penalties: [Int64] = [0, 100, 500, 1000, 5000]
    /// The range of times from now at which promises are made.
    private static let ahead = Duration.seconds(2100) ... .seconds(28_800)

    /// Makes a promise to mates, some hours ahead.
    func make() async {
        let mates = await mates()
        guard let first = chance.one(of: mates), let penalty = chance.one(of: Self.penalties)
        else { return }
        let asked = [first] + mates.filter { $0 != first && chance.chance(70) }
        let at = nextTime()
        let location = Self.town.moved(
            metres: Double(chance.number(1...9000)), towards: Double(chance.number(0...359)))
        guard at < lastTime else { return }
        book.with { $0.possible[id, default: []].append(at) }
        let answer = await give(
            PromiseCommands.create,
            try .init(
                title: Text("Meet \(chance.number(1...999))"), atMs: at,
                latitude: Latitude(location.latitude), longitude: Longitude(location.longitude),
                penalty: Whole(Int(penalty)), with: asked.map { NameOrKey($0) }))
        guard let made = answer.value?.summary.id.string else { return }
        var promise = DayBook.Promise(
            id: made, maker: id, location: location, at: Told(at), penalty: Told(penalty),
            everAt: [at])
        promise.standings[id] = Told(.member)
        for person in asked { promise.standings[person] = Told(.invited) }
        book.with { state in
            state.possible[id]?.removeAll { $0 == at }
            state.promises[made] = promise
        }
        world.count("promises made")
        attend(made)
    }

    private func nextTime() -> Timestamp { world.now + chance.duration(Self.ahead) }

    /// The last permitted time of a promise, so that all are past at the end.
    private var lastTime: Timestamp { book.with { $0.lastTime } }

    /// Answers invitations.
    func answerInvitations() async {
        for promise in book.promises(of: id, as: .invited) where node.isUp {
            guard chance.chance(60) else { continue }
            if chance.chance(90) { await accept(promise.id) } else { await leave(promise.id) }
        }
    }

    private func accept(_ promise: String) async {
        guard let at = await agree(to: promise) else { return }
        let answer = await stand(
            .member, in: promise, PromiseCommands.accept,
            try .init(promise: NameOrKey(promise), atMs: at))
        // If a node was killed, it is not known whether it had accepted, so the person may be a
        // member or not.
        if case .refused = answer { return }
        if answer.value != nil { world.count("promises accepted") }
        attend(promise)
    }

    private func leave(_ promise: String) async {
        let answer = await stand(
            .left, in: promise, PromiseCommands.leave, try .init(promise: NameOrKey(promise)))
        if answer.value != nil { world.count("promises left") }
    }

    private func stand<Request>(
        _ standing: DayBook.Standing, in promise: String,
        _ command: Command<Request, PromiseDetail>, _ request: @autoclosure () throws -> Request
    ) async -> Answer<PromiseDetail> {
        book.with { $0.promises[promise]?.standings[id]?.attempt(standing) }
        let answer = await give(command, try request())
        book.with { $0.promises[promise]?.standings[id]?.conclude(standing, answer) }
        return answer
    }

    /// Looks at a promise, and records that the person is about to agree to the time they see.
    func agree(to promise: String) async -> Timestamp? {
        let shown = await give(PromiseCommands.show, try .init(promise: NameOrKey(promise))).value
        guard let at = shown?.summary.atMs else { return nil }
        book.with { _ = $0.promises[promise]?.agreedAt[id, default: []].insert(at) }
        return at
    }

    /// Answers most of the questions about promises that were moved.
    func answerQuestions() async {
        for promise in book.promises(of: id, as: .member) where promise.maker != id && node.isUp {
            guard promise.everAt.count > 1, chance.chance(70) else { continue }
            await answerQuestion(about: promise.id)
        }
    }

    /// Confirms the present time of a promise, if the node asks for it.
    func answerQuestion(about promise: String) async {
        let shown = await give(PromiseCommands.show, try .init(promise: NameOrKey(promise))).value
        guard let shown = shown?.summary, shown.sharing == .unconfirmed else { return }
        book.with { state in
            state.promises[promise]?.agreedAt[id, default: []].insert(shown.atMs)
            // The answer also continues what a restart interrupted.
            state.shares[id, default: []].insert(node.runCount)
        }
        let answer = await give(
            PromiseCommands.confirm, try .init(promise: NameOrKey(promise), atMs: shown.atMs))
        if answer.value != nil { world.count("moved promises confirmed") }
    }

    /// Changes an own promise: its time, its penalty, its people, or cancels it.
    func change() async {
        let mine = book.promises(of: id, as: .member).filter {
            $0.maker == id && $0.at.last > world.now && $0.isDeleted.sure == false
        }
        guard let promise = chance.one(of: mine) else { return }
        switch chance.number(1...10) {
        case 1...3: await move(promise)
        case 4...5: await reprice(promise)
        case 6...8: await ask(promise)
        default: await callOff(promise)
        }
    }

    private func move(_ promise: DayBook.Promise) async {
        let at = nextTime()
        guard at < lastTime else { return }
        book.with { state in
            state.promises[promise.id]?.at.attempt(at)
            state.promises[promise.id]?.everAt.insert(at)
        }
        let answer = await give(
            PromiseCommands.edit, try .init(promise: NameOrKey(promise.id), atMs: at))
        book.with { $0.promises[promise.id]?.at.conclude(at, answer) }
        if answer.value != nil { world.count("promises moved") }
    }

    private func reprice(_ promise: DayBook.Promise) async {
        guard let penalty = chance.one(of: Self.penalties) else { return }
        book.with { $0.promises[promise.id]?.penalty.attempt(penalty) }
        let answer = await give(
            PromiseCommands.edit,
            try .init(promise: NameOrKey(promise.id), penalty: Whole(Int(penalty))))
        book.with { $0.promises[promise.id]?.penalty.conclude(penalty, answer) }
    }

    private func ask(_ promise: DayBook.Promise) async {
        let out = await mates().filter { mate in
            promise.standings[mate].map { $0.sure == .left } ?? true
        }
        guard let mate = chance.one(of: out) else { return }
        book.with { state in
            state.promises[promise.id]?.standings[mate, default: Told(.left)].attempt(.invited)
        }
        let answer = await give(
            PromiseCommands.invite,
            try .init(promise: NameOrKey(promise.id), with: [NameOrKey(mate)]))
        book.with { state in
            // The mate may have answered meanwhile.
            guard state.promises[promise.id]?.standings[mate]?.values == [.left, .invited] else {
                return
            }
            state.promises[promise.id]?.standings[mate]?.conclude(.invited, answer)
        }
        if answer.value != nil { world.count("asked later") }
    }

    private func callOff(_ promise: DayBook.Promise) async {
        book.with { $0.promises[promise.id]?.isDeleted.attempt(true) }
        let answer = await give(PromiseCommands.delete, try .init(promise: NameOrKey(promise.id)))
        book.with { $0.promises[promise.id]?.isDeleted.conclude(true, answer) }
        if answer.value != nil { world.count("promises called off") }
    }

    /// Leaves a promise.
    func part() async {
        let mine = book.promises(of: id, as: .member).filter { $0.maker != id }
        if let promise = chance.one(of: mine) { await leave(promise.id) }
    }
}
