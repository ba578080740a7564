/** A page of Markdown as a terminal shows it: a lesson, a diagnosis. `marked` reads it, this draws it. */
import type { ChalkInstance } from "chalk";
import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import type { Lang } from "../../trace/text.ts";
import { expandTabs, stack, widthOf, wrap } from "./layout.ts";
import { finish, openPage } from "./page.ts";
import { indented, type Span, textOf, wrapSpans } from "./spans.ts";

/** What stands below a heading is set in by this. */
const BODY = "  ";
/** What is nested deeper than its page is wide still gets this many columns. */
const NARROWEST_BLOCK = 20;
/** A column narrower than this is no column: the table is told cell by cell. */
const NARROWEST_COLUMN = 10;
const COLUMN_GAP = "   ";

/**
 * Draws headings, paragraphs, lists, code, tables, quotes and what HTML holds text; without a newline at its end.
 * Code and links keep their marks, emphasis is colour alone.
 */
export function markdownToTerminal(
  markdown: string,
  options: { lang: Lang; colour: boolean; columns: number },
): string {
  const { ink, width } = openPage(options);
  const blocks = lexer(markdown).map((token) =>
    token.type === "heading"
      ? headingRows(token as Tokens.Heading, ink, width)
      : indented(blockRows(token, ink, width - BODY.length), BODY, BODY),
  );
  return finish(stack(...blocks));
}

function headingRows({ depth, tokens }: Tokens.Heading, ink: ChalkInstance, width: number): string[] {
  return wrapSpans(spansOf(tokens, depth === 1 ? ink.bold.underline : ink.bold), width);
}

function blocksRows(tokens: readonly Token[], ink: ChalkInstance, width: number, tight = false): string[] {
  const blocks = tokens.map((token) => blockRows(token, ink, width));
  return tight ? blocks.flat() : stack(...blocks);
}

function blockRows(given: Token, ink: ChalkInstance, columns: number): string[] {
  const width = Math.max(NARROWEST_BLOCK, columns);
  const token = given as MarkedToken;
  switch (token.type) {
    case "heading":
      return headingRows(token, ink, width);
    case "paragraph":
    case "text":
      return wrapSpans(trimmed(spansOf(token.tokens ?? [token], ink)), width);
    case "code":
      return codeRows(token.text, width - BODY.length).map((row) => `${BODY}${ink.cyan(row)}`.trimEnd());
    case "list":
      return listRows(token, ink, width);
    case "table":
      return tableRows(token, ink, width);
    case "blockquote": {
      const edge = `${ink.dim("│")} `;
      return indented(blocksRows(token.tokens, ink, width - 2), edge, edge);
    }
    case "hr":
      return [ink.dim("─".repeat(width))];
    case "html": {
      // Of what folds away, the part that stays in sight is its title.
      const title = /<summary>/i.test(token.text) ? ink.bold : ink;
      const text = withoutTags(token.text);
      return text === "" ? [] : wrapSpans([{ text, ink: title }], width);
    }
    default:
      return [];
  }
}

/**
 * Lines of code as they are; what does not fit goes on further in, so that it is not taken for a line of its own. A long
 * comment goes before its line, each row a comment, so that the code can still be copied.
 */
function codeRows(code: string, width: number): string[] {
  return expandTabs(code)
    .split("\n")
    .flatMap((line) => {
      if (widthOf(line) <= width) return [line];
      const own = /^ */.exec(line)![0].slice(0, Math.floor(width / 2));
      const [, statement = "", comment] = /^(.*?)(?<![:"'`])\/\/ (.*)$/.exec(line.trim()) ?? [];
      if (comment !== undefined) {
        const above = indented(wrap(comment, width - own.length - 3), `${own}// `, `${own}// `);
        return statement === "" ? above : [...above, ...codeRows(own + statement.trimEnd(), width)];
      }
      const rest = `${own}    `;
      return indented(wrap(line.trimStart(), width - rest.length), own, rest);
    });
}

function listRows({ ordered, start, loose, items }: Tokens.List, ink: ChalkInstance, width: number): string[] {
  const from = Number(start) || 1;
  const label = ordered ? String(from + items.length - 1).length + 2 : 2;
  const entries = items.map((item, index) => {
    const mark = (ordered ? `${from + index}.` : "•").padEnd(label);
    const box = item.task ? (item.checked ? "[x] " : "[ ] ") : "";
    const rows = blocksRows(item.tokens, ink, width - label - box.length, !loose);
    return indented(rows.length === 0 ? [""] : rows, mark + box, " ".repeat(label + box.length));
  });
  return loose ? stack(...entries) : entries.flat();
}

function tableRows({ header, rows, align }: Tokens.Table, ink: ChalkInstance, width: number): string[] {
  const head = header.map(({ tokens }) => trimmed(spansOf(tokens, ink.bold)));
  const body = rows.map((row) => row.map(({ tokens }) => trimmed(spansOf(tokens, ink))));
  const room = width - COLUMN_GAP.length * (head.length - 1);
  const widths = shrunk(
    head.map((cell, column) => Math.max(...[cell, ...body.map((row) => row[column] ?? [])].map(widest))),
    room,
  );
  if (widths === null) return toldByCell(head, body, ink, width);
  const drawn = (cells: Span[][]): string[] => {
    const columns = cells.map((cell, column) => wrapSpans(cell, widths[column]!));
    const high = Math.max(...columns.map((lines) => lines.length));
    return Array.from({ length: high }, (_, line) =>
      columns
        .map((lines, column) => {
          const bare = widthOf(wrap(textOf(cells[column]!), widths[column]!)[line] ?? "");
          const gap = " ".repeat(Math.max(0, widths[column]! - bare));
          return align[column] === "right" ? gap + (lines[line] ?? "") : (lines[line] ?? "") + gap;
        })
        .join(COLUMN_GAP)
        .trimEnd(),
    );
  };
  const rule = ink.dim(widths.map((columns) => "─".repeat(columns)).join(COLUMN_GAP));
  const entries = body.map(drawn);
  // Rows of one line need nothing between them; where a cell takes several, it would not be seen where a row ends.
  const several = entries.some((entry) => entry.length > 1);
  const filled = head.some((cell) => cell.length > 0);
  return [...(filled ? [...drawn(head), rule] : []), ...(several ? stack(...entries) : entries.flat())];
}

/** A table too wide for columns: each row a block, each cell behind the name of its column. */
function toldByCell(head: Span[][], body: Span[][][], ink: ChalkInstance, width: number): string[] {
  return stack(
    ...body.map((row) =>
      row.flatMap((cell, column) => {
        const name = head[column] ?? [];
        const label = name.length === 0 || cell.length === 0 ? name : [...name, { text: ": ", ink: ink.bold }];
        return textOf([...label, ...cell]) === "" ? [] : wrapSpans([...label, ...cell], width);
      }),
    ),
  );
}

/** Widths of columns that fit in `room`, the widest ones narrowed; null where none would be left of them. */
function shrunk(widths: readonly number[], room: number): number[] | null {
  const fitted = [...widths];
  let sum = fitted.reduce((all, each) => all + each, 0);
  for (; sum > room; sum--) {
    const widestColumn = Math.max(...fitted);
    if (widestColumn <= NARROWEST_COLUMN) return null;
    fitted[fitted.indexOf(widestColumn)] = widestColumn - 1;
  }
  return fitted;
}

function widest(cell: readonly Span[]): number {
  return Math.max(0, ...textOf(cell).split("\n").map(widthOf));
}

/** The text of inline tokens, each stretch with its look. */
function spansOf(tokens: readonly Token[], ink: ChalkInstance): Span[] {
  return tokens.flatMap((given): Span[] => {
    const token = given as MarkedToken;
    switch (token.type) {
      case "strong":
        return spansOf(token.tokens, ink.bold);
      case "em":
        return spansOf(token.tokens, ink.italic);
      case "del":
        return spansOf(token.tokens, ink.strikethrough);
      case "codespan":
        return [{ text: quotedCode(token.text), ink: ink.cyan }];
      case "br":
        return [{ text: "\n", ink }];
      case "link":
        return linkSpans(token, ink);
      case "image":
        return token.text === "" ? [] : [{ text: `[${token.text}]`, ink: ink.dim }];
      case "html":
        return htmlSpans(token.text, ink);
      case "escape":
        return [{ text: token.text, ink }];
      case "text":
        return token.tokens ? spansOf(token.tokens, ink) : [{ text: characters(folded(token.text)), ink }];
      default:
        return [];
    }
  });
}

/** Code between its marks; what holds such a mark itself stands between quotes, or it could not be seen where it ends. */
function quotedCode(text: string): string {
  return text.includes("`") ? `"${text}"` : `\`${text}\``;
}

/** A link's text, and where it leads; a place on the same page leads nowhere in a terminal. */
function linkSpans({ href, tokens }: Tokens.Link, ink: ChalkInstance): Span[] {
  const said = spansOf(tokens, ink.underline);
  const shown = href.startsWith("#") || textOf(said) === href || `mailto:${textOf(said)}` === href;
  return shown ? said : [...said, { text: ` (${href})`, ink: ink.dim }];
}

function htmlSpans(tag: string, ink: ChalkInstance): Span[] {
  if (/^<br\b/i.test(tag)) return [{ text: "\n", ink }];
  if (/^<\/?code\b/i.test(tag)) return [{ text: "`", ink }];
  return [];
}

function withoutTags(html: string): string {
  const bare = html
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/<\/?code\b[^>]*>/gi, "`")
    .replace(/<\/?[a-z][^>]*>/gi, " ");
  return characters(folded(bare)).trim();
}

/** Lines of the source as one line. */
function folded(text: string): string {
  return text.replace(/[ \t\r\n]+/g, " ");
}

const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", nbsp: "\u00a0" };

function characters(text: string): string {
  return text.replace(/&(?:#(\d+)|([a-z]+));/g, (whole, code?: string, name?: string) =>
    code !== undefined ? String.fromCodePoint(Number(code)) : (NAMED[name ?? ""] ?? whole),
  );
}

/** Without the spaces that a dropped tag or a source line leaves at the ends. */
function trimmed(spans: Span[]): Span[] {
  const text = textOf(spans);
  let skip = text.length - text.trimStart().length;
  let keep = text.trim().length;
  return spans.flatMap(({ text: part, ink }) => {
    const from = Math.min(skip, part.length);
    const kept = part.slice(from, from + keep);
    skip -= from;
    keep -= kept.length;
    return kept === "" ? [] : [{ text: kept, ink }];
  });
}
