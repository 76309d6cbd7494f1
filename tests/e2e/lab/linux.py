"""The few system calls that Python 3.9 does not offer."""

import ctypes
import os

_libc = ctypes.CDLL(None, use_errno=True)

CLONE_NEWNS = 0x00020000
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38


def _check(result, what):
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def become_subreaper():
    """From now on every orphan below this process becomes its child, also out of another session."""
    _check(_libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), "prctl")


def no_new_privileges():
    """From now on no setuid program works, sudo neither."""
    _check(_libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")


def own_mounts():
    """Enter a private mount namespace: what is mounted from now on, nobody else sees."""
    _check(_libc.unshare(CLONE_NEWNS), "unshare")
    _check(_libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None), "mount --make-rprivate")


def bind(source, place):
    """Lay the file or folder `source` over `place`."""
    _check(_libc.mount(os.fsencode(source), os.fsencode(place), None, MS_BIND, None), f"bind over {place}")
