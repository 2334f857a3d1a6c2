import ChatAPI
import Contract

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
}
