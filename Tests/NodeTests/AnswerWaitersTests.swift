import Links
import Sync
import Synchronization
import Testing

@testable import Node

/// The callers that wait for a peer's answer.
struct AnswerWaitersTests {
    /// The waiters of an actor, as a node has them.
    private actor Owner {
        private var waiters = AnswerWaiters()
        private(set) var count = 0

        func wait(link: UInt64, question: Int) async -> Bool {
            let number = waiters.newNumber()
            return await withCheckedContinuation {
                waiters.add($0, number: number, link: link, question: question)
                count += 1
            }
        }

        func waitForDial(_ nonce: UInt64) async -> DialResult {
            await withCheckedContinuation {
                waiters.add($0, forDialBack: nonce)
                count += 1
            }
        }

        func resume(_ link: UInt64, through question: Int?) {
            waiters.resumeDigests(of: link, through: question)
        }

        func giveUp(_ number: UInt64) { waiters.giveUp(number: number) }

        func resume(dialBack nonce: UInt64, _ result: DialResult) {
            waiters.resume(dialBack: nonce, returning: result)
        }

        func hold(_ count: Int) async {
            while self.count < count { await Task.yield() }
        }
    }

    @Test func `an answer resumes the callers of its question and of earlier ones`() async {
        let owner = Owner()
        async let first = owner.wait(link: 1, question: 1)
        async let second = owner.wait(link: 1, question: 2)
        await owner.hold(2)
        await owner.resume(1, through: 1)
        #expect(await first)
        await owner.resume(2, through: 9)
        await owner.resume(1, through: nil)
        #expect(await second == false)
    }

    @Test func `a caller that gave up is not resumed again`() async {
        let owner = Owner()
        async let answer = owner.wait(link: 1, question: 1)
        await owner.hold(1)
        await owner.giveUp(1)
        await owner.giveUp(1)
        await owner.resume(1, through: 1)
        #expect(await answer == false)
    }

    @Test func `the first result of a dial counts`() async {
        let owner = Owner()
        async let result = owner.waitForDial(7)
        await owner.hold(1)
        await owner.resume(dialBack: 8, .refused)
        await owner.resume(dialBack: 7, .reached)
        await owner.resume(dialBack: 7, .timedOut)
        #expect(await result == .reached)
    }
}
