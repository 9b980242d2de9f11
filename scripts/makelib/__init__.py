"""Parts of scripts/make_collection: made-up collections of any size, with labelled duplicates."""
