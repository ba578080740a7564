/** What of a user's environment a program may see that is run against a scripted model. */

/** Names of keys, tokens and passwords, and everything of those who sell models: some of it says where to send requests. */
const SECRET_NAME = new RegExp(
  [
    "KEY($|_)|APIKEY",
    "TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|COOKIE|BEARER|JWT",
    "(^|_)(AUTH|PASS|PWD|PAT|DSN)($|_)",
    "^(ANTHROPIC|CLAUDE|OPENAI|AWS|GOOGLE|GCP|GCLOUD|CLOUDSDK|VERTEX|GEMINI|AZURE|BEDROCK|MISTRAL|GROQ|COHERE)_",
  ].join("|"),
  "i",
);

/** Where a shell stands, not a password. */
const NO_SECRET = /^(OLD)?PWD$/i;

/** A URL with a password in it, whatever its variable is called. */
const SECRET_VALUE = /\b[a-z][a-z\d+.-]*:\/\/[^\s/:@]*:[^\s/@]+@/i;

/** They would load code before the sandbox's own, open a debugger to anyone, or lead round the network's doors. */
const STEERS_NODE = /^NODE_(OPTIONS|V8_COVERAGE|USE_ENV_PROXY|CHANNEL_.*)$/i;

/**
 * An environment less every variable that looks like a secret or steers Node or a model's client.
 * @param env names and values; undefined ones are left out too
 */
export function withoutSecrets(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || STEERS_NODE.test(name) || SECRET_VALUE.test(value)) continue;
    if (SECRET_NAME.test(name) && !NO_SECRET.test(name)) continue;
    kept[name] = value;
  }
  return kept;
}
