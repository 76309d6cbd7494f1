"""Temporary users: without sudo rights, with them in several ways, and one who may run fio alone."""

import os
import pwd

from . import mounts
from .process import places_of

PASSWORD = "Speedtest-e2e-7"
PREFIX = "sthd"
RULES = {
    "plain": "",
    "nopasswd": "{name} ALL=(ALL:ALL) NOPASSWD: ALL\nDefaults:{name} use_pty\n",
    "nopty": "{name} ALL=(ALL:ALL) NOPASSWD: ALL\nDefaults:{name} !use_pty\n",
    "password": "{name} ALL=(ALL:ALL) ALL\nDefaults:{name} use_pty, passwd_tries=2, !fqdn\n",
    "runas": "{name} ALL=(ALL:ALL) NOPASSWD: ALL\nDefaults:{name} runas_default=nobody\n",
    "fioonly": "{name} ALL=(root) NOPASSWD: {fio}\n",
}


class Users:
    """The accounts and the one sudoers file; both carry this process's number in their names."""

    def __init__(self, folder):
        self.names = {role: f"{PREFIX}{os.getpid()}{role}" for role in RULES}
        self.home = f"{folder}/home"
        self.rules_path = f"/etc/sudoers.d/speedtest-hd-e2e-{os.getpid()}"
        self.sudo = bool(places_of("sudo"))

    def up(self):
        os.mkdir(self.home)
        for role, name in self.names.items():
            mounts.must("useradd", "-M", "-N", "-d", f"{self.home}/{role}", "-s", "/bin/sh", name)
            account = pwd.getpwnam(name)
            os.mkdir(account.pw_dir, 0o700)
            os.chown(account.pw_dir, account.pw_uid, account.pw_gid)
        done = os.popen("chpasswd", "w")
        done.write(f"{self.names['password']}:{PASSWORD}\n")
        if done.close():
            raise RuntimeError("chpasswd has failed")
        if self.sudo:
            self.allow()

    def allow(self):
        """Write the rules to a name that sudo ignores (a dot), check them, and put them in place at once."""
        fio = (places_of("fio") or ["/usr/bin/fio"])[0]
        draft = self.rules_path + ".new"
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o440), "w", encoding="ascii") as file:
            file.write("".join(rule.format(name=self.names[role], fio=fio) for role, rule in RULES.items()))
        os.chmod(draft, 0o440)
        try:
            mounts.must("visudo", "-cf", draft)
            os.rename(draft, self.rules_path)
        finally:
            if os.path.exists(draft):
                os.unlink(draft)

    def down(self):
        for path in (self.rules_path, self.rules_path + ".new"):
            if os.path.exists(path):
                os.unlink(path)
        complaints = []
        for name in self.names.values():
            status, output = mounts.quietly("userdel", name)
            if status not in (0, 6):
                complaints.append(f"userdel {name}: {output}")
            for folder in ("/run/sudo/ts", "/var/lib/sudo/ts", "/var/lib/sudo/lectured"):
                if os.path.exists(f"{folder}/{name}"):
                    os.unlink(f"{folder}/{name}")
        return complaints
