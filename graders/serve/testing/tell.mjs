// Tells what it was given: its input, and what of its environment has to do with the model.
import { text } from "node:stream/consumers";

const told = Object.entries(process.env).filter(([name]) => /ANTHROPIC|TOKEN|^NO_PROXY$/.test(name));
process.stdout.write(JSON.stringify({ input: await text(process.stdin), ...Object.fromEntries(told) }));
