device.o: stdlib/node/collective/device.c stdlib/node/collective/device.h \
 stdlib/node/collective/text.h
stdlib/node/collective/device.h:
stdlib/node/collective/text.h:
