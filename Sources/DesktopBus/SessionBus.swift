import Glibc

/// The session bus of the person whose node this is.
enum SessionBus {
    /// Returns the bus's address; nil if there is none. No bus is started.
    static func address(_ environment: [String: String]) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
            return address
        }
        guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else {
            return nil
        }
        let path = folder + "/bus"
        return unsafe access(path, F_OK) == 0 ? "unix:path=\(path)" : nil
    }
}
