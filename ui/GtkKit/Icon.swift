import CGtk

/// A symbol of the icon theme.
public final class Icon: Widget {
    /// Creates the icon of this name at `pixels` square. A screen reader ignores it.
    public init(_ name: String, pixels: Int32 = 16) {
        unsafe super.init(owning: gtk_image_new_from_icon_name(name, GTK_ICON_SIZE_BUTTON))
        unsafe gtk_image_set_pixel_size(cast(gtk_image_get_type()), pixels)
        // Without a name of its own, an icon is called after the picture, such as "Undo".
        named("")
    }
}
