import type { Language } from './language.ts'

/** The texts of an area in a language, as they lie in `locales`. */
export interface Catalogue {
  readonly ui?: Record<string, string>
  /** English label -> label; not in ar and en, which stand in the definitions. */
  readonly labels?: Record<string, string>
  /** `English / Arabic` name of what the program brings -> its name; not in ar and en. */
  readonly names?: Record<string, string>
  /** Code -> text of a refusal; not in ar and en. */
  readonly errors?: Record<string, string>
}

const files = import.meta.glob<Catalogue>('../../../locales/*/*.json', { import: 'default' })
/** Fetches the texts of an area; undefined: it has none in that language. */
export const fileOf = (l: Language, area: string): (() => Promise<Catalogue>) | undefined =>
  files[`../../../locales/${l}/${area}.json`]
/** Areas that have texts in a language. */
export const areasIn = (l: Language): string[] =>
  Object.keys(files).flatMap((file) => new RegExp(`/${l}/([\\w-]+)\\.json$`).exec(file)?.[1] ?? [])
