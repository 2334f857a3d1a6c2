import ChatAPI
import Contract
import FeaturesAPI

extension ChatRooms {
    /// The ids of the rooms with one other person in which this user can write, by person.
    var roomIDs: [Key: Key] {
        let pairs = rooms.filter(\.canSend).compactMap { room in
            room.person.map { ($0, room.id) }
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the room with this id, if it is listed.
    subscript(id: Key) -> ChatRoom? { rooms.first { $0.id == id } }

    /// Returns the room whose messages an item of the inbox is about, if it is listed.
    func room(of item: InboxList.Item) -> Key? {
        guard item.kind == "chat" else { return nil }
        return rooms.first { item.ref?.string == "chat-\($0.id.string)" }?.id
    }
}
