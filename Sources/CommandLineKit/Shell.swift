public import Contract

/// A shell whose completion this program can write.
public enum Shell: String, Choice {
    case bash, zsh, fish
}
