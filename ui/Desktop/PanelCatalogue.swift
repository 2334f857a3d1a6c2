import PanelKit

/// The panels of this window. `Package.swift` imports the modules of the plugins' panels into this
/// target, so a panel costs one line here.
enum PanelCatalogue {
    /// The panels in the order of their tabs, bars and map layers.
    @MainActor static let all: [any Panel.Type] = [
        MapPanel.self,
        NearbyPanel.self,
        DropPanel.self,
        MatesPanel.self,
        RequestsPanel.self,
        ChatPanel.self,
        PromisesPanel.self,
        InterestsPanel.self,
        WalkLogPanel.self,
        MatchingPanel.self,
        PostsPanel.self,
        ProfilePanel.self,
        SettingsPanel.self,
        // New panels above this line.
    ]
}
