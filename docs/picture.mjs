/**
 * Draws the READMEs' picture of a verdict: `node docs/picture.mjs` writes docs/verdict.{es,en}.svg.
 *
 * It runs the real `bucle check 2.3` on a near miss of `solutions/`, in colour and with a fixed seed, and turns what the
 * terminal would show into SVG. Rows are left out (see `essential`), none is changed. Run it again when the words or the
 * look of a verdict change; the same sources give the same files.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

const ROOT = join(import.meta.dirname, "..");
const EXERCISE = "2.3-write-the-loop";
const MISTAKE = "missing-reassignment";
const SEED = "2f9c1a7e";
const ESCAPE = "\u001b[";
const PROMPT = "$ npx bucle check 2.3";

const TITLES = {
  es: "Salida de `npx bucle check 2.3`: nombra el error, la línea y un siguiente paso",
  en: "Output of `npx bucle check 2.3`: it names the mistake, the line and one next step",
};

/** Pixels. Each stretch of text is set to its place in a grid of cells, so that no font can shift or clip it. */
const CELL = 8.4;
const LEADING = 20;
const FONT_SIZE = 14;
const PADDING = 22;

const BACKGROUND = "#10151d";
const BORDER = "#2b3442";
const PLAIN = "#e4e9f0";
const DIM = "#8d98a8";
/** The colours a verdict uses, by SGR code. */
const COLOURS = { 31: "#ff8078", 32: "#7fdc8a", 33: "#e8c268", 36: "#79c4ff" };

for (const lang of ["es", "en"]) {
  const rows = [PROMPT, "", ...essential(verdict(lang).split("\n"))];
  const file = join(import.meta.dirname, `verdict.${lang}.svg`);
  writeFileSync(file, toSvg(rows, TITLES[lang]));
  process.stdout.write(`docs/verdict.${lang}.svg: ${rows.length} rows\n`);
}

/** What `check` prints of the near miss, with its colours. */
function verdict(lang) {
  const folder = mkdtempSync(join(tmpdir(), "bucle-picture-"));
  try {
    mkdirSync(join(folder, EXERCISE));
    const nearMiss = join(ROOT, "solutions", EXERCISE, "wrong", `${MISTAKE}.ts`);
    copyFileSync(nearMiss, join(folder, EXERCISE, "agent.ts"));
    const bucle = join(ROOT, "graders", "cli", "bucle.cjs");
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [bucle, "check", "2.3", "--dir", folder, "--lang", lang, "--seed", SEED],
      { encoding: "utf8", env: { ...process.env, FORCE_COLOR: "1", NO_COLOR: "" } },
    );
    if (status !== 1) throw new Error(`check ended with ${status}, not 1:\n${stdout}${stderr}`);
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The verdict up to the one next step, without the reason under each criterion. */
function essential(rows) {
  const plain = rows.map((row) => stripVTControlCharacters(row));
  const step = plain.findIndex((row) => row.startsWith("    → "));
  const end = plain.indexOf("", step);
  if (step === -1 || end === -1) throw new Error(`no next step in:\n${plain.join("\n")}`);
  return rows.slice(0, end).filter((row, index) => !isReason(row, plain[index]));
}

/** A dimmed row, set in as far as a criterion's title. */
function isReason(row, plain) {
  return row.startsWith(`${ESCAPE}2m`) && plain.startsWith(" ".repeat(9));
}

function toSvg(rows, title) {
  const widest = Math.max(...rows.map((row) => [...stripVTControlCharacters(row)].length));
  const width = Math.round(widest * CELL + 2 * PADDING);
  const height = rows.length * LEADING + 2 * PADDING;
  const lines = rows.flatMap((row, index) => {
    const y = PADDING + index * LEADING + FONT_SIZE + 1;
    return stretches(row).map((stretch) => textElement(stretch, y));
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escapeXml(title)}</title>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${BACKGROUND}" stroke="${BORDER}"/>
<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_SIZE}">
${lines.join("\n")}
</g>
</svg>
`;
}

function textElement({ text, column, fill, bold }, y) {
  const x = round(PADDING + column * CELL);
  const length = round([...text].length * CELL);
  const weight = bold ? ' font-weight="bold"' : "";
  const place = `x="${x}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs"`;
  return `<text ${place} fill="${fill}"${weight}>${escapeXml(text)}</text>`;
}

/** A row's stretches of one look each, without blanks round them or more than one within: SVG readers fold those. */
function stretches(row) {
  const found = [];
  let column = 0;
  let look = { colour: null, bold: false, dim: false };
  // Before the first escape there is text alone; after each, the codes up to an `m`, then text.
  for (const [index, piece] of row.split(ESCAPE).entries()) {
    const codesEnd = index === 0 ? -1 : piece.indexOf("m");
    if (index > 0) look = afterCodes(look, piece.slice(0, codesEnd));
    const printed = piece.slice(codesEnd + 1);
    const fill = look.colour ?? (look.dim ? DIM : PLAIN);
    for (const [text, blanks] of printed.matchAll(/( +)|\S+(?: \S+)*/g)) {
      if (blanks === undefined) found.push({ text, column, fill, bold: look.bold });
      column += [...text].length;
    }
  }
  return found;
}

function afterCodes(look, codes) {
  let { colour, bold, dim } = look;
  for (const code of codes.split(";").map(Number)) {
    if (code === 0) [colour, bold, dim] = [null, false, false];
    else if (code === 1) bold = true;
    else if (code === 2) dim = true;
    else if (code === 22) [bold, dim] = [false, false];
    else if (code === 39) colour = null;
    else if (code in COLOURS) colour = COLOURS[code];
    else throw new Error(`no look for the SGR code ${code}`);
  }
  return { colour, bold, dim };
}

function escapeXml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function round(value) {
  return Number(value.toFixed(1));
}
