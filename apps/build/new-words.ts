/** The words of `npm run new`: how they are given, and how they stand in the code. */
export const LANGUAGES = ['en', 'ar', 'de', 'fr', 'pt'] as const
export type Texts = Partial<Record<(typeof LANGUAGES)[number], string>> & { readonly en: string; readonly ar: string }

export const quote = (text: string): string => `'${text.replaceAll("'", String.raw`\'`)}'`
export const label = ({ en, ar }: Texts): string => `[${quote(en)}, ${quote(ar)}]`

/** What cannot be made, said to who asked for it. */
export class NotMade extends Error {}

/** @example textsOf('one', 'Training type|نوع تدريب|Trainingsart|Type de formation|Tipo de formação') */
export function textsOf(name: string, given: string | undefined): Texts {
  const parts = (given ?? '').split('|').map((part) => part.trim())
  if (!parts[0] || !parts[1]) throw new NotMade(`--${name} 'English|Arabic|German|French|Portuguese' is needed.`)
  return Object.fromEntries(LANGUAGES.map((language, i) => [language, parts[i]])) as unknown as Texts
}
