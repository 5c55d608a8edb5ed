"""Volumes that store nothing."""
from cinder.tests import fake_driver


class Driver(fake_driver.FakeLoggingVolumeDriver):
    def create_volume(self, volume):
        pass

    def clone_image(self, context, volume, image_location, image_meta, image_service):
        return {}, True

    def copy_image_to_volume(self, context, volume, image_service, image_id, disable_sparse=False):
        pass

    def extend_volume(self, volume, new_size):
        pass
