#ifndef WAGGLE_CGTK_SHIM_H
#define WAGGLE_CGTK_SHIM_H

#include <glib-unix.h>
#include <gtk/gtk-a11y.h>
#include <gtk/gtk.h>
#include <handy.h>
#include <locale.h>

// libdispatch exports this pair for run loops that are not its own: a descriptor that becomes
// readable when the main queue has work, and the function that does that work.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);

// Returns a calendar whose weeks begin with Sunday. GTK asks the locale of the calling thread.
static inline GtkWidget *waggle_calendar_new(void) {
    locale_t plain = newlocale(LC_TIME_MASK, "C", (locale_t)0);
    locale_t before = plain ? uselocale(plain) : (locale_t)0;
    GtkWidget *calendar = gtk_calendar_new();
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    return calendar;
}

#endif
