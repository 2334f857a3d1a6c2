// swift-tools-version: 6.2
// The fuzzer: the product's decoders, built from the same sources with libFuzzer's counters and the
// address sanitizer, and nothing else of the product. `Modules` links to the sources.
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// The packages that the modules use, and those that these need. They are the sources that the
/// product is built from, so nothing is resolved a second time.
let packages = [
    "swift-crypto", "swift-asn1", "swift-log", "swift-nio", "swift-atomics", "swift-collections",
    "swift-system", "GRDB.swift",
]

let collections = Target.Dependency.product(
    name: "HashTreeCollections", package: "swift-collections")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nio = Target.Dependency.product(name: "NIOCore", package: "swift-nio")

/// A module of the product, with only those of its sources that the fuzzer needs.
func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil,
    sources: [String]? = nil
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: path ?? "Modules/\(name)", sources: sources,
        swiftSettings: settings)
}

/// The API and the sources of a plugin.
func plugin(_ name: String) -> [Target] {
    [
        module(name + "API", ["Contract"], path: "Modules/plugins/\(name)/API"),
        module(
            name, ["PluginKit", .init(stringLiteral: name + "API")],
            path: "Modules/plugins/\(name)/Sources"),
    ]
}

let package = Package(
    name: "waggle-fuzz",
    dependencies: packages.map { .package(path: "../../.build/checkouts/\($0)") },
    targets: [
        .systemLibrary(name: "CSpawn", path: "Modules/CSpawn"),
        .systemLibrary(name: "CAvahi", path: "Modules/CAvahi", pkgConfig: "avahi-client"),
        .systemLibrary(name: "CCairo", path: "Modules/CCairo", pkgConfig: "cairo"),
        .target(
            name: "Localization", path: "Modules/Localization", exclude: ["Resources"],
            swiftSettings: settings),
        module("Time"),
        module("Records", ["Time", crypto]),
        module("Identity", ["Records", crypto]),
        module("Location", ["Localization", "Time"]),
        module(
            "Replica",
            [
                "Localization", "Location", "Records", "Identity", collections, crypto, grdb,
                sqlite,
            ]),
        module("Sync", ["Records", "Identity"]),
        module("Links", ["Records"]),
        module("PeerLink", ["Records", "Links", nio], sources: ["FrameDecoder.swift"]),
        module("Discovery", ["CAvahi", "Localization", "Records", "Time", logging]),
        module("RoutePicture", ["CCairo", "Localization", "Location"]),
        module("GPSD", ["Location"], sources: ["GPSDReport.swift"]),
        module("Contract", ["Localization", "Time"]),
        module("OpenFormats", ["Contract", "Location"]),
        module("Ranging", ["Localization", "Records", "Time"]),
        module("NodeAPI", ["Contract"]),
        module("FeaturesAPI", ["Contract"]),
        module("PhotoFormat"),
        module(
            "PluginKit",
            [
                "Contract", "Records", "Location", "OpenFormats", "Ranging", "PhotoFormat",
                "RoutePicture", logging,
            ]),
        module("Features", ["PluginKit", "FeaturesAPI"]),
        module("ControlAPI", ["Contract"]),
        module("Files"),
        module("Photos", ["CSpawn", "Files", "Localization", "PhotoFormat"]),
    ] + ["ProximityDrop", "Chat", "Promises", "Matching", "Posts"].flatMap(plugin) + [
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "CFuzzer", "Records", "Identity", "Replica", "Sync", "Links", "PeerLink",
                "Discovery", "Location", "OpenFormats", "GPSD", "Contract", "NodeAPI",
                "FeaturesAPI", "PluginKit",
                "Features", "ControlAPI", "ProximityDrop", "ProximityDropAPI", "Chat", "ChatAPI",
                "Promises", "PromisesAPI", "Matching", "MatchingAPI", "Posts", "PostsAPI",
                "PhotoFormat", "Photos", crypto, nio,
            ],
            swiftSettings: settings,
            // Checks of signatures are counted on their way to the library that makes them.
            linkerSettings: [
                .unsafeFlags(["-Xlinker", "--wrap=CCryptoBoringSSLShims_ED25519_verify"])
            ]),
    ]
)
