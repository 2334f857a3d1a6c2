public import GtkKit

/// A form that lies above the window until it is answered; a ``Sheet`` is one.
@MainActor
public protocol PanelSheet: AnyObject {
    /// The widget to show; nil shows nothing.
    var view: Widget? { get }
}

extension Sheet: PanelSheet {
    /// The sheet itself.
    public var view: Widget? { self }
}
