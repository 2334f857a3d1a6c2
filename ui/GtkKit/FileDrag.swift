import CGtk
import Glibc

/// Lets the user drag something out of the window as a file, to a file manager or another program.
///
/// The file is made when the drag begins, beside the main loop, and is normally there long before
/// it is dropped. A program that asks for it earlier receives nothing, since waiting would stop the
/// window.
@MainActor
final class FileDragSource {
    /// The path of the file of the last drag.
    private var path: String?
    private var start = Point(x: 0, y: 0)

    /// Makes a widget a source. It must receive the presses, so one without an X window of its own
    /// cannot be.
    /// - Parameter file: returns, for a point in the widget, the function that begins to make its
    ///   file and returns the path; nil if nothing there can be dragged.
    init(
        _ widget: Widget, file: @escaping @MainActor (Point) -> (@MainActor () -> String?)?
    ) {
        let gtk = unsafe widget.gtk
        unsafe Signal.connect(gtk, "button-press-event") { [weak self, weak widget] event in
            guard let self, let widget else { return false }
            var place = Point(x: 0, y: 0)
            if let event = unsafe event?.assumingMemoryBound(to: GdkEvent.self) {
                unsafe gdk_event_get_coords(event, &place.x, &place.y)
            }
            start = place
            // GTK's own handler, which comes next, begins a drag for a press that it sees.
            if file(start) == nil {
                unsafe g_signal_stop_emission_by_name(widget.gtk, "button-press-event")
            }
            return false
        }
        unsafe gtk_drag_source_set(gtk, GDK_BUTTON1_MASK, nil, 0, GDK_ACTION_COPY)
        unsafe gtk_drag_source_add_uri_targets(gtk)
        unsafe Signal.connect(
            gtk, "drag-begin",
            pointer: { [weak self] _ in
                guard let self else { return }
                path = file(start)?()
            })
        unsafe Signal.connect(gtk, "drag-data-get", draggedFile: { [weak self] in self?.path })
    }
}

/// A view that the user can drag out of the window as a file.
public final class FileDragBox: Widget {
    /// Begins to make the file and returns its path; nil if there is none.
    public var fileToDrag: (@MainActor () -> String?)?
    private let content: Widget
    private var source: FileDragSource?

    /// Creates a view of `content`.
    public init(_ content: Widget) {
        self.content = content
        unsafe super.init(owning: gtk_event_box_new())
        // With a window of its own, GTK would report the content as hidden once it is scrolled.
        unsafe gtk_event_box_set_visible_window(cast(gtk_event_box_get_type()), 0)
        unsafe gtk_container_add(cast(gtk_container_get_type()), content.gtk)
        source = FileDragSource(self) { [weak self] _ in self?.fileToDrag }
    }
}

extension Signal {
    /// Connects the signal that asks for a dragged file. Only a file that is there is handed over.
    fileprivate static func connect(
        _ instance: UnsafeMutableRawPointer, _ name: String,
        draggedFile path: @escaping @MainActor () -> String?
    ) {
        typealias Thunk =
            @convention(c) (
                gpointer?, gpointer?, OpaquePointer?, guint, guint, gpointer?
            ) -> Void
        let thunk: Thunk = { _, _, selection, _, _, box in
            let path = unsafe run(box, as: (@MainActor () -> String?).self) { $0() }
            guard let path, unsafe access(path, R_OK) == 0,
                let address = unsafe g_filename_to_uri(path, nil, nil)
            else { return }
            defer { unsafe g_free(address) }
            var list = unsafe [address, nil]
            _ = unsafe gtk_selection_data_set_uris(selection, &list)
        }
        unsafe attach(
            instance, name, box: path, handler: unsafeBitCast(thunk, to: GCallback.self))
    }
}
