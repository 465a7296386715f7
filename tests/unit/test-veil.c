#include "check.h"
#include "veil.h"

#include <stdlib.h>

static void hides(const char *from, const char *to)
{
	char *out = wb_veil(from);

	if (!to)
		assert_null(out);
	else
		assert_string_equal(out, to);
	free(out);
}

static void test_veil(void **state)
{
	(void)state;
	hides("", NULL);
	hides("[core]\n\tbare = false\n[remote \"o\"]\n"
	      "\turl = https://example.org/a@b.git\n"
	      "\turl = ssh://git@example.org/x\n\turl = git@example.org:x\n"
	      "\turl = https://example.org/?q=@x\n"
	      "[user]\n\temail = ada.marsh@example.org\n", NULL);
	/* as GitLab and GitHub leave them */
	hides("[remote \"o\"]\n\turl = https://ci-token:s3cret@example.org/x\n",
	      "[remote \"o\"]\n\turl = https://example.org/x\n");
	hides("\turl = \"HTTP://s3cret@example.org\"\n",
	      "\turl = \"HTTP://example.org\"\n");
	hides("[http \"https://example.org/\"]\n"
	      "\textraHeader = AUTHORIZATION: basic s3cret\n[a]\nb=c",
	      "[http \"https://example.org/\"]\n[a]\nb=c");
	hides("[url \"https://ci:s3@cret@example.org/\"]\n"
	      "insteadOf = https://example.org/\n",
	      "[url \"https://example.org/\"]\n"
	      "insteadOf = https://example.org/\n");
	hides("[x]\npassword=s\n token = t\n\tTOKEN\t= u\ntokens = 3\n",
	      "[x]\ntokens = 3\n");
	/* a line that ends nowhere, or within */
	hides("url = https://s@e", "url = https://e");
	hides("token", NULL);
	hides("https://", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_veil),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
