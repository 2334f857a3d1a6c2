/// The offer to try everything with a practice mate, or to end it.
public struct PracticeOffer {
    /// A sentence that says where the practice mate lives, or why there is none.
    public var sentence: String
    /// Starts or ends it; nil while that is under way.
    public var action: PanelAction?
    /// Whether there is a practice mate, or one that failed: the user should see that everywhere.
    public var isOn: Bool

    /// Creates an offer.
    public init(_ sentence: String, action: PanelAction?, isOn: Bool) {
        self.sentence = sentence
        self.action = action
        self.isOn = isOn
    }
}
