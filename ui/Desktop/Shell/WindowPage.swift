/// A page of the whole window.
enum WindowPage: Equatable {
    case status, words, main
    /// The page of a panel, in front of everything else.
    case front(String)

    /// The name in the stack.
    var name: String {
        switch self {
        case .status: "window/status"
        case .words: "window/words"
        case .main: "window/main"
        case .front(let id): id
        }
    }
}
