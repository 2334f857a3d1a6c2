/// The decision which of two links between the same devices stays; the other is closed as
/// ``LinkFault/replaced``. Both devices decide alike, even if they saw the links in a different
/// order.
public enum LinkChoice: Equatable, Sendable {
    /// The existing link stays.
    case existing
    /// The new link replaces the existing one.
    case new

    /// Decides in this order: the link of the newer boot, or the later link if the order of the two
    /// boots is unknown; within one boot, the link dialled by the device with the lower key; if one
    /// device dialled both, the later one, because a device does not dial again while its own link
    /// is open.
    public init(existing: LinkClaim, new: LinkClaim) {
        if !existing.boot.isSame(as: new.boot) {
            self = new.boot.isKnownOlder(than: existing.boot) ? .existing : .new
        } else if existing.dialledBy != new.dialledBy {
            self = new.dialledBy == .lowerKey ? .new : .existing
        } else {
            self = .new
        }
    }
}
