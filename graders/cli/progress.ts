/** How far a long audit has come, in a line that is written over; at a terminal only. */
import type { Lang, Text } from "../trace/text.ts";

interface Terminal {
  isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** @returns null where there is no terminal; else what to call after each row, and at the end, which takes the line away */
export function progressOn(
  terminal: Terminal,
  lang: Lang,
  total: number,
): { step: () => void; end: () => void } | null {
  if (terminal.isTTY !== true) return null;
  let done = 0;
  const show = () => terminal.write(`\r\x1b[K${said(done, total)[lang]}`);
  show();
  return {
    step: () => {
      done += 1;
      show();
    },
    end: () => void terminal.write("\r\x1b[K"),
  };
}

function said(done: number, total: number): Text {
  return { es: `${done} de ${total} comportamientos…`, en: `${done} of ${total} behaviours…` };
}
