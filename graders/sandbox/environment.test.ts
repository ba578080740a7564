import { expect, test } from "vitest";
import { withoutSecrets } from "./environment.ts";

test.each([
  ...["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CONFIG_DIR", "OPENAI_API_KEY"],
  ...["AWS_PROFILE", "AWS_REGION", "GOOGLE_APPLICATION_CREDENTIALS", "AZURE_OPENAI_ENDPOINT", "CLOUDSDK_CONFIG"],
  ...["GITHUB_TOKEN", "NPM_TOKEN", "npm_config__authToken", "CLIENT_SECRET", "DB_PASSWORD", "PGPASSWORD", "MYSQL_PWD"],
  ...["SSH_AUTH_SOCK", "SSH_PRIVATE_KEY", "MY_KEY", "KEY", "STRIPE_KEY_LIVE", "SENTRY_DSN", "GH_PAT", "my_api_key"],
  ...["NODE_OPTIONS", "NODE_V8_COVERAGE", "NODE_CHANNEL_FD"],
])("%s is left out", (name) => {
  expect(withoutSecrets({ [name]: "x" })).toEqual({});
});

test.each([
  ...["PATH", "HOME", "PWD", "OLDPWD", "LANG", "TERM", "USER", "NODE_ENV", "NODE_PATH", "SystemRoot", "TMPDIR"],
  ...["KEYBOARD", "COMPASS_HOME", "APP_MODE", "PATTERN", "AUTHOR"],
])("%s stays", (name) => {
  expect(withoutSecrets({ [name]: "x" })).toEqual({ [name]: "x" });
});

test("a value that holds a password is left out, whatever it is called; one that is not set too", () => {
  expect(
    withoutSecrets({
      DATABASE: "postgres://me:hunter2@db.example.com/app",
      PROXY: "proxy=http://:word@10.0.0.1:80",
      SITE: "https://example.com/@me",
      UNSET: undefined,
    }),
  ).toEqual({ SITE: "https://example.com/@me" });
});
