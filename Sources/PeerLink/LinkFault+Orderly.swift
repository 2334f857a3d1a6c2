import Links

extension LinkFault {
    /// Whether queued frames should still be sent and the peer should receive a goodbye.
    var isOrderly: Bool {
        switch self {
        case .replaced, .refused, .closed, .cancelled: true
        default: false
        }
    }
}
