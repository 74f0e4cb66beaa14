"""How much is tried: `--hypothesis-profile=long` for the long run that SECURITY.md speaks of."""

from hypothesis import HealthCheck, settings

CHECKS = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]
COMMON = {"deadline": None, "suppress_health_check": CHECKS, "print_blob": True}
settings.register_profile("quick", max_examples=40, derandomize=True, database=None, **COMMON)
settings.register_profile("long", max_examples=2500, database=None, **COMMON)
if settings.get_current_profile_name() in ("default", "ci"):
    settings.load_profile("quick")
