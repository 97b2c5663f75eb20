/*
 * Loaded by LD_PRELOAD, it makes each fsync and fdatasync of its process take SLOW_FSYNC_US microseconds more: a slower disk.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

typedef int (*sync_call)(int);

static void delay(void)
{
    const char *text = getenv("SLOW_FSYNC_US");
    long us = text ? atol(text) : 0;
    struct timespec left = {us / 1000000, us % 1000000 * 1000};
    while (nanosleep(&left, &left) == -1 && errno == EINTR)
        ;
}

int fsync(int fd)
{
    delay();
    return ((sync_call)dlsym(RTLD_NEXT, "fsync"))(fd);
}

int fdatasync(int fd)
{
    delay();
    return ((sync_call)dlsym(RTLD_NEXT, "fdatasync"))(fd);
}
