import CGtk

/// A key that has a meaning for a canvas or a window.
public enum KeyboardKey: Equatable, Sendable {
    case tab, backTab, enter, space, escape
    case left, right, up, down
    case plus, minus
    /// The Home key.
    case home
    /// The End key.
    case end
    /// The key F10, which opens a window's menu.
    case menu
    /// Any other key, by the character it types.
    case character(Character)

    init?(keyval: UInt32) {
        switch Int32(bitPattern: keyval) {
        case GDK_KEY_Tab, GDK_KEY_KP_Tab: self = .tab
        case GDK_KEY_ISO_Left_Tab: self = .backTab
        case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter: self = .enter
        case GDK_KEY_space, GDK_KEY_KP_Space: self = .space
        case GDK_KEY_Escape: self = .escape
        case GDK_KEY_Left, GDK_KEY_KP_Left: self = .left
        case GDK_KEY_Right, GDK_KEY_KP_Right: self = .right
        case GDK_KEY_Up, GDK_KEY_KP_Up: self = .up
        case GDK_KEY_Down, GDK_KEY_KP_Down: self = .down
        case GDK_KEY_Home, GDK_KEY_KP_Home: self = .home
        case GDK_KEY_End, GDK_KEY_KP_End: self = .end
        case GDK_KEY_F10: self = .menu
        case GDK_KEY_plus, GDK_KEY_KP_Add, GDK_KEY_equal: self = .plus
        case GDK_KEY_minus, GDK_KEY_KP_Subtract: self = .minus
        default:
            guard let scalar = Unicode.Scalar(gdk_keyval_to_unicode(keyval)),
                scalar.value != 0
            else { return nil }
            self = .character(Character(scalar))
        }
    }
}

/// A key with the modifiers that are held down.
public struct KeyPress: Equatable, Sendable {
    /// The key.
    public var key: KeyboardKey
    /// Whether Control is held down.
    public var isControl: Bool
    /// Whether Shift is held down, for a key that types no character.
    public var isShift = false

    /// Creates a press of `key`.
    public init(_ key: KeyboardKey, isControl: Bool = false) {
        self.key = key
        self.isControl = isControl
    }

    /// Reads the key press of a GDK event; nil if the event is not one.
    init?(_ event: UnsafeMutablePointer<GdkEvent>) {
        var (keyval, modifiers) = (UInt32(0), GdkModifierType(rawValue: 0))
        guard unsafe gdk_event_get_keyval(event, &keyval) != 0,
            let key = KeyboardKey(keyval: keyval)
        else { return nil }
        _ = unsafe gdk_event_get_state(event, &modifiers)
        self.key = key
        isControl = modifiers.rawValue & GDK_CONTROL_MASK.rawValue != 0
        if case .character = key { return }
        isShift = modifiers.rawValue & GDK_SHIFT_MASK.rawValue != 0
    }
}
