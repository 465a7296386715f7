#ifndef WB_GIT_READONLY_H
#define WB_GIT_READONLY_H

/*
 * A backend for odb that shows the objects of repo (as they are at the call)
 * and cannot change them: it has no call that writes and none that renews
 * time stamps. Returns a libgit2 code.
 */
struct git_odb;
struct git_repository;
int wb_git_add_readonly(struct git_odb *odb, struct git_repository *repo);

#endif
