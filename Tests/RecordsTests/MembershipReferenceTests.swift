import Records
import TestSupport
import Testing

/// Compares ``Membership`` with the simple reference on thousands of random histories, plausible
/// ones and others.
struct MembershipReferenceTests {
    /// Everything that a membership can be asked.
    struct Verdict: Equatable {
        var members: [Member?] = []
        var levels: [Int?] = []
        var reaches: [LogName: [UInt64]] = [:]
        var writable: [LogName: [Bool]] = [:]
    }

    private static let people = (1...5).map { ControlScript.person(UInt8($0)) }

    private func verdict(_ membership: Membership, _ logs: [LogName]) -> Verdict {
        var verdict = Verdict()
        for person in Self.people {
            verdict.members.append(membership.member(person))
            verdict.levels.append(membership.level(of: person))
            for log in logs {
                verdict.reaches[log, default: []].append(membership.reach(of: log, by: person))
                verdict.writable[log, default: []].append(membership.mayWrite(person, in: log))
            }
        }
        return verdict
    }

    private func verdict(_ reference: MembershipReference, _ logs: [LogName]) -> Verdict {
        let levels = reference.levels()
        var verdict = Verdict()
        for person in Self.people {
            let story = reference.story(of: person, levels)
            verdict.members.append(reference.member(person, story))
            verdict.levels.append(levels.firstIndex { $0.contains(person) })
            for log in logs {
                verdict.reaches[log, default: []].append(reference.reach(story, log))
                let term = reference.term(story, log)
                let role = term.flatMap { reference.role(story, $0) }
                let isWriter = role == .writer || role == .owner
                verdict.writable[log, default: []].append(
                    isWriter && term.map { reference.isAccepted(story, $0) } ?? false)
            }
        }
        return verdict
    }

    @Test(arguments: 0..<20)
    func `membership agrees with the plain reference, in any order of facts`(block: UInt64) {
        for seed in block * 150..<(block + 1) * 150 {
            var draw = SeededGenerator(seed: seed)
            let script = draw.controlScript()
            let logs = script.lengths.keys.sorted()
            let expected = verdict(
                MembershipReference(script, owner: Self.people[0], facts: script.facts), logs)
            for _ in 0..<3 {
                let facts = script.facts.shuffled(using: &draw)
                #expect(verdict(script.membership(of: facts), logs) == expected, "seed \(seed)")
            }
        }
    }

    @Test func `the histories reach every state, level and kind of limit`() {
        var states: Set<Member.State> = []
        var levels: Set<Int> = []
        var (cutInside, voids, branches) = (0, 0, 0)
        for seed in 0..<UInt64(500) {
            var draw = SeededGenerator(seed: seed)
            let script = draw.controlScript()
            let membership = script.membership
            states.formUnion(membership.members.map(\.state))
            levels.formUnion(Self.people.compactMap(membership.level))
            voids += membership.voidCount
            for (log, length) in script.lengths {
                for person in Self.people {
                    let reach = membership.reach(of: log, by: person)
                    if (1..<length).contains(reach) { cutInside += 1 }
                    if log.branch != .main, reach > 0 { branches += 1 }
                }
            }
        }
        #expect(states == Set(Member.State.allCases))
        #expect(levels.isSuperset(of: [0, 1, 2]))
        #expect(cutInside > 100)
        #expect(voids > 100)
        #expect(branches > 100)
    }
}

extension SeededGenerator {
    /// Draws a history of a group of five people with two devices each, whose clocks are
    /// independent.
    mutating func controlScript() -> ControlScript {
        var script = ControlScript(owner: ControlScript.person(1))
        var clocks: [DeviceID: UInt64] = [:]
        var branches: [PersonID: [BranchName]] = [:]
        for step in 0..<number(4...28) {
            let isOwner = step < 4 || chance(50)
            let author = isOwner ? UInt8(number(1...2)) : UInt8(number(1...5))
            let device = UInt8(number(0...1))
            let id = ControlScript.device(author, device)
            clocks[id, default: UInt64(step / 2)] += UInt64(number(1...3))
            let own = branches[ControlScript.person(author)] ?? []
            let branch = chance(35) ? own.randomElement(using: &self) ?? .main : .main
            let actions = (0..<number(1...2)).map { _ in action(of: author, script) }
            let head = script.write(
                author, device: device, branch: branch, actions, at: clocks[id] ?? 0)
            for case .grant(let subject, _) in actions {
                branches[subject, default: []].append(head.branch)
            }
        }
        return script
    }

    private mutating func action(of author: UInt8, _ script: ControlScript) -> Operation.Action {
        let subject = UInt8(number(1...5))
        switch number(0...9) {
        case 0...4:
            return .grant(ControlScript.person(subject), chance(50) ? .owner : .writer)
        case 5: return .grant(ControlScript.person(subject), .reader)
        case 6, 7: return .accept
        case 8: return .cut(ControlScript.person(subject), heads(of: subject, script))
        default: return .cut(ControlScript.person(author), heads(of: author, script))
        }
    }

    /// Draws batches of a person's logs. Some of them are not stored.
    private mutating func heads(of person: UInt8, _ script: ControlScript) -> [LogHead] {
        let devices = [ControlScript.device(person, 0), ControlScript.device(person, 1)]
        var heads: [LogName: LogHead] = [:]
        for batch in script.batches where devices.contains(batch.log.device) && chance(60) {
            heads[batch.log] = batch
            if chance(10) {
                heads[batch.log] = LogHead(
                    log: batch.log, number: batch.number + 1, hash: ControlScript.hash(7000))
            }
        }
        return heads.values.sorted()
    }
}
