/** The child is spawned with an empty environment; the SDK wants a key, and this one opens nothing. */
process.env.ANTHROPIC_API_KEY = "sandbox-no-key";
