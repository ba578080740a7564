import type { ToolUseBlock } from "#harness";

/** Why a call may not be run; null when it may. */
export function approve({ name, input }: ToolUseBlock): string | null {
  if (name !== "run_migration") return null;
  const { start } = input as { start?: unknown };
  const inside = typeof start === "string" && start >= "02:00" && start <= "04:59";
  return inside ? null : `${String(start)} is outside the window for migrations, 02:00 to 04:59`;
}
