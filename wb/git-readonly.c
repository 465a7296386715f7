#include "git-readonly.h"
#include "buf.h"

#include <git2.h>
#include <git2/sys/odb_backend.h>
#include <stdlib.h>
#include <string.h>

struct readonly {
	git_odb_backend parent;
	git_odb *store;
};

static git_odb *store_of(git_odb_backend *b)
{
	return ((struct readonly *)b)->store;
}

static int hand_over(void **data, size_t *len, git_object_t *type,
		     git_odb_backend *b, git_odb_object *obj)
{
	*len = git_odb_object_size(obj);
	*type = git_odb_object_type(obj);
	*data = git_odb_backend_data_alloc(b, *len + 1);
	if (*data)
		memcpy(*data, git_odb_object_data(obj), *len);
	git_odb_object_free(obj);
	return *data ? 0 : -1;
}

static int ro_read(void **data, size_t *len, git_object_t *type,
		   git_odb_backend *b, const git_oid *id)
{
	git_odb_object *obj = NULL;
	int code = git_odb_read(&obj, store_of(b), id);

	return code < 0 ? code : hand_over(data, len, type, b, obj);
}

static int ro_read_prefix(git_oid *full, void **data, size_t *len,
			  git_object_t *type, git_odb_backend *b,
			  const git_oid *id, size_t digits)
{
	git_odb_object *obj = NULL;
	int code = git_odb_read_prefix(&obj, store_of(b), id, digits);

	if (code < 0)
		return code;
	git_oid_cpy(full, git_odb_object_id(obj));
	return hand_over(data, len, type, b, obj);
}

static int ro_read_header(size_t *len, git_object_t *type, git_odb_backend *b,
			  const git_oid *id)
{
	return git_odb_read_header(len, type, store_of(b), id);
}

static int ro_exists(git_odb_backend *b, const git_oid *id)
{
	return git_odb_exists(store_of(b), id);
}

static int ro_exists_prefix(git_oid *full, git_odb_backend *b,
			    const git_oid *id, size_t digits)
{
	return git_odb_exists_prefix(full, store_of(b), id, digits);
}

static void ro_free(git_odb_backend *b)
{
	git_odb_free(store_of(b));
	free(b);
}

int wb_git_add_readonly(struct git_odb *odb, struct git_repository *repo)
{
	struct readonly *ro = wb_xcalloc(1, sizeof(*ro));
	int code;

	code = git_odb_init_backend(&ro->parent, GIT_ODB_BACKEND_VERSION);
	if (code == 0)
		code = git_repository_odb(&ro->store, repo);
	if (code < 0) {
		free(ro);
		return code;
	}
	ro->parent.read = ro_read;
	ro->parent.read_prefix = ro_read_prefix;
	ro->parent.read_header = ro_read_header;
	ro->parent.exists = ro_exists;
	ro->parent.exists_prefix = ro_exists_prefix;
	ro->parent.free = ro_free;
	code = git_odb_add_backend(odb, &ro->parent, 1);
	if (code < 0)
		ro_free(&ro->parent);
	return code;
}
