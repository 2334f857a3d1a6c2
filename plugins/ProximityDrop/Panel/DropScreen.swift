import Contract
import ProximityDropAPI

/// The screen of a drop at one moment: a value, so that every moment can be tested alone.
struct DropScreen: Equatable, Sendable {
    /// An action of the user.
    enum Action: Equatable, Sendable {
        case start, choose, accept, decline, cancel, again, close

        /// The action in words.
        var name: String {
            switch self {
            case .start: localized("Drop")
            case .choose: localized("Choose")
            case .accept: localized("Accept")
            case .decline: localized("Decline")
            case .cancel: localized("Cancel")
            case .again: localized("Try again")
            case .close: localized("Done")
            }
        }
    }

    var title: String
    var sentence: String
    /// Whether the user chooses the fields to send, and sees them.
    var showsChoice = false
    /// Whether the user chooses the other person.
    var showsTarget = false
    /// The reason why the devices cannot find each other by being held together, before a drop.
    var targetNote: String?
    var showsCode = false
    /// Whether it says what the two have in common, if the drop began with that.
    var showsMeeting = false
    var showsCard = false
    /// The part of the phase that has passed, from 0 to 1; nil if no time runs.
    var progress: Double?
    /// The actions, from the safe one to the suggested one.
    var actions: [Action]

    /// The actions of the bar, which has no room for a second way to end a drop.
    var barActions: [Action] {
        actions.filter { $0 != .again && !($0 == .cancel && actions.contains(.decline)) }
    }

    /// The screen of a session with this time left in its phase.
    init(_ session: DropStatus, timeLeft: Duration?) {
        let name = session.peer?.name ?? localized("the other person")
        switch session.phase {
        case .idle:
            self = session.isInvitation ? .invited(by: name) : .choosing(session)
        case .finding:
            if let reaching = session.reaching {
                self = .connecting(to: reaching, timeLeft)
            } else {
                self =
                    session.meeting == nil
                    ? .finding(
                        timeLeft, advice: session.ranged.advice?.string,
                        mustChoose: session.candidates?.isEmpty == false)
                    : .meeting(timeLeft)
            }
        case .exchanging:
            self = .exchanging(session, timeLeft)
        case .deciding:
            self = .deciding(session, name, timeLeft)
        default:
            self = .ended(session, name)
        }
        showsMeeting =
            [.exchanging, .deciding, .waiting, .mates].contains(session.phase)
            && session.meeting != nil
    }

    private init(_ title: String, _ sentence: String, _ actions: [Action]) {
        self.title = title
        self.sentence = sentence
        self.actions = actions
    }

    private static func choosing(_ session: DropStatus) -> DropScreen {
        let how = localized(
            "Have you met someone? Both press Drop within 30 seconds to exchange your "
                + "profiles. You become mates only if both of you accept.")
        var screen = DropScreen(
            localized("Profile drop"),
            [session.elsewhere?.sentence, how].compactMap { $0 }.joined(separator: " "),
            [.cancel, .start])
        screen.showsChoice = true
        screen.showsTarget = true
        screen.targetNote = session.ranged.available ? nil : session.ranged.reason?.string
        return screen
    }

    private static func invited(by name: String) -> DropScreen {
        var screen = DropScreen(
            localized("\(name) wants to exchange profiles"),
            localized("You become mates only if both of you accept each other's profile."),
            [.decline, .accept])
        screen.showsChoice = true
        return screen
    }

    private static func connecting(
        to person: DropStatus.Reaching, _ left: Duration?
    ) -> DropScreen {
        let trouble = person.trouble.map {
            "\($0.cause.string) \($0.fix.string) " + localized("Trying again. ")
        }
        var screen = DropScreen(
            localized("Connecting to \(person.name?.string ?? localized("their device"))…"),
            (trouble ?? localized("The drop begins once the two devices are connected. "))
                + sentence(left),
            [.cancel])
        screen.progress = progress(left, of: DropPhase.findingMax)
        return screen
    }

    /// - Parameter advice: what to do so that the other device is found by its distance.
    private static func finding(
        _ left: Duration?, advice: String?, mustChoose: Bool
    ) -> DropScreen {
        var screen = DropScreen(
            localized("Looking for the other person…"),
            (advice.map { "\($0) " }
                ?? (mustChoose
                    ? localized("Several people pressed Drop. Who is it? ")
                    : localized("Ask them to press Drop now. ")))
                + sentence(left), mustChoose ? [.cancel, .choose] : [.cancel])
        screen.showsTarget = mustChoose
        screen.progress = progress(left, of: DropPhase.findingMax)
        return screen
    }

    private static func meeting(_ left: Duration?) -> DropScreen {
        var screen = DropScreen(
            localized("Looking for the other person…"),
            localized("Ask them to tap “We met” now. ") + sentence(left), [.cancel])
        screen.progress = progress(left, of: DropPhase.bumpMax)
        return screen
    }

    private static func exchanging(_ session: DropStatus, _ left: Duration?) -> DropScreen {
        var screen = DropScreen(
            localized("Exchanging profiles…"),
            localized("Stay close for a moment. ") + sentence(left), [.cancel])
        screen.showsCode = session.checkCode != nil
        screen.progress = progress(left, of: DropPhase.exchangingMax)
        return screen
    }

    private static func deciding(
        _ session: DropStatus, _ name: String, _ left: Duration?
    ) -> DropScreen {
        let hasAnswered = session.myAnswer != nil
        var screen = DropScreen(
            hasAnswered
                ? localized("Waiting for \(name)") : localized("Become mates with \(name)?"),
            (hasAnswered ? localized("You accepted; now it is their turn. ") : "") + sentence(left),
            hasAnswered ? [.cancel] : [.cancel, .decline, .accept])
        screen.showsCode = session.checkCode != nil
        screen.showsCard = true
        screen.progress = progress(left, of: DropPhase.decidingMax)
        return screen
    }

    private static func ended(_ session: DropStatus, _ name: String) -> DropScreen {
        switch session.phase {
        case .mates:
            DropScreen(
                localized("You and \(name) are mates"),
                localized("Ask for a walk whenever you like."), [.close])
        case .waiting:
            DropScreen(
                localized("Waiting for the other person"),
                localized(
                    "It is not known yet whether \(name) accepted. You will see when you meet "
                        + "again; otherwise the drop is cancelled after a day."), [.close])
        case .declined:
            DropScreen(
                localized("You did not become mates"),
                session.reason?.string ?? localized("One of you declined."),
                [.again, .close])
        case .cancelled:
            DropScreen(
                localized("Cancelled"),
                session.reason?.string ?? localized("You did not become mates."),
                [.again, .close])
        default:
            DropScreen(
                localized("The drop failed"),
                session.reason?.string ?? localized("The other person was not found in time."),
                [.close, .again])
        }
    }

    private static func sentence(_ left: Duration?) -> String {
        left.map { localized("\($0.secondsRoundedUp) s left.") } ?? ""
    }

    private static func progress(_ left: Duration?, of total: Duration) -> Double? {
        left.map { 1 - min(max($0 / total, 0), 1) }
    }
}
