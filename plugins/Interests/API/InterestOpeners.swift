public import Contract

extension Interest {
    /// A question to begin a talk with, for two people who both have the interest.
    ///
    /// ```swift
    /// Interest.films.opener.english  // "Which film can you watch again and again?"
    /// ```
    public var opener: Sentence {
        guard let opener = Self.openers[self] else {
            preconditionFailure("each interest has an opener")
        }
        return opener
    }

    /// Returns the openers of interests that two people have in common. The first one is the same
    /// on both screens, because both know the same interests.
    ///
    /// ```swift
    /// Interest.openers(for: [.tea, .coffee])  // 21 + 80 is odd: that of tea, then that of coffee
    /// ```
    public static func openers(for common: [Interest]) -> [Sentence] {
        let ordered = Set(common).sorted { $0.index < $1.index }
        guard !ordered.isEmpty else { return [] }
        let first = ordered.reduce(0) { $0 + $1.index } % ordered.count
        return (ordered[first...] + ordered[..<first]).map(\.opener)
    }

    private static let openers = Dictionary(
        uniqueKeysWithValues: Openers.all.map { ($0.interest, $0.opener) })
}

/// The opener of each interest, group by group as in ``InterestGroup``.
private enum Openers {
    static let animals: [(interest: Interest, opener: Sentence)] = [
        (.puppies, "Which puppy did you last stop for on the street?"),
        (.cats, "Do you have a cat, or does a cat have you?"),
        (.pets, "What does your pet do that always makes you laugh?"),
        (.aquariums, "Which animal do you look at longest in an aquarium?"),
    ]

    static let outdoors: [(interest: Interest, opener: Sentence)] = [
        (.outdoors, "Which place outdoors do you go to in order to clear your head?"),
        (.movingAbout, "Do you sit still well, or do you walk while you telephone?"),
        (.driving, "Which road do you drive just because it is beautiful?"),
        (.cars, "Which car would you like to drive once?"),
        (.walks, "Which way do you walk when you have an hour to spare?"),
        (.hotSprings, "Where is the best hot spring you have been to?"),
        (.travel, "Where was your last trip, and would you go again?"),
        (.hiking, "Which mountain would you climb again tomorrow?"),
    ]

    static let sports: [(interest: Interest, opener: Sentence)] = [
        (.fitness, "What made you begin to train?"),
        (.tennis, "Do you win points with the serve or at the net?"),
        (.swimming, "Pool or sea?"),
        (.soccer, "Which match will you never forget?"),
        (.sports, "Do you rather play or watch?"),
        (.snowboarding, "How did your first day on a board end?"),
        (.basketball, "Which position do you play?"),
        (.baseball, "Which team do you cheer for, and since when?"),
        (.skiing, "Which slope is your favourite?"),
        (.archery, "How close to the middle was your best arrow?"),
        (.skateboarding, "Which trick took you longest to learn?"),
        (.homeTraining, "What do you train at home without any equipment?"),
        (.yoga, "Which pose do you like least?"),
        (.hockey, "Do you watch hockey on ice or on grass?"),
        (.cricket, "How would you explain cricket in one sentence?"),
        (.martialArts, "Which martial art did you try first?"),
        (.gym, "Which machine do you wait for?"),
        (.running, "Do you run in the morning or in the evening?"),
        (.volleyball, "Do you rather set or spike?"),
        (.jiuJitsu, "What did you learn from the first time you tapped out?"),
        (.boxing, "What surprised you most in your first lesson?"),
        (.cycling, "How far was your longest ride?"),
        (.crossfit, "Which workout do you fear most?"),
    ]

    static let food: [(interest: Interest, opener: Sentence)] = [
        (.cooking, "Which dish do you cook for guests?"),
        (.coffee, "How do you drink your coffee, and where is it best here?"),
        (.drinks, "What do you order first?"),
        (.goodRestaurants, "Which restaurant around here do you recommend to friends?"),
        (.tea, "Which tea do you make on a rainy day?"),
    ]

    static let screen: [(interest: Interest, opener: Sentence)] = [
        (.drama, "Which drama made you miss your bedtime?"),
        (.netflix, "What did you watch last on Netflix?"),
        (.films, "Which film can you watch again and again?"),
        (.comics, "Which comic would you lend to a friend first?"),
        (.marvel, "Which Marvel hero would you walk a dog with?"),
        (.kDrama, "Which K-drama would you show to someone who has seen none?"),
        (.animation, "Which animated film did you love as a child?"),
        (.disney, "Which Disney song do you know by heart?"),
        (.youtube, "Which channel do you never skip?"),
        (.standUpComedy, "Which comedian makes you laugh aloud?"),
    ]

    static let music: [(interest: Interest, opener: Sentence)] = [
        (.dance, "Which song makes you dance at once?"),
        (.music, "What did you listen to on the way here?"),
        (.kPop, "Which group did you like first?"),
        (.bands, "Which band do you want to see live?"),
        (.karaoke, "Which song do you always sing at karaoke?"),
    ]

    static let play: [(interest: Interest, opener: Sentence)] = [
        (.games, "Which game are you playing now?"),
        (.boardGames, "Which board game would you bring to a first evening?"),
        (.vr, "What was the first thing you did in VR?"),
        (.internetCafes, "What do you eat at an internet café?"),
        (.apple, "What was your first Apple device?"),
        (.retroGames, "Which old game do you still know by heart?"),
        (.leagueOfLegends, "Which champion do you play, and in which lane?"),
    ]

    static let creating: [(interest: Interest, opener: Sentence)] = [
        (.reading, "Which book did you last give away as a present?"),
        (.programming, "What was the first program that you were proud of?"),
        (.photography, "What do you photograph again and again?"),
        (.writing, "Where do you write best?"),
        (.poetry, "Which line of a poem do you carry with you?"),
        (.collecting, "What was the hardest piece of your collection to find?"),
        (.pictures, "Which picture hangs on your wall?"),
    ]

    static let people: [(interest: Interest, opener: Sentence)] = [
        (.mbti, "Guess my four letters, and I guess yours."),
        (.parties, "Do you come first to a party, or leave last?"),
        (.conversation, "What do people ask you about most often?"),
        (.languageExchange, "Which language do you learn, and which can you teach?"),
        (.socialMedia, "Which account makes your day better?"),
        (.memes, "Which meme did you last send?"),
        (.instagram, "What do you post more often: food, places or people?"),
        (.tryingNewThings, "What did you do for the first time this year?"),
    ]

    static let style: [(interest: Interest, opener: Sentence)] = [
        (.fashion, "Which piece of clothing do you wear most often?"),
        (.shopping, "What was your best bargain?"),
        (.meditation, "When do you find ten quiet minutes?"),
        (.makeUp, "Which product would you buy again at once?"),
        (.tattoos, "Does your tattoo have a story, or would your first one?"),
        (.skinCare, "Which step of your skin care do you never skip?"),
        (.collarbones, "Off the shoulder or turtleneck?"),
    ]

    static let money: [(interest: Interest, opener: Sentence)] = [
        (.stocks, "Which share did you buy first?"),
        (.money, "What would you do with one free month and enough money?"),
        (.investing, "What is the best thing you learned from a mistake with money?"),
    ]

    static let all = [
        animals, outdoors, sports, food, screen, music, play, creating,
        people, style, money,
    ].flatMap { $0 }
}
