/// Which of two links between the same two devices stays; the other is closed as
/// ``LinkFault/replaced``. Both devices reach the same verdict, whichever link either saw first.
public enum LinkChoice: Equatable, Sendable {
    /// The link that was there stays.
    case existing
    /// The link that came takes its place.
    case new

    /// Chooses, in this order: the link of the newer boot; of one boot, the link dialled by the
    /// device with the lower key; of two dialled by one device, the later one, since nobody dials
    /// again while its own link lives.
    public init(existing: LinkClaim, new: LinkClaim) {
        if existing.boot != new.boot {
            self = existing.boot < new.boot ? .new : .existing
        } else if existing.dialledBy != new.dialledBy {
            self = new.dialledBy == .lowerKey ? .new : .existing
        } else {
            self = .new
        }
    }
}
