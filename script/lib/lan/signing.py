"""Ed25519 keys drawn from seeds, signed with by OpenSSL's library: one signature takes a fraction
of the time of a process of `openssl`, and attackers sign thousands."""

import ctypes
import ctypes.util

from lan.rawpeer import digest, prefix

ED25519 = 1087
KEY_BYTES, SIGNATURE_BYTES = 32, 64


def library() -> ctypes.CDLL:
    """OpenSSL's library, with the types of the functions that are used."""
    found = ctypes.CDLL(ctypes.util.find_library("crypto"))
    pointer = ctypes.c_void_p
    for name, result, arguments in (
            ("EVP_PKEY_new_raw_private_key", pointer,
             [ctypes.c_int, pointer, ctypes.c_char_p, ctypes.c_size_t]),
            ("EVP_PKEY_get_raw_public_key", ctypes.c_int,
             [pointer, ctypes.c_char_p, ctypes.POINTER(ctypes.c_size_t)]),
            ("EVP_MD_CTX_new", pointer, []), ("EVP_MD_CTX_free", None, [pointer]),
            ("EVP_DigestSignInit", ctypes.c_int, [pointer] * 5),
            ("EVP_DigestSign", ctypes.c_int,
             [pointer, ctypes.c_char_p, ctypes.POINTER(ctypes.c_size_t), ctypes.c_char_p,
              ctypes.c_size_t])):
        function = getattr(found, name)
        function.restype, function.argtypes = result, arguments
    return found


CRYPTO = library()


class Signer:
    """A device key."""

    def __init__(self, seed: bytes):
        """The seed has 32 bytes."""
        self._key = CRYPTO.EVP_PKEY_new_raw_private_key(ED25519, None, seed, KEY_BYTES)
        public = ctypes.create_string_buffer(KEY_BYTES)
        count = ctypes.c_size_t(KEY_BYTES)
        if CRYPTO.EVP_PKEY_get_raw_public_key(self._key, public, ctypes.byref(count)) != 1:
            raise RuntimeError("OpenSSL has no Ed25519")
        self.public = public.raw

    def sign(self, message: bytes) -> bytes:
        """The signature of a message."""
        context = CRYPTO.EVP_MD_CTX_new()
        signature = ctypes.create_string_buffer(SIGNATURE_BYTES)
        count = ctypes.c_size_t(SIGNATURE_BYTES)
        done = CRYPTO.EVP_DigestSignInit(context, None, None, None, self._key) == 1 \
            and CRYPTO.EVP_DigestSign(context, signature, ctypes.byref(count), message,
                                      len(message)) == 1
        CRYPTO.EVP_MD_CTX_free(context)
        if not done:
            raise RuntimeError("OpenSSL does not sign")
        return signature.raw


class Founder:
    """A person who does not exist, founded on one device."""

    def __init__(self, name: str):
        """People of different names are different."""
        self.signer = Signer(digest("attacker", name.encode()))
        self.device = self.signer.public
        founding = b"\1" + self.device + bytes(31) + b"\1"
        self.record = founding + self.signer.sign(prefix("founding") + founding) + b"\0"
        self.person = digest("person", self.record[:65])
