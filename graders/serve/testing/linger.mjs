// Starts a program that calls a port of this machine and stays on the line for ever, and waits for it.
import { spawnSync } from "node:child_process";

const [port] = process.argv.slice(2);
const call = `require("node:net").connect(${Number(port)}, "127.0.0.1").on("error", () => {}).resume(); setInterval(() => {}, 1000)`;
spawnSync(process.execPath, ["-e", call], { stdio: "inherit" });
