/// The version of this build.
public enum NodeVersion {
    /// What `waggle --version` and `status` say.
    public static let current = "0.1.0"
}
