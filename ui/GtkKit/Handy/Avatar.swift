import CGtk

/// A round picture of a person: their photo, or the initials of their name on a colour, or a symbol
/// if they have no name.
///
/// A screen reader skips it, because the name stands beside it.
public final class Avatar: Widget {
    /// The number of colours that libhandy's style has.
    private nonisolated static let colourCount = 14

    private let colourClass: String
    private var shown: String?

    /// Creates an avatar.
    /// - Parameters:
    ///   - key: the text that decides the colour, such as a person's key: two people with the same
    ///     name have different colours.
    ///   - pixels: the width and the height.
    public init(key: String, pixels: Int32 = 40) {
        colourClass = "color\(Self.colour(of: key) + 1)"
        unsafe super.init(owning: hdy_avatar_new(gint(pixels), nil, 0))
        unsafe hdy_avatar_set_icon_name(OpaquePointer(gtk), "avatar-default-symbolic")
        aligned(.centre, .centre)
        colour()
    }

    /// Shows the initials of a name, without the digits that tell apart people of the same name; an
    /// empty name shows a symbol.
    public func show(name: String) {
        guard name != shown else { return }
        shown = name
        unsafe hdy_avatar_set_text(OpaquePointer(gtk), Self.ownName(in: name))
        unsafe hdy_avatar_set_show_initials(OpaquePointer(gtk), name.isEmpty ? 0 : 1)
        colour()
    }

    /// Shows a photo, cut to a circle in its middle; nil shows the initials again.
    public func show(photo: Picture?) {
        guard let photo else {
            return unsafe hdy_avatar_set_loadable_icon(OpaquePointer(gtk), nil)
        }
        // libhandy draws an icon. A picture of pixels is one, and needs no decoding.
        let (width, height) = (gint(photo.size.width), gint(photo.size.height))
        guard
            let pixels = unsafe gdk_pixbuf_get_from_surface(photo.surface, 0, 0, width, height)
        else { return }
        unsafe hdy_avatar_set_loadable_icon(OpaquePointer(gtk), pixels)
        unsafe g_object_unref(UnsafeMutableRawPointer(pixels))
    }

    /// Replaces the colour that libhandy draws from the text.
    private func colour() {
        for number in 1...Self.colourCount { setStyle("color\(number)", on: false) }
        setStyle(colourClass, on: true)
    }

    /// The part of a name that its owner chose: "Mina" in "Mina · 3f09ab".
    package nonisolated static func ownName(in name: String) -> String {
        let digits = name.suffix(digitCount)
        guard name.dropLast(digitCount).hasSuffix(separator), digits.count == digitCount,
            digits.allSatisfy(\.isHexDigit)
        else { return name }
        return String(name.dropLast(digitCount + separator.count))
    }

    private nonisolated static let separator = " · "
    private nonisolated static let digitCount = 6

    /// The number of a key's colour, the same in every run: FNV-1a with 32 bits. Another hash would
    /// give everyone another colour.
    package nonisolated static func colour(of key: String) -> Int {
        let hash = key.utf8.reduce(0x811c_9dc5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        return Int(hash) % colourCount
    }
}
