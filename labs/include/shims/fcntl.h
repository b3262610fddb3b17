// <fcntl.h>: names of modes. Files are those of <stdio.h>; there are no descriptors.
#pragma once
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 0100
#define O_TRUNC 01000
#define O_APPEND 02000
