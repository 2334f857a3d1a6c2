import Identity
import PluginKit
import Records
import Sync
import TestSupport
import Testing

@testable import Node

/// The code that a device shows, as a value: who is answered, and when it ends.
struct AddingTests {
    private let me = DeviceKey().id
    private let phone = DeviceKey().id
    private let watch = DeviceKey().id

    private func begun(_ code: JoinCode, at now: Duration = .zero) -> Adding {
        var adding = Adding()
        adding.begin(code, now: now, wallTime: .min)
        return adding
    }

    private func code() -> JoinCode {
        var generator = SystemRandomNumberGenerator()
        return JoinCode(using: &generator)
    }

    private func question(
        _ key: JoinKey, from joiner: DeviceID, to adder: DeviceID
    ) -> JoinQuestion {
        JoinQuestion(code: key.name, proof: key.proof(of: .joiner, joiner: joiner, adder: adder))
    }

    @Test func `the first device with a right proof has the code, and no second one`() {
        let key = code()
        var adding = begun(key)
        let first = adding.answer(
            question(key.key, from: phone, to: me), from: phone, to: me, now: .zero)
        #expect(first == key.key.proof(of: .adder, joiner: phone, adder: me))
        let second = adding.answer(
            question(key.key, from: watch, to: me), from: watch, to: me, now: .zero)
        #expect(second == nil)
        #expect(adding.joiner?.device == phone)
        #expect(adding.permits(phone, now: .zero))
        #expect(!adding.permits(watch, now: .zero))
        // The first one may lose its link and ask again, also after it was added.
        adding.recordAdded(name: "Phone")
        let again = adding.answer(
            question(key.key, from: phone, to: me), from: phone, to: me, now: .zero)
        #expect(again == first)
    }

    @Test func `three wrong proofs end a code, and two do not`() {
        let key = code()
        var adding = begun(key)
        let overheard = question(key.key, from: phone, to: me)
        for _ in 0..<2 {
            let answer = adding.answer(overheard, from: watch, to: me, now: .zero)
            #expect(answer == nil && adding.shown != nil)
        }
        let third = adding.answer(
            question(key.key, from: watch, to: phone), from: watch, to: me, now: .zero)
        #expect(third == nil)
        #expect(adding.shown == nil && adding.end == .wrongProofs)
        let late = adding.answer(overheard, from: phone, to: me, now: .zero)
        #expect(late == nil)
    }

    @Test func `ten thousand questions about other codes change nothing`() {
        let key = code()
        var adding = begun(key)
        for raw in 0..<10_000 as Range<UInt64> {
            let other = JoinQuestion(code: JoinCodeName(raw: raw), proof: watch.raw)
            let answer = adding.answer(other, from: watch, to: me, now: .zero)
            #expect(answer == nil)
        }
        #expect(adding.shown != nil)
        let right = adding.answer(
            question(key.key, from: phone, to: me), from: phone, to: me, now: .zero)
        #expect(right != nil)
    }

    @Test func `a code is valid for less than five minutes`() {
        let key = code()
        let last: Duration = .seconds(300) - .milliseconds(1)
        var inTime = begun(key)
        let answer = inTime.answer(
            question(key.key, from: phone, to: me), from: phone, to: me, now: last)
        #expect(answer != nil && inTime.permits(phone, now: last))
        #expect(!inTime.permits(phone, now: .seconds(300)))
        var late = begun(key)
        let refused = late.answer(
            question(key.key, from: phone, to: me), from: phone, to: me, now: .seconds(300))
        #expect(refused == nil && late.end == .expired)
        var cancelled = begun(key)
        let isCancelled = cancelled.finish(because: .cancelled)
        let nothing = cancelled.finish(because: .cancelled)
        #expect(isCancelled && !nothing && cancelled.end == .cancelled)
    }

    @Test func `an invitation is read from its line, and a code from its words`() throws {
        let code = code()
        let line = "waggle:join/\(code.text)?at=192.0.2.7:47100&key=\(me)"
        let read = try JoinInvitation(typed: line + "\n")
        #expect(read.code == code && read.device == me)
        #expect(read.text == line)
        let words = try JoinInvitation(typed: code.words.joined(separator: " "))
        #expect(words.code == code && words.address == nil && words.device == nil)
        for wrong in ["", "waggle:join/", "waggle:join/?at=a", String(repeating: "a", count: 600)] {
            #expect(throws: CommandFault.self) { try JoinInvitation(typed: wrong) }
        }
    }
}
