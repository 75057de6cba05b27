/** `mon-1.example`, `100.64.0.7`, `[fd7a::7]`, or `none`. */
export function hostOf(given: string): string | undefined {
  return /^[\w.-]+$|^\[[\da-f:]+\]$/i.test(given) ? given : undefined;
}
