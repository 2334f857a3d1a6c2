/// The version of this build.
public enum NodeVersion {
    /// The version that `waggle --version` and `status` show.
    public static let current = "0.1.0"
}
