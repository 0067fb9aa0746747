/** Codes as they are pasted from a letter: one a line, or with commas between them; each once. */
export const codesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,;،؛]+/u)
      .map((code) => code.trim())
      .filter(Boolean),
  ),
]
