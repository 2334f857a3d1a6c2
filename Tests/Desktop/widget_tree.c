// A GTK module that writes what a program's windows show, for the checks of their layout. The
// accessible tree does not have the labels inside of buttons and rows, and never says that a text
// is shortened.
//
// For each SIGUSR1, it writes the widgets on the screen as lines of JSON, parents first, into the
// file that WIDGET_TREE names; the file is complete when it appears there.
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <gtk/gtk.h>
#include <stdio.h>

// The file that is written, and the number of widgets in it so far.
typedef struct {
    FILE *file;
    int count;
} Tree;

// A widget, with its window and the number of its parent in the tree.
typedef struct {
    Tree *tree;
    GtkWidget *window;
    int parent;
} Place;

static void write_text(FILE *file, const char *name, const char *text) {
    if (!text || !*text) return;
    fprintf(file, ",\"%s\":\"", name);
    for (const unsigned char *byte = (const unsigned char *)text; *byte; byte++) {
        if (*byte == '"' || *byte == '\\')
            fprintf(file, "\\%c", *byte);
        else if (*byte < 0x20)
            fprintf(file, "\\u%04x", *byte);
        else
            fputc(*byte, file);
    }
    fputc('"', file);
}

// Whether a line ends within a word of Latin letters.
static gboolean breaks_word(PangoLayout *layout) {
    const char *text = pango_layout_get_text(layout);
    for (int number = 1; number < pango_layout_get_line_count(layout); number++) {
        int start = pango_layout_get_line_readonly(layout, number)->start_index;
        if (g_ascii_isalpha(text[start - 1]) && g_ascii_isalpha(text[start])) return TRUE;
    }
    return FALSE;
}

static void write_label(FILE *file, GtkLabel *label) {
    PangoLayout *layout = gtk_label_get_layout(label);
    PangoRectangle extents;
    pango_layout_get_pixel_extents(layout, NULL, &extents);
    write_text(file, "text", gtk_label_get_text(label));
    fprintf(file, ",\"shortened\":%s,\"broken\":%s,\"needs\":[%d,%d]",
            pango_layout_is_ellipsized(layout) ? "true" : "false",
            breaks_word(layout) ? "true" : "false", extents.width, extents.height);
}

static gboolean is_pressable(GtkWidget *widget) {
    return GTK_IS_BUTTON(widget) || GTK_IS_SWITCH(widget) || GTK_IS_ENTRY(widget)
        || (GTK_IS_LIST_BOX_ROW(widget)
            && gtk_list_box_row_get_activatable(GTK_LIST_BOX_ROW(widget)));
}

static void write_widget(GtkWidget *widget, gpointer data) {
    Place *place = data;
    int x = 0, y = 0;
    // A window that opens above another one, such as a menu, is reached from the list of windows.
    if (!gtk_widget_get_mapped(widget) || (GTK_IS_WINDOW(widget) && place->parent >= 0)
        || !gtk_widget_translate_coordinates(widget, place->window, 0, 0, &x, &y))
        return;
    FILE *file = place->tree->file;
    int number = place->tree->count++;
    AtkObject *accessible = gtk_widget_get_accessible(widget);
    char *tooltip = gtk_widget_get_tooltip_text(widget);
    fprintf(file, "{\"parent\":%d,\"kind\":\"%s\",\"box\":[%d,%d,%d,%d],\"usable\":%s,"
            "\"pressable\":%s", place->parent, G_OBJECT_TYPE_NAME(widget), x, y,
            gtk_widget_get_allocated_width(widget), gtk_widget_get_allocated_height(widget),
            gtk_widget_is_sensitive(widget) ? "true" : "false",
            is_pressable(widget) ? "true" : "false");
    write_text(file, "name", atk_object_get_name(accessible));
    write_text(file, "description", atk_object_get_description(accessible));
    write_text(file, "tooltip", tooltip);
    g_free(tooltip);
    if (GTK_IS_LABEL(widget)) write_label(file, GTK_LABEL(widget));
    if (GTK_IS_ENTRY(widget))
        write_text(file, "text", gtk_entry_get_placeholder_text(GTK_ENTRY(widget)));
    fputs("}\n", file);
    Place inside = {place->tree, place->window, number};
    if (GTK_IS_CONTAINER(widget))
        gtk_container_forall(GTK_CONTAINER(widget), write_widget, &inside);
}

static gboolean write_tree(gpointer data) {
    const char *path = data;
    char *unfinished = g_strconcat(path, ".part", NULL);
    Tree tree = {fopen(unfinished, "w"), 0};
    GList *windows = gtk_window_list_toplevels();
    for (GList *each = windows; tree.file && each; each = each->next) {
        Place place = {&tree, each->data, -1};
        write_widget(each->data, &place);
    }
    g_list_free(windows);
    if (tree.file && fclose(tree.file) == 0) g_rename(unfinished, path);
    g_free(unfinished);
    return G_SOURCE_CONTINUE;
}

G_MODULE_EXPORT void gtk_module_init(gint *count, gchar ***words) {
    (void)count, (void)words;
    const char *path = g_getenv("WIDGET_TREE");
    // After what GTK still has to lay out and to draw.
    if (path) g_unix_signal_add_full(G_PRIORITY_LOW, SIGUSR1, write_tree, g_strdup(path), NULL);
}
