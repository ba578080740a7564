/** A path as one word of a command that a person may copy: quoted where a shell would break it or read more into it. */
export function shellWord(path: string, quote: '"' | "'" = '"'): string {
  return /^[\w./\\:@%+,=~-]+$/.test(path) || path.includes(quote) ? path : `${quote}${path}${quote}`;
}
