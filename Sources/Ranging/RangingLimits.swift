/// The limits on what a provider or a file of measurements may say.
public enum RangingLimits {
    /// The largest distance that is a measurement, in metres.
    public static let metresMax = 1000.0
    /// The oldest measurement that is received, and how long one is known.
    public static let ageMax = Duration.seconds(10)
    /// The lengths at which three numbers are a direction.
    public static let directionLengths = 0.99...1.01
    /// The number of devices whose newest measurement is known; a further one replaces the oldest.
    public static let devicesMax = 1024
    /// The length of the token of a provider, in bytes.
    public static let tokenBytes = 1...512
    /// The number of changes of devices that wait for a provider; later ones replace the oldest.
    public static let waitingMax = 1024
    /// The longest time for which one question keeps the provider measuring.
    public static let askedMax = Duration.seconds(60)

    /// The length of a file of measurements or positions, in bytes.
    public static let fileBytesMax = 16 * 1024 * 1024
    /// The number of lines of such a file.
    public static let linesMax = 100_000
    /// The length of one of its lines, in bytes.
    public static let lineBytesMax = 4096
    /// The latest time in such a file, from its beginning.
    public static let fileSecondsMax = 86_400.0
}
