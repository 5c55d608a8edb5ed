"""What makes the services of OpenStack small enough for a test, and lets them fail on demand."""
