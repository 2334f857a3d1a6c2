/// The names that the window has on the bus for every home.
enum WaggleNames {
    /// The window's action that opens the page of a subject.
    static let open = "open"
}
