import Contract
import ControlAPI
import FeaturesAPI
import GtkKit
import PanelKit

/// The user's own profile as a form: at the first start, and later from the header bar.
@MainActor
final class ProfilePanel: Panel {
    static let id = "profile"
    static let title = "Your profile"
    static let icon = "avatar-default-symbolic"
    static let layout = PanelLayout.front

    private let context: PanelContext
    private let form: ProfileFormView

    init(context: PanelContext) {
        self.context = context
        form = ProfileFormView(node: context.node)
        form.onDone = { context.leavePage() }
    }

    var page: Widget? { form }

    /// The form is shown first if the profile is not complete; the user can skip it.
    var comesFirst: Bool { context.people.me?.complete == false }

    /// The names of the user and of the dog.
    var subtitle: String? {
        context.people.me.map { me in
            [me.nickname?.string, me.dogName?.string].compactMap { $0 }.joined(separator: " & ")
        }
    }

    func didShow() {
        form.fill(context.people.me, isFirstRun: comesFirst)
        form.focusFirst()
    }
}
