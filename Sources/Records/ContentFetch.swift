/// When the content that a blob field names is fetched.
///
/// ```swift
/// fields: [
///     .init(1, "photo", .blob(kinds: ["image/jpeg"], bytesMax: 1 << 20)),
///     .init(2, "thumbnail", .blob(kinds: ["image/jpeg"], bytesMax: 8192), fetched: .withRecord),
/// ]
/// ```
public enum ContentFetch: Hashable, Sendable {
    /// When the user opens it.
    case whenWanted
    /// By everybody who keeps the record, as soon as it is here. Only for collections of open
    /// spaces, and for at most ``Limits/smallContentBytesMax``. A person may have
    /// ``Limits/smallContentDayBytesMax`` of it per day; what is beyond is neither fetched nor kept
    /// by others.
    case withRecord
}

extension Limits {
    /// The length of content that is fetched with its record, in bytes (8 KiB).
    public static let smallContentBytesMax = 8 * 1024
    /// The bytes of such content that one person may have per UTC day in an open space (1 MiB), by
    /// the stamps with which the records began. Each content counts at least
    /// ``smallContentCostMin``.
    public static let smallContentDayBytesMax = 1024 * 1024
    /// The bytes that such content counts at least: a block of the disk.
    public static let smallContentCostMin = 4096
    /// The number of links over which content of an open space is looked for.
    public static let contentHopsMax = 8
}
