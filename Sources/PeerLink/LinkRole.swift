/// This device's side of a link, and the devices it accepts on the other side.
struct LinkRole {
    /// Whether this device dialled.
    let isDialler: Bool
    /// The check of the peer.
    let check: PeerCheck
}
