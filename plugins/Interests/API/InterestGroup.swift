public import Contract

/// A group of interests, for choosing among them. Each interest is in one group.
public enum InterestGroup: String, OpenChoice {
    case animals, outdoors, sports, food, screen, music
    case play, creating, people, style, money
    /// A group that a newer node added.
    case unknown

    /// The groups in the order in which they are shown.
    public static let shown = allCases.filter { $0 != .unknown }

    /// The name of the group.
    public var name: Sentence {
        switch self {
        case .animals: "Animals"
        case .outdoors: "Outdoors"
        case .sports: "Sport"
        case .food: "Food and drink"
        case .screen: "Films and series"
        case .music: "Music and dance"
        case .play: "Games and technology"
        case .creating: "Reading and making"
        case .people: "Together"
        case .style: "Style and well-being"
        case .money: "Money"
        case .unknown: "Others"
        }
    }
}

extension InterestGroup {
    /// The interests of the group, each with its name.
    var members: [(interest: Interest, name: Sentence)] {
        switch self {
        case .animals: Table.animals
        case .outdoors: Table.outdoors
        case .sports: Table.sports
        case .food: Table.food
        case .screen: Table.screen
        case .music: Table.music
        case .play: Table.play
        case .creating: Table.creating
        case .people: Table.people
        case .style: Table.style
        case .money: Table.money
        case .unknown: []
        }
    }
}

/// The interests of each group, in the order in which they are shown.
private enum Table {
    static let animals: [(interest: Interest, name: Sentence)] = [
        (.puppies, "puppies"), (.cats, "cats"), (.pets, "pets"), (.aquariums, "aquariums"),
    ]

    static let outdoors: [(interest: Interest, name: Sentence)] = [
        (.outdoors, "outdoors"), (.movingAbout, "moving about"), (.driving, "driving"),
        (.cars, "cars"), (.walks, "walks"), (.hotSprings, "hot springs"), (.travel, "travel"),
        (.hiking, "hiking"),
    ]

    static let sports: [(interest: Interest, name: Sentence)] = [
        (.fitness, "fitness"), (.tennis, "tennis"), (.swimming, "swimming"), (.soccer, "soccer"),
        (.sports, "sports"), (.snowboarding, "snowboarding"), (.basketball, "basketball"),
        (.baseball, "baseball"), (.skiing, "skiing"), (.archery, "archery"),
        (.skateboarding, "skateboarding"), (.homeTraining, "home training"), (.yoga, "yoga"),
        (.hockey, "hockey"), (.cricket, "cricket"), (.martialArts, "martial arts"), (.gym, "gym"),
        (.running, "running"), (.volleyball, "volleyball"), (.jiuJitsu, "jiu-jitsu"),
        (.boxing, "boxing"), (.cycling, "cycling"), (.crossfit, "CrossFit"),
    ]

    static let food: [(interest: Interest, name: Sentence)] = [
        (.cooking, "cooking"), (.coffee, "coffee"), (.drinks, "drinks"),
        (.goodRestaurants, "good restaurants"), (.tea, "tea"),
    ]

    static let screen: [(interest: Interest, name: Sentence)] = [
        (.drama, "drama"), (.netflix, "Netflix"), (.films, "films"), (.comics, "comics"),
        (.marvel, "Marvel"), (.kDrama, "K-drama"), (.animation, "animation"), (.disney, "Disney"),
        (.youtube, "YouTube"), (.standUpComedy, "stand-up comedy"),
    ]

    static let music: [(interest: Interest, name: Sentence)] = [
        (.dance, "dance"), (.music, "music"), (.kPop, "K-pop"), (.bands, "bands"),
        (.karaoke, "karaoke"),
    ]

    static let play: [(interest: Interest, name: Sentence)] = [
        (.games, "games"), (.boardGames, "board games"), (.vr, "VR"),
        (.internetCafes, "internet cafés"), (.apple, "Apple"), (.retroGames, "retro games"),
        (.leagueOfLegends, "League of Legends"),
    ]

    static let creating: [(interest: Interest, name: Sentence)] = [
        (.reading, "reading"), (.programming, "programming"), (.photography, "photography"),
        (.writing, "writing"), (.poetry, "poetry"), (.collecting, "collecting"),
        (.pictures, "pictures"),
    ]

    static let people: [(interest: Interest, name: Sentence)] = [
        (.mbti, "MBTI"), (.parties, "parties"), (.conversation, "conversation"),
        (.languageExchange, "language exchange"), (.socialMedia, "social media"),
        (.memes, "memes"), (.instagram, "Instagram"), (.tryingNewThings, "trying new things"),
    ]

    static let style: [(interest: Interest, name: Sentence)] = [
        (.fashion, "fashion"), (.shopping, "shopping"), (.meditation, "meditation"),
        (.makeUp, "make-up"), (.tattoos, "tattoos"), (.skinCare, "skin care"),
        (.collarbones, "collarbones"),
    ]

    static let money: [(interest: Interest, name: Sentence)] = [
        (.stocks, "stocks"), (.money, "money"), (.investing, "investing"),
    ]
}
