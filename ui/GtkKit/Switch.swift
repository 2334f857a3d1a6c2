import CGtk

/// A control that is on or off.
public final class Switch: Widget {
    private var isSetting = false

    /// Creates a switch that is off.
    public init() {
        unsafe super.init(owning: gtk_switch_new())
    }

    /// Whether it is on. Setting it calls no action.
    public var isOn: Bool {
        get { unsafe gtk_switch_get_active(cast(gtk_switch_get_type())) != 0 }
        set {
            guard newValue != isOn else { return }
            isSetting = true
            unsafe gtk_switch_set_active(cast(gtk_switch_get_type()), newValue ? 1 : 0)
            isSetting = false
        }
    }

    /// Calls `action` whenever the user turns it.
    public func onTurn(_ action: @escaping @MainActor (_ isOn: Bool) -> Void) {
        unsafe Signal.connect(
            gtk, "notify::active",
            pointer: { [weak self] _ in
                guard let self, !isSetting else { return }
                action(isOn)
            })
    }
}
