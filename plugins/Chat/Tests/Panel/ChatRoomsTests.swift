import ChatAPI
import Contract
import PanelTestSupport
import Testing

@testable import ChatPanel

struct ChatRoomsTests {
    private func room(
        _ digit: Character, with person: Key?, canSend: Bool = true
    ) -> ChatRoom {
        ChatRoom(
            id: key(digit), kind: person == nil ? .group : .pair, title: "Room", person: person,
            canSend: canSend, unread: 0)
    }

    @Test func `a person can be written to in their own room, if it is open`() {
        let rooms = ChatRooms(
            rooms: [
                room("1", with: nil), room("2", with: key("a")),
                room("3", with: key("b"), canSend: false),
            ], unread: 0)
        #expect(rooms.roomIDs == [key("a"): key("2")])
    }
}
