public import GtkKit

/// A form that lies above the window until it is answered; a ``Sheet`` is one.
@MainActor
public protocol PanelSheet: AnyObject {
    /// The widget to show; nil shows nothing.
    var view: Widget? { get }
    /// Whether the map can be clicked while the sheet is shown; the panel then receives the point
    /// in ``Panel/chose(_:)``.
    var usesMap: Bool { get }
}

extension PanelSheet {
    /// False.
    public var usesMap: Bool { false }
}

extension Sheet: PanelSheet {
    /// The sheet itself.
    public var view: Widget? { self }
}
