/// The names of the program on a desktop.
enum WaggleNames {
    /// The id of the .desktop file and of the icon.
    static let application = "org.waggle.Waggle"
    /// The window's action that opens the page of a subject.
    static let open = "open"
}
