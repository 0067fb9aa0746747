/** What a rule finds wrong, and the catalogues of texts that say it. */

/** One text in the two languages every catalogue of the rules carries. */
export type Bilingual = { en: string; ar: string }

/** What failed: texts and numbers for the {placeholders}, lists of ids for screens that mark the culprits. */
export type ProblemData = Record<string, string | number | number[]>

/** One finding: the field it belongs to (`ranges.2.from`, null = the whole), a stable code, and what failed. */
export type Problem<Code extends string = string> = { code: Code; field: string | null; data: ProblemData }

/** Puts data into the {placeholders} of a text; an unknown placeholder stays, so that a mistake is seen. */
export function fill(text: string, data: Readonly<Record<string, unknown>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, key: string) => {
    const value = data[key]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : whole
  })
}

/** The finding with its texts, in the shape of one entry of `errors` in an answer. */
export function describe<Code extends string>(
  problem: Problem<Code>,
  texts: Readonly<Record<Code, Bilingual>>,
): Problem<Code> & Bilingual {
  const text = texts[problem.code]
  return { ...problem, en: fill(text.en, problem.data), ar: fill(text.ar, problem.data) }
}
