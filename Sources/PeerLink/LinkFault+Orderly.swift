import Links

extension LinkFault {
    /// Whether what is queued is still worth sending and the end worth announcing to the peer.
    var isOrderly: Bool {
        switch self {
        case .replaced, .refused, .closed, .cancelled: true
        default: false
        }
    }
}
