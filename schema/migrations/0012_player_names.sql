-- Only short forms that are nearly certain are kept.
DELETE FROM FideAliases WHERE Probability < 0.95;
