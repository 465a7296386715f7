/*
 * Network loads over loopback whose buffers come from the core: as many clients
 * as asked for, threads or processes, each with a server thread of its own.
 *
 *	TCP_RR		a request of one byte, an answer of one byte
 *	UDP_STREAM	datagrams of 1024 bytes, as fast as they go
 *
 * Each transaction allocates and frees a buffer on both sides, as the kernel
 * does for a packet. The kernel's sockets are most of what is measured here: a
 * change of the allocator has to be large to show.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pagealloc.h"
#include "throughput.h"

#define DATAGRAM	1024
#define BUFFER		2048
#define BURST		16	/* datagrams of one call of the work function */

static const char usage[] =
"usage: netperf-sim [options]\n"
"  -t N     clients 1, 2, 4 .. N, at most 32              [2]\n"
"  -P       clients are processes, not threads\n"
"  -w N     windows of 2 ms for each metric               [150]\n"
"  -m GLOB  only the metrics that match\n"
"  -h       this text\n"
"\n"
"Prints tcp-rr-N in transactions/s and udp-stream-N in Mbit/s sent, by\n"
"clients (tcp-rr-processes-N with -P), higher is better: the median of those\n"
"windows in which no client was taken off its CPU.\n";

struct client {
	int fd, server_fd;
	pthread_t server;
};

struct run {
	unsigned long max_clients, windows;
	const char *glob;
	bool processes;
	struct pa *pa;
	struct client client[BENCH_MAX_WORKERS];
};

static void *get_buffer(struct run *r)
{
	void *buffer = pa_kmalloc(r->pa, BUFFER, PA_GFP_KERNEL);

	if (!buffer)
		bench_die("netperf-sim: the arena is too small");
	return buffer;
}

static void start(void *arg, unsigned int number)
{
	struct run *r = arg;

	(void)number;
	if (r->processes)
		pa_attach(r->pa);
}

static unsigned long transaction(void *arg, unsigned int number)
{
	struct run *r = arg;
	char *buffer = get_buffer(r);

	if (write(r->client[number].fd, buffer, 1) != 1 ||
	    read(r->client[number].fd, buffer, 1) != 1)
		bench_die("netperf-sim: the connection broke");
	pa_kfree(r->pa, buffer);
	return 1;
}

/* A full queue drops datagrams, or refuses them: not counted. */
static unsigned long burst(void *arg, unsigned int number)
{
	struct run *r = arg;
	unsigned long sent = 0;

	for (int i = 0; i < BURST; i++) {
		char *buffer = get_buffer(r);

		memset(buffer, i, DATAGRAM);
		sent += send(r->client[number].fd, buffer, DATAGRAM, 0) ==
			DATAGRAM;
		pa_kfree(r->pa, buffer);
	}
	return sent;
}

struct server {
	struct run *run;
	int fd;
	bool answers;
};

static void *serve(void *arg)
{
	struct server s = *(struct server *)arg;
	ssize_t n;

	free(arg);
	for (;;) {
		char *buffer = get_buffer(s.run);

		n = read(s.fd, buffer, BUFFER);
		/* an empty datagram, or the end of a connection */
		if (n > 0 && s.answers)
			n = write(s.fd, buffer, n);
		pa_kfree(s.run->pa, buffer);
		if (n <= 0)
			return NULL;
	}
}

static struct sockaddr_in bind_loopback(int fd)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	socklen_t size = sizeof(a);

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof(a)) < 0 ||
	    getsockname(fd, (struct sockaddr *)&a, &size) < 0)
		bench_die("netperf-sim: no socket on loopback");
	return a;
}

static void connect_tcp(struct client *c)
{
	int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
	struct sockaddr_in a = bind_loopback(listener);

	c->fd = socket(AF_INET, SOCK_STREAM, 0);
	if (listen(listener, 1) < 0 ||
	    connect(c->fd, (struct sockaddr *)&a, sizeof(a)) < 0)
		bench_die("netperf-sim: no connection on loopback");
	c->server_fd = accept(listener, NULL, NULL);
	if (c->server_fd < 0)
		bench_die("netperf-sim: no connection on loopback");
	setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	setsockopt(c->server_fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	close(listener);
}

static void connect_udp(struct client *c)
{
	struct sockaddr_in a;

	c->server_fd = socket(AF_INET, SOCK_DGRAM, 0);
	a = bind_loopback(c->server_fd);
	c->fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&a, sizeof(a)) < 0)
		bench_die("netperf-sim: no socket on loopback");
}

static void open_client(struct run *r, struct client *c, bool tcp)
{
	struct server *s = malloc(sizeof(*s));

	if (!s)
		bench_die("netperf-sim: out of memory");
	if (tcp)
		connect_tcp(c);
	else
		connect_udp(c);
	*s = (struct server){ .run = r, .fd = c->server_fd, .answers = tcp };
	if (pthread_create(&c->server, NULL, serve, s))
		bench_die("netperf-sim: cannot start a thread");
}

static void close_client(struct client *c, bool tcp)
{
	shutdown(tcp ? c->fd : c->server_fd, SHUT_RDWR);
	pthread_join(c->server, NULL);
	close(c->fd);
	close(c->server_fd);
}

static void measure(struct run *r, unsigned int clients, bool tcp)
{
	struct bench_load load = { .workers = clients, .arg = r,
				   .windows = r->windows, .window_us = 2000,
				   .may_fault = true,
				   .processes = r->processes, .start = start,
				   .work = tcp ? transaction : burst };
	char name[64];
	struct bench_metric m = { "netperf-sim", name,
				  tcp ? "trans/s" : "Mbit/s", false };
	struct bench_rate rate;

	snprintf(name, sizeof(name), "%s%s-%u", tcp ? "tcp-rr" : "udp-stream",
		 r->processes ? "-processes" : "", clients);
	if (!bench_wanted(r->glob, name))
		return;
	for (unsigned int i = 0; i < clients; i++)
		open_client(r, &r->client[i], tcp);
	bench_throughput(&load, &rate);
	for (unsigned int i = 0; i < clients; i++)
		close_client(&r->client[i], tcp);
	bench_print_rate(&m, &rate, tcp ? 1 : DATAGRAM * 8 / 1e6);
}

int main(int argc, char **argv)
{
	static struct run r = { .max_clients = 2, .windows = 150 };
	const struct bench_option options[] = {
		{ 't', &r.max_clients, 1, 32, NULL, NULL },
		{ 'w', &r.windows, 3, 4000, NULL, NULL },
		{ 'm', NULL, 0, 0, &r.glob, NULL },
		{ 'P', NULL, 0, 0, NULL, &r.processes },
		{ 0, NULL, 0, 0, NULL, NULL },
	};
	struct pa_config config = { .node_pages = 4096 };

	bench_options(argc, argv, options, usage);
	config.shared = r.processes;
	if (pa_open(&config, &r.pa) < 0)
		bench_die("netperf-sim: no memory for the arena");
	for (unsigned int n = 1; n <= r.max_clients; n *= 2)
		measure(&r, n, true);
	for (unsigned int n = 1; n <= r.max_clients; n *= 2)
		measure(&r, n, false);
	pa_close(r.pa);
	return 0;
}
