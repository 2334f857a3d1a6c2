/// Which side of a link this device is, and whom it accepts on the other one.
struct LinkRole {
    /// Whether this device dialled.
    let isDialler: Bool
    /// Whom it accepts.
    let check: PeerCheck
}
