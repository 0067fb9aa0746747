/**
 * The name of a file that somebody keeps: what it is, and whose, so that many can lie in one folder. What would break a path
 * is a dash.
 */
export const fileName = (
  kind: 'pdf' | 'xlsx' | 'zip' | 'csv' | 'json' | 'xml',
  ...parts: readonly (string | null | undefined)[]
): string =>
  `${parts
    .filter(Boolean)
    .join(' ')
    .replaceAll(/[\\/:*?"<>|]/g, '-')}.${kind}`
