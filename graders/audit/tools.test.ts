import { expect, test } from "vitest";
import { isDangerous } from "./tools.ts";

test.each(["delete_user", "restartService", "send-email", "run_migration", "user_delete", "get_and_delete_order"])(
  "%s may do something one regrets",
  (name) => expect(isDangerous(name)).toBe(true),
);

test.each(["get_weather", "find_order", "listPosts", "search_calendar", "convert_temperature", "", "settings_of"])(
  "%s is not called out",
  (name) => expect(isDangerous(name)).toBe(false),
);
