#ifndef WAGGLE_CGTK_SHIM_H
#define WAGGLE_CGTK_SHIM_H

#include <glib-unix.h>
#include <gtk/gtk-a11y.h>
#include <gtk/gtk.h>
#include <handy.h>

// libdispatch exports this pair for run loops that are not its own: a descriptor that becomes
// readable when the main queue has work, and the function that does that work.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);

#endif
