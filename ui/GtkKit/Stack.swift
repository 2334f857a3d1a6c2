import CGtk

/// Several pages. One of them is shown.
public final class Stack: Widget {
    private var pages: [String: Widget] = [:]

    /// Creates an empty stack.
    public init() {
        unsafe super.init(owning: gtk_stack_new())
        unsafe gtk_stack_set_homogeneous(cast(gtk_stack_get_type()), 0)
    }

    /// Adds a page.
    public func add(_ page: Widget, named name: String) {
        pages[name] = page
        unsafe gtk_stack_add_named(cast(gtk_stack_get_type()), page.gtk, name)
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
}
