#ifndef FIGURE_H
#define FIGURE_H

#include <stdbool.h>

/*
 * A figure in percent of n cases beside what it should be. A rate of exactly 5
 * or 95 % comes out on either side of it: what is off by no more than 2.58
 * standard errors may be chance, and is said to be so. Whether it is a miss.
 */
bool figure(const char *what, double got, int n, double low, double high);

/* The same without allowance. */
bool count_figure(const char *what, double got, double low, double high);

#endif
