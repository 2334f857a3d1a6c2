import ChatAPI
public import Contract
public import FeaturesAPI
public import PanelKit

// The ways from other pages to a room.
extension ChatPanel {
    /// Whether there is a room with this person or of this group. A room that is offered itself may
    /// be too new to be listed.
    public func canAccept(_ offer: Offer) -> Bool { room(for: offer) != nil }

    /// Opens the room with a person or of a group, or the one that is offered.
    public func accept(_ offer: Offer) {
        guard let room = room(for: offer) else { return }
        context.showPage()
        open(room)
    }

    /// Opens the room of an inbox item.
    public func open(_ subject: InboxSubject) -> Bool {
        guard subject.kind == "chat" else { return false }
        context.showPage()
        if let room = try? Key(String(subject.reference.trimmingPrefix("chat-"))) { open(room) }
        return true
    }

    private func room(for offer: Offer) -> Key? {
        offer.person.flatMap { roomIDs[$0] } ?? offer.group.flatMap { rooms[$0]?.id } ?? offer.room
    }

    /// The reply to the messages of a room.
    public func answers(to item: InboxList.Item) -> [PanelAction] {
        guard let room = rooms.room(of: item) else { return [] }
        return [
            PanelAction(localized("Reply")) { [weak self] in
                self?.context.showPage()
                self?.open(room)
            }
        ]
    }
}
