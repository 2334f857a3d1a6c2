import FeaturesAPI

/// An answer of the user to a walk request or an item of the inbox.
enum RequestAnswer: String, Sendable {
    case accept = "Accept"
    case decline = "Decline"
    case cancel = "Cancel request"
    case handled = "Done"
}

extension WalkRequest {
    /// The answers that this window's user can give.
    var answers: [RequestAnswer] {
        if awaitsMyAnswer { return [.accept, .decline] }
        return direction == .sent && state.isOpen ? [.cancel] : []
    }
}
