/**
 * Stands in for `tldts` in the child: MSW's cookie store asks it for a site's registered domain, by a table that takes
 * longer to load than all else of MSW. The model sets no cookies, so the answer does not matter.
 */
export function getDomain(host: string): string {
  return host;
}
