import ChatAPI
import Contract
import FeaturesAPI
import PromisesAPI

/// Answers as a node gives them, with names that are hard to show: long ones, Korean ones, and one
/// that two people have.
enum SampleAnswers {
    static let now = Timestamp(milliseconds: 1_795_392_000_000)

    /// An answer with its shape.
    struct Sample: Sendable {
        let name: String
        let answer: JSONValue
        let schema: Schema

        init<Answer: Codable & Sendable>(
            _ command: Command<some CommandRequest, Answer>, _ answer: Answer
        ) {
            name = "\(command.declaration.noun) \(command.declaration.verb)"
            self.answer = JSONValue(encoding: answer)
            schema = command.declaration.result
        }
    }

    static func all() throws -> [Sample] {
        [
            Sample(MateCommands.list, try mates()), Sample(PromiseCommands.list, try promises()),
            Sample(InboxCommands.list, try inbox()), Sample(WalkCommands.list, try walks()),
            Sample(ChatCommands.rooms, try rooms()), Sample(NearbyCommands.list, try nearby()),
            Sample(GroupCommands.list, try groups()),
            Sample(PromiseCommands.ledger, try ledger()),
        ]
    }

    /// Returns the key that begins with these digits.
    static func key(_ digits: String) throws -> Key {
        try Key(digits + String(repeating: "0", count: 64 - digits.count))
    }

    static func record(_ digits: String) throws -> RecordKey {
        try RecordKey(digits + String(repeating: "0", count: 32 - digits.count))
    }

    static func mates() throws -> MateList {
        func mate(
            _ digits: String, _ name: String, dog: String? = nil, own: String? = nil,
            _ state: MateList.State = .mate, present: Bool = false
        ) throws -> MateList.Mate {
            let key = try key(digits)
            return MateList.Mate(
                person: key, suffix: KeySuffix(key), state: state,
                profile: ProfileFields(nickname: name, dogName: dog, age: 3, size: .medium),
                ownNickname: own, present: present, lastExchangeMs: now - .seconds(7200),
                location: MateList.SharedLocation(
                    latitude: 37.566512, longitude: 126.978034, accuracyMetres: 12,
                    atMs: now - .seconds(60), ageSeconds: 60))
        }
        return MateList(mates: [
            try mate("3fa2c1", "Mina", dog: "콩이", own: "Mina next door", present: true),
            try mate("90bb17", "Mina", dog: "Rex"),
            try mate("77aa02", "Bartholomew Q. Smythe", dog: "Sir Barks-a-lot", .waiting),
            try mate("b11e05", "강아지를사랑하는사람", present: true),
        ])
    }

    static func promises() throws -> PromiseList {
        func promise(
            _ digits: String, _ title: String, _ seconds: Int64, _ maker: String,
            at location: String?, _ sharing: PromiseSharing
        ) throws -> PromiseSummary {
            PromiseSummary(
                id: try key(digits), title: title, atMs: now + .seconds(seconds),
                phase: .scheduled, state: .member, maker: try key("3fa2c1"), makerName: maker,
                mine: false, latitude: 37.5665, longitude: 126.978, locationName: location,
                penalty: 1500, peopleCount: 3, sharing: sharing)
        }
        return PromiseList(promises: [
            try promise("77aa02", "Dinner", 7200, "Mina", at: "City Hall, the north gate", .idle),
            try promise(
                "0c4d9e", "같이 산책하자", 90_000, "강아지를사랑하는사람", at: nil, .unconfirmed),
        ])
    }

    static func inbox() throws -> InboxList {
        InboxList(items: [
            InboxList.Item(
                id: try record("1b5d2e"), kind: InboxKind("walk"),
                title: "Mina next door asks you for a walk",
                body: "Shall we go to the river? I have the long lead with me today.",
                atMs: now - .seconds(40), handled: false, actions: ["accept", "decline"],
                ref: try record("5c00aa").string, person: try key("3fa2c1")),
            InboxList.Item(
                id: try record("2f9911"), kind: InboxKind("chat"), title: "강아지를사랑하는사람",
                body: "내일 오후에 같이 산책할 수 있어요?", atMs: now - .seconds(4000), handled: true,
                actions: [], ref: "chat-" + (try key("b11e05").string),
                person: try key("b11e05")),
        ])
    }

    static func walks() throws -> WalkList {
        WalkList(requests: [
            WalkRequest(
                id: try record("5c00aa"), direction: .received, person: try key("3fa2c1"),
                name: "Mina next door", latitude: 37.5665, longitude: 126.978,
                locationName: "River park, south gate",
                message: "Shall we go to the river? I have the long lead with me today.",
                note: "The small gate", createdMs: now - .seconds(40), secondsLeft: 20,
                state: .pending),
            WalkRequest(
                id: try record("5d11bb"), direction: .sent, person: try key("b11e05"),
                name: "강아지를사랑하는사람", latitude: 37.5665, longitude: 126.978,
                message: "내일 같이 산책해요", createdMs: now - .seconds(90_000),
                atMs: now + .seconds(7200), state: .notAnswered),
        ])
    }

    static func rooms() throws -> ChatRooms {
        ChatRooms(
            rooms: [
                ChatRoom(
                    id: try key("aa0001"), kind: .pair, title: "Mina next door",
                    person: try key("3fa2c1"), canSend: true, unread: 3,
                    lastMs: now - .seconds(40),
                    lastText: "I am at the gate.\n" + String(repeating: "Come! ", count: 40),
                    lastIsMine: false),
                ChatRoom(
                    id: try key("aa0002"), kind: .group, title: "같이 산책하자", feature: "promises",
                    canSend: false, reason: "This promise is over.", unread: 0,
                    lastMs: now - .seconds(90_000), lastText: "네", lastIsMine: true),
            ], unread: 3)
    }

    static func nearby() throws -> NearbyList {
        let (mina, stranger) = (try key("3fa2c1"), try key("d00d17"))
        return NearbyList(
            people: [
                NearbyList.Person(
                    device: try key("e1e1e1"), person: mina, suffix: KeySuffix(mina),
                    name: "Mina next door", dogName: "Sir Barks-a-lot", mate: true,
                    isOpenToMeet: true,
                    distanceMetres: 1234, bearingDegrees: 270, sinceMs: now - .seconds(600)),
                NearbyList.Person(
                    device: stranger, suffix: KeySuffix(stranger), mate: false, isOpenToMeet: false,
                    sinceMs: now - .seconds(600),
                    trouble: ConnectionTrouble(
                        .silent, cause: "The other device does not answer.",
                        fix: "Check its firewall.")),
            ],
            announced: [
                NearbyList.Announced(
                    tag: try AnnouncedTag("00112233445566aa"), name: "강아지를사랑하는사람",
                    dogName: "콩이", sinceMs: now)
            ], unnamedCount: 2)
    }

    static func groups() throws -> GroupList {
        GroupList(groups: [
            GroupSummary(
                id: try key("c0ffee"), name: "The neighbourhood's early walkers", state: .invited,
                role: .reader, peopleCount: 12, invitedBy: try key("3fa2c1")),
            GroupSummary(
                id: try key("c0ffef"), name: "산책 모임", state: .member, role: .owner,
                peopleCount: 3),
        ])
    }

    static func ledger() throws -> PromiseLedger {
        PromiseLedger(
            people: [
                PromiseLedger.Person(
                    person: try key("3fa2c1"), name: "Mina", me: false, owes: 500, past: 4,
                    late: 1, keptPercent: 75, title: .ordinary),
                PromiseLedger.Person(
                    person: try key("00aa00"), name: "Ann", me: true, owes: 0, past: 4, late: 0,
                    keptPercent: 100, title: .friendsFavourite),
            ],
            debts: [
                PromiseLedger.Debt(
                    promise: try key("77aa02"), title: "Dinner", atMs: now - .seconds(90_000),
                    person: try key("3fa2c1"), name: "Mina", potatoes: 500,
                    text: "Mina owes you 500 potatoes for Dinner.")
            ])
    }
}
