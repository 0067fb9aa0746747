/**
 * A series of serial numbers: declared once, beside what carries them. Its numbers begin with 1 in every period and go on
 * without gaps; a number that was rolled back is the next one's.
 */
export interface Series {
  /** Small letters, digits, underscores; for ever the same. */
  readonly name: string
  /** When numbers begin again: with each year, each term, or never. */
  readonly per: 'year' | 'term' | null
  /** How a number is written: `{n}` with `width` digits at least, `{period}` the year or the code of the term. */
  readonly format: string
  readonly width: number
}

/**
 * Declares a series.
 *
 * @example series('transcript', { per: 'year', format: 'OT-{period}-{n}' })
 */
export function series(
  name: string,
  { per = null, format, width = 6 }: { per?: Series['per']; format: string; width?: number },
): Series {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`Not a name of a series: ${name}`)
  if (!format.includes('{n}')) throw new Error(`The series ${name} never writes its number`)
  // Numbers that begin again without the period beside them would be given twice.
  if (per && !format.includes('{period}')) throw new Error(`The series ${name} does not write its ${per}`)
  return { name, per, format, width }
}

/** A number of a series as it is written. */
export const serialText = (of: Series, period: string, n: number): string =>
  of.format.replace('{period}', period).replace('{n}', String(n).padStart(of.width, '0'))
