import Contract
import ControlAPI
import FeaturesAPI
import PanelTestSupport
import ProximityDropAPI
import Testing

@testable import ProximityDropPanel

struct DropScreenTests {
    /// Returns the status of a drop; no provider measures distances.
    private func session(
        _ phase: DropPhase, checkCode: String? = nil, myAnswer: DropStatus.Answer? = nil,
        reason: Sentence? = nil, incoming: Bool? = nil, peer: DropStatus.Peer? = nil,
        candidates: [DropStatus.Peer]? = nil
    ) -> DropStatus {
        DropStatus(
            phase: phase, checkCode: checkCode.map { CheckCode(digits: $0) },
            myAnswer: myAnswer, reason: reason, incoming: incoming, peer: peer,
            candidates: candidates, ranged: .init(available: false))
    }

    private func screen(_ session: DropStatus, left: Int? = nil) -> DropScreen {
        DropScreen(session, timeLeft: left.map { .seconds($0) })
    }

    private let stranger = DropStatus.Peer(device: key("d"), suffix: KeySuffix(key("d")))
    private let peer = DropStatus.Peer(
        device: key("d"), suffix: KeySuffix(key("d")),
        card: ProfileFields(nickname: "Haneul", age: 5))

    @Test func `before a drop the user sees which fields are sent and to whom`() {
        let screen = screen(session(.idle))
        #expect(screen.showsChoice && screen.showsTarget && !screen.showsCode)
        #expect(screen.actions == [.cancel, .start])
    }

    @Test func `before a drop the sheet says why the devices cannot be held together`() {
        var session = session(.idle)
        session.ranged = .init(available: false, reason: "It needs a radio.")
        #expect(screen(session).targetNote == "It needs a radio.")
        session.phase = .finding
        #expect(screen(session).targetNote == nil)
        session.phase = .idle
        session.ranged = .init(available: true)
        #expect(screen(session).targetNote == nil)
    }

    @Test(arguments: [DropPhase.finding, .exchanging, .deciding])
    func `every running phase can be cancelled`(phase: DropPhase) {
        #expect(screen(session(phase)).actions.contains(.cancel))
    }

    @Test func `a drop between two who met asks for the other's tap, then shows what they share`() {
        var session = session(.finding)
        session.meeting = .init(common: "You both like: tea.", topic: "Which tea?")
        let finding = screen(session, left: 5)
        #expect(finding.sentence == "Ask them to tap “We met” now. 5 s left.")
        #expect(finding.progress == 0 && !finding.showsMeeting && !finding.showsTarget)
        for (phase, isShown) in [
            (DropPhase.exchanging, true), (.deciding, true), (.waiting, true), (.mates, true),
            (.declined, false), (.failed, false), (.cancelled, false), (.idle, false),
        ] {
            session.phase = phase
            #expect(screen(session).showsMeeting == isShown)
        }
        session.meeting = nil
        session.phase = .deciding
        #expect(!screen(session).showsMeeting)
    }

    @Test func `only a tap on another page that begins a drop opens the sheet`() {
        var met = session(.finding)
        met.meeting = .init(common: "You both like: tea.")
        #expect(met.begins(after: .idle) && met.begins(after: session(.mates)))
        #expect(!met.begins(after: met) && !session(.finding).begins(after: .idle))
        met.phase = .failed
        #expect(!met.begins(after: .idle))
    }

    @Test func `the user chooses one of several people who pressed`() {
        let screen = screen(
            session(
                .finding,
                candidates: [
                    .init(device: key("a"), suffix: KeySuffix(key("a"))),
                    .init(device: key("b"), suffix: KeySuffix(key("b"))),
                ]))
        #expect(screen.showsTarget)
        #expect(screen.actions == [.cancel, .choose])
    }

    @Test func `while a person's device is dialled the screen says so, and why it fails`() {
        var session = session(.finding)
        session.reaching = .init(tag: .example, name: "Zoe")
        let first = screen(session, left: 20)
        #expect(first.title == "Connecting to Zoe…" && first.actions == [.cancel])
        #expect(first.sentence.hasSuffix("20 s left."))
        session.reaching?.trouble = ConnectionTrouble(
            .silent, cause: "No answer.", fix: "Come closer.")
        #expect(
            screen(session, left: 9).sentence
                == "No answer. Come closer. Trying again. 9 s left.")
    }

    @Test func `an invitation shows the fields to be sent before it is accepted`() {
        let session = session(.idle, incoming: true, peer: stranger)
        let screen = DropScreen(session, timeLeft: nil)
        #expect(session.isInvitation)
        #expect(screen.title == "Someone nearby wants to exchange profiles")
        #expect(screen.showsChoice && !screen.showsTarget)
        #expect(screen.actions == [.decline, .accept])
    }

    @Test func `the code is shown as soon as it exists, in two groups`() {
        let session = session(.exchanging, checkCode: "048213")
        #expect(screen(session).showsCode)
        #expect(session.spelledCheckCode == "048 213")
        #expect(!screen(self.session(.exchanging)).showsCode)
    }

    @Test func `a decision asks by name, and the screen waits after the answer`() {
        let asking = screen(session(.deciding, peer: peer), left: 54)
        #expect(asking.title == "Become mates with Haneul?")
        #expect(asking.sentence == "54 s left.")
        #expect(asking.actions == [.cancel, .decline, .accept])
        let waiting = screen(session(.deciding, myAnswer: .accept, peer: peer))
        #expect(waiting.title == "Waiting for Haneul")
        #expect(waiting.actions == [.cancel])
    }

    @Test(arguments: ["waiting", "mates", "declined", "failed", "cancelled", "something new"])
    func `every end can be closed`(phase: String) throws {
        // Read from JSON, because the phase that a newer node adds has no value here.
        let phase = try JSONValue.string(phase).decoded(as: DropPhase.self)
        let screen = screen(session(phase, peer: peer))
        #expect(screen.actions.contains(.close))
        #expect(screen.progress == nil)
    }

    @Test func `a failure is shown in the node's words`() {
        let screen = screen(session(.failed, reason: "The other person no longer answers."))
        #expect(screen.sentence == "The other person no longer answers.")
    }

    @Test(arguments: [(30, 0.0), (15, 0.5), (0, 1), (90, 0), (-5, 1)])
    func `the bar fills with the time and never past its ends`(left: Int, filled: Double) {
        #expect(screen(session(.finding), left: left).progress == filled)
    }

    @Test func `a card's fields come in reading order`() {
        let profile = ShownProfile(
            ProfileFields(
                nickname: "Mina", age: 1, neutered: false, size: .big, keywords: [.smart, .shy]))
        let card = CardFields(profile)
        #expect(
            card.rows == [
                .init(label: "Name", value: "Mina"), .init(label: "Dog's age", value: "1 year"),
                .init(label: "Neutered", value: "No"), .init(label: "Dog's size", value: "Big"),
                .init(label: "Keywords", value: "Smart, shy"),
            ])
    }

    @Test func `a field that a newer node added is omitted`() throws {
        // JSON, because no value has a field that is not declared.
        let card: JSONValue = ["nickname": "Mina", "zodiac": "ox"]
        let peer: JSONValue = [
            "device": .string(key("d").string), "suffix": "dddddd", "card": card,
        ]
        #expect(
            try peer.decoded(as: DropStatus.Peer.self).fields.rows == [
                .init(label: "Name", value: "Mina")
            ])
    }

    @Test func `the private fields are listed`() {
        let preview = DropPreview(fields: ProfileFields(), keptPrivate: [.age, .size])
        #expect(preview.keptPrivateText == "dog's age, dog's size")
        #expect(DropPreview(fields: ProfileFields(), keptPrivate: []).keptPrivateText == nil)
    }

    @Test func `a device to drop with is named as far as it is known`() {
        let peer = DropStatus.Peer(device: key("d"), suffix: KeySuffix(key("d")))
        #expect(DropTarget(peer).label == "Someone nearby")
        let person = NearbyList.Person(
            device: key("d"), suffix: KeySuffix(key("d")), name: "Ann", mate: false,
            isOpenToMeet: true,
            sinceMs: .example)
        #expect(DropTarget(person).label == "Ann, ready")
    }

    @Test func `digits tell only those devices apart that would have the same name`() {
        func person(_ digit: Character, _ name: String?, isReady: Bool = false) -> DropTarget {
            DropTarget(
                NearbyList.Person(
                    device: key(digit), suffix: KeySuffix(key(digit)), name: name, mate: false,
                    isOpenToMeet: isReady, sinceMs: .example))
        }
        func labels(_ targets: [DropTarget]) -> [String] { DropTarget.list(targets).map(\.label) }
        #expect(
            labels([.anyone, person("a", nil), person("b", "Ann")]) == [
                "Anyone who also presses Drop", "Someone nearby", "Ann",
            ])
        let unseen = DropTarget(DropStatus.Peer(device: key("e"), suffix: KeySuffix(key("e"))))
        #expect(
            labels([
                person("a", nil), person("b", "Ann"), unseen, person("c", "Ann", isReady: true),
                person("d", "Ben"),
            ]) == [
                "Someone nearby (aaaaaa)", "Ann (bbbbbb)", "Someone nearby (eeeeee)",
                "Ann (cccccc), ready", "Ben",
            ])
    }
}
