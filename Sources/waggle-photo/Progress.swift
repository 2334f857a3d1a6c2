import CGdkPixbuf
import PhotoFormat

/// The progress of a loader, seen through its signals.
///
/// gdk-pixbuf does not clear the memory of a picture, and reports no error if the compressed data
/// of a PNG ends a few rows early. So the memory is filled with white before the first row, and
/// the last row must have been decoded.
struct Progress {
    typealias Loader = UnsafeMutablePointer<GdkPixbufLoader>

    /// The size that the header said.
    let expected: PhotoSize
    /// The size to decode to.
    let scaled: PhotoSize
    private var rowsEnd = 0

    init(expected: PhotoSize, scaled: PhotoSize) {
        self.expected = expected
        self.scaled = scaled
    }

    /// Whether the last row was decoded.
    var isComplete: Bool { rowsEnd >= scaled.height }

    /// Connects to the signals of a loader. `progress` must outlive it.
    static func observe(_ loader: Loader, _ progress: UnsafeMutablePointer<Progress>) {
        let sized: @convention(c) (Loader?, gint, gint, gpointer?) -> Void = {
            loader, width, height, box in
            guard let progress = unsafe box?.assumingMemoryBound(to: Progress.self).pointee else {
                return
            }
            let isExpected =
                progress.expected == PhotoSize(width: Int(width), height: Int(height))
            // A size of 0 makes the loader fail.
            let size = isExpected ? progress.scaled : PhotoSize(width: 0, height: 0)
            unsafe gdk_pixbuf_loader_set_size(loader, gint(size.width), gint(size.height))
        }
        let prepared: @convention(c) (Loader?, gpointer?) -> Void = { loader, _ in
            unsafe gdk_pixbuf_fill(gdk_pixbuf_loader_get_pixbuf(loader), 0xFFFF_FFFF)
        }
        let updated: @convention(c) (Loader?, gint, gint, gint, gint, gpointer?) -> Void = {
            _, _, y, _, height, box in
            guard let progress = unsafe box?.assumingMemoryBound(to: Progress.self) else { return }
            unsafe progress.pointee.rowsEnd = max(progress.pointee.rowsEnd, Int(y) + Int(height))
        }
        unsafe connect(loader, "size-prepared", unsafeBitCast(sized, to: GCallback.self), progress)
        unsafe connect(
            loader, "area-prepared", unsafeBitCast(prepared, to: GCallback.self), progress)
        unsafe connect(loader, "area-updated", unsafeBitCast(updated, to: GCallback.self), progress)
    }

    private static func connect(
        _ loader: Loader, _ signal: String, _ callback: @escaping GCallback,
        _ progress: UnsafeMutablePointer<Progress>
    ) {
        unsafe g_signal_connect_data(
            UnsafeMutableRawPointer(loader), signal, callback, progress, nil, GConnectFlags(0))
    }
}
