// A file is replaced by renaming a new one over it. So its owner, mode and access list have to be copied to the new
// one. If an author hid a template from others, they must not be able to read it after the next build.
#include "compiler/base/file_put.h"

#include "compiler/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char ACCESS_LIST[] = "system.posix_acl_access";

const char *file_look(Arena *arena, const char *path, FileLook *look) {
    *look = (FileLook){ 0 };
    struct stat status;
    if (lstat(path, &status) != 0) {
        return errno == ENOENT ? NULL : file_fault(arena, errno);
    }
    if (!S_ISREG(status.st_mode)) {
        return S_ISDIR(status.st_mode) ? file_refusal(&status, SIZE_MAX) : NULL;
    }
    *look =
        (FileLook){ .is_there = true, .mode = status.st_mode & 07777, .owner = status.st_uid, .group = status.st_gid };
    const ssize_t size = lgetxattr(path, ACCESS_LIST, NULL, 0);
    if (size <= 0) {
        return NULL; // no list, or a file system without them
    }
    char *list = arena_alloc(arena, (size_t)size);
    const ssize_t got = lgetxattr(path, ACCESS_LIST, list, (size_t)size);
    if (got < 0) {
        return file_fault(arena, errno);
    }
    look->access_list = list;
    look->access_list_size = (size_t)got;
    return NULL;
}

static bool write_all(int file, Str content) {
    size_t written = 0;
    while (written < content.len) {
        const ssize_t count = write(file, content.data + written, content.len - written);
        if (count < 0 && errno != EINTR) {
            return false;
        }
        written += count < 0 ? 0 : (size_t)count;
    }
    return true;
}

// Only the superuser can give a file to somebody else. Where dtc may not, the new file belongs to whoever runs it, as
// with an editor that writes a new file. Then it gets no set-user-ID or set-group-ID bit.
static bool keep_owner(int file, const FileLook *look, mode_t *mode) {
    if (fchown(file, look->owner, look->group) == 0) {
        return true;
    }
    *mode &= 0777;
    return errno == EPERM;
}

// The owner first: a change of it clears bits of the mode.
static bool keep_look(int file, const FileLook *look) {
    mode_t mode = look->mode;
    if (!keep_owner(file, look, &mode)) {
        return false;
    }
    if (look->access_list != NULL) {
        return fsetxattr(file, ACCESS_LIST, look->access_list, look->access_list_size, 0) == 0 &&
               fchmod(file, mode) == 0;
    }
    // The folder may give a list to each new file. Where there is none this fails, as it should.
    (void)fremovexattr(file, ACCESS_LIST);
    return fchmod(file, mode) == 0;
}

const char *file_put(Arena *arena, const char *path, Str content, const FileLook *look) {
    // Until keep_look() has set the rights, nobody else may read it. A file that replaces none has those of the umask.
    const mode_t mode = look->is_there ? 0600 : 0644;
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (file < 0) {
        return file_fault(arena, errno);
    }
    const char *fault = NULL;
    if (!write_all(file, content) || (look->is_there && !keep_look(file, look))) {
        fault = file_fault(arena, errno);
    }
    if (close(file) != 0 && fault == NULL) {
        fault = file_fault(arena, errno);
    }
    return fault;
}
