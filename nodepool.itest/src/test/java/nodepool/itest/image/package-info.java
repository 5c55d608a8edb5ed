/** The life of images as processes see it: builders as installed, Debian's diskimage-builder, a real OpenStack. */
package nodepool.itest.image;
