import type { Ctx } from './context.ts'

/** The head of papers. */
export interface UniversityHead {
  readonly name: string
  readonly name_local: string
}

/** The university's names, from its settings `university_name` and `university_name_local`. */
export async function universityHead({ pool }: Pick<Ctx, 'pool'>): Promise<UniversityHead> {
  const { rows } = await pool.query<{ key: string; value: unknown }>(
    `select key, value from settings where key in ('university_name', 'university_name_local')`,
  )
  const of = (key: string, otherwise: string): string => {
    const value = rows.find((row) => row.key === key)?.value
    return typeof value === 'string' && value ? value : otherwise
  }
  return { name: of('university_name', 'University'), name_local: of('university_name_local', 'الجامعة') }
}
