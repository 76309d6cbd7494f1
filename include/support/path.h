/** Names of files, by their letters and through symbolic links. */
#ifndef SUPPORT_PATH_H
#define SUPPORT_PATH_H

/** The folder that a path lies in: "/a" of "/a/b", "/" of "/a", "." of "a". The caller frees it. */
char *path_folder(const char *path);
/** What stands behind the last slash; a part of `path`. */
const char *path_name(const char *path);
/** "/a/b" of "/a" and "b", also where the folder is "/". The caller frees it. */
char *path_join(const char *folder, const char *name);
/**
 * The absolute path of a file that is not there, in a folder that is, also where a symbolic link leads to it. NULL,
 * with errno set, where it cannot be found. The caller frees it.
 */
char *path_resolve_missing(const char *path);

#endif
