/// A shell whose completion this program can write.
public enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
}
