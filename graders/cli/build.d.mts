/** Builds unless it is there already. @returns the bundle's folder */
export function build(): Promise<string>;
