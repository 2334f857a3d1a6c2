/// The limits of looking for content of open spaces.
public enum SeekingLimits {
    /// The blobs that this side looks for at a time, for its own person.
    public static let ownMax = 2048
    /// The blobs that this side looks for at a time because peers asked.
    public static let passedOnMax = 64
    /// The same for all strangers, so that what mates and people met ask for is passed on too.
    public static let passedOnForStrangersMax = 48
    /// The same for one link.
    public static let passedOnPerLinkMax = 16
    /// The blobs that one link is asked for per minute, those of a minute at once.
    public static let askedPerMinute = 600
    /// The blobs of one link's questions that are looked up per minute, those of a minute at once.
    /// The rest is not looked at, and the peer asks again later.
    public static let lookedUpPerMinute = 1200
    /// The blobs that this side looks for elsewhere per minute because one link asked, those of a
    /// minute at once.
    public static let passedOnPerMinute = 30
    /// The bytes of such blobs per minute (16 MiB), those of a minute at once. The last blob may go
    /// beyond them.
    public static let passedOnBytesPerMinute = 16 * 1024 * 1024
    /// The time for which a question of a peer is not passed on again.
    public static let passedOnMemory: Duration = .seconds(50)
    /// The questions of peers that are remembered for that time; further ones are not passed on.
    /// Strangers' questions take three quarters of it at most.
    public static let passedOnRememberedMax = 4096
    /// The blobs for which it is remembered who asked while this side did not look for them, though
    /// it keeps a record that names them. Strangers' questions take three quarters of it at most.
    public static let askersMax = 2048
    /// The time for which that is remembered.
    public static let askerMemory: Duration = .seconds(60)
    /// The time for which this side looks for content because a peer asked. If it is found
    /// meanwhile, it has ``fetchingMax`` to arrive.
    public static let passedOnTime: Duration = .seconds(45)
    /// The longest time for which such content is fetched.
    public static let fetchingMax: Duration = .seconds(300)
    /// The first pause before the links are asked again for the same content; it doubles.
    public static let repeatPauseMin: Duration = .seconds(60)
    /// The longest such pause.
    public static let repeatPauseMax: Duration = .seconds(600)
    /// The time after the first question for which this side looks for content.
    public static let ownTime: Duration = .seconds(30 * 60)
    /// The number of times that a peer may say that it has content and not send it in time, before
    /// its answers are ignored for ``mutedTime``. Known people's devices are asked last instead.
    public static let silencesMax = 3
    /// The time for which a silent peer's answers are ignored.
    public static let mutedTime: Duration = .seconds(600)
    /// The devices whose allowances are remembered after their links end.
    public static let partedDevicesMax = 1024
}
