/// A page of the whole window.
enum WindowPage: String {
    case status, words, main

    /// The name in the stack.
    var name: String { "window/\(rawValue)" }
}
