import { expect, test } from "vitest";
import type { AuditReport } from "../../audit/report.ts";
import { command, mixed, ownTools } from "../testing/audit-samples.ts";
import { pathOf, subjectFile, uriOf } from "./place.ts";

const audited = (subject: string): AuditReport => ({ ...mixed(), subject });

test.each([
  ["src/agent.ts", "src/agent.ts"],
  ["./src/agent.ts", "src/agent.ts"],
  [".\\src\\agent.ts", "src/agent.ts"],
  ["../other/agent.ts", "../other/agent.ts"],
  ["/home/ana/src/agent.ts", "/home/ana/src/agent.ts"],
])("the audited file %s is %s", (subject, file) => {
  expect(subjectFile(audited(subject))).toBe(file);
});

test("a command is no file", () => {
  expect(subjectFile(command())).toBeNull();
  expect(pathOf(command(), "agent.py")).toBe("agent.py");
});

test("files are named from their project's folder: what stands before it is put before them", () => {
  expect(pathOf(audited("src/agent.ts"), "agent.ts")).toBe("src/agent.ts");
  expect(pathOf(ownTools(), "src/agent.ts")).toBe("packages/desk/src/agent.ts");
  expect(pathOf(ownTools(), "src/tools/orders.ts")).toBe("packages/desk/src/tools/orders.ts");
  expect(pathOf(audited("C:\\ana\\agent.ts"), "agent.ts")).toBe("C:/ana/agent.ts");
});

test("where no named file is the audited one, names stay as they are", () => {
  expect(pathOf(audited("src/loop.ts"), "agent.ts")).toBe("agent.ts");
  expect(pathOf(audited("src/my-agent.ts"), "agent.ts")).toBe("agent.ts");
});

test.each([
  ["src/agent.ts", "src/agent.ts"],
  ["Años de práctica/a#b%?.ts", "A%C3%B1os%20de%20pr%C3%A1ctica/a%23b%25%3F.ts"],
  ["a:b/c.ts", "a%3Ab/c.ts"],
  ["/home/ana/my agent.ts", "file:///home/ana/my%20agent.ts"],
  ["C:/ana/agent.ts", "file:///C:/ana/agent.ts"],
])("%s as a URI is %s", (path, uri) => {
  expect(uriOf(path)).toBe(uri);
});
