import Records
import Testing

/// Tests the rules of a group's membership one by one. Person 1 owns the group.
struct MembershipTests {
    private var script = ControlScript(owner: ControlScript.person(1))
    private let two = ControlScript.person(2)
    private let three = ControlScript.person(3)
    private let four = ControlScript.person(4)

    /// Grants person 2 a role, which they accept.
    private mutating func join(
        _ person: UInt8, _ role: Role, by owner: UInt8 = 1, at time: UInt64
    ) {
        script.write(owner, [.grant(ControlScript.person(person), role)], at: time)
        script.write(person, [.accept], at: time + 1)
    }

    @Test func `the owner of the space is its only member at first`() {
        let membership = script.membership
        #expect(membership.members.map(\.person) == [ControlScript.person(1)])
        #expect(membership.state(1) == .member)
        #expect(membership.role(1) == .owner)
        #expect(membership.level(of: ControlScript.person(1)) == 0)
        #expect(membership.reach(1) == .everything)
        #expect(membership.member(two) == nil)
        #expect(membership.reach(2) == 0)
        #expect(membership.branch(of: two) == nil)
    }

    @Test mutating func `a person with a granted role is invited until they accept it`() {
        script.write(1, [.grant(two, .writer)], at: 1)
        script.write(1, [.accept], at: 2)
        let log = LogName(device: ControlScript.device(2))
        #expect(script.membership.state(2) == .invited)
        #expect(script.membership.member(two)?.isServed == true)
        #expect(script.membership.reach(2) == .everything)
        #expect(!script.membership.mayWrite(two, in: log))
        script.write(2, [.accept], at: 3)
        #expect(script.membership.state(2) == .member)
        #expect(script.membership.mayWrite(two, in: log))
    }

    @Test mutating func `an accept counts at any time of writing`() {
        script.write(1, [.grant(two, .writer)], at: 9)
        script.write(2, [.accept], at: 1)
        #expect(script.membership.state(2) == .member)
    }

    @Test mutating func `a reader may not write, and a writer may neither grant nor cut`() {
        join(2, .reader, at: 1)
        join(3, .writer, at: 3)
        script.write(2, [.grant(four, .writer)], at: 6)
        script.write(3, [.grant(four, .writer), .cut(two, [])], at: 7)
        let membership = script.membership
        #expect(!membership.mayWrite(two, in: LogName(device: ControlScript.device(2))))
        #expect(membership.mayWrite(three, in: LogName(device: ControlScript.device(3))))
        #expect(membership.member(four) == nil)
        #expect(membership.state(2) == .member)
        #expect(membership.voidCount == 3)
        #expect(membership.epoch == 4)
    }

    @Test mutating func `among grants of one level the last in the order of writes applies`() {
        script.write(1, [.grant(two, .owner)], at: 5)
        script.write(1, device: 1, [.grant(two, .reader)], at: 4)
        #expect(script.membership.role(2) == .owner)
        script.write(1, device: 1, [.grant(two, .reader), .grant(two, .writer)], at: 6)
        #expect(script.membership.role(2) == .writer)
    }

    @Test mutating func `a more senior grant overrules a later one`() {
        join(2, .owner, at: 1)
        script.write(1, [.grant(three, .reader)], at: 3)
        script.write(2, [.grant(three, .owner)], at: 4)
        #expect(script.membership.role(3) == .reader)
    }

    @Test mutating func `a removed person's batches count up to the one that the cut lists`() {
        join(2, .writer, at: 1)
        let last = script.write(2, at: 3)
        script.write(2, [.accept], at: 4)
        script.write(1, [.cut(two, [last])], at: 2)
        let membership = script.membership
        #expect(membership.state(2) == .removed)
        #expect(membership.member(two)?.isServed == false)
        #expect(membership.reach(2) == 2)
        #expect(membership.branch(of: two) == nil)
        #expect(membership.voidCount == 0, "operations beyond a cut are not counted as void")
    }

    @Test mutating func `a log that the cut does not list does not count`() {
        join(2, .writer, at: 1)
        let named = script.write(2, device: 1, at: 3)
        script.write(1, [.cut(two, [named])], at: 4)
        #expect(script.membership.reach(2, device: 1) == 1)
        #expect(script.membership.reach(2) == 0)
        #expect(script.membership.state(2) == .removed)
    }

    @Test mutating func `among concurrent removals the largest reach applies, log by log`() {
        join(2, .writer, at: 1)
        join(3, .owner, at: 3)
        let (one, other) = (script.write(2, at: 5), script.write(2, device: 1, at: 5))
        let further = script.write(2, at: 6)
        script.write(1, [.cut(two, [one, other].sorted())], at: 7)
        script.write(3, [.cut(two, [further])], at: 7)
        #expect(script.membership.reach(2) == 3)
        #expect(script.membership.reach(2, device: 1) == 1)
    }

    @Test mutating func `owners of one level cannot remove each other or a more senior owner`() {
        join(2, .owner, at: 1)
        join(3, .owner, at: 3)
        script.write(2, [.cut(three, []), .cut(ControlScript.person(1), [])], at: 5)
        script.write(3, [.cut(two, [])], at: 5)
        #expect(script.membership.state(2) == .member)
        #expect(script.membership.state(3) == .member)
        #expect(script.membership.state(1) == .member)
        #expect(script.membership.voidCount == 3)
    }

    @Test mutating func `a removed owner's later grants and cuts are void, and earlier ones count`()
    {
        join(2, .owner, at: 1)
        script.write(2, [.grant(three, .writer)], at: 3)
        script.write(3, [.accept], at: 4)
        let last = script.write(2, at: 5)
        script.write(2, [.grant(four, .writer), .cut(three, [])], at: 2)
        script.write(1, [.cut(two, [last])], at: 9)
        #expect(script.membership.state(2) == .removed)
        #expect(script.membership.state(3) == .member)
        #expect(script.membership.member(four) == nil)
    }

    @Test mutating func `a person with only a removed owner's void grant was never a member`() {
        join(2, .owner, at: 1)
        script.write(2, [.grant(three, .owner)], at: 3)
        script.write(3, [.accept, .grant(four, .writer)], at: 4)
        #expect(script.membership.member(four) != nil)
        script.write(1, [.cut(two, [])], at: 9)
        #expect(script.membership.member(three) == nil)
        #expect(script.membership.member(four) == nil)
        #expect(script.membership.reach(3) == 0)
    }

    @Test mutating func `a second grant opens new logs that are named after the grant's batch`() {
        join(2, .writer, at: 1)
        script.write(1, [.cut(two, [])], at: 3)
        let again = script.write(1, [.grant(two, .writer)], at: 4)
        let membership = script.membership
        #expect(membership.state(2) == .invited, "the accept is beyond the cut")
        #expect(membership.branch(of: two) == again.branch)
        #expect(membership.reach(2) == 0)
        #expect(membership.reach(2, again.branch) == .everything)
        let log = LogName(device: ControlScript.device(2), branch: again.branch)
        #expect(membership.goesOn(log, by: two))
        #expect(!membership.goesOn(LogName(device: log.device), by: two))
        script.write(2, branch: again.branch, [.accept], at: 5)
        #expect(script.membership.mayWrite(two, in: log))
    }

    @Test mutating func `a person who was removed and granted again need not accept again`() {
        join(2, .writer, at: 1)
        let accepted = script.batches[1]
        script.write(1, [.cut(two, [accepted]), .grant(two, .reader)], at: 3)
        #expect(script.membership.state(2) == .member)
        #expect(script.membership.role(2) == .reader)
        #expect(script.membership.mayWrite(two, in: accepted.log))
        let now = LogName(device: accepted.log.device, branch: script.batches[2].branch)
        #expect(!script.membership.mayWrite(two, in: now))
    }

    @Test mutating func `a junior owner cannot bring back a person whom a senior owner removed`() {
        join(2, .owner, at: 1)
        join(3, .writer, at: 3)
        script.write(1, [.cut(three, [])], at: 5)
        let back = script.write(2, [.grant(three, .writer)], at: 6)
        #expect(script.membership.state(3) == .removed)
        #expect(script.membership.reach(3, back.branch) == 0)
        script.write(1, [.grant(three, .reader)], at: 7)
        #expect(script.membership.role(3) == .reader)
    }

    @Test mutating func `a branch that is named after no grant of the person does not count`() {
        join(2, .writer, at: 1)
        script.write(1, [.cut(two, [])], at: 3)
        let other = script.write(1, [.grant(three, .writer)], at: 4)
        script.write(1, [.grant(two, .writer)], at: 5)
        #expect(script.membership.reach(2, other.branch) == 0)
    }

    @Test mutating func `leaving keeps earlier batches and requires accepting a new invitation`() {
        join(2, .writer, at: 1)
        let last = script.write(2, at: 3)
        script.write(2, [.cut(two, [last])], at: 4)
        script.write(2, at: 5)
        #expect(script.membership.state(2) == .left)
        #expect(script.membership.reach(2) == 3)
        let again = script.write(1, [.grant(two, .writer)], at: 6)
        #expect(script.membership.state(2) == .invited)
        script.write(2, branch: again.branch, [.accept], at: 7)
        #expect(script.membership.state(2) == .member)
    }

    @Test mutating func `an invitation is declined by leaving`() {
        script.write(1, [.grant(two, .writer)], at: 1)
        script.write(2, [.cut(two, [])], at: 2)
        #expect(script.membership.state(2) == .left)
        #expect(script.membership.reach(2) == 1)
    }

    @Test mutating func `leaving cuts only the logs that it lists`() {
        join(2, .writer, at: 1)
        script.write(2, device: 1, at: 3)
        let last = script.write(2, at: 4)
        script.write(2, [.cut(two, [last])], at: 5)
        #expect(script.membership.reach(2) == 3)
        #expect(script.membership.reach(2, device: 1) == .everything)
    }

    @Test mutating func `a person ends a lost device's log and stays a member`() {
        join(2, .writer, at: 1)
        let lost = script.write(2, device: 1, at: 3)
        script.write(2, device: 1, at: 4)
        script.write(2, [.cut(two, [lost])], at: 5)
        #expect(script.membership.state(2) == .member)
        #expect(script.membership.reach(2, device: 1) == 1)
        #expect(script.membership.reach(2) == .everything)
    }

    @Test mutating func `a person who was cut before being invited is still invited`() {
        script.write(1, [.cut(two, [])], at: 1)
        let grant = script.write(1, [.grant(two, .writer)], at: 2)
        #expect(script.membership.state(2) == .invited)
        #expect(script.membership.reach(2) == 0)
        #expect(script.membership.reach(2, grant.branch) == .everything)
    }

    @Test mutating func `the owner of the space may leave it and cannot be brought back`() {
        join(2, .owner, at: 1)
        let last = script.write(1, at: 3)
        script.write(1, [.cut(ControlScript.person(1), [last])], at: 4)
        script.write(2, [.grant(ControlScript.person(1), .owner)], at: 5)
        #expect(script.membership.state(1) == .left)
        #expect(script.membership.state(2) == .member)
    }

    @Test func `in other kinds of space the membership is fixed`() {
        let (one, two) = (ControlScript.person(1), ControlScript.person(2))
        var script = ControlScript(owner: one)
        script.write(1, [.grant(ControlScript.person(3), .owner), .cut(two, [])], at: 1)
        let pair = Membership(of: .between(one, two), facts: script.facts)
        #expect(pair.members.map(\.role) == [.writer, .writer])
        #expect(pair.members.map(\.state) == [.member, .member])
        #expect(pair.voidCount == 2)
        #expect(pair.epoch == 0)
        let card = Membership(of: .card(one))
        #expect(card.members == [Member(person: one, role: .owner, state: .member)])
        let open = Membership(of: .open(name: "x"))
        #expect(open.members.isEmpty)
        #expect(open.mayWrite(two, in: LogName(device: ControlScript.device(2))))
    }

    @Test func `people of an open space are judged one by one, with the same result`() {
        let space = SpaceDescriptor.open(name: "x")
        let (one, two) = (ControlScript.person(1), ControlScript.person(2))
        let (listed, lost) = (ControlScript.device(1), ControlScript.device(2))
        func fact(_ device: DeviceID, _ number: UInt64, _ heads: [LogHead]) -> ControlFact {
            let hash = BatchHash(raw: Digest.header.hash([UInt8(number)] + device.bytes))
            return ControlFact(
                author: one,
                batch: LogHead(log: LogName(device: device), number: number, hash: hash),
                stamp: Stamp(Timestamp(milliseconds: Int64(number))), index: 0,
                action: .cut(one, heads))
        }
        let head = LogHead(log: LogName(device: lost), number: 3, hash: .none)
        let facts = [
            fact(listed, 5, [head]), fact(lost, 9, [head]),
            fact(listed, 7, [LogHead(log: LogName(device: listed), number: 6, hash: .none)]),
        ]
        let whole = Membership(of: space, facts: facts, removed: [one: [lost]])
        var single = Membership(of: space)
        single.judge(one, facts: facts, tree: LogTree(), removed: [lost])
        for device in [listed, lost] {
            let log = LogName(device: device)
            #expect(single.reach(of: log, by: one) == whole.reach(of: log, by: one))
        }
        #expect(single.reach(of: LogName(device: lost), by: one) == 2)
        #expect(single.voidCount == whole.voidCount)
        // Nobody else is concerned, and without the facts nothing is left of them.
        #expect(single.reach(of: LogName(device: lost), by: two) == Limits.batchNumberMax)
        single.judge(one, facts: [], tree: LogTree(), removed: [])
        #expect(single.reach(of: LogName(device: lost), by: one) == Limits.batchNumberMax)
        #expect(single.voidCount == 0)
    }

    // MARK: Forks

    @Test mutating func `in a forked log the side that the cut lists counts`() {
        join(2, .writer, at: 1)
        let log = LogName(device: ControlScript.device(2))
        let sides = (1...2).map { number in
            LogName(
                device: log.device,
                branch: BranchName(raw: ControlScript.hash(900 + UInt64(number)).raw))
        }
        let named = LogHead(log: sides[0], number: 5, hash: ControlScript.hash(50))
        script.write(1, [.cut(two, [named])], at: 9)
        var tree = script.tree
        for side in sides { tree.origins[side] = LogTree.Origin(log: log, number: 3) }
        tree.places[named] = sides[0]
        let membership = Membership(of: script.space, facts: script.facts, tree: tree)
        #expect(membership.reach(of: log, by: two) == 3)
        #expect(membership.reach(of: sides[0], by: two) == 5)
        #expect(membership.reach(of: sides[1], by: two) == 0)
    }

    @Test mutating func `if the batch that a cut lists is missing, earlier batches count`() {
        join(2, .writer, at: 1)
        let log = LogName(device: ControlScript.device(2))
        let named = LogHead(log: log, number: 7, hash: ControlScript.hash(50))
        script.write(1, [.cut(two, [named])], at: 9)
        #expect(script.membership.reach(2) == 6)
    }
}
