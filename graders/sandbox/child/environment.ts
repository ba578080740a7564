/** The child is spawned without a key of anybody's; the SDK wants one, and this one opens nothing. */
process.env.ANTHROPIC_API_KEY = "sandbox-no-key";
