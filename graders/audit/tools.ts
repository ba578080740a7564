/** Names of tools, read as words. */

/** Words in a tool's name that say it changes or destroys something, spends, or reaches other people. */
const DANGEROUS = new Set(
  [
    "delete remove drop destroy truncate purge wipe erase kill terminate shutdown stop restart reboot",
    "deploy migrate rollback release publish push merge commit revert reset",
    "write update insert create upsert set edit modify patch put move rename overwrite save upload",
    "send email mail post tweet message sms notify call invite share",
    "pay charge refund transfer buy purchase order book cancel withdraw",
    "exec execute run bash shell sh command eval sql query script sudo ssh",
    "grant revoke permit disable enable block ban",
  ].flatMap((line) => line.split(" ")),
);

/** Names that begin so only look, whatever they look at: an order, a post, a set. */
const LOOKS = new Set([
  "get",
  "find",
  "list",
  "read",
  "search",
  "show",
  "look",
  "lookup",
  "fetch",
  "check",
  "count",
  "describe",
]);

/** Whether a tool's name says that running it does something one may regret. A hint for a person, never a permission. */
export function isDangerous(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  // What else it does then stands after an "and".
  const from = LOOKS.has(words[0] ?? "") ? words.indexOf("and") + 1 || words.length : 0;
  return words.slice(from).some((word) => DANGEROUS.has(word));
}
