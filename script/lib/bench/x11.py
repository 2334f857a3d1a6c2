"""The few functions of Xlib that the measurements of the window need."""

import ctypes

ALL_PLANES = ctypes.c_ulong(-1 & 0xFFFFFFFFFFFFFFFF)
Z_PIXMAP = 2


class ImageHead(ctypes.Structure):
    """The beginning of Xlib's XImage."""

    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("xoffset", ctypes.c_int),
                ("format", ctypes.c_int), ("data", ctypes.c_void_p),
                ("byte_order", ctypes.c_int), ("bitmap_unit", ctypes.c_int),
                ("bitmap_bit_order", ctypes.c_int), ("bitmap_pad", ctypes.c_int),
                ("depth", ctypes.c_int), ("bytes_per_line", ctypes.c_int)]


class Display:
    """A connection to an X server."""

    def __init__(self, name: str):
        self.x11 = ctypes.CDLL("libX11.so.6")
        self.x11.XOpenDisplay.restype = ctypes.c_void_p
        self.x11.XGetImage.restype = ctypes.POINTER(ImageHead)
        for function in ("XInternAtom", "XDefaultRootWindow"):
            getattr(self.x11, function).restype = ctypes.c_ulong
        self.display = ctypes.c_void_p(self.x11.XOpenDisplay(name.encode()))
        if not self.display:
            raise SystemExit(f"there is no display {name}")
        self.root = ctypes.c_ulong(self.x11.XDefaultRootWindow(self.display))

    def atom(self, name: str) -> int:
        """The number of a name."""
        return self.x11.XInternAtom(self.display, name.encode(), 0)

    def picture(self, width: int, height: int) -> bytes:
        """The points of the screen, four bytes for each."""
        image = self.x11.XGetImage(
            self.display, self.root, 0, 0, width, height, ALL_PLANES, Z_PIXMAP)
        head = image.contents
        points = ctypes.string_at(head.data, head.bytes_per_line * head.height)
        self.x11.XFree(ctypes.c_void_p(head.data))
        self.x11.XFree(image)
        return points
