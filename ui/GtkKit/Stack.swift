import CGtk

/// Several pages. One of them is shown.
public final class Stack: Widget {
    private var pages: [String: Widget] = [:]

    /// Creates an empty stack.
    public init() {
        unsafe super.init(owning: gtk_stack_new())
        unsafe gtk_stack_set_homogeneous(cast(gtk_stack_get_type()), 0)
    }

    /// Adds a page; a switcher shows `title`.
    public func add(_ page: Widget, named name: String, title: String? = nil) {
        pages[name] = page
        if let title {
            unsafe gtk_stack_add_titled(cast(gtk_stack_get_type()), page.gtk, name, title)
        } else {
            unsafe gtk_stack_add_named(cast(gtk_stack_get_type()), page.gtk, name)
        }
    }

    /// Shows the page of this name.
    public func show(_ name: String) {
        precondition(pages[name] != nil, "The stack has no page of this name.")
        unsafe gtk_stack_set_visible_child_name(cast(gtk_stack_get_type()), name)
    }

    /// The name of the page in front; nil while there is no page.
    public var shown: String? {
        let name = unsafe gtk_stack_get_visible_child_name(cast(gtk_stack_get_type()))
        return unsafe name.map { unsafe String(cString: $0) }
    }

    /// Calls `action` whenever another page comes to the front.
    public func onChange(_ action: @escaping @MainActor () -> Void) {
        unsafe Signal.connect(gtk, "notify::visible-child", pointer: { _ in action() })
    }

    /// Sets the title that the switcher shows for a page.
    public func setTitle(_ title: String, of name: String) {
        guard let page = pages[name] else { return }
        var value = GValue()
        unsafe g_value_init(&value, GType(16 << 2))  // G_TYPE_STRING, a macro: fundamental 16.
        unsafe g_value_set_string(&value, title)
        unsafe gtk_container_child_set_property(
            cast(gtk_container_get_type()), page.gtk, "title", &value)
        unsafe g_value_unset(&value)
    }
}

/// The row of buttons that switches a stack's titled pages.
public final class StackSwitcher: Widget {
    private let stack: Stack

    /// Creates a switcher of `stack`.
    public init(of stack: Stack) {
        self.stack = stack
        unsafe super.init(owning: gtk_stack_switcher_new())
        unsafe gtk_stack_switcher_set_stack(
            cast(gtk_stack_switcher_get_type()),
            stack.cast(gtk_stack_get_type(), to: GtkStack.self))
        // Each title is as wide as its own text, so that a long one does not widen the others.
        unsafe gtk_box_set_homogeneous(cast(gtk_box_get_type()), 0)
    }
}
