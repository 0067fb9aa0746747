import { readFileSync, readdirSync } from 'node:fs'

/**
 * `npm run texts` writes `locales/keys.ts`: the keys of every catalogue as a union, so that a misspelt key does not compile.
 * Plural forms are one key. A test fails when it was not written after a change of `locales/en/*.json`.
 */
export const PLURAL = /_(?:zero|one|two|few|many|other)$/
const folder = new URL('./en/', import.meta.url)

/** The source of `keys.ts`. */
export function keysSource(): string {
  const areas = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
  const entries = areas.map((name) => {
    const { ui = {} } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as { ui?: Record<string, string> }
    const keys = [...new Set(Object.keys(ui).map((key) => key.replace(PLURAL, '')))].toSorted()
    const area = name.slice(0, -5)
    const union = keys.length ? keys.map((key) => `\n    | '${key}'`).join('') : ' never'
    return `  ${/^\w+$/.test(area) ? area : `'${area}'`}:${union}\n`
  })
  return `// Written by \`npm run texts\` from locales/en/*.json.\n\n/** Keys of the texts of each catalogue. */\nexport interface Keys {\n${entries.join('')}}\n`
}
